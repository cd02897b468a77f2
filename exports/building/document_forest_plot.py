"""Draws effects with their intervals: a row for each study, a square for its estimate, a logarithmic scale below."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil, log

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from exports.building.document_study_effects import INTERVALS
from exports.document.document_charts import WIDTH, Bar, BarChart, Count, Text, chart_of
from exports.document.document_tree import ChartEntry, PointEntry
from exports.stored.translate_exported_sentences import translate_stored_text

MAX_ROWS = 10  # of a drawing on paper, which must fit on a page
# Height of a row, baselines of its label and its outcome, its middle, half the length of the no-effect line.
ROW, TEXT, OUTCOME, MIDDLE, HALF = 52, 13, 28, 39, 6
SQUARE, THIN = 7.0, 1.4
EDGE, FOOT = 12, 22  # beside the scale, and below the rows
MAX_LETTERS = 46  # characters per row
MAX_TICKS = 7
AXIS = "axis"  # tone of everything that is not a figure
_STEPS = (1, 2, 5)
_NO_EFFECT = 1.0
_NOTHING = Text(0, 0, "start", "")


class _Scale:
    """A logarithmic scale from values to positions, which begins and ends at ticks and includes 1."""

    def __init__(self, points: Sequence[PointEntry]) -> None:
        least = min(_NO_EFFECT, *(point.low or point.value for point in points))
        most = max(_NO_EFFECT, *(point.high or point.value for point in points))
        known = [step * 10.0**power for power in range(-6, 8) for step in _STEPS]
        first = max((tick for tick in known if tick <= least), default=least)
        last = min((tick for tick in known if tick >= most), default=most)
        self._first, self._span = log(first), log(last) - log(first) or 1.0
        within = [tick for tick in known if first <= tick <= last]
        tens = [tick for tick in within if f"{tick:e}".startswith("1")]
        self.ticks = within if len(within) <= MAX_TICKS else tens

    def place(self, value: float) -> float:
        return EDGE + (WIDTH - 2 * EDGE) * (log(value) - self._first) / self._span


def build_entry_chart(entry: ChartEntry) -> BarChart:
    """Return the chart of an entry of any kind."""
    return _chart(entry, entry.points) if entry.kind == INTERVALS else chart_of(entry)


def build_chart_parts(entry: ChartEntry) -> Iterator[BarChart]:
    """Yield as few drawings as fit on pages, on one scale and of about equal length."""
    parts = ceil(len(entry.points) / MAX_ROWS)
    if entry.kind != INTERVALS or parts < 2:
        yield build_entry_chart(entry)
        return
    ends = [len(entry.points) * part // parts for part in range(parts + 1)]
    for part, (start, end) in enumerate(zip(ends, ends[1:], strict=False), start=1):
        chart = _chart(entry, entry.points[start:end])
        title = _("%(title)s (%(part)d of %(parts)d)") % {"title": chart.title, "part": part, "parts": parts}
        yield replace(chart, title=title, summary=chart.summary if part == parts else ())


def _chart(entry: ChartEntry, points: Sequence[PointEntry]) -> BarChart:
    scale = _Scale(entry.points)
    bars = [bar for index, point in enumerate(points) for bar in _row(point, index * ROW, scale)]
    foot = len(points) * ROW
    return BarChart(
        id="",
        title=translate_stored_text(entry.title),
        heading=translate_stored_text(entry.heading),
        summary=tuple(map(translate_stored_text, entry.summary)),
        counts=tuple(
            Count(point.label, point.value, name=_format_point_label(point), said=format_estimate(point))
            for point in points
        ),
        bars=(*bars, *_axis(foot, scale)),
        height=foot + FOOT,
    )


def _row(point: PointEntry, top: float, scale: _Scale) -> Iterator[Bar]:
    low, middle, high = (
        scale.place(value) for value in (point.low or point.value, point.value, point.high or point.value)
    )
    figures = format_estimate(point)
    label = Text(0, top + TEXT, "start", _short(point.label, MAX_LETTERS - len(figures) - 1))
    value = Text(WIDTH, top + TEXT, "end", figures)
    line = top + MIDDLE
    yield Bar(scale.place(_NO_EFFECT) - THIN / 4, line - HALF, THIN / 2, 2 * HALF, AXIS, _NOTHING, _NOTHING)
    outcome = Text(0, top + OUTCOME, "start", _short(point.outcome, MAX_LETTERS))
    yield Bar(low, line - THIN / 2, max(high - low, THIN), THIN, "", outcome, _NOTHING)
    yield Bar(middle - SQUARE / 2, line - SQUARE / 2, SQUARE, SQUARE, "", label, value)


def _axis(top: float, scale: _Scale) -> Iterator[Bar]:
    yield Bar(EDGE, top + 2, WIDTH - 2 * EDGE, THIN / 2, AXIS, _NOTHING, _NOTHING)
    for tick in scale.ticks:
        at = scale.place(tick)
        words = Text(at, top + FOOT - 4, "middle", number_format(f"{tick:.6f}".rstrip("0").rstrip(".")))
        yield Bar(at - THIN / 4, top + 2, THIN / 2, 4, AXIS, words, _NOTHING)


def format_estimate(point: PointEntry) -> str:
    """Format the estimate: "HR 1.86 (1.22–2.87)", each figure with as many digits as the longest of them."""
    figures = (point.value, point.low or point.value, point.high or point.value)
    digits = max(len(f"{figure:.6f}".rstrip("0").partition(".")[2]) for figure in figures)
    value, low, high = (number_format(figure, digits) for figure in figures)
    return f"{point.measure} {value} ({low}–{high})".strip()


def _format_point_label(point: PointEntry) -> str:
    return f"{point.label}: {point.outcome}" if point.outcome else point.label


def _short(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return (text[: most - 1].rpartition(" ")[0] or text[: most - 1]).rstrip(":,; ") + "…"
