"""Text of a PDF page that nobody sees: drawn invisibly, in the color of what is behind it, tiny, outside, covered.

Each text object is judged by the objects that are drawn before and after it. Where an image, a pattern or
transparency makes it unclear what a reader sees, the text counts as seen.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from research.parsing.formats.css.colors import WHITE, Color, alike
from research.parsing.formats.pdf.layers import Layers, address
from research.parsing.hidden_text import DroppedLog, HiddenReason

_INVISIBLE = frozenset({pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium_c.FPDF_TEXTRENDERMODE_CLIP})
_STROKED = frozenset({pdfium_c.FPDF_TEXTRENDERMODE_STROKE, pdfium_c.FPDF_TEXTRENDERMODE_STROKE_CLIP})
_TINY = 1.0  # points
_LEAST_ALPHA = 0.06
_LEAST_LEFT = 0.01  # of a text's area, by its clipping paths
_WIDEST = 5.0  # how much narrower than high letters may be set and count as high
_MOST_OBJECTS = 20_000  # of a page; a drawing of more is not looked at for what covers what
_MOST_SHAPES = 2_000  # of a page, that text is compared with
_DEEPEST = 8  # forms inside of forms
_MOST_POINTS = 200  # of a clipping path
_SEGMENTS = 6  # of a rectangle at most
# A page that is one image with its words behind it was scanned, and the words are what somebody recognized in it.
_SCANNED_AREA = 0.8
_SCANNED_TEXT = 0.9


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
class _Shape:
    """Something painted that text can stand on or be covered by; `paint` None: an image or a pattern."""

    order: int
    box: PaintBox
    paint: Color | None
    is_opaque: bool


@dataclass(frozen=True, slots=True)
class _Text:
    order: int
    address: int
    box: PaintBox
    ink: Color
    mode: int
    size: float
    is_cut_away: bool = False


@dataclass(frozen=True, slots=True)
class HiddenText:
    """By the addresses of their objects. `is_scan`: the words stand unseen behind an image that shows them."""

    objects: dict[int, HiddenReason]
    is_scan: bool = False


def hidden_text(page: pdfium.PdfPage, layers: Layers) -> HiddenText:
    """The page's text objects that nobody sees."""
    shown = PaintBox(*page.get_cropbox())
    off = layers.find_undrawn_objects(page)
    texts, shapes = _collect_drawn_objects(page, off)
    found = {text.address: why for text in texts if (why := _why_unseen(text, shapes, shown))}
    found |= {text.address: HiddenReason.LAYER for text in texts if text.address in off}
    if found and _is_scan(texts, shapes, shown, found):
        return HiddenText({}, is_scan=True)
    return HiddenText(found)


def hidden_places(text_page: pdfium.PdfTextPage, hidden: HiddenText, log: DroppedLog) -> frozenset[int]:
    """pdfium's indexes of the characters of hidden objects."""
    if not hidden.objects:
        return frozenset()
    places: dict[int, list[int]] = {}
    for index in range(text_page.count_chars()):
        address = ctypes.cast(pdfium_c.FPDFText_GetTextObject(text_page.raw, index), ctypes.c_void_p).value
        if address in hidden.objects:
            places.setdefault(address, []).append(index)
    for address, indexes in places.items():
        codes = (pdfium_c.FPDFText_GetUnicode(text_page.raw, index) for index in indexes)
        log.note(hidden.objects[address], "".join(chr(code) for code in codes if code))
    return frozenset(index for indexes in places.values() for index in indexes)


def _collect_drawn_objects(page: pdfium.PdfPage, off: frozenset[int]) -> tuple[list[_Text], list[_Shape]]:
    """Collect the texts and shapes of a page.

    Shapes that are switched `off` are left out: they cover nothing and are the background of nothing.
    """
    texts: list[_Text] = []
    shapes: list[_Shape] = []
    for order, (item, kind, matrices) in enumerate(islice(_objects(page), _MOST_OBJECTS)):
        whole = _box(item)
        left = _clip_box(item, whole)
        box = _transform_box(left, matrices)
        if kind == pdfium_c.FPDF_PAGEOBJ_TEXT:
            is_cut_away = left.area < _LEAST_LEFT * whole.area
            texts.append(replace(_text(item, order, box, matrices), is_cut_away=is_cut_away))
        elif (
            address(item) not in off
            and len(shapes) < _MOST_SHAPES
            and (shape := _shape(item, kind, order, box))
        ):
            shapes.append(shape)
    return texts, shapes


_Item = tuple[object, int, tuple[pdfium_c.FS_MATRIX, ...]]


