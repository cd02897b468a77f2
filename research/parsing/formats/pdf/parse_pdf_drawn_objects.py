"""Collects the objects of a PDF page in drawing order: texts, shapes that can hide them, rules."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from research.parsing.formats.css.parse_css_colors import Color
from research.parsing.formats.pdf.parse_hidden_pdf_layers import address

_STROKED = frozenset({pdfium_c.FPDF_TEXTRENDERMODE_STROKE, pdfium_c.FPDF_TEXTRENDERMODE_STROKE_CLIP})
_MIN_LEFT = 0.01  # of a text's area, after clipping
_WIDEST = 5.0  # times the horizontal scale: the largest type size assumed
_MAX_OBJECTS = 20_000  # of a page; in a larger drawing, coverage is not determined
_MAX_SHAPES = 2_000  # of a page, with which text is compared
_MAX_RULES = 5_000  # of a page
_THINNEST, _SHORTEST = 2.0, 3.0  # points: the largest thickness and the smallest length of a rule
_DEEPEST = 8  # nested forms
_MAX_POINTS = 200  # of a clipping path
_SEGMENTS = 6  # of a rectangle at most


@dataclass(frozen=True, slots=True)
class PaintBox:
    left: float
    bottom: float
    right: float
    top: float

    @property
    def area(self) -> float:
        return max(0.0, self.right - self.left) * max(0.0, self.top - self.bottom)

    def holds(self, other: PaintBox, slack: float = 1.0) -> bool:
        return (
            self.left - slack <= other.left
            and self.right + slack >= other.right
            and self.bottom - slack <= other.bottom
            and self.top + slack >= other.top
        )

    def meets(self, other: PaintBox) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.bottom < other.top
            and other.bottom < self.top
        )


@dataclass(frozen=True, slots=True)
class PaintedShape:
    """Something painted that text can be on or be covered by; `paint` is None for an image or a pattern."""

    order: int
    box: PaintBox
    paint: Color | None
    is_opaque: bool


@dataclass(frozen=True, slots=True)
class PdfTextObject:
    """A text object that begins at `x`, `y`.

    `turn` is the rotation of its line in degrees, counterclockwise.
    """

    order: int
    address: int
    box: PaintBox
    ink: Color
    mode: int
    size: float
    x: float
    y: float
    turn: int | None  # 0, 90, 180 or 270; None: oblique
    is_cut_away: bool = False


@dataclass(frozen=True, slots=True)
class DrawnObjects:
    texts: list[PdfTextObject]
    shapes: list[PaintedShape]
    rules: list[PaintBox]  # thin lines, drawn or filled


def collect_drawn_objects(page: pdfium.PdfPage, off: frozenset[int]) -> DrawnObjects:
    """Collect the texts, shapes and rules of a page.

    Shapes that are switched `off` are left out: they cover nothing and are the background of nothing.
    """
    objects = DrawnObjects([], [], [])
    for order, (item, kind, matrices) in enumerate(islice(_objects(page), _MAX_OBJECTS)):
        whole = _box(item)
        left = _clip_box(item, whole)
        box = _transform_box(left, matrices)
        if kind == pdfium_c.FPDF_PAGEOBJ_TEXT:
            is_cut_away = left is not whole and left.area < _MIN_LEFT * whole.area
            objects.texts.append(_text(item, order, box, matrices, is_cut_away=is_cut_away))
        elif address(item) not in off:
            if _is_rule(kind, box) and len(objects.rules) < _MAX_RULES:
                objects.rules.append(box)
            if len(objects.shapes) < _MAX_SHAPES and (shape := _shape(item, kind, order, box)):
                objects.shapes.append(shape)
    return objects


_Item = tuple[object, int, tuple[pdfium_c.FS_MATRIX, ...]]


def _objects(page: pdfium.PdfPage) -> Iterator[_Item]:
    """Yield the objects in drawing order, including those inside forms, with the matrices of these forms."""
    for index in range(pdfium_c.FPDFPage_CountObjects(page.raw)):
        yield from _inside(pdfium_c.FPDFPage_GetObject(page.raw, index), ())


def _inside(item: object, matrices: tuple[pdfium_c.FS_MATRIX, ...]) -> Iterator[_Item]:
    kind = pdfium_c.FPDFPageObj_GetType(item)
    if kind != pdfium_c.FPDF_PAGEOBJ_FORM:
        yield item, kind, matrices
    elif len(matrices) < _DEEPEST:
        matrix = pdfium_c.FS_MATRIX()
        pdfium_c.FPDFPageObj_GetMatrix(item, ctypes.byref(matrix))
        for index in range(pdfium_c.FPDFFormObj_CountObjects(item)):
            yield from _inside(pdfium_c.FPDFFormObj_GetObject(item, index), (matrix, *matrices))


def _box(item: object) -> PaintBox:
    left, bottom, right, top = ctypes.c_float(), ctypes.c_float(), ctypes.c_float(), ctypes.c_float()
    pdfium_c.FPDFPageObj_GetBounds(item, left, bottom, right, top)
    return PaintBox(left.value, bottom.value, right.value, top.value)


def _clip_box(item: object, box: PaintBox) -> PaintBox:
    """Clip an object's box to its clipping paths, by the boxes around them."""
    clip = pdfium_c.FPDFPageObj_GetClipPath(item)
    for path in range(max(0, min(pdfium_c.FPDFClipPath_CountPaths(clip), _DEEPEST))) if clip else ():
        points = list(_points(clip, path))
        if points:
            xs, ys = [x for x, _ in points], [y for _, y in points]
            left, right = max(box.left, min(xs)), min(box.right, max(xs))
            bottom, top = max(box.bottom, min(ys)), min(box.top, max(ys))
            box = PaintBox(left, bottom, max(left, right), max(bottom, top))
    return box


