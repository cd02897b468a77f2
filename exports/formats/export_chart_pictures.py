"""Charts as self-contained pictures: SVG with its colours and fonts, and PNG for programs that do not support SVG."""

from functools import cache
from html import escape
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from exports.document.document_charts import Bar, BarChart, Text
from exports.formats.export_fonts import SANS, covers, font_path

TONES = {"strong": "#116329", "moderate": "#7a4b00", "limited": "#4b535d", "axis": "#868e99"}
BLUE, INK = "#0b4f9e", "#1a1d21"
SIZE = 11  # units of the drawing
MARGIN = 2  # around the drawing, for strokes that slightly exceed it
_DOTS = 4  # dots per unit of the drawing: 320 units on 12 cm are 300 dpi
_FALLBACK = "DejaVuSans.ttf"  # of the operating system; covers most scripts
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}  # left, middle, right of the text, on its baseline


def svg(chart: BarChart) -> str:
    width, height = chart.width + 2 * MARGIN, chart.height + 2 * MARGIN
    inside = "".join(_bar(bar) for bar in chart.bars)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="{SANS}, sans-serif" font-size="{SIZE}" fill="{INK}">'
        f"{inside}</svg>"
    )


def _bar(bar: Bar) -> str:
    shape = (
        f'<rect x="{bar.x:.2f}" y="{bar.y:.2f}" width="{bar.width:.2f}" height="{bar.height:.2f}" rx="2" '
        f'fill="{TONES.get(bar.tone, BLUE)}"/>'
    )
    return shape + _text(bar.label) + _text(bar.value)


def _text(text: Text) -> str:
    if not text.words:
        return ""
    return f'<text x="{text.x:.2f}" y="{text.y:.2f}" text-anchor="{text.anchor}">{escape(text.words)}</text>'


def png(chart: BarChart) -> bytes:
    """Render the drawing as PNG. The same chart gives the same bytes."""
    size = round((chart.width + 2 * MARGIN) * _DOTS), round((chart.height + 2 * MARGIN) * _DOTS)
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    for bar in chart.bars:
        _draw_bar(draw, bar)
    written = BytesIO()
    image.save(written, "PNG", optimize=True)
    return written.getvalue()


def _draw_bar(draw: ImageDraw.ImageDraw, bar: Bar) -> None:
    if bar.width and bar.height:
        corners = (bar.x, bar.y, bar.x + bar.width, bar.y + bar.height)
        place = tuple(round((value + MARGIN) * _DOTS) for value in corners)
        draw.rounded_rectangle(place, 2 * _DOTS, fill=TONES.get(bar.tone, BLUE))
    for text in (bar.label, bar.value):
        if text.words:
            at = (text.x + MARGIN) * _DOTS, (text.y + MARGIN) * _DOTS
            draw.text(at, text.words, fill=INK, font=_font(covers(text.words)), anchor=_ANCHORS[text.anchor])


@cache
def _font(is_latin: bool) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return our font if it covers the text, else the system's, else the drawing library's."""
    path = font_path(SANS, "latin", 400) if is_latin else None
    for name in filter(None, (str(path) if path else "", _FALLBACK)):
        try:
            return ImageFont.truetype(name, SIZE * _DOTS)
        except OSError:
            continue
    return ImageFont.load_default(SIZE * _DOTS)