def _objects(page: pdfium.PdfPage) -> Iterator[_Item]:
    """In the order in which they are drawn, those of forms in their places; with the matrices of these forms."""
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
    sides = [ctypes.c_float() for _ in range(4)]
    pdfium_c.FPDFPageObj_GetBounds(item, *map(ctypes.byref, sides))
    return PaintBox(*(side.value for side in sides))


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
    for index in range(max(0, min(pdfium_c.FPDFClipPath_CountPathSegments(clip, path), _MOST_POINTS))):
        segment = pdfium_c.FPDFClipPath_GetPathSegment(clip, path, index)
        x, y = ctypes.c_float(), ctypes.c_float()
        if pdfium_c.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y)):
            yield x.value, y.value


def _transform_box(box: PaintBox, matrices: Sequence[pdfium_c.FS_MATRIX]) -> PaintBox:
    """From the coordinates of a form inside of forms to the page's."""
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


def _text(item: object, order: int, box: PaintBox, matrices: Sequence[pdfium_c.FS_MATRIX]) -> _Text:
    size = ctypes.c_float()
    pdfium_c.FPDFTextObj_GetFontSize(item, ctypes.byref(size))
    own = pdfium_c.FS_MATRIX()
    pdfium_c.FPDFPageObj_GetMatrix(item, ctypes.byref(own))
    high = wide = 1.0
    for matrix in (own, *matrices):
        high *= (matrix.c**2 + matrix.d**2) ** 0.5
        wide *= (matrix.a**2 + matrix.b**2) ** 0.5
    mode = pdfium_c.FPDFTextObj_GetTextRenderMode(item)
    return _Text(
        order,
        address(item),
        box,
        _paint(item, is_stroke=mode in _STROKED),
        mode,
        abs(size.value) * min(high, _WIDEST * wide),
    )


def _shape(item: object, kind: int, order: int, box: PaintBox) -> _Shape | None:
    is_opaque = not pdfium_c.FPDFPageObj_HasTransparency(item)
    if kind in (pdfium_c.FPDF_PAGEOBJ_IMAGE, pdfium_c.FPDF_PAGEOBJ_SHADING):
        return _Shape(order, box, None, is_opaque and kind == pdfium_c.FPDF_PAGEOBJ_IMAGE)
    if kind != pdfium_c.FPDF_PAGEOBJ_PATH:
        return None
    fill, stroke = ctypes.c_int(), pdfium_c.FPDF_BOOL()
    pdfium_c.FPDFPath_GetDrawMode(item, ctypes.byref(fill), ctypes.byref(stroke))
    if not fill.value:
        return None
    is_rectangle = 0 < pdfium_c.FPDFPath_CountSegments(item) <= _SEGMENTS
    paint = _paint(item)
    return _Shape(
        order, box, paint if is_rectangle else None, is_opaque and is_rectangle and paint.alpha > 0.95
    )


def _paint(item: object, *, is_stroke: bool = False) -> Color:
    channels = [ctypes.c_uint() for _ in range(4)]
    ask = pdfium_c.FPDFPageObj_GetStrokeColor if is_stroke else pdfium_c.FPDFPageObj_GetFillColor
    if not ask(item, *map(ctypes.byref, channels)):
        return Color(0, 0, 0)
    red, green, blue, alpha = (channel.value for channel in channels)
    return Color(red, green, blue, alpha / 255)


def _why_unseen(text: _Text, shapes: Sequence[_Shape], shown: PaintBox) -> HiddenReason | None:
    if text.mode in _INVISIBLE or text.ink.alpha < _LEAST_ALPHA:
        return HiddenReason.RENDERING
    if text.is_cut_away or (not text.box.meets(shown) and text.box.area):
        return HiddenReason.OFF_PAGE
    if 0 < text.size < _TINY:
        return HiddenReason.SIZE
    if any(shape.order > text.order and shape.is_opaque and shape.box.holds(text.box) for shape in shapes):
        return HiddenReason.COVERED
    behind = _behind(text, shapes)
    return HiddenReason.COLOR if behind is not None and alike(text.ink, behind) else None


def _behind(text: _Text, shapes: Sequence[_Shape]) -> Color | None:
    """Return the color behind the text: the last thing painted there before it; None where that is not one color."""
    for shape in reversed(shapes):
        if shape.order < text.order and shape.box.meets(text.box):
            return shape.paint if shape.paint is not None and shape.box.holds(text.box) else None
    return WHITE


def _is_scan(
    texts: Sequence[_Text], shapes: Sequence[_Shape], shown: PaintBox, found: dict[int, HiddenReason]
) -> bool:
    """One image fills the page, and nearly all words are behind it or drawn invisibly over it."""
    images = [shape.box for shape in shapes if shape.paint is None and shape.is_opaque]
    if not any(box.area >= _SCANNED_AREA * shown.area for box in images):
        return False
    unseen = [
        text for text in texts if found.get(text.address) in (HiddenReason.RENDERING, HiddenReason.COVERED)
    ]
    return len(unseen) >= _SCANNED_TEXT * len(texts)
