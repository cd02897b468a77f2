"""Measures the memory of a process and its descendants, on Linux."""

from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")


def descendants(pid: int) -> Iterator[int]:
    """Yield the process and its descendants, skipping those that end meanwhile."""
    yield pid
    for task in (PROC / str(pid) / "task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        for child in children:
            yield from descendants(int(child))


def proportional_mb(pid: int) -> float:
    """Return the proportional set size of the whole tree in MB: pages shared by several processes are counted once."""
    return sum(map(own_proportional_mb, descendants(pid)))


def own_proportional_mb(pid: int) -> float:
    """Return the proportional set size of one process."""
    return _pss_kb(pid) / 1024


def _pss_kb(pid: int) -> int:
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
