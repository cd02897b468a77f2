"""Measure the costs of a site's processes: CPU time by part, and commits.

Wall time on a shared machine depends on its other load; CPU time and commits measure the product itself.
"""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings
from django.db import connection

from config.services.embedded_postgres import Postgres
from config.services.installation_memory import PROC, descendants

TICKS = os.sysconf("SC_CLK_TCK")
SERVERS = ("postgres", "valkey")  # not ours, and counted apart
OTHER = "other"
PARTS = {
    "postgres": "postgres",
    "valkey-server": "valkey",
    "agents@": "agents",
    "reading@": "reading",
    "uvicorn": "web",
    "config.beat": "beat",
}


class NoSite(RuntimeError):
    """The costs can't be measured, because PostgreSQL does not run on this machine."""


@dataclass(slots=True)
class Costs:
    """CPU seconds by part, and all commits of the database, including those of the measuring process."""

    cpu_s: dict[str, float] = field(default_factory=dict)
    commits: int = 0

    @property
    def own_cpu_s(self) -> float:
        """Return the CPU seconds without PostgreSQL and Valkey."""
        return sum(seconds for part, seconds in self.cpu_s.items() if part not in SERVERS)

    def as_json(self, calls: int) -> dict[str, object]:
        """Return the costs for printing, and per model call if there were any."""
        cpu_s = {part: round(seconds, 2) for part, seconds in self.cpu_s.items()}
        whole = {"cpu_s": cpu_s, "commits": self.commits, "calls": calls}
        if not calls:
            return whole
        return {
            **whole,
            "cpu_ms_a_call": round(1000 * self.own_cpu_s / calls, 1),
            "with_servers_ms_a_call": round(1000 * sum(self.cpu_s.values()) / calls, 1),
            "commits_a_call": round(self.commits / calls, 1),
        }


@contextmanager
def costs_of_site() -> Iterator[Costs]:
    """Yield costs that are filled in when the context ends. Raises NoSite."""
    found, root = Costs(), _supervisor()
    before, commits = cpu_by_part(root), _commits()
    yield found
    after = cpu_by_part(root)
    found.cpu_s = {part: after[part] - before.get(part, 0.0) for part in sorted(after)}
    found.commits = _commits() - commits


def _supervisor() -> int:
    """Return the id of the site's supervisor: the parent of its PostgreSQL process. Raises NoSite."""
    postgres = Postgres(settings.PATHS).stale_pid() if settings.EMBEDDED_POSTGRES else None
    if postgres is None:
        raise NoSite("Costs can be told of a site with its own PostgreSQL on this machine.")
    return _parent(postgres)


def _parent(pid: int) -> int:
    return int(_stat(pid)[1])


def cpu_by_part(root: int) -> Mapping[str, float]:
    """Return user and system seconds so far of the process and its descendants, including children that
    have ended.

    A process without a part of its own counts for the nearest one above it, which counts it once it has ended.
    """
    seconds: defaultdict[str, float] = defaultdict(float)
    parts: dict[int, str] = {}
    for pid in descendants(root):
        try:
            command = (PROC / str(pid) / "cmdline").read_text(encoding="utf-8", errors="replace")
            stat = _stat(pid)
        except OSError:
            continue  # it ended meanwhile, and its parent counts it
        own = part_of(command)
        parts[pid] = parts.get(int(stat[1]), OTHER) if own == OTHER else own
        seconds[parts[pid]] += sum(map(int, stat[11:15])) / TICKS
    return seconds


def part_of(command: str) -> str:
    """Return the part that a command line belongs to, or OTHER."""
    return next((part for sign, part in PARTS.items() if sign in command), OTHER)


def _stat(pid: int) -> list[str]:
    """Return the fields after the command name, which may contain spaces and parentheses."""
    return (
        (Path(PROC) / str(pid) / "stat")
        .read_text(encoding="utf-8", errors="replace")
        .rpartition(")")[2]
        .split()
    )


def _commits() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()")
        return int(cursor.fetchone()[0])
