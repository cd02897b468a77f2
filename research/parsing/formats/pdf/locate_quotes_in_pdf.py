"""Locates quotations on the pages of a PDF, and renders pages as images."""

from __future__ import annotations

import ctypes
import io
import threading
from collections.abc import Iterator
from contextlib import closing

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from research.parsing.formats.parse_pdf import open_pdf
from research.parsing.parsed_document import Box, ParsedPage

# pdfium is not thread-safe; web requests and the steps of a run come from several threads.
_pdfium = threading.Lock()
MAX_PIXELS = 40_000_000
_STEP = 100  # device units per point: pdfium maps pages to whole numbers


def quote_boxes(pdf: bytes, page: ParsedPage, start: int, end: int) -> list[Box]:
    """Return one rectangle for each line of text[start:end] on this page; empty if none of it is here.

    Raises ReadError if the file cannot be opened.
    """
    ranges = list(_char_ranges(page, start, end))
    if not ranges:
        return []
    with _pdfium, closing(open_pdf(pdf, "document.pdf")) as document:
        shown = document[page.number - 1]
        return _lines([box for first, count in ranges for box in _boxes(shown, first, count)])


def page_png(pdf: bytes, page_number: int, scale: float = 2.0) -> bytes:
    """Return a page (from 1) as PNG; `scale` is pixels per point, reduced if the image would exceed 40
    million pixels.

    Raises ReadError if the file cannot be opened, IndexError if there is no such page.
    """
    with _pdfium, closing(open_pdf(pdf, "document.pdf")) as document:
        if not 1 <= page_number <= len(document):
            raise IndexError(f"there is no page {page_number}")
        page = document[page_number - 1]
        width, height = page.get_size()
        most = (MAX_PIXELS / max(1.0, width * height)) ** 0.5
        image = page.render(scale=min(scale, most)).to_pil()
    written = io.BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


def _char_ranges(page: ParsedPage, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield (first pdfium character, count) for each run that the quotation touches."""
    for text_start, char_index, length in page.runs:
        first, last = max(start, text_start), min(end, text_start + length)
        if first < last:
            yield char_index + first - text_start, last - first


def _boxes(page: pdfium.PdfPage, first: int, count: int) -> Iterator[Box]:
    text_page = page.get_textpage()
    try:
        for number in range(text_page.count_rects(first, count)):
            yield _as_shown(page, *text_page.get_rect(number))
    finally:
        text_page.close()


def _as_shown(page: pdfium.PdfPage, left: float, bottom: float, right: float, top: float) -> Box:
    """Convert page coordinates to those of the page as shown: cropped and rotated."""
    (x1, y1), (x2, y2) = _device(page, left, top), _device(page, right, bottom)
    return Box(min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1))


def _device(page: pdfium.PdfPage, x: float, y: float) -> tuple[float, float]:
    width, height = page.get_size()
    device_x, device_y = ctypes.c_int(), ctypes.c_int()
    pdfium_c.FPDF_PageToDevice(
        page.raw, 0, 0, round(width * _STEP), round(height * _STEP), 0, x, y,
        ctypes.byref(device_x), ctypes.byref(device_y),
    )  # fmt: skip
    return device_x.value / _STEP, device_y.value / _STEP


def _lines(boxes: list[Box]) -> list[Box]:
    """Join boxes that are side by side on one line."""
    joined: list[Box] = []
    for box in boxes:
        if joined and _same_line(joined[-1], box):
            joined[-1] = _union(joined[-1], box)
        else:
            joined.append(box)
    return joined


def _same_line(a: Box, b: Box) -> bool:
    overlap = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    gap = max(a.x, b.x) - min(a.x + a.width, b.x + b.width)
    return overlap > 0.5 * min(a.height, b.height) and gap < 1.5 * max(a.height, b.height)


def _union(a: Box, b: Box) -> Box:
    x, y = min(a.x, b.x), min(a.y, b.y)
    right, bottom = max(a.x + a.width, b.x + b.width), max(a.y + a.height, b.y + b.height)
    return Box(x, y, right - x, bottom - y)
