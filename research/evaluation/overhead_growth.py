"""The overhead in a run's time (the part that is our own), and how that grows with the run's size.

A run of a model can't be quicker than its calls allow: so many at once, each as long as it takes, and a few that wait
for each other. What it takes beyond that limit is overhead. Straight lines through the logarithms of sizes and
overheads tell how it grows: a slope of 1 is linear, of 2 quadratic.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import log
from statistics import linear_regression


@dataclass(frozen=True, slots=True)
class Latencies:
    """Seconds that others take to answer, and how many calls of a model may be in flight."""

    model_s: float = 1.0
    search_s: float = 0.3
    page_s: float = 0.3
    embedding_s: float = 0.1
    at_once: int = 50

    def report_limit_s(self, calls: int) -> float:
        """Plan, search, page, reading of all sources at once as far as may be, writing, checking."""
        reading = max(self.model_s, (calls - 3) * self.model_s / self.at_once)
        return 3 * self.model_s + self.search_s + self.page_s + reading

    def table_limit_s(self, calls: int) -> float:
        """Search and page of the first row, then calls without a gap."""
        return self.search_s + self.page_s + max(self.model_s, calls * self.model_s / self.at_once)


@dataclass(frozen=True, slots=True)
class GrowthMeasurement:
    """A run of a size (sources, items): seconds from asking to its end, calls of a model, seconds at the least."""

    kind: str
    size: int
    wall_s: float
    calls: int
    limit_s: float

    @property
    def overhead_s(self) -> float:
        return self.wall_s - self.limit_s

    @property
    def ratio(self) -> float:
        return self.wall_s / self.limit_s


def exponent(points: Iterable[tuple[float, float]]) -> float | None:
    """The slope of least squares through the logarithms of (size, overhead); None for fewer than two sizes.

    What has no overhead says nothing about its growth and is left out.
    """
    logs = [(log(size), log(overhead)) for size, overhead in points if size > 0 and overhead > 0]
    if len({x for x, _ in logs}) < 2:
        return None
    sizes, overheads = zip(*logs, strict=True)
    return linear_regression(sizes, overheads).slope
