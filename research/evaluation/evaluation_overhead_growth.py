"""Compute a run's overhead, the time that the product itself adds, and how it grows with the run's size.

A run with a model can't be faster than its calls allow: a number at once, each with its latency, and a few that wait
for each other. The time beyond that limit is overhead. The slope of the regression of log overhead on log size shows
how it grows: 1 is linear, 2 quadratic.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import log
from statistics import linear_regression


@dataclass(frozen=True, slots=True)
class Latencies:
    """The latencies of external services in seconds, and the number of model calls in flight."""

    model_s: float = 1.0
    search_s: float = 0.3
    page_s: float = 0.3
    embedding_s: float = 0.1
    at_once: int = 50

    def report_limit_s(self, calls: int) -> float:
        """Return the shortest time of a report: plan, search, page, parallel reading of all sources, writing,
        checking.
        """
        reading = max(self.model_s, (calls - 3) * self.model_s / self.at_once)
        return 3 * self.model_s + self.search_s + self.page_s + reading

    def table_limit_s(self, calls: int) -> float:
        """Return the shortest time of a table: search and page of the first row, then calls without a gap."""
        return self.search_s + self.page_s + max(self.model_s, calls * self.model_s / self.at_once)


@dataclass(frozen=True, slots=True)
class GrowthMeasurement:
    """A run of a size (sources or items): its duration, its model calls, the shortest possible time, and its costs,
    with what the site does at rest meanwhile.
    """

    kind: str
    size: int
    wall_s: float
    calls: int
    limit_s: float
    cpu_s: float = 0.0  # of all processes, servers included
    commits: int = 0
    statements: int = 0  # with those that begin and end transactions

    @property
    def overhead_s(self) -> float:
        return self.wall_s - self.limit_s

    @property
    def ratio(self) -> float:
        return self.wall_s / self.limit_s


def exponent(points: Iterable[tuple[float, float]]) -> float | None:
    """Return the least-squares slope of log overhead on log size; None for fewer than two sizes.

    Points without overhead say nothing about its growth and are left out.
    """
    logs = [(log(size), log(overhead)) for size, overhead in points if size > 0 and overhead > 0]
    if len({x for x, _ in logs}) < 2:
        return None
    sizes, overheads = zip(*logs, strict=True)
    return linear_regression(sizes, overheads).slope
