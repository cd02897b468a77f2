"""Text stays in its placeholder where LibreOffice draws a PPTX: glyph boxes against placeholder boxes."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
from django.conf import settings
from fontTools.ttLib import TTFont
from pptx.shapes.base import BaseShape
from pptx.slide import Slide as PptxSlide
from pptx.text.text import TextFrame
from pptx.util import Emu

from slides.pptx.pptx_drawing import PX
from tests.slides.reading import open_pptx

SLACK = 4.0  # px of 1280×720: some letters, as J, reach over their own place by a tenth of their size
_PACKAGES = ("inter", "roboto", "montserrat", "open-sans", "poppins")


@dataclass(frozen=True, slots=True)
class Rectangle:
    """Edges in px of 1280×720, from the top left corner."""

    left: float
    top: float
    right: float
    bottom: float

    def beyond(self, other: "Rectangle") -> float:
        """Return by how much this box reaches over the other's edges; 0 within."""
        return max(
            other.left - self.left,
            other.top - self.top,
            self.right - other.right,
            self.bottom - other.bottom,
            0.0,
        )


Placed = tuple[str, Rectangle]  # a letter, and where it is drawn


@dataclass(frozen=True, slots=True)
class Escape:
    """A letter outside of its box."""

    slide: int
    name: str
    letter: str
    by: float  # px


def install_fonts(folder: Path) -> dict[str, str]:
    """The themes' fonts as LibreOffice takes them; what to add to its environment."""
    for package in _PACKAGES:
        for weight in (400, 700):
            for path in _files(package, weight):
                font = TTFont(path)
                font.flavor = None
                font.save(folder / f"{path.stem}.ttf")
    config = folder / "fonts.conf"
    config.write_text(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>'
        f'<include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>{folder}</dir></fontconfig>'
    )
    return {"FONTCONFIG_FILE": str(config)}


def _files(package: str, weight: int) -> list[Path]:
    folder = settings.BASE_DIR / "node_modules" / "@fontsource" / package / "files"
    return sorted(folder.glob(f"{package}-latin-{weight}-normal.woff"))


def escapes(pptx: bytes, pdf: bytes) -> Iterator[Escape]:
    """Letters of the PDF that LibreOffice made which stand outside of the placeholder that holds them."""
    drawn = pypdfium2.PdfDocument(pdf)
    for number, (slide, page) in enumerate(zip(open_pptx(pptx).slides, drawn, strict=True), 1):
        yield from outside(number, slide, list(_letters(page)))


def _letters(page: pypdfium2.PdfPage) -> Iterator[Placed]:
    scale = 1280 / page.get_width()
    height = page.get_height()
    text = page.get_textpage()
    for index in range(text.count_chars()):
        letter = text.get_text_range(index, 1)
        left, bottom, right, top = text.get_charbox(index)
        if letter.strip() and right > left:
            yield (
                letter,
                Rectangle(left * scale, (height - top) * scale, right * scale, (height - bottom) * scale),
            )


def outside(number: int, slide: PptxSlide, letters: list[Placed]) -> Iterator[Escape]:
    """Yield a slide's letters outside their boxes, in the order in which they were drawn."""
    stream = "".join(letter for letter, _ in letters)
    free = set(range(len(letters)))
    boxes = []
    for shape in slide.placeholders:
        box = _box(shape)
        boxes.append(box)
        for words in _paragraphs(shape.text_frame) if shape.has_text_frame else ():
            drawn = _find_drawn(words, stream, free, box, letters)
            free -= drawn
            for index in sorted(drawn):
                letter, place = letters[index]
                if (by := place.beyond(box)) > SLACK:
                    yield Escape(number, shape.name, letter, by)
    for index in sorted(free):
        letter, place = letters[index]
        if (by := min(place.beyond(box) for box in boxes)) > SLACK:
            yield Escape(number, "", letter, by)


def _paragraphs(frame: TextFrame) -> Iterator[str]:
    """Without blanks."""
    for paragraph in frame.paragraphs:
        if words := "".join("".join(run.text for run in paragraph.runs).split()):
            yield words


def _find_drawn(words: str, stream: str, free: set[int], box: Rectangle, letters: list[Placed]) -> set[int]:
    """Where the words stand. LibreOffice draws a slide's number before its title: of the same words twice, those
    nearest to the box."""
    found = [range(at, at + len(words)) for at in _places(words, stream)]
    whole = [place for place in found if free.issuperset(place)]
    nearest = min(whole, key=lambda place: max(letters[index][1].beyond(box) for index in place), default=())
    return set(nearest)


def _places(words: str, stream: str) -> Iterator[int]:
    at = stream.find(words)
    while at >= 0:
        yield at
        at = stream.find(words, at + 1)


def _box(shape: BaseShape) -> Rectangle:
    left, top, width, height = (Emu(one) / PX for one in (shape.left, shape.top, shape.width, shape.height))
    return Rectangle(left, top, left + width, top + height)
