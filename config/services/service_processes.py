"""Starts and stops operating-system processes that must not outlive this one."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
ADOPTED_WITHIN_S = 10.0
POLL_S = 0.01
NOBODY = 65534
MAX_COMM_LENGTH = 15  # characters of a program's name that Linux keeps

# Loaded at import, since nothing may be imported between fork and exec.
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


class ServiceError(Exception):
    """A service could not be started or stopped; str() is a sentence for the person at the terminal."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command to run, and the signal that ends it when its parent is killed."""

    arguments: Sequence[str]
    death_signal: signal.Signals = signal.SIGKILL
    environment: Mapping[str, str] | None = None
    user: int | None = None
    inherited: tuple[int, ...] = ()


def spawn(command: Command, *, output: IO[bytes] | int | None = None) -> subprocess.Popen[bytes]:
    """Start `command` in a process group of its own, so that Ctrl-C reaches it only through this process.

    Call it from the main thread: Linux sends the death signal when the starting *thread* ends.
    """
    return subprocess.Popen(  # noqa: S603 - our own argument lists, no shell
        list(command.arguments),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT if output is not None else None,
        env=dict(command.environment) if command.environment is not None else None,
        user=command.user,
        group=command.user,
        extra_groups=[] if command.user is not None else None,
        pass_fds=command.inherited,
        process_group=0,
        preexec_fn=_die_with_parent(command.death_signal, os.getpid()),
    )


def _die_with_parent(death_signal: signal.Signals, parent: int) -> Callable[[], None]:
    def after_fork() -> None:
        if _libc is not None:
            _libc.prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)
            if os.getppid() != parent:
                os._exit(1)  # the parent died before the call above

    return after_fork


def adopt_orphans() -> None:
    """Make this process the parent of descendants whose own parent ends. It then has to reap them."""
    if _libc is not None:
        _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def reap_orphans(own: Collection[int]) -> None:
    """Reap the processes that this one has adopted and that have ended, except its `own`."""
    for task in Path("/proc/self/task").glob("*/children"):
        try:
            children = {int(pid) for pid in task.read_text(encoding="ascii").split()}
        except OSError:  # the thread has ended
            continue
        for pid in children - set(own):
            if _state(pid) == "Z":
                os.waitpid(pid, os.WNOHANG)


def end_with_adopter(adopter: int, death_signal: int) -> None:
    """End this process, whose parent is ending, by `death_signal` when the process that adopts it is killed."""
    if not wait_until(lambda: os.getppid() == adopter, ADOPTED_WITHIN_S):
        os._exit(1)
    _die_with_parent(signal.Signals(death_signal), adopter)()


def stop(process: subprocess.Popen[bytes], first: signal.Signals, timeout_s: float) -> None:
    """Send `first`; after `timeout_s` kill the whole group. Returns when the process is gone."""
    if process.poll() is None:
        process.send_signal(first)
    try:
        process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        kill_group(process.pid)
        process.wait()


def kill_group(group: int) -> None:
    """Send SIGKILL to a process group, if it exists."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def is_running(pid: int) -> bool:
    """Return True if the process exists and is not a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return _state(pid) != "Z"


def _state(pid: int) -> str:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return status.rpartition(")")[2].split()[0]


def runs_program(pid: int, program: str, folder: Path) -> bool:
    """Return True if `pid` is alive and runs `program` in `folder`.

    A pid from an old file may belong to another process by now, even to a server of the same name.
    """
    if not is_running(pid):
        return False
    process = Path(f"/proc/{pid}")
    try:
        name = (process / "comm").read_text(encoding="utf-8", errors="replace").strip()
        return name == program[:MAX_COMM_LENGTH] and (process / "cwd").samefile(folder)
    except OSError:
        return not Path("/proc/self").exists()  # no /proc (macOS): trust the pid file


def stop_stranger(pid: int, first: signal.Signals, timeout_s: float) -> None:
    """Stop a process that is not a child: send `first`, after `timeout_s` kill it."""
    for request in (first, signal.SIGKILL):
        try:
            os.kill(pid, request)
        except ProcessLookupError:
            return
        if wait_until(lambda: not is_running(pid), timeout_s):
            return
    raise ServiceError(f"process {pid} cannot be stopped")


def wait_until(condition: Callable[[], bool], timeout_s: float) -> bool:
    """Check every 10 ms until `condition` holds (True) or the time is over (False)."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_S)
    return True
