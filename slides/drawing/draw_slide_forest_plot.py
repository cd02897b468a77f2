"""Draws estimates with their intervals: a line and a square for each, the figures beside them, one scale below."""

from collections.abc import Iterator, Sequence

from slides.drawing.slide_svg_marks import (
    HEIGHT,
    TEXT,
    WIDTH,
    DrawnText,
    line,
    rect,
    truncate_to_width,
    wide,
    words,
)
from slides.slide_forest_plot_data import NO_EFFECT, Interval, LogScale, scale_of
from slides.speaker_notes import figure

_FOOT, _GAP = 36.0, 16.0
_ROW_MOST, _LABEL_MOST = 62.0, 420.0
_SQUARE, _TICK = 14.0, 6.0


def draw_intervals(rows: Sequence[Interval]) -> Iterator[str]:
    scale = scale_of(rows)
    step = min(_ROW_MOST, (HEIGHT - _FOOT) / len(rows))
    top = (HEIGHT - _FOOT - step * len(rows)) / 2
    foot = top + step * len(rows)
    before = min(_LABEL_MOST, max(wide(row.label) for row in rows))
    start, end = before + 2 * _GAP, WIDTH - max(wide(row.figures) for row in rows) - 2 * _GAP
    at = _Along(scale, start, end)
    yield line(at.place(NO_EFFECT), top, at.place(NO_EFFECT), foot, "base")
    for number, row in enumerate(rows):
        middle = top + step * (number + 0.5)
        yield words(DrawnText(before, middle + TEXT * 0.35, truncate_to_width(row.label, before), "end"))
        yield line(at.place(row.low), middle, at.place(row.high), middle, "span")
        yield rect(at.place(row.value) - _SQUARE / 2, middle - _SQUARE / 2, _SQUARE, _SQUARE, 1)
        yield words(DrawnText(WIDTH, middle + TEXT * 0.35, row.figures, "end", "strong"))
    yield line(start, foot, end, foot, "axis")
    for tick in scale.ticks:
        yield line(at.place(tick), foot, at.place(tick), foot + _TICK, "axis")
        yield words(DrawnText(at.place(tick), foot + _TICK + TEXT, figure(tick), "middle", "quiet"))


class _Along:
    """Positions on the scale, in px."""

    def __init__(self, scale: LogScale, start: float, end: float) -> None:
        self._scale, self._start, self._room = scale, start, end - start

    def place(self, value: float) -> float:
        return self._start + self._room * self._scale.share(value)
