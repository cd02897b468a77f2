"""Detects hidden text of a PDF page: drawn invisibly, in the color behind it, tiny, outside, covered.

Each text object is compared with those drawn before and after it; if these hide only a part, each letter is.
If an image, a pattern or transparency makes visibility unclear, the text counts as visible.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from research.parsing.formats.css.parse_css_colors import WHITE, Color, alike
from research.parsing.formats.pdf.parse_pdf_drawn_objects import (
    DrawnObjects,
    PaintBox,
    PaintedShape,
    PdfTextObject,
    list_text_objects,
)
from research.parsing.hidden_text import DroppedLog, HiddenReason

_INVISIBLE = frozenset({pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium_c.FPDF_TEXTRENDERMODE_CLIP})
_TINY = 1.0  # points
_MIN_ALPHA = 0.06
_BAND = 36.0  # points: shapes are looked up by the bands of the page that they stand in
_THIN = 1.5  # points: what is thinner hides nothing
# A letter is hidden when so much of its area is, and a text when so many of its letters are.
_HIDDEN_SHARE, _HIDDEN_LETTERS = 0.75, 0.8
_ACROSS, _DOWN = 4, 6  # places of a letter's box that are looked at
# A page that is one image with its words behind it was scanned, and the words are what somebody recognized in it.
_SCANNED_AREA = 0.8
_SCANNED_TEXT = 0.9


@dataclass(frozen=True, slots=True)
class HiddenText:
    """Hidden text, by the addresses of its objects.

    `is_scan`: invisible text behind an image that shows it.

    `partly` maps partly covered texts to the objects that cover them.
    """

    objects: dict[int, HiddenReason]
    partly: dict[int, tuple[PdfTextObject, list[PaintedShape]]] = field(default_factory=dict)
    is_scan: bool = False


class _ShapesByPlace:
    def __init__(self, shapes: Sequence[PaintedShape]) -> None:
        self._bands: dict[int, list[PaintedShape]] = {}
        self._tall: list[PaintedShape] = []
        for shape in shapes:
            first, last = int(shape.box.bottom // _BAND), int(shape.box.top // _BAND)
            if last - first > 40:
                self._tall.append(shape)
                continue
            for band in range(first, last + 1):
                self._bands.setdefault(band, []).append(shape)

    def find_meeting(self, box: PaintBox) -> list[PaintedShape]:
        """Return the shapes that meet a box, in drawing order."""
        first, last = int(box.bottom // _BAND), int(box.top // _BAND)
        near = [
            shape for band in range(first, min(last, first + 40) + 1) for shape in self._bands.get(band, ())
        ]
        found = {shape.order: shape for shape in (*near, *self._tall) if shape.box.meets(box)}
        return [found[order] for order in sorted(found)]


def find_hidden_text(objects: DrawnObjects, off: frozenset[int], shown: PaintBox) -> HiddenText:
    """Return the page's hidden text objects; `off` are those on layers that are switched off."""
    places = _ShapesByPlace(objects.shapes)
    reasons: dict[int, HiddenReason] = {}
    partly: dict[int, tuple[PdfTextObject, list[PaintedShape]]] = {}
    for text in objects.texts:
        around = places.find_meeting(text.box)
        why = HiddenReason.LAYER if text.address in off else _why_unseen(text, around, shown)
        if why is not None:
            reasons[text.address] = why
        elif _may_be_hidden_in_part(text, around):
            partly[text.address] = text, around
    if reasons and _is_scan(objects.texts, objects.shapes, shown, reasons):
        return HiddenText({}, is_scan=True)
    return HiddenText(reasons, partly)


def find_hidden_places(text_page: pdfium.PdfTextPage, hidden: HiddenText, log: DroppedLog) -> frozenset[int]:
    """Return pdfium's indexes of the hidden characters."""
    if not hidden.objects and not hidden.partly:
        return frozenset()
    places: dict[int, list[int]] = {}
    for index, address in enumerate(list_text_objects(text_page)):
        if address in hidden.objects or address in hidden.partly:
            places.setdefault(address, []).append(index)
    for address, (text, shapes) in hidden.partly.items():
        places[address] = list(_find_hidden_letters(text_page, places.get(address, []), text, shapes))
    for address, indexes in places.items():
        codes = (pdfium_c.FPDFText_GetUnicode(text_page.raw, index) for index in indexes)
        log.note(
            hidden.objects.get(address, HiddenReason.COVERED), "".join(chr(code) for code in codes if code)
        )
    return frozenset(index for indexes in places.values() for index in indexes)


