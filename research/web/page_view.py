"""A PDF's page as an image with boxes around the cited words.

What opens PDFs is imported when the first is looked at: at the start it would be a tenth of the web process's time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citations.models import Citation
from research.library.frozen import pages_of
from research.models import Content
from research.objects import ObjectError, get_object
from research.reading.document import Page, ReadError
from research.reading.media_types import PDF

if TYPE_CHECKING:
    from research.reading.formats.boxes import Box

SCALE = 1.75  # pixels per point: sharp at the widest the page is shown
BOX_MARGIN = 1.5  # points around the words


@dataclass(frozen=True, slots=True)
class MarkedBox:
    """A rectangle in points, with its margin."""

    x: float
    y: float
    width: float
    height: float
    is_current: bool


@dataclass(frozen=True, slots=True)
class PageView:
    number: int
    page_count: int
    width: float  # points
    height: float
    boxes: tuple[MarkedBox, ...]
    has_image: bool
    text: str  # the page's words, for those who cannot see the image


def page_view(
    content: Content, number: int, citations: Sequence[Citation], current: Citation | None
) -> PageView | None:
    """None where the content has no such page."""
    page = next((one for one in pages_of(content) if one.number == number), None)
    if page is None:
        return None
    pdf = raw_bytes(content)
    here = [c for c in citations if c.start_offset < page.end and c.end_offset > page.start]
    return PageView(
        number=number,
        page_count=len(content.pages),
        width=page.width,
        height=page.height,
        boxes=tuple(_boxes(pdf, page, here, current)) if pdf else (),
        has_image=pdf is not None,
        text=content.text[page.start : page.end],
    )


def page_png_of(content: Content, number: int) -> bytes | None:
    """None where the file is gone or can no longer be opened."""
    from research.reading.formats.boxes import page_png

    pdf = raw_bytes(content)
    try:
        return None if pdf is None else page_png(pdf, number, SCALE)
    except (ReadError, IndexError):
        return None


def raw_bytes(content: Content) -> bytes | None:
    """The PDF as it came in; None where it was not kept, is gone or damaged."""
    if not content.raw_key or content.media_type != PDF:
        return None
    try:
        return get_object(content.raw_key)
    except ObjectError:
        return None


def _boxes(
    pdf: bytes, page: Page, citations: Sequence[Citation], current: Citation | None
) -> Iterator[MarkedBox]:
    for citation in citations:
        for box in _found(pdf, page, citation):
            yield MarkedBox(
                x=round(box.x - BOX_MARGIN, 1),
                y=round(box.y - BOX_MARGIN, 1),
                width=round(box.width + 2 * BOX_MARGIN, 1),
                height=round(box.height + 2 * BOX_MARGIN, 1),
                is_current=citation == current,
            )


def _found(pdf: bytes, page: Page, citation: Citation) -> "list[Box]":
    """The boxes stored with the citation, else those of its words on this page."""
    from research.reading.formats.boxes import Box, quote_boxes

    stored = [box for box in citation.boxes if (box.get("page") or citation.page_number) == page.number]
    if stored:
        return [Box(box["x"], box["y"], box["width"], box["height"]) for box in stored]
    try:
        return quote_boxes(pdf, page, citation.start_offset, citation.end_offset)
    except ReadError:
        return []
