"""Names of the processes that hold leases and reservations, by which others on the machine can tell if one is dead.

Otherwise the steps of a killed process would wait for their leases to expire. A wrong guess only wastes work: the
fencing token prevents a process that was thought dead from writing.
"""

import os
import socket
from collections.abc import Iterable
from functools import cache
from itertools import count
from pathlib import Path

_numbers = count(1)


def owner_name() -> str:
    """Return a unique name for a holder: host and boot, pid namespace, process and its start, a number."""
    pid = os.getpid()
    return f"{_describe_pid_scope()}|{pid}|{read_process_start(pid)}|{next(_numbers)}"


@cache
def _describe_pid_scope() -> str:
    """Return a name for the scope in which process ids mean the same as here; empty if it is unknown.

    It contains the host, the boot and the pid namespace. The host is only for readers.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")[:8]
        namespace = os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return ""  # other processes cannot be inspected here
    return f"{socket.gethostname()[:40]}.{boot}.{namespace}"


def read_process_start(pid: int) -> str:
    """Return the start of a process, in ticks since boot; empty if there is no such process.

    It distinguishes processes with a reused id.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()  # the name before it may contain anything
    return "" if fields[0] in "ZX" else fields[19]


def dead(names: Iterable[str]) -> list[str]:
    """Return the holders whose process ran on this machine and has ended."""
    return [name for name in names if _is_dead(name)]


def _is_dead(name: str) -> bool:
    place, _, rest = name.partition("|")
    if not place or place != _describe_pid_scope():
        return False
    pid, start, _number = rest.split("|")
    return read_process_start(int(pid)) != start
