"""Charts of estimates with their intervals: their data, and their logarithmic scale. Pure.

Such a chart has three datasets: the estimates, the lower ends and the upper ends. Ratios are compared with 1, which
is always on the scale. Each tick is twice the one before, or ten times if there would be too many ticks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log

from django.utils.formats import number_format

from slides.deck import ChartKind, SlideChart

NO_EFFECT = 1.0
_MAX_TICKS = 9


@dataclass(frozen=True, slots=True)
class Interval:
    label: str
    value: float
    low: float
    high: float

    @property
    def figures(self) -> str:
        """Return the figures: "1.86 (1.22–2.87)", each with as many digits as the longest of them."""
        figures = (self.value, self.low, self.high)
        digits = max(len(f"{figure:.4f}".rstrip("0").partition(".")[2]) for figure in figures)
        value, low, high = (number_format(figure, digits) for figure in figures)
        return f"{value} ({low}–{high})"


@dataclass(frozen=True, slots=True)
class LogScale:
    base: int
    ticks: tuple[float, ...]

    def share(self, value: float) -> float:
        """Return the position of the value along the scale, from 0 to 1."""
        first, last = log(self.ticks[0]), log(self.ticks[-1])
        return (log(value) - first) / (last - first)


def intervals_of(chart: SlideChart) -> tuple[Interval, ...]:
    """Return the intervals of an interval chart; none if its figures are not intervals, so that it is drawn as bars."""
    if chart.kind is not ChartKind.INTERVALS or len(chart.datasets) != len(("value", "low", "high")):
        return ()
    columns = zip(chart.labels, *(dataset.values for dataset in chart.datasets), strict=False)
    found = [
        Interval(label, value, low, high)
        for label, value, low, high in columns
        if value is not None and low is not None and high is not None and 0 < low <= value <= high
    ]
    return tuple(found) if found and len(found) == len(chart.labels) else ()


def kind_of(chart: SlideChart) -> ChartKind:
    """Return the type in which the chart can be drawn."""
    is_without = chart.kind is ChartKind.INTERVALS and not intervals_of(chart)
    return ChartKind.BAR if is_without else chart.kind


def scale_of(rows: Sequence[Interval]) -> LogScale:
    least = min(NO_EFFECT, *(row.low for row in rows))
    most = max(NO_EFFECT, *(row.high for row in rows))
    for base in (2, 10):
        first, last = floor(_power(least, base)), ceil(_power(most, base))
        ticks = tuple(float(base) ** power for power in range(first, max(last, first + 1) + 1))
        if len(ticks) <= _MAX_TICKS:
            break
    return LogScale(base, ticks)


def _power(value: float, base: int) -> float:
    """Return the logarithm, rounded because log 8 / log 2 is slightly more than 3."""
    return round(log(value) / log(base), 9)