def _points(clip: object, path: int) -> Iterator[tuple[float, float]]:
    for index in range(max(0, min(pdfium_c.FPDFClipPath_CountPathSegments(clip, path), _MAX_POINTS))):
        segment = pdfium_c.FPDFClipPath_GetPathSegment(clip, path, index)
        x, y = ctypes.c_float(), ctypes.c_float()
        if pdfium_c.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y)):
            yield x.value, y.value


def _transform_box(box: PaintBox, matrices: Sequence[pdfium_c.FS_MATRIX]) -> PaintBox:
    """Convert a box from the coordinates of nested forms to those of the page."""
    for m in matrices:
        corners = [(x, y) for x in (box.left, box.right) for y in (box.bottom, box.top)]
        moved = [(m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f) for x, y in corners]
        box = PaintBox(
            min(x for x, _ in moved),
            min(y for _, y in moved),
            max(x for x, _ in moved),
            max(y for _, y in moved),
        )
    return box


def _text(
    item: object, order: int, box: PaintBox, matrices: Sequence[pdfium_c.FS_MATRIX], *, is_cut_away: bool
) -> PdfTextObject:
    size = ctypes.c_float()
    pdfium_c.FPDFTextObj_GetFontSize(item, ctypes.byref(size))
    own = pdfium_c.FS_MATRIX()
    pdfium_c.FPDFPageObj_GetMatrix(item, ctypes.byref(own))
    x, y, along, across = own.e, own.f, own.a, own.b
    high = (own.c**2 + own.d**2) ** 0.5
    wide = (own.a**2 + own.b**2) ** 0.5
    for m in matrices:
        x, y = m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f
        along, across = m.a * along + m.c * across, m.b * along + m.d * across
        high *= (m.c**2 + m.d**2) ** 0.5
        wide *= (m.a**2 + m.b**2) ** 0.5
    mode = pdfium_c.FPDFTextObj_GetTextRenderMode(item)
    return PdfTextObject(
        order,
        address(item),
        box,
        _paint(item, is_stroke=mode in _STROKED),
        mode,
        abs(size.value) * min(high, _WIDEST * wide),
        x,
        y,
        _quarter_turn(along, across),
        is_cut_away,
    )


def _quarter_turn(along: float, across: float) -> int | None:
    if abs(across) <= 0.05 * abs(along):
        return 0 if along >= 0 else 180
    if abs(along) <= 0.05 * abs(across):
        return 90 if across > 0 else 270
    return None


def find_text_object(text_page: pdfium.PdfTextPage, index: int) -> int:
    """Return the address of the text object that a character belongs to; 0 for a space that pdfium adds."""
    return address(pdfium_c.FPDFText_GetTextObject(text_page.raw, index))


def list_text_objects(text_page: pdfium.PdfTextPage) -> list[int]:
    """Return `find_text_object` of each character."""
    find, raw, address_of = pdfium_c.FPDFText_GetTextObject, text_page.raw, ctypes.addressof
    found = (find(raw, index) for index in range(text_page.count_chars()))
    return [address_of(item.contents) if item else 0 for item in found]


def _is_rule(kind: int, box: PaintBox) -> bool:
    sides = sorted((box.right - box.left, box.top - box.bottom))
    return kind == pdfium_c.FPDF_PAGEOBJ_PATH and sides[0] <= _THINNEST and sides[1] >= _SHORTEST


def _shape(item: object, kind: int, order: int, box: PaintBox) -> PaintedShape | None:
    is_opaque = not pdfium_c.FPDFPageObj_HasTransparency(item)
    if kind in (pdfium_c.FPDF_PAGEOBJ_IMAGE, pdfium_c.FPDF_PAGEOBJ_SHADING):
        return PaintedShape(order, box, None, is_opaque and kind == pdfium_c.FPDF_PAGEOBJ_IMAGE)
    if kind != pdfium_c.FPDF_PAGEOBJ_PATH:
        return None
    fill, stroke = ctypes.c_int(), pdfium_c.FPDF_BOOL()
    pdfium_c.FPDFPath_GetDrawMode(item, ctypes.byref(fill), ctypes.byref(stroke))
    if not fill.value:
        return None
    is_rectangle = 0 < pdfium_c.FPDFPath_CountSegments(item) <= _SEGMENTS
    paint = _paint(item)
    return PaintedShape(
        order, box, paint if is_rectangle else None, is_opaque and is_rectangle and paint.alpha > 0.95
    )


def _paint(item: object, *, is_stroke: bool = False) -> Color:
    red, green, blue, alpha = ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
    ask = pdfium_c.FPDFPageObj_GetStrokeColor if is_stroke else pdfium_c.FPDFPageObj_GetFillColor
    if not ask(item, red, green, blue, alpha):
        return Color(0, 0, 0)
    return Color(red.value, green.value, blue.value, alpha.value / 255)
