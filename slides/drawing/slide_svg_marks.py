"""The elements of a drawing as SVG. Lengths are px of a slide; colours come from classes of the style sheet."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from slides.fitting.measure_slide_text import width

WIDTH, HEIGHT, TEXT = 1136.0, 396.0, 20.0
LETTER = 0.61  # em; width of medium bold letters in the widest of the fonts


@dataclass(frozen=True, slots=True)
class DrawnText:
    """A text. `anchor` says which part of it lies at x: start, middle or end; y is its baseline."""

    x: float
    y: float
    text: str
    anchor: str = "start"
    look: str = ""


def words(text: DrawnText) -> str:
    look = f' class="{text.look}"' if text.look else ""
    return (
        f'<text x="{text.x:.1f}" y="{text.y:.1f}" text-anchor="{text.anchor}" font-size="{TEXT:g}"{look}>'
        f"{escape(text.text)}</text>"
    )


def rect(x: float, y: float, wide: float, high: float, series: int) -> str:
    return (
        f'<rect class="fill-{series}" x="{x:.1f}" y="{y:.1f}" width="{max(wide, 0):.1f}" '
        f'height="{max(high, 0):.1f}"/>'
    )


def line(x1: float, y1: float, x2: float, y2: float, look: str) -> str:
    return f'<line class="{look}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def curve(points: Sequence[tuple[float, float]], series: int) -> str:
    listed = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline class="curve line-{series}" points="{listed}"/>'


def dot(x: float, y: float, series: int) -> str:
    return f'<circle class="fill-{series}" cx="{x:.1f}" cy="{y:.1f}" r="6"/>'


def truncate_to_width(text: str, room: float) -> str:
    """Shorten the text to a line of at most so many px; the table behind the chart has the whole text."""
    line = " ".join(text.split())
    if wide(line) <= room:
        return line
    for end in range(len(line) - 1, 0, -1):
        if wide(line[:end]) + TEXT <= room:
            return line[:end].rstrip() + "…"
    return "…"


def wide(text: str) -> float:
    """Return the approximate width in px."""
    return width(text) * LETTER * TEXT
