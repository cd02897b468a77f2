"""The sandbox of a process that reads hostile files: it can only read its input and write its answer.

Four layers, each independent of the others, for root and for ordinary users:

limits   memory, core files, written files (none), and no file descriptor beyond those that are open: no file, socket
         or pipe can be opened, whatever else the kernel offers
user     root gives up its rights and becomes a user that owns no files
rights   no executed program can regain rights
calls    a seccomp filter allows only the system calls that computing needs: memory, time, the open pipe

The filter supports Linux on x86-64 and 64-bit ARM; elsewhere that layer is missing and the others hold.
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import struct
import sys
from enum import IntFlag

# Unlikely to be anybody else's: in the range that systemd allocates to services without users.
OWN_USER = 64_321

_PR_SET_NO_NEW_PRIVS = 38
_SET_MODE_FILTER, _ALL_THREADS = 1, 1  # of seccomp(2)
_EPERM, _ENOSYS = 1, 38
_CLONE_THREAD = 0x0001_0000

_ARCHITECTURES = {"x86_64": (0xC000_003E, 0), "aarch64": (0xC000_00B7, 1)}
# name: (x86-64, 64-bit ARM); None if the architecture does not have it. Calls not listed are refused.
_ALLOWED: dict[str, tuple[int | None, int | None]] = {
    "read": (0, 63), "readv": (19, 65), "write": (1, 64), "writev": (20, 66), "close": (3, 57), "fstat": (5, 80),
    "lseek": (8, 62), "poll": (7, None), "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72),
    "mmap": (9, 222), "mprotect": (10, 226), "munmap": (11, 215), "brk": (12, 214), "mremap": (25, 216),
    "madvise": (28, 233), "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132), "sched_yield": (24, 124), "sched_getaffinity": (204, 123), "getcpu": (309, 168),
    "nanosleep": (35, 101), "clock_nanosleep": (230, 115), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "gettimeofday": (96, 169), "time": (201, None), "times": (100, 153), "getrusage": (98, 165),
    "getpid": (39, 172), "gettid": (186, 178), "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176),
    "getegid": (108, 177), "uname": (63, 160), "sysinfo": (99, 179), "getrlimit": (97, 163), "setrlimit": (160, 164),
    "arch_prctl": (158, None), "futex": (202, 98), "set_tid_address": (218, 96), "set_robust_list": (273, 99),
    "restart_syscall": (219, 128), "exit": (60, 93), "exit_group": (231, 94), "getrandom": (318, 278),
    "membarrier": (324, 283), "rseq": (334, 293),
}  # fmt: skip
_CLONE, _CLONE3, _TGKILL, _PRLIMIT = (56, 220), (435, 435), (234, 131), (302, 261)
_SECCOMP = (317, 277)

# Opcodes of the kernel's packet filter (BPF).
_LOAD, _EQUAL, _AT_LEAST, _HAS_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE = 0x7FFF_0000, 0x0005_0000
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
_INSTRUCTION = struct.Struct("=HBBI")


class SandboxLayer(IntFlag):
    """The sandbox layers in force; they fit in one byte, so that the child can report them to its parent."""

    LIMITS = 1
    USER = 2
    RIGHTS = 4
    CALLS = 8


def close_in(memory: int) -> SandboxLayer:
    """Apply all sandbox layers that this machine supports.

    Everything the process needs must be loaded already.
    """
    layers = _limit(memory) | _leave_root()
    if not sys.platform.startswith("linux"):
        return layers
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0:
        layers |= SandboxLayer.RIGHTS
        layers |= _filter_calls(libc)
    return layers


def _limit(memory: int) -> SandboxLayer:
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    _only_open_descriptors()
    return SandboxLayer.LIMITS


def _only_open_descriptors() -> None:
    """Limit the number of descriptors to those that are open, after filling gaps, so that none is added."""
    highest = max(descriptor for descriptor in range(256) if _is_open(descriptor)) + 1
    while (spare := os.dup(2)) < highest:
        pass
    os.close(spare)
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest, highest))


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _leave_root() -> SandboxLayer:
    """Become another user if running as root; ordinary users can't change theirs."""
    if os.geteuid() != 0:
        return SandboxLayer(0)
    try:
        os.setgroups([])
        os.setgid(OWN_USER)
        os.setuid(OWN_USER)
    except OSError:  # a container without that user, or without permission to change
        return SandboxLayer(0)
    return SandboxLayer.USER


def _filter_calls(libc: ctypes.CDLL) -> SandboxLayer:
    machine = platform.machine()
    if machine not in _ARCHITECTURES:
        return SandboxLayer(0)
    program = _program(machine, os.getpid())
    code = ctypes.create_string_buffer(program)
    # struct sock_fprog: the number of instructions and their address
    handle = struct.pack("@HP", len(program) // _INSTRUCTION.size, ctypes.addressof(code))
    number = ctypes.c_long(_SECCOMP[_ARCHITECTURES[machine][1]])
    done: int = libc.syscall(number, ctypes.c_long(_SET_MODE_FILTER), ctypes.c_long(_ALL_THREADS), handle)
    return SandboxLayer.CALLS if done == 0 else SandboxLayer(0)


def _program(machine: str, process: int) -> bytes:
    """Return the filter for one architecture. `process` may send signals only to itself."""
    architecture, column = _ARCHITECTURES[machine]
    refuse = _instruction(_RETURN, _REFUSE | _EPERM)
    steps = [
        _instruction(_LOAD, _ARCHITECTURE_AT),
        _instruction(_EQUAL, architecture, 1, 0) + refuse,
        _instruction(_LOAD, _NUMBER_AT),
        _instruction(_AT_LEAST, 0x4000_0000, 0, 1) + refuse,  # calls of the x32 ABI
        _when(_CLONE3[column], _instruction(_RETURN, _REFUSE | _ENOSYS)),  # libc falls back to clone
        _when(_CLONE[column], _if_argument(_HAS_BITS, _CLONE_THREAD)),
        _when(_TGKILL[column], _if_argument(_EQUAL, process)),
        _when(_PRLIMIT[column], _if_argument(_EQUAL, 0)),
    ]
    allow = _instruction(_RETURN, _ALLOW)
    steps += [_when(number, allow) for both in _ALLOWED.values() if (number := both[column]) is not None]
    return b"".join([*steps, refuse])


def _when(number: int, then: bytes) -> bytes:
    """Run `then` for one call number. It ends in a decision, so nothing falls through."""
    return _instruction(_EQUAL, number, 0, len(then) // _INSTRUCTION.size) + then


def _if_argument(test: int, value: int) -> bytes:
    """Allow the call if its first argument passes the test, otherwise refuse it."""
    return b"".join(
        [
            _instruction(_LOAD, _FIRST_ARGUMENT_AT),
            _instruction(test, value, 0, 1),
            _instruction(_RETURN, _ALLOW),
            _instruction(_RETURN, _REFUSE | _EPERM),
        ]
    )


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return _INSTRUCTION.pack(code, if_true, if_false, value)
