"""Finds raised and lowered figures and struck text of a page, from the positions of the drawn objects."""

from __future__ import annotations

import ctypes
from bisect import bisect_left
from collections.abc import Iterator, Sequence

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from research.parsing.formats.pdf.parse_pdf_drawn_objects import PaintBox, PdfTextObject, find_text_object
from research.parsing.formats.pdf.parse_pdf_text_direction import ReadingFrame

RAISED, LOWERED = 1, -1
_SMALLER = 0.88  # relative to the type beside it
_MAX_WIDE = 5.0  # times its type size: a mark is not wider
_CLOSE = 0.4  # of the type size, between a mark and its neighbour
_STRIKE_FROM, _STRIKE_TO = 0.12, 0.48  # of the type size above the baseline, where a line strikes text
_OVERHANG = 1.5  # times the type size that such a line may extend beyond the text


def find_shifts(
    text_page: pdfium.PdfTextPage, texts: Sequence[PdfTextObject], frame: ReadingFrame
) -> dict[int, int]:
    """Map pdfium's indexes of raised and lowered characters to RAISED and LOWERED."""
    shifts: dict[int, int] = {}
    for text, shift in _measure_shifts(texts, frame):
        for index in _characters_of(text_page, text):
            shifts[index] = shift
    return shifts


def _measure_shifts(
    texts: Sequence[PdfTextObject], frame: ReadingFrame
) -> Iterator[tuple[PdfTextObject, int]]:
    before: tuple[PdfTextObject, int] | None = None
    for place, text in enumerate(texts):
        box = frame.box(text.box)
        shift = 0
        if text.turn == frame.turn and 0 < box.right - box.left < _MAX_WIDE * max(text.size, 1.0):
            if before:
                shift = _shift_beside(text, before[0], frame)
                if not shift and before[1] and _is_level(text, before[0], frame):
                    shift = before[1]
            if not shift and place + 1 < len(texts):
                shift = max(0, _shift_beside(text, texts[place + 1], frame, is_before=True))
        if shift:
            yield text, shift
        if box.area:
            before = text, shift


def _shift_beside(
    text: PdfTextObject, other: PdfTextObject, frame: ReadingFrame, *, is_before: bool = False
) -> int:
    if other.turn != frame.turn or text.size > 1.02 * other.size:
        return 0
    rise = (frame.place(text.x, text.y)[1] - frame.place(other.x, other.y)[1]) / max(other.size, 0.1)
    if -0.06 < rise < 0.15:
        return 0
    own, beside = frame.box(text.box), frame.box(other.box)
    gap = beside.left - own.right if is_before else own.left - beside.right
    if abs(gap) > _CLOSE * other.size:
        return 0
    is_smaller = text.size <= _SMALLER * other.size
    if 0.15 <= rise <= 0.8 and (is_smaller or rise <= 0.6):
        return RAISED
    return LOWERED if is_smaller and -0.5 <= rise <= -0.06 else 0


def _is_level(text: PdfTextObject, other: PdfTextObject, frame: ReadingFrame) -> bool:
    close = frame.box(text.box).left - frame.box(other.box).right
    rise = frame.place(text.x, text.y)[1] - frame.place(other.x, other.y)[1]
    return abs(rise) < 0.5 and abs(text.size - other.size) < 0.5 and abs(close) < _CLOSE * other.size


def _characters_of(text_page: pdfium.PdfTextPage, text: PdfTextObject) -> Iterator[int]:
    wide, y = text.box.right - text.box.left, (text.box.bottom + text.box.top) / 2
    found = -1
    for share in (0.5, 0.2, 0.8):
        x, reach = text.box.left + share * wide, text.size / 4
        found = pdfium_c.FPDFText_GetCharIndexAtPos(text_page.raw, x, y, reach, reach)
        if found >= 0 and find_text_object(text_page, found) == text.address:
            break
    else:
        return
    first = last = found
    while first and find_text_object(text_page, first - 1) == text.address:
        first -= 1
    while find_text_object(text_page, last + 1) == text.address:
        last += 1
    yield from range(first, last + 1)


def find_struck(
    text_page: pdfium.PdfTextPage,
    texts: Sequence[PdfTextObject],
    rules: Sequence[PaintBox],
    frame: ReadingFrame,
) -> list[list[int]]:
    """Return pdfium's indexes of the characters that each rule strikes through."""
    by_line = sorted(
        (frame.place(text.x, text.y)[1], number)
        for number, text in enumerate(texts)
        if text.turn == frame.turn
    )
    struck = []
    for rule in map(frame.box, rules):
        height, y = rule.top - rule.bottom, (rule.top + rule.bottom) / 2
        if rule.right - rule.left < height:
            continue
        near = by_line[bisect_left(by_line, (y - 40.0, 0)) : bisect_left(by_line, (y, 0))]
        beside = [
            texts[number] for baseline, number in near if _is_struck(texts[number], y - baseline, rule, frame)
        ]
        if not beside:
            continue
        boxes = [frame.box(text.box) for text in beside]
        size = max(text.size for text in beside)
        if rule.left < min(box.left for box in boxes) - _OVERHANG * size:
            continue
        if rule.right > max(box.right for box in boxes) + _OVERHANG * size:
            continue
        found = [index for text in beside for index in _letters_under(text_page, text, rule, frame)]
        if found:
            struck.append(found)
    return struck


def _is_struck(text: PdfTextObject, above: float, rule: PaintBox, frame: ReadingFrame) -> bool:
    box = frame.box(text.box)
    return (
        _STRIKE_FROM * text.size <= above <= _STRIKE_TO * text.size
        and box.left < rule.right
        and rule.left < box.right
        and rule.top - rule.bottom < 0.2 * text.size
    )


def _letters_under(
    text_page: pdfium.PdfTextPage, text: PdfTextObject, rule: PaintBox, frame: ReadingFrame
) -> Iterator[int]:
    box = frame.box(text.box)
    across = (max(box.left, rule.left) + min(box.right, rule.right)) / 2
    x, y = frame.unplace(across, frame.place(text.x, text.y)[1] + 0.25 * text.size)
    found = pdfium_c.FPDFText_GetCharIndexAtPos(text_page.raw, x, y, text.size, text.size / 3)
    if found < 0 or find_text_object(text_page, found) != text.address:
        return
    first = last = found
    while first and find_text_object(text_page, first - 1) == text.address:
        first -= 1
    while find_text_object(text_page, last + 1) == text.address:
        last += 1
    box_of = pdfium_c.FS_RECTF()
    for index in range(first, last + 1):
        pdfium_c.FPDFText_GetLooseCharBox(text_page.raw, index, ctypes.byref(box_of))
        letter = frame.box(PaintBox(box_of.left, box_of.bottom, box_of.right, box_of.top))
        if rule.left - 0.5 <= (letter.left + letter.right) / 2 <= rule.right + 0.5:
            yield index
