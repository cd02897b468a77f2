"""Draws a chart as one SVG element that fills the box of its layout. Pure: the same chart gives the same text."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from math import cos, pi, sin

from slides.deck import ChartKind, Dataset, SlideChart
from slides.drawing import draw_slide_forest_plot
from slides.drawing.slide_drawing_scale import LinearScale, scale_of
from slides.drawing.slide_svg_marks import (
    HEIGHT,
    TEXT,
    WIDTH,
    DrawnText,
    curve,
    dot,
    line,
    rect,
    truncate_to_width,
    wide,
    words,
)
from slides.slide_forest_plot_data import intervals_of, kind_of
from slides.speaker_notes import figure

# Heights of the legend, of the space below the axis, and of the space above the highest value.
_LEGEND, _FOOT, _HEAD = 44.0, 42.0, 40.0
_GAP = 12.0
_ROW_MOST, _BAR_SHARE = 62.0, 0.62


def svg_of(chart: SlideChart) -> str:
    """Draw the chart with the colours of the deck's style sheet; its summary is its accessible name."""
    inside = "".join(_DRAWN[kind_of(chart)](chart)) if chart.labels and chart.datasets else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" '
        f'aria-label="{escape(chart.summary, quote=True)}">{inside}</svg>'
    )


def format_quantity(value: float, unit: str) -> str:
    """Format a figure with its unit."""
    tight = "" if unit in ("%", "°") or not unit else "\u202f"
    return f"{figure(value)}{tight}{unit}"


def _bars(chart: SlideChart) -> Iterator[str]:
    if len(chart.datasets) == 1:
        yield from _rows(chart, chart.datasets[0])
    else:
        yield from _columns(chart)


def _rows(chart: SlideChart, dataset: Dataset) -> Iterator[str]:
    """Draw horizontal bars, each with its label before it and its figure after it."""
    step = min(_ROW_MOST, HEIGHT / len(chart.labels))
    top = (HEIGHT - step * len(chart.labels)) / 2
    before = min(360.0, max(map(wide, chart.labels)) + _GAP)
    behind = (
        max(wide(format_quantity(value, chart.unit)) for value in (*_select_known_values(dataset), 0.0))
        + 2 * _GAP
    )
    scale = scale_of(_select_known_values(dataset), before + _GAP, WIDTH - behind, room_below=behind)
    for place, (label, value) in enumerate(zip(chart.labels, dataset.values, strict=False)):
        middle = top + step * (place + 0.5)
        yield words(
            DrawnText(before - _GAP, middle + TEXT * 0.35, truncate_to_width(label, before - _GAP), "end")
        )
        if value is not None:
            yield from _row(scale, value, middle, step * _BAR_SHARE, format_quantity(value, chart.unit))
    yield line(scale.zero, top, scale.zero, top + step * len(chart.labels), "base")


def _row(scale: LinearScale, value: float, middle: float, thick: float, text: str) -> Iterator[str]:
    end = scale.at(value)
    yield rect(min(scale.zero, end), middle - thick / 2, abs(end - scale.zero), thick, 1)
    is_below = value < 0
    x = end - _GAP if is_below else end + _GAP
    yield words(DrawnText(x, middle + TEXT * 0.35, text, "end" if is_below else "start", "strong"))


def _columns(chart: SlideChart) -> Iterator[str]:
    """Draw grouped vertical bars, each with its figure if there is enough room."""
    yield from _legend(chart.datasets)
    scale = _column_scale(chart)
    group = WIDTH / len(chart.labels)
    thick = group * 0.8 / len(chart.datasets)
    yield from _grid(scale)
    for place, label in enumerate(chart.labels):
        left = group * place + group * 0.1
        for series, dataset in enumerate(chart.datasets, start=1):
            value = dataset.values[place] if place < len(dataset.values) else None
            if value is not None:
                yield from _column(scale, value, left + thick * (series - 1), thick, series)
        yield words(
            DrawnText(group * (place + 0.5), HEIGHT - 14, truncate_to_width(label, group - 8), "middle")
        )


def _column(scale: LinearScale, value: float, left: float, thick: float, series: int) -> Iterator[str]:
    end = scale.at(value)
    yield rect(left + 1, min(end, scale.zero), thick - 2, abs(end - scale.zero), series)
    if wide(figure(value)) <= thick + 6:
        y = end + TEXT if value < 0 else end - 8
        yield words(DrawnText(left + thick / 2, y, figure(value), "middle", "strong"))


