"""The sandbox of a process that reads hostile files: it can only read its input and answer.

Four layers, each of which holds without the others, for root and for ordinary users:

limits   memory, core files, files written (none), and no file descriptor beyond those that are open: neither a
         file, a socket nor a pipe can be opened, whatever the kernel offers otherwise
user     root gives its rights up and becomes a user of no files
rights   nothing that is executed can win rights back
calls    a seccomp filter lets those system calls through that computing takes: memory, time, the open pipe

The filter is of Linux on x86-64 and 64-bit ARM; elsewhere that layer is missing and the others hold.
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import struct
import sys
from enum import IntFlag

# Of nobody else, as far as one can choose: within the range that systemd gives to services without users.
OWN_USER = 64_321

_PR_SET_NO_NEW_PRIVS = 38
_SET_MODE_FILTER, _ALL_THREADS = 1, 1  # of seccomp(2)
_EPERM, _ENOSYS = 1, 38
_CLONE_THREAD = 0x0001_0000

_ARCHITECTURES = {"x86_64": (0xC000_003E, 0), "aarch64": (0xC000_00B7, 1)}
# name: (x86-64, 64-bit ARM); None where a machine has no such call. What is not here is refused.
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

# Instructions of the kernel's packet filter.
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
    """Apply all sandbox layers that this machine supports. What the process will need must be loaded by now."""
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
    """Limit open files to those that are open now; gaps between them are filled first, so that none can be added."""
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
    """Ordinary users stay who they are: they cannot become anybody else."""
    if os.geteuid() != 0:
        return SandboxLayer(0)
    try:
        os.setgroups([])
        os.setgid(OWN_USER)
        os.setuid(OWN_USER)
    except OSError:  # a container without that user, or without the right to change
        return SandboxLayer(0)
    return SandboxLayer.USER


def _filter_calls(libc: ctypes.CDLL) -> SandboxLayer:
    machine = platform.machine()
    if machine not in _ARCHITECTURES:
        return SandboxLayer(0)
    program = _program(machine, os.getpid())
    code = ctypes.create_string_buffer(program)
    # struct sock_fprog: how many instructions, and where they are
    handle = struct.pack("@HP", len(program) // _INSTRUCTION.size, ctypes.addressof(code))
    number = ctypes.c_long(_SECCOMP[_ARCHITECTURES[machine][1]])
    done: int = libc.syscall(number, ctypes.c_long(_SET_MODE_FILTER), ctypes.c_long(_ALL_THREADS), handle)
    return SandboxLayer.CALLS if done == 0 else SandboxLayer(0)


def _program(machine: str, process: int) -> bytes:
    """The filter, for one kind of machine. `process` may signal itself alone."""
    architecture, column = _ARCHITECTURES[machine]
    refuse = _instruction(_RETURN, _REFUSE | _EPERM)
    steps = [
        _instruction(_LOAD, _ARCHITECTURE_AT),
        _instruction(_EQUAL, architecture, 1, 0) + refuse,
        _instruction(_LOAD, _NUMBER_AT),
        _instruction(_AT_LEAST, 0x4000_0000, 0, 1) + refuse,  # calls of another, older kind
        _when(_CLONE3[column], _instruction(_RETURN, _REFUSE | _ENOSYS)),  # then clone is tried
        _when(_CLONE[column], _if_argument(_HAS_BITS, _CLONE_THREAD)),
        _when(_TGKILL[column], _if_argument(_EQUAL, process)),
        _when(_PRLIMIT[column], _if_argument(_EQUAL, 0)),
    ]
    allow = _instruction(_RETURN, _ALLOW)
    steps += [_when(number, allow) for both in _ALLOWED.values() if (number := both[column]) is not None]
    return b"".join([*steps, refuse])


def _when(number: int, then: bytes) -> bytes:
    """`then` ends in a decision, so nothing falls through."""
    return _instruction(_EQUAL, number, 0, len(then) // _INSTRUCTION.size) + then


def _if_argument(test: int, value: int) -> bytes:
    """Allow the call when its first argument is so, refuse it otherwise."""
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
