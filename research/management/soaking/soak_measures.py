"""Measure the memory and open files of a site's processes by role, and their growth; knows nothing of runs."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from config.services.installation_memory import PROC, descendants, own_proportional_mb

MAX_GROWTH = 0.10  # from the time after the warm-up to the end
# Words that a command line must all contain; the first match wins. Browsers and document readers are short-lived
# children without a role.
ROLES: Mapping[str, Sequence[str]] = {
    "database": ("postgres",),
    "queue": ("valkey",),
    "web": ("uvicorn",),
    "agents": ("agents@",),
    "reading": ("reading@",),
    "beat": ("config.beat",),
    "supervisor": ("manage.py", "up"),
}
SERVERS = frozenset({"database", "queue"})  # third-party servers, whose caches fill up to their limits


@dataclass(frozen=True, slots=True)
class ResourceSample:
    """The resources at one moment. `memory_mb` is proportional set size, `files` are open descriptors; both
    by role.
    """

    at_s: float  # since the start
    memory_mb: Mapping[str, float]
    files: Mapping[str, int]
    database_mb: float = 0.0

    @property
    def ours_mb(self) -> float:
        return sum(mb for role, mb in self.memory_mb.items() if role not in SERVERS)

    @property
    def our_files(self) -> int:
        return sum(count for role, count in self.files.items() if role not in SERVERS)


@dataclass(frozen=True, slots=True)
class Growth:
    """Medians of the first and the last third of the samples after the warm-up."""

    name: str
    before: float
    after: float

    @property
    def share(self) -> float:
        """Return the growth as a share: 0.1 is 10 % more."""
        return self.after / self.before - 1 if self.before else 0.0

    @property
    def is_too_much(self) -> bool:
        return self.share >= MAX_GROWTH


def look(pid: int, at_s: float, database_mb: float) -> ResourceSample:
    """Measure a process and all its descendants."""
    memory: dict[str, float] = {}
    files: dict[str, int] = {}
    for descendant in descendants(pid):
        role = role_of(_command_line(descendant))
        memory[role] = memory.get(role, 0.0) + own_proportional_mb(descendant)
        files[role] = files.get(role, 0) + _open_files(descendant)
    return ResourceSample(at_s, memory, files, database_mb)


def role_of(command_line: str) -> str:
    for role, words in ROLES.items():
        if all(word in command_line for word in words):
            return role
    return "helpers"


def growths(looks: Sequence[ResourceSample], warm_up_s: float) -> list[Growth]:
    """Return the growth of memory and open files, without the third-party servers.

    Raises ValueError if there are fewer than six samples after the warm-up.
    """
    steady = [sample for sample in looks if sample.at_s >= warm_up_s]
    if len(steady) < 6:
        raise ValueError("too short: fewer than six looks after the warm-up")
    third = len(steady) // 3
    first, last = steady[:third], steady[-third:]
    return [
        Growth(
            "memory of our processes, MB", _median(x.ours_mb for x in first), _median(x.ours_mb for x in last)
        ),
        Growth("their open files", _median(x.our_files for x in first), _median(x.our_files for x in last)),
    ]


def by_role(looks: Sequence[ResourceSample], warm_up_s: float) -> list[tuple[str, float, float, float]]:
    """Return each role with its MB in the first sample after the warm-up, in the last sample, and at most."""
    steady = [sample for sample in looks if sample.at_s >= warm_up_s] or list(looks)
    roles = sorted({role for sample in steady for role in sample.memory_mb})
    return [
        (
            role,
            steady[0].memory_mb.get(role, 0.0),
            steady[-1].memory_mb.get(role, 0.0),
            max(sample.memory_mb.get(role, 0.0) for sample in steady),
        )
        for role in roles
    ]


def _median(values: Iterable[float]) -> float:
    return float(statistics.median(values))


def _command_line(pid: int) -> str:
    try:
        return (PROC / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def _open_files(pid: int) -> int:
    folder: Path = PROC / str(pid) / "fd"
    try:
        return sum(1 for _ in folder.iterdir())
    except OSError:
        return 0
