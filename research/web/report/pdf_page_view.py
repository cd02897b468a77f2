"""A page of a PDF as an image with boxes around the cited words. The file is only opened by a sandboxed child
process, never by this one.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citations.models import Citation
from research.library.library_frozen_text import pages_of
from research.models import Content
from research.parsing.parsed_document import Box, ParsedPage
from research.parsing.parsed_media_types import PDF
from research.parsing.render_pdf_pages import Busy, page_png, quote_boxes
from research.runtime.sandbox.sandbox_read_error import ReadError, ReadErrorCode
from research.runtime.sandbox.sandbox_worker import ReaderStartError
from research.storage.object_store import ObjectError, get_object

SCALE = 1.75  # pixels per point: sharp at the page's maximum width
BOX_MARGIN = 1.5  # points around the words
# The most recent pages that took too long to render; rendering one again would take as long.
_endless: deque[tuple[str, int]] = deque(maxlen=500)


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
    text: str  # the page's text, for people who cannot see the image


def page_view(
    content: Content, number: int, citations: Sequence[Citation], current: Citation | None
) -> PageView | None:
    """Return the view of the page; None if the content has no such page."""
    page = next((candidate for candidate in pages_of(content) if candidate.number == number), None)
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
    """Render the page; None if the file is gone or unreadable, or takes too long. Raises Busy."""
    if (content.raw_key, number) in _endless:
        return None
    pdf = raw_bytes(content)
    try:
        return None if pdf is None else page_png(pdf, number, SCALE)
    except (ReaderStartError, IndexError):
        return None
    except ReadError as error:
        if error.code is ReadErrorCode.TIMEOUT:
            _endless.append((content.raw_key, number))
        return None


def raw_bytes(content: Content) -> bytes | None:
    """Return the PDF's bytes; None if they were not stored, are gone or damaged."""
    if not content.raw_key or content.media_type != PDF:
        return None
    try:
        return get_object(content.raw_key)
    except ObjectError:
        return None


def _boxes(
    pdf: bytes, page: ParsedPage, citations: Sequence[Citation], current: Citation | None
) -> Iterator[MarkedBox]:
    for citation, boxes in _locate_citations(pdf, page, citations):
        for box in boxes:
            yield MarkedBox(
                x=round(box.x - BOX_MARGIN, 1),
                y=round(box.y - BOX_MARGIN, 1),
                width=round(box.width + 2 * BOX_MARGIN, 1),
                height=round(box.height + 2 * BOX_MARGIN, 1),
                is_current=citation == current,
            )


def _locate_citations(
    pdf: bytes, page: ParsedPage, citations: Sequence[Citation]
) -> Iterator[tuple[Citation, Sequence[Box]]]:
    """Yield each citation with its boxes: those stored with it, else those found for its words on this page.

    All searches are one request to the child process.
    """
    without = []
    for citation in citations:
        stored = [box for box in citation.boxes if (box.get("page") or citation.page_number) == page.number]
        if stored:
            yield citation, [Box(box["x"], box["y"], box["width"], box["height"]) for box in stored]
        else:
            without.append(citation)
    if not without:
        return
    try:
        found = quote_boxes(pdf, page, [(citation.start_offset, citation.end_offset) for citation in without])
    except (ReadError, ReaderStartError, Busy):
        return
    yield from zip(without, found, strict=True)
