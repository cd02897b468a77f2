"""Finds hidden layers of a PDF (optional content): no viewer draws objects on a layer that is switched off.

pdfium renders a page as a viewer opens it, with or without any of its objects. So nothing is guessed from
layer names: an object that may be on a layer is removed, and if the rendered page does not change, it was
invisible.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

_MARK = [*b"OC\0"]
_MAX_MARK = 16  # bytes of a mark's name that are read, UTF-16
_Name = ctypes.c_ushort * _MAX_MARK
_MAX_PIXELS = 1_200  # of the longer side of a rendered page
_MAX_PICTURES = 200  # of a document: objects after them count as visible
_MAX_OBJECTS = 2_000  # of a page, that may be on a layer
_MAX_INSIDE = 20_000  # of a form
_DEEPEST = 8  # nested forms
_MAX_ALONE = 12  # of a page, that overlap others
_SLACK = 2  # pixels around an object


@dataclass(frozen=True, slots=True)
class _PagePicture:
    pixels: bytes
    stride: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class _LayerObject:
    """An object that may be on a layer, with its box in pixels; None: anywhere on the page."""

    item: object
    box: tuple[int, int, int, int] | None

    def meets(self, other: _LayerObject) -> bool:
        if self.box is None or other.box is None:
            return True
        (left, top, right, bottom), (left2, top2, right2, bottom2) = self.box, other.box
        return left < right2 and left2 < right and top < bottom2 and top2 < bottom


class Layers:
    """A detector of the objects of one document that no viewer draws, page by page."""

    def __init__(self) -> None:
        self._left = _MAX_PICTURES

    def find_undrawn_objects(self, page: pdfium.PdfPage) -> frozenset[int]:
        """Return the addresses of the page's objects that no viewer draws, including those inside forms."""
        found = list(islice(_on_layers(page), _MAX_OBJECTS))
        if not found or self._left < 2:
            return frozenset()
        whole = self._draw(page)
        parts = [
            _LayerObject(item, _pixels_of(page, item, whole) if is_outer else None)
            for item, is_outer in found
        ]
        bare = self._draw_without(page, parts)
        is_off = [not _differ(whole, bare, part.box) for part in parts]
        for index in list(_unclear(parts, is_off))[: min(self._left, _MAX_ALONE)]:
            is_off[index] = self._draw_without(page, [parts[index]]).pixels == whole.pixels
        off = [part.item for part, is_one in zip(parts, is_off, strict=True) if is_one]
        return frozenset(address for item in off for address in _addresses(item))

    def _draw(self, page: pdfium.PdfPage) -> _PagePicture:
        self._left -= 1
        scale = min(1.0, _MAX_PIXELS / max(*page.get_size(), 1.0))
        drawn = page.render(scale=scale, grayscale=True, may_draw_forms=False)
        return _PagePicture(bytes(drawn.buffer), drawn.stride, drawn.width, drawn.height)

    def _draw_without(self, page: pdfium.PdfPage, parts: Sequence[_LayerObject]) -> _PagePicture:
        for part in parts:
            pdfium_c.FPDFPageObj_SetIsActive(part.item, False)
        try:
            return self._draw(page)
        finally:
            for part in parts:
                pdfium_c.FPDFPageObj_SetIsActive(part.item, True)


def _on_layers(page: pdfium.PdfPage) -> Iterator[tuple[object, bool]]:
    """Yield the objects that may be on a layer, and whether each stands in the page itself.

    These are marked objects, at any depth, and forms that hold text, since pdfium does not tell whether a form has a
    layer.
    """
    for index in range(pdfium_c.FPDFPage_CountObjects(page.raw)):
        item = pdfium_c.FPDFPage_GetObject(page.raw, index)
        if _is_marked(item) or _holds_text(item):
            yield item, True
        yield from ((part, False) for part in _inside(item) if _is_marked(part))


def _inside(item: object, depth: int = 0) -> Iterator[object]:
    """Yield the objects of a form, including nested forms and their objects."""
    if depth < _DEEPEST and pdfium_c.FPDFPageObj_GetType(item) == pdfium_c.FPDF_PAGEOBJ_FORM:
        for index in range(min(pdfium_c.FPDFFormObj_CountObjects(item), _MAX_INSIDE)):
            inner = pdfium_c.FPDFFormObj_GetObject(item, index)
            yield inner
            yield from _inside(inner, depth + 1)


def _holds_text(item: object) -> bool:
    return any(pdfium_c.FPDFPageObj_GetType(part) == pdfium_c.FPDF_PAGEOBJ_TEXT for part in _inside(item))


def _is_marked(item: object) -> bool:
    for index in range(min(pdfium_c.FPDFPageObj_CountMarks(item), _DEEPEST)):
        units, length = _Name(), ctypes.c_ulong()
        mark = pdfium_c.FPDFPageObj_GetMark(item, index)
        pdfium_c.FPDFPageObjMark_GetName(mark, units, ctypes.sizeof(units), ctypes.byref(length))
        if units[: len(_MARK)] == _MARK:
            return True
    return False


def _pixels_of(page: pdfium.PdfPage, item: object, picture: _PagePicture) -> tuple[int, int, int, int] | None:
    sides = [ctypes.c_float() for _ in range(4)]
    if not pdfium_c.FPDFPageObj_GetBounds(item, *map(ctypes.byref, sides)):
        return None
    left, bottom, right, top = (side.value for side in sides)
    corners = [_pixel(page, picture, x, y) for x in (left, right) for y in (bottom, top)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return (
        max(0, min(xs) - _SLACK),
        max(0, min(ys) - _SLACK),
        min(picture.width, max(xs) + _SLACK),
        min(picture.height, max(ys) + _SLACK),
    )


def _pixel(page: pdfium.PdfPage, picture: _PagePicture, x: float, y: float) -> tuple[int, int]:
    across, down = ctypes.c_int(), ctypes.c_int()
    size = (0, 0, picture.width, picture.height, 0)
    pdfium_c.FPDF_PageToDevice(page.raw, *size, x, y, ctypes.byref(across), ctypes.byref(down))
    return across.value, down.value


def _differ(first: _PagePicture, second: _PagePicture, box: tuple[int, int, int, int] | None) -> bool:
    if box is None:
        return first.pixels != second.pixels
    left, top, right, bottom = box
    rows = ((row * first.stride + left, row * first.stride + right) for row in range(top, bottom))
    return any(first.pixels[begin:end] != second.pixels[begin:end] for begin, end in rows)


def _unclear(parts: Sequence[_LayerObject], is_off: Sequence[bool]) -> Iterator[int]:
    """Yield the indexes of visible parts that overlap another, which alone may cause the difference."""
    for index, part in enumerate(parts):
        if not is_off[index] and any(part.meets(other) for other in parts if other is not part):
            yield index


def _addresses(item: object) -> Iterator[int]:
    yield address(item)
    yield from map(address, _inside(item))


def address(item: object) -> int:
    """Return the address that identifies an object of a page while the page is open."""
    return ctypes.addressof(item.contents) if item else 0  # type: ignore[attr-defined]  # pdfium's own handle
