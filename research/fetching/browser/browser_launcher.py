"""Starts a sandboxed browser: run by its path, `python -I browser_launcher.py <control> <isolated|none>
<hidden:…> <program> …`.

It imports no other module of ours. In a sandbox ("isolated") the browser has its own user, process, mount and
network namespaces. Its network has nothing but a loopback interface with one listening socket, which is sent
over the control socket to the process that serves it from outside. There is no other network access, whatever
the browser is made to do. The folders of `hidden` are empty there, and /tmp is private and disappears with
the sandbox. Without one ("none") the browser only runs as another user, if root starts it.

The process at the other end of the control socket keeps the browser alive: when that end closes, everything
is killed.
"""

import contextlib
import ctypes
import fcntl
import os
import resource
import select
import shutil
import signal
import socket
import struct
import sys
import tempfile
from pathlib import Path

NOBODY_ELSE = 64_998  # the user that runs the browser if root starts it; owns nothing
PORT = 3128  # on the sandbox's loopback interface
PIPES = (3, 4)  # over which the browser is driven
PROFILE = "--user-data-dir="
TMP = "/tmp"  # noqa: S108 - in a sandbox: its own
MEMORY = 1_500 << 20  # bytes in use by one process of the browser; reserved address space is free
MAX_FILE = 200 << 20
SHARED = "size=512m,mode=1777"  # /tmp and the processes' shared memory

_NEW_MOUNTS, _NEW_HOSTNAME, _NEW_IPC = 0x0002_0000, 0x0400_0000, 0x0800_0000
_NEW_USERS, _NEW_PROCESSES, _NEW_NETWORK = 0x1000_0000, 0x2000_0000, 0x4000_0000
_PRIVATE, _NOSUID, _NODEV, _NOEXEC = 0x4_4000, 2, 4, 8  # _PRIVATE: recursively
_DIE_WITH_PARENT, _DUMPABLE, _NO_NEW_PRIVILEGES = 1, 4, 38
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1

_libc = ctypes.CDLL(None, use_errno=True)


def main(control_path: str, kind: str, hidden: str, program: str, *arguments: str) -> int:
    control = _control(control_path)
    _become_nobody_else()
    if kind == "isolated":
        _enter_namespaces()
        _hand_out_listener(control)
    profile = f"{TMP}/profile" if kind == "isolated" else tempfile.mkdtemp(prefix="plumbline-profile-")
    child = os.fork()
    if not child:
        _prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        if kind == "isolated":
            _be_init(control, hidden.split(":"), [program, f"{PROFILE}{profile}", *arguments])
        _become(program, f"{PROFILE}{profile}", *arguments)
    for pipe in PIPES:
        _close(pipe)
    status = _watch(control, child)
    if kind != "isolated":
        shutil.rmtree(profile, ignore_errors=True)
    return status


def _control(path: str) -> socket.socket | None:
    if path == "-":
        return None
    control = socket.socket(socket.AF_UNIX)
    control.connect(path)
    return control


def _become_nobody_else() -> None:
    """Give up root, which Chromium's sandbox refuses, and become dumpable so that /proc files are ours."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY_ELSE, NOBODY_ELSE, NOBODY_ELSE)
        os.setresuid(NOBODY_ELSE, NOBODY_ELSE, NOBODY_ELSE)
        _prctl(_DUMPABLE, 1)


def _enter_namespaces() -> None:
    user, group = os.geteuid(), os.getegid()
    every = _NEW_USERS | _NEW_NETWORK | _NEW_PROCESSES | _NEW_MOUNTS | _NEW_IPC | _NEW_HOSTNAME
    _check(_libc.unshare(every), "unshare")
    # As bytes: Python's own files may be unreachable by now, and naming an encoding would load it.
    Path("/proc/self/setgroups").write_bytes(b"deny")
    Path("/proc/self/uid_map").write_bytes(b"%d %d 1" % (user, user))
    Path("/proc/self/gid_map").write_bytes(b"%d %d 1" % (group, group))


def _hand_out_listener(control: socket.socket | None) -> None:
    with socket.socket() as listener:
        asked = fcntl.ioctl(listener, _GET_FLAGS, struct.pack("16sh14x", b"lo", 0))
        flags = struct.unpack("16sh14x", asked)[1] | _UP
        fcntl.ioctl(listener, _SET_FLAGS, struct.pack("16sh14x", b"lo", flags))
        listener.bind(("127.0.0.1", PORT))
        listener.listen(128)
        if control is not None:
            socket.send_fds(control, [b"listener"], [listener.fileno()])


def _be_init(control: socket.socket | None, hidden: list[str], command: list[str]) -> None:
    """Run as the sandbox's init process: when it ends, everything that the browser started ends too."""
    _own_mounts(hidden, command[0])
    _check(_libc.sethostname(b"browser", 7), "sethostname")
    child = os.fork()
    if not child:
        _become(*command)
    for pipe in PIPES:
        _close(pipe)
    os._exit(_watch(control, child))


def _own_mounts(hidden: list[str], program: str) -> None:
    _mount(b"none", b"/", b"", _PRIVATE, b"")
    for folder in filter(os.path.isdir, ("/run", "/var/tmp", *filter(None, hidden))):  # noqa: S108
        if not Path(program).is_relative_to(folder) and not Path(folder).is_relative_to(TMP):
            _mount(b"none", os.fsencode(folder), b"tmpfs", _NOSUID | _NODEV | _NOEXEC, b"size=4k,mode=555")
    for folder in (TMP, "/dev/shm"):  # noqa: S108
        _mount(b"none", folder.encode(), b"tmpfs", _NOSUID | _NODEV | _NOEXEC, SHARED.encode())
    _mount(b"proc", b"/proc", b"proc", _NOSUID | _NODEV | _NOEXEC, b"")
    os.chdir(TMP)


def _become(program: str, *arguments: str) -> None:
    _prctl(_NO_NEW_PRIVILEGES, 1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE, MAX_FILE))
    os.execv(program, [program, *arguments])  # noqa: S606 - the operator's browser, no shell


def _watch(control: socket.socket | None, child: int) -> int:
    """Wait for the child's end, and return its exit code. Kill it if the control socket closes."""
    ended = os.pidfd_open(child)
    waiting = select.poll()
    waiting.register(ended, select.POLLIN)
    if control is not None:
        waiting.register(control, select.POLLIN)
    while ended not in (ready := [fd for fd, _ in waiting.poll()]):
        if control is not None and control.fileno() in ready and not control.recv(1):
            waiting.unregister(control)
            os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 0xFF


def _mount(source: bytes, target: bytes, kind: bytes, flags: int, options: bytes) -> None:
    _check(_libc.mount(source, target, kind, ctypes.c_ulong(flags), options), f"mount {os.fsdecode(target)}")


def _prctl(option: int, value: int) -> None:
    _check(
        _libc.prctl(option, ctypes.c_ulong(value), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0)),
        "prctl",
    )


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def _close(pipe: int) -> None:
    """Close a pipe; there is none when the sandbox is only tested."""
    with contextlib.suppress(OSError):
        os.close(pipe)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
