"""Inserts values of form fields among the lines of their page, each beside its label."""

from __future__ import annotations

from collections.abc import Sequence

from research.parsing.formats.pdf.parse_pdf_annotations import WrittenField
from research.parsing.formats.pdf.parse_pdf_drawn_objects import PaintBox
from research.parsing.formats.pdf.parse_pdf_lines import PageLine, PdfLine, Segment
from research.parsing.formats.pdf.parse_pdf_text_direction import ReadingFrame

_SIZE = 10.0  # points, if no label determines it
_BASELINE = 0.25  # of a field's height above its bottom
_NAMED_BY = 400.0  # points: the largest distance between a field and its label


def place_fields(
    lines: Sequence[PageLine], fields: Sequence[WrittenField], page: int, frame: ReadingFrame
) -> list[PageLine]:
    """Return the lines of a page with the values of its fields, each beside its label."""
    placed = list(lines)
    boxes = [(frame.box(field.box), field) for field in fields]
    for box, field in sorted(boxes, key=lambda found: (-found[0].top, found[0].left)):
        label = _label(placed, box, field)
        if label is None:
            place = _place_below(placed, box)
            words = (
                f"{field.name.rstrip(' :')}: {field.words}"
                if field.name and not field.is_button
                else field.words
            )
            words = f"{field.words} {field.name}" if field.name and field.is_button else words
            placed.insert(place, PageLine(_line(words, box, page, None)))
            continue
        before = field.is_button and label.whole.left >= box.right - 3
        place = placed.index(label) + (not before)
        placed.insert(place, PageLine(_line(field.words, box, page, label.whole)))
    return placed


def _label(lines: Sequence[PageLine], box: PaintBox, field: WrittenField) -> PageLine | None:
    """Return the label in the field's row: on its left, for a button on its right if there is text."""
    row = [
        line
        for line in lines
        if not line.whole.is_turned and box.bottom - 2 <= line.whole.baseline <= box.top
    ]
    left = [
        line for line in row if line.whole.right <= box.left + 3 and box.left - line.whole.right < _NAMED_BY
    ]
    right = [line for line in row if line.whole.left >= box.right - 3]
    if field.is_button and right:
        return min(right, key=lambda line: line.whole.left)
    return max(left, key=lambda line: line.whole.right) if left else None


def _place_below(lines: Sequence[PageLine], box: PaintBox) -> int:
    """Return the position right after the lowest line above the field."""
    above = [
        place
        for place, line in enumerate(lines)
        if line.whole.baseline >= box.top - 2 and not line.whole.is_turned
    ]
    return min(above, key=lambda place: (lines[place].whole.baseline, -place)) + 1 if above else 0


def _line(words: str, box: PaintBox, page: int, label: PdfLine | None) -> PdfLine:
    return PdfLine(
        page=page,
        segments=(Segment(words, page, None),),
        left=box.left,
        right=box.right,
        baseline=label.baseline if label else box.bottom + _BASELINE * (box.top - box.bottom),
        size=label.size if label else min(_SIZE, box.top - box.bottom),
        is_bold=False,
        has_line_hyphen=False,
    )