def _lines(chart: SlideChart) -> Iterator[str]:
    """Draw points connected by lines; a single line has each figure, several have their names above."""
    is_one = len(chart.datasets) == 1
    if not is_one:
        yield from _legend(chart.datasets)
    scale = _column_scale(chart)
    step = WIDTH / len(chart.labels)
    yield from _grid(scale)
    for series, dataset in enumerate(chart.datasets, start=1):
        points = [
            (step * (place + 0.5), scale.at(value)) if value is not None else None
            for place, value in enumerate(dataset.values[: len(chart.labels)])
        ]
        yield from (curve(part, series) for part in _split_at_gaps(points))
        for at, value in zip(points, dataset.values, strict=False):
            if at and value is not None:
                yield dot(*at, series)
                if is_one and wide(format_quantity(value, chart.unit)) <= step:
                    yield words(
                        DrawnText(at[0], at[1] - 16, format_quantity(value, chart.unit), "middle", "strong")
                    )
    for place, label in enumerate(chart.labels):
        yield words(
            DrawnText(step * (place + 0.5), HEIGHT - 14, truncate_to_width(label, step - 8), "middle")
        )


def _split_at_gaps(points: Sequence[tuple[float, float] | None]) -> list[list[tuple[float, float]]]:
    """Split at missing values, so that no line crosses a gap."""
    parts: list[list[tuple[float, float]]] = [[]]
    for point in points:
        if point is None:
            parts.append([])
        else:
            parts[-1].append(point)
    return [part for part in parts if len(part) > 1]


def _rounds(chart: SlideChart) -> Iterator[str]:
    """Draw parts of a whole, clockwise from the top, with their names, figures and shares beside them."""
    values = [max(0.0, value or 0.0) for value in chart.datasets[0].values]
    total = sum(values) or 1.0
    outer = HEIGHT / 2 - 8
    inner = outer * 0.58 if chart.kind == ChartKind.DOUGHNUT else 0.0
    turns = [sum(values[:place]) / total for place in range(len(values) + 1)]
    for place, (start, end) in enumerate(pairwise(turns)):
        yield _slice(260, HEIGHT / 2, (inner, outer), (start, end), place % 5 + 1)
    if inner:
        yield words(
            DrawnText(260, HEIGHT / 2 + 7, format_quantity(sum(values), chart.unit), "middle", "strong")
        )
    row = min(60.0, HEIGHT / max(1, len(values)))
    top = HEIGHT / 2 - row * len(values) / 2
    for place, (label, value) in enumerate(zip(chart.labels, values, strict=False)):
        y = top + row * (place + 0.5)
        yield rect(540, y - 11, 22, 22, place % 5 + 1)
        yield words(DrawnText(578, y + 7, truncate_to_width(label, 330)))
        share = f"{format_quantity(value, chart.unit)} · {round(100 * value / total)}%"
        yield words(DrawnText(WIDTH - 20, y + 7, share, "end", "strong"))


def _slice(x: float, y: float, radii: tuple[float, float], turns: tuple[float, float], series: int) -> str:
    start, end = turns[0], min(turns[1], turns[0] + 0.99999)  # a full circle cannot be drawn as one arc
    if end <= start:
        return ""
    inner, outer = radii

    def at(turn: float, radius: float) -> str:
        return f"{x + radius * sin(2 * pi * turn):.2f} {y - radius * cos(2 * pi * turn):.2f}"

    long = int(end - start > 0.5)
    path = f"M{at(start, outer)} A{outer:.1f} {outer:.1f} 0 {long} 1 {at(end, outer)} L{at(end, inner)} "
    back = f"A{inner:.1f} {inner:.1f} 0 {long} 0 {at(start, inner)} Z" if inner else "Z"
    return f'<path class="fill-{series} cut" d="{path}{back}"/>'


def _intervals(chart: SlideChart) -> Iterator[str]:
    yield from draw_slide_forest_plot.draw_intervals(intervals_of(chart))


def _legend(datasets: Sequence[Dataset]) -> Iterator[str]:
    room = WIDTH / len(datasets)
    for place, dataset in enumerate(datasets):
        yield rect(room * place, 4, 20, 20, place % 5 + 1)
        yield words(DrawnText(room * place + 30, 21, truncate_to_width(dataset.label, room - 44)))


def _column_scale(chart: SlideChart) -> LinearScale:
    values = [value for dataset in chart.datasets for value in _select_known_values(dataset)]
    top = _HEAD + (_LEGEND if len(chart.datasets) > 1 else 0)
    return scale_of(values, HEIGHT - _FOOT - (TEXT if min(values, default=0) < 0 else 0), top)


def _grid(scale: LinearScale) -> Iterator[str]:
    yield line(0, scale.zero, WIDTH, scale.zero, "base")


def _select_known_values(dataset: Dataset) -> list[float]:
    return [value for value in dataset.values if value is not None]


_DRAWN: Mapping[ChartKind, Callable[[SlideChart], Iterator[str]]] = {
    ChartKind.BAR: _bars,
    ChartKind.LINE: _lines,
    ChartKind.PIE: _rounds,
    ChartKind.DOUGHNUT: _rounds,
    ChartKind.INTERVALS: _intervals,
}
