"""Reads the annotations of a PDF page: form fields with their values, notes and comments."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from research.parsing.clean_text import clean, squash
from research.parsing.formats.pdf.parse_pdf_drawn_objects import PaintBox

_MOST = 5_000  # of a page
_LONGEST = 20_000  # bytes of one value
_UNSEEN = pdfium_c.FPDF_ANNOT_FLAG_HIDDEN | pdfium_c.FPDF_ANNOT_FLAG_NOVIEW
_PASSWORD = 1 << 13
_MARKUP = frozenset(
    {
        pdfium_c.FPDF_ANNOT_TEXT, pdfium_c.FPDF_ANNOT_HIGHLIGHT, pdfium_c.FPDF_ANNOT_UNDERLINE,
        pdfium_c.FPDF_ANNOT_SQUIGGLY, pdfium_c.FPDF_ANNOT_STRIKEOUT, pdfium_c.FPDF_ANNOT_CARET,
        pdfium_c.FPDF_ANNOT_SQUARE, pdfium_c.FPDF_ANNOT_CIRCLE, pdfium_c.FPDF_ANNOT_INK, pdfium_c.FPDF_ANNOT_LINE,
        pdfium_c.FPDF_ANNOT_POLYGON, pdfium_c.FPDF_ANNOT_POLYLINE, pdfium_c.FPDF_ANNOT_STAMP,
    }
)  # fmt: skip
TICKED, UNTICKED = "☒", "☐"
_BUTTONS = frozenset({pdfium_c.FPDF_FORMFIELD_CHECKBOX, pdfium_c.FPDF_FORMFIELD_RADIOBUTTON})
_CHOICES = frozenset({pdfium_c.FPDF_FORMFIELD_COMBOBOX, pdfium_c.FPDF_FORMFIELD_LISTBOX})


@dataclass(frozen=True, slots=True)
class WrittenField:
    """The value of a field, or text typed onto the page. `name` is the one shown to people."""

    box: PaintBox
    words: str
    name: str = ""
    is_button: bool = False


@dataclass(slots=True)
class Annotations:
    fields: list[WrittenField] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    struck: list[PaintBox] = field(default_factory=list)
    passwords: int = 0


def read_annotations(page: pdfium.PdfPage, form: pdfium.PdfFormEnv | None) -> Annotations:
    annotations = Annotations()
    for index in range(min(pdfium_c.FPDFPage_GetAnnotCount(page.raw), _MOST)):
        annotation = pdfium_c.FPDFPage_GetAnnot(page.raw, index)
        if annotation:
            _read(annotation, form, annotations)
            pdfium_c.FPDFPage_CloseAnnot(annotation)
    return annotations


def _read(annotation: object, form: pdfium.PdfFormEnv | None, found: Annotations) -> None:
    kind = pdfium_c.FPDFAnnot_GetSubtype(annotation)
    is_hidden = bool(pdfium_c.FPDFAnnot_GetFlags(annotation) & _UNSEEN)
    if kind == pdfium_c.FPDF_ANNOT_WIDGET:
        if form is not None:
            _read_field(annotation, form, found, is_hidden=is_hidden)
        return
    words = _value(annotation, b"Contents")
    if is_hidden:
        found.hidden += [words] if words else []
    elif kind == pdfium_c.FPDF_ANNOT_FREETEXT:
        if words:
            found.fields.append(WrittenField(_box(annotation), words))
    elif kind in _MARKUP:
        found.comments += [words] if words else []
        if kind == pdfium_c.FPDF_ANNOT_STRIKEOUT:
            found.struck += list(_quads(annotation)) or [_box(annotation)]


def _read_field(annotation: object, form: pdfium.PdfFormEnv, found: Annotations, *, is_hidden: bool) -> None:
    kind = pdfium_c.FPDFAnnot_GetFormFieldType(form.raw, annotation)
    flags = pdfium_c.FPDFAnnot_GetFormFieldFlags(form.raw, annotation)
    name = _text(lambda *room: pdfium_c.FPDFAnnot_GetFormFieldAlternateName(form.raw, annotation, *room))
    if kind in _BUTTONS:
        if not is_hidden:
            state = _value(annotation, b"AS")  # pdfium does not report a state without an appearance
            is_ticked = state != "Off" if state else pdfium_c.FPDFAnnot_IsChecked(form.raw, annotation)
            found.fields.append(
                WrittenField(_box(annotation), TICKED if is_ticked else UNTICKED, name, is_button=True)
            )
        return
    if kind not in {pdfium_c.FPDF_FORMFIELD_TEXTFIELD, *_CHOICES}:
        return
    words = _text(lambda *room: pdfium_c.FPDFAnnot_GetFormFieldValue(form.raw, annotation, *room))
    if kind in _CHOICES:
        words = "; ".join(_read_chosen_options(annotation, form)) or words
    if not words:
        return
    if kind == pdfium_c.FPDF_FORMFIELD_TEXTFIELD and flags & _PASSWORD:
        found.passwords += 1
    elif is_hidden:
        found.hidden.append(words)
    else:
        found.fields.append(WrittenField(_box(annotation), words, name))


def _read_chosen_options(annotation: object, form: pdfium.PdfFormEnv) -> Iterator[str]:
    for index in range(min(pdfium_c.FPDFAnnot_GetOptionCount(form.raw, annotation), _MOST)):
        if pdfium_c.FPDFAnnot_IsOptionSelected(form.raw, annotation, index):
            yield _text(
                lambda *room, at=index: pdfium_c.FPDFAnnot_GetOptionLabel(form.raw, annotation, at, *room)
            )


def _value(annotation: object, key: bytes) -> str:
    return _text(lambda *room: pdfium_c.FPDFAnnot_GetStringValue(annotation, key, *room))


def _text(ask: Callable[..., int]) -> str:
    """Return a string from pdfium, which gives first its length in bytes, then its UTF-16."""
    length = min(ask(None, 0), _LONGEST)
    if length <= 2:
        return ""
    room = ctypes.create_string_buffer(length)
    ask(ctypes.cast(room, ctypes.POINTER(pdfium_c.FPDF_WCHAR)), length)
    return squash(clean(room.raw.decode("utf-16-le", "replace").split("\0")[0]))


def _box(annotation: object) -> PaintBox:
    rect = pdfium_c.FS_RECTF()
    pdfium_c.FPDFAnnot_GetRect(annotation, ctypes.byref(rect))
    return PaintBox(
        min(rect.left, rect.right),
        min(rect.bottom, rect.top),
        max(rect.left, rect.right),
        max(rect.bottom, rect.top),
    )


def _quads(annotation: object) -> Iterator[PaintBox]:
    for index in range(min(pdfium_c.FPDFAnnot_CountAttachmentPoints(annotation), _MOST)):
        quad = pdfium_c.FS_QUADPOINTSF()
        if pdfium_c.FPDFAnnot_GetAttachmentPoints(annotation, index, ctypes.byref(quad)):
            xs, ys = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
            yield PaintBox(min(xs), min(ys), max(xs), max(ys))
