"""Memory of a process and all that it started, as Linux counts it."""

from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")


def descendants(pid: int) -> Iterator[int]:
    """The process and everything below it. A process that ends meanwhile is passed over."""
    yield pid
    for task in (PROC / str(pid) / "task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        for child in children:
            yield from descendants(int(child))


def proportional_mb(pid: int) -> float:
    """Proportional set size of the whole tree in MB: pages that several processes share are counted once."""
    return sum(map(own_proportional_mb, descendants(pid)))


def own_proportional_mb(pid: int) -> float:
    """The same of one process alone."""
    return _pss_kb(pid) / 1024


def _pss_kb(pid: int) -> int:
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