def _why_unseen(text: PdfTextObject, around: Sequence[PaintedShape], shown: PaintBox) -> HiddenReason | None:
    if text.mode in _INVISIBLE or text.ink.alpha < _MIN_ALPHA:
        return HiddenReason.RENDERING
    if text.is_cut_away or (not text.box.meets(shown) and text.box.area):
        return HiddenReason.OFF_PAGE
    if 0 < text.size < _TINY:
        return HiddenReason.SIZE
    if any(shape.order > text.order and shape.is_opaque and shape.box.holds(text.box) for shape in around):
        return HiddenReason.COVERED
    behind = _behind(text, around)
    return HiddenReason.COLOR if behind is not None and alike(text.ink, behind) else None


def _behind(text: PdfTextObject, around: Sequence[PaintedShape]) -> Color | None:
    """Return the color behind the text, painted last before it; None if it is not a single color."""
    for shape in reversed(around):
        if shape.order < text.order:
            return shape.paint if shape.paint is not None and shape.box.holds(text.box) else None
    return WHITE


def _may_be_hidden_in_part(text: PdfTextObject, around: Sequence[PaintedShape]) -> bool:
    for shape in around:
        if min(shape.box.right - shape.box.left, shape.box.top - shape.box.bottom) <= _THIN:
            continue
        if (
            shape.is_opaque
            if shape.order > text.order
            else shape.paint is not None and alike(text.ink, shape.paint)
        ):
            return True
    return alike(text.ink, WHITE) and any(shape.order < text.order for shape in around)


def _find_hidden_letters(
    text_page: pdfium.PdfTextPage, indexes: Sequence[int], text: PdfTextObject, shapes: Sequence[PaintedShape]
) -> Iterator[int]:
    """Yield the indexes of the characters that other objects hide; all of them if nearly all are hidden."""
    boxes = {index: box for index in indexes if (box := _glyph_box(text_page, index)).area}
    hidden = {
        index for index, box in boxes.items() if _measure_hidden_share(box, text, shapes) >= _HIDDEN_SHARE
    }
    if hidden and len(hidden) >= _HIDDEN_LETTERS * len(boxes):
        yield from indexes
        return
    is_hidden = False
    for index in indexes:
        is_hidden = index in hidden if index in boxes else is_hidden  # a blank goes with the letter before it
        if is_hidden:
            yield index


def _glyph_box(text_page: pdfium.PdfTextPage, index: int) -> PaintBox:
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    pdfium_c.FPDFText_GetCharBox(
        text_page.raw, index, ctypes.byref(left), ctypes.byref(right), ctypes.byref(bottom), ctypes.byref(top)
    )
    return PaintBox(left.value, bottom.value, right.value, top.value)


def _measure_hidden_share(box: PaintBox, text: PdfTextObject, shapes: Sequence[PaintedShape]) -> float:
    near = [shape for shape in shapes if shape.box.meets(box)]
    wide, high = box.right - box.left, box.top - box.bottom
    if all(shape.box.holds(box, slack=0.0) for shape in near):  # the same at every place
        return float(_is_hidden_at(box.left + wide / 2, box.bottom + high / 2, text, near))
    points = [
        (box.left + wide * (column + 0.5) / _ACROSS, box.bottom + high * (row + 0.5) / _DOWN)
        for column in range(_ACROSS)
        for row in range(_DOWN)
    ]
    return sum(_is_hidden_at(x, y, text, near) for x, y in points) / len(points)


def _is_hidden_at(x: float, y: float, text: PdfTextObject, shapes: Sequence[PaintedShape]) -> bool:
    behind: Color | None = WHITE
    for shape in shapes:
        if not (shape.box.left <= x <= shape.box.right and shape.box.bottom <= y <= shape.box.top):
            continue
        if shape.order < text.order:
            behind = shape.paint
        elif shape.is_opaque:
            return True
    return behind is not None and alike(text.ink, behind)


def _is_scan(
    texts: Sequence[PdfTextObject],
    shapes: Sequence[PaintedShape],
    shown: PaintBox,
    found: dict[int, HiddenReason],
) -> bool:
    """Return True if one image fills the page, and nearly all text is behind it or drawn invisibly."""
    images = [shape.box for shape in shapes if shape.paint is None and shape.is_opaque]
    if not any(box.area >= _SCANNED_AREA * shown.area for box in images):
        return False
    unseen = [
        text for text in texts if found.get(text.address) in (HiddenReason.RENDERING, HiddenReason.COVERED)
    ]
    return len(unseen) >= _SCANNED_TEXT * len(texts)
