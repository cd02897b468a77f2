"""Puts the lines of a page in reading order: without line numbers, column by column, tables as such."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from research.parsing.formats.pdf.parse_pdf_lines import PageLine, PdfLine, Segment
from research.parsing.formats.pdf.parse_pdf_tables import PageTable, find_tables, rows_of
from research.parsing.formats.pdf.parse_shifted_pdf_text import RAISED

_LINE_NUMBER = re.compile(r"\d{1,5}")
_SMALL_MARK = re.compile(r"[\d,*†‡§]{1,4}|[a-z]")
_STEPS = (1, 2, 5, 10)
_MIN_NUMBERS = 3  # that a page needs for its line numbers to be known; other pages then need fewer
_PROSE = 15  # characters of a line that shows where text stands
_MIN_JUMPS = 3  # over the gutter, for columns that were drawn line by line
_NARROW, _WIDE = 0.2, 0.56  # of the text's width: the lines of columns
_MIN_LINES = 6  # of a column
_NUMBERS_APART = 0.5  # of the type size, between a line number and its line at least
_BLANK, _MIN_GAP = 0.15, 0.95  # of the type size: between words, between columns
_ALIGNED = 3.0  # points, between the edges of line numbers
_NEXT_LINE = 1.8  # times the type size


@dataclass(slots=True)
class _Numbers:
    """Pieces that may be the line numbers of a page. `is_sure`: they are recognisable without other pages."""

    pieces: list[PdfLine]
    is_sure: bool


def arrange(pages: Sequence[Sequence[PageLine]]) -> Iterator[PdfLine | PageTable]:
    """Yield all lines of a document in reading order."""
    pages = [_join_level(found) for found in pages]
    numbers = [_line_numbers(found) for found in pages]
    is_numbered = any(found.is_sure for found in numbers)
    for found, of_page in zip(pages, numbers, strict=True):
        dropped = {id(line) for line in of_page.pieces} if is_numbered else set()
        yield from _arrange_page(found, dropped)


def _arrange_page(found: Sequence[PageLine], dropped: set[int]) -> Iterator[PdfLine | PageTable]:
    numbered = [
        _without(line, dropped) if dropped.intersection(map(id, line.pieces)) else line
        for line in found
        if not line.whole.is_turned
    ]
    kept = _attach_marks([line for line in numbered if line is not None])
    yield from _in_order(kept)
    yield from (line.whole for line in found if line.whole.is_turned)


def _join_level(found: Sequence[PageLine]) -> list[PageLine]:
    """Join lines that continue right where the one before ends: pdfium breaks lines after raised figures."""
    joined: list[PageLine] = []
    for line in found:
        if joined and _goes_on(joined[-1].whole, line.whole):
            before = joined[-1]
            gap = line.whole.left - before.whole.right
            segments = _join_segments((before.whole, line.whole)) if gap > _BLANK * line.whole.size else None
            whole = replace(
                before.whole,
                segments=segments or (*before.whole.segments, *line.whole.segments),
                right=line.whole.right,
                has_line_hyphen=line.whole.has_line_hyphen,
            )
            joined[-1] = PageLine(whole, _join_parts(before.pieces, line.pieces))
        else:
            joined.append(line)
    return joined


def _goes_on(before: PdfLine, line: PdfLine) -> bool:
    return (
        not (before.is_turned or line.is_turned)
        and abs(before.baseline - line.baseline) < 1.5
        and -1.0 < line.left - before.right < _MIN_GAP * line.size
        and before.segments[-1:] != ()
        and before.segments[-1].shift == RAISED
    )


def _join_parts(before: Sequence[PdfLine], after: Sequence[PdfLine]) -> tuple[PdfLine, ...]:
    if len(before) + len(after) == 2:
        return ()
    middle = replace(
        before[-1],
        segments=_join_segments((before[-1], after[0])),
        right=after[0].right,
        has_line_hyphen=after[0].has_line_hyphen,
    )
    return (*before[:-1], middle, *after[1:])


def _attach_marks(found: list[PageLine]) -> list[PageLine]:
    """Attach lines that are only a note mark or an exponent to the text that they follow."""
    marks = [line for line in found if len(line.pieces) == 1 and _SMALL_MARK.fullmatch(line.whole.text)]
    for mark in marks:
        small = mark.whole
        for line in found:
            rise = (small.baseline - line.whole.baseline) / max(line.whole.size, 1.0)
            if line is mark or not 0.15 <= rise <= 0.8:
                continue
            parts = list(line.pieces)
            at = next((number for number, part in enumerate(parts) if _is_behind(small, part)), None)
            if at is not None:
                raised = [replace(segment, shift=RAISED) for segment in small.segments]
                parts[at] = replace(parts[at], segments=(*parts[at].segments, *raised), right=small.right)
                whole = replace(line.whole, segments=_join_segments(parts))
                found = [other for other in found if other is not mark]
                found[found.index(line)] = PageLine(whole, tuple(parts) if len(parts) > 1 else ())
                break
    return found


def _is_behind(small: PdfLine, line: PdfLine) -> bool:
    return small.size <= 0.88 * line.size and abs(small.left - line.right) <= 0.4 * line.size


def _without(line: PageLine, dropped: set[int]) -> PageLine | None:
    parts = tuple(part for part in line.pieces if id(part) not in dropped)
    if len(parts) < 2:
        return PageLine(parts[0]) if parts else None
    whole = replace(
        line.whole,
        segments=_join_segments(parts),
        left=parts[0].left,
        right=parts[-1].right,
        baseline=parts[0].baseline,
        size=parts[0].size,
        has_line_hyphen=parts[-1].has_line_hyphen,
    )
    return PageLine(whole, parts)


def _join_segments(parts: Sequence[PdfLine]) -> tuple[Segment, ...]:
    segments = list(parts[0].segments)
    for part in parts[1:]:
        segments += [Segment(" ", part.page, None), *part.segments]
    return tuple(segments)


def _line_numbers(found: Sequence[PageLine]) -> _Numbers:
    """Return the numbers beside the text of a page that count up, in rows with one line of prose."""
    pieces = [piece for line in found if not line.whole.is_turned for piece in line.pieces]
    figures = [piece for piece in pieces if _LINE_NUMBER.fullmatch(piece.text)]
    body = [piece for piece in pieces if len(piece.text) >= _PROSE]
    if not figures or len(body) < 2:
        return _Numbers([], is_sure=False)
    rows = rows_of(pieces)
    beside = {id(piece): [other for other in row if other is not piece] for row in rows for piece in row}
    for side in _beside_words(figures, beside):
        counted = sorted(_find_aligned(side), key=lambda piece: -piece.baseline)
        if _is_crossed(counted, body):
            continue
        if counted and _count_up([int(piece.text) for piece in counted]):
            goes_on = any(beside[id(piece)][0].text[0].islower() for piece in counted)
            values = {int(piece.text) for piece in counted}
            # A number beside an empty line, or one that its line's gap does not part.
            more = [piece for piece in figures if not beside[id(piece)] and _fits_between(piece, counted)]
            return _Numbers(
                [*counted, *more],
                is_sure=len(values) >= _MIN_NUMBERS and (goes_on or _are_multiples(values)),
            )
    return _Numbers([], is_sure=False)


def _beside_words(
    figures: Sequence[PdfLine], beside: Mapping[int, Sequence[PdfLine]]
) -> tuple[list[PdfLine], list[PdfLine]]:
    """Return the figures to the left and to the right of the only text in their row."""
    sides: tuple[list[PdfLine], list[PdfLine]] = ([], [])
    for piece in figures:
        others = beside[id(piece)]
        if len(others) == 1 and any(map(str.isalpha, others[0].text)):
            gap = _NUMBERS_APART * piece.size
            if others[0].left - piece.right >= gap:
                sides[0].append(piece)
            elif piece.left - others[0].right >= gap:
                sides[1].append(piece)
    return sides


def _find_aligned(side: Sequence[PdfLine]) -> list[PdfLine]:
    """Return the largest set of pieces whose left or right edges are aligned."""
    groups = [
        [other for other in side if abs(edge(other) - edge(piece)) <= _ALIGNED]
        for piece in side
        for edge in (_left, _right)
    ]
    return max(groups, key=len, default=[])


def _left(line: PdfLine) -> float:
    return line.left


def _right(line: PdfLine) -> float:
    return line.right


def _is_crossed(counted: Sequence[PdfLine], body: Sequence[PdfLine]) -> bool:
    """Return True if other text overlaps the column of numbers between the first and the last."""
    if not counted:
        return True
    left, right = min(map(_left, counted)), max(map(_right, counted))
    return any(
        counted[-1].baseline <= line.baseline <= counted[0].baseline
        and line.left < right
        and left < line.right
        for line in body
    )


def _count_up(values: Sequence[int]) -> bool:
    """Return True if numbers rise by a constant step, with a few restarts."""
    steps = [after - before for before, after in pairwise(values)]
    if not steps:
        return True
    rising = [step for step in steps if step > 0]
    least = min(rising, default=0)
    even = [step for step in rising if step % max(least, 1) == 0 and step <= 5 * least]
    return least in _STEPS and len(steps) - len(even) <= len(values) // 4


def _are_multiples(values: set[int]) -> bool:
    return all(value % 5 == 0 for value in values)


def _fits_between(piece: PdfLine, counted: Sequence[PdfLine]) -> bool:
    value = int(piece.text)
    return all((int(other.text) < value) == (other.baseline > piece.baseline) for other in counted)


def _in_order(found: Sequence[PageLine]) -> Iterator[PdfLine | PageTable]:
    """Yield lines in reading order: columns that were drawn across the gutter one after the other."""
    columns = _columns_across([piece for line in found for piece in line.pieces])
    if columns is None:
        yield from _with_tables(found)
        return
    gutter, top, bottom = columns
    above = [line for line in found if line.whole.baseline > top]
    below = [line for line in found if line.whole.baseline < bottom]
    yield from _in_order(above) if len(above) < len(found) else _with_tables(above)
    between = [line for line in found if bottom <= line.whole.baseline <= top]
    yield from _column_by_column([piece for line in between for piece in line.pieces], gutter)
    yield from _in_order(below) if len(below) < len(found) else _with_tables(below)


def _column_by_column(pieces: Sequence[PdfLine], gutter: float) -> Iterator[PdfLine | PageTable]:
    """Yield columns one after the other; a line across both separates what is above it from what is below."""
    sides: tuple[list[PdfLine], list[PdfLine]] = ([], [])
    for piece in [piece for row in rows_of(pieces) for piece in row]:
        if piece.right <= gutter + 1:
            sides[0].append(piece)
        elif piece.left >= gutter - 1:
            sides[1].append(piece)
        else:
            yield from _each_column(sides)
            yield piece
    yield from _each_column(sides)


def _each_column(sides: tuple[list[PdfLine], list[PdfLine]]) -> Iterator[PdfLine | PageTable]:
    for side in sides:
        yield from _in_order([PageLine(piece) for piece in side])
        side.clear()


def _columns_across(pieces: Sequence[PdfLine]) -> tuple[float, float, float] | None:
    """Return where columns part between which the drawing order jumps, with their top and bottom; None if none do."""
    jumps = [
        (before, after)
        for before, after in pairwise(pieces)
        if after.left >= before.right + 0.5 * after.size
        and abs(after.baseline - before.baseline) < 0.9 * before.size
        and min(len(before.text), len(after.text)) >= _PROSE
    ]
    if len(jumps) < _MIN_JUMPS:
        return None
    middle = median((before.right + after.left) / 2 for before, after in jumps)
    near = [
        (before, after) for before, after in jumps if before.right <= middle + 1 and after.left >= middle - 1
    ]
    if len(near) < max(_MIN_JUMPS, 0.8 * len(jumps)):
        return None
    gutter = (max(before.right for before, _ in near) + min(after.left for _, after in near)) / 2
    top = max(line.baseline for pair in near for line in pair) + 1
    bottom = min(line.baseline for pair in near for line in pair) - 1
    for piece in sorted(pieces, key=lambda piece: -piece.baseline):
        is_beside = piece.right <= gutter + 1 or piece.left >= gutter - 1
        if is_beside and bottom - _NEXT_LINE * piece.size < piece.baseline < bottom:
            bottom = piece.baseline - 1
    beside = [piece for piece in pieces if bottom <= piece.baseline <= top]
    sides = (
        [piece for piece in beside if piece.right <= gutter + 1],
        [piece for piece in beside if piece.left >= gutter - 1],
    )
    return (gutter, top, bottom) if all(map(_is_column, sides)) else None


def _is_column(pieces: Sequence[PdfLine]) -> bool:
    """Return True for lines of prose that fill their width."""
    if len(pieces) < _MIN_JUMPS:
        return False
    left, right = min(piece.left for piece in pieces), max(piece.right for piece in pieces)
    full = [piece for piece in pieces if piece.right >= left + 0.7 * (right - left)]
    return len(full) >= 0.5 * len(pieces) and median(len(piece.text) for piece in pieces) >= 20


def _with_tables(found: Sequence[PageLine]) -> Iterator[PdfLine | PageTable]:
    tables = [table for side in _sides(found) for table in find_tables(side)]
    of_table = {id(piece): table for table in tables for piece in table.pieces}
    written: set[int] = set()
    for line in found:
        inside = [id(piece) for piece in line.pieces if id(piece) in of_table]
        if not inside:
            yield line.whole
            continue
        for piece in line.pieces:
            table = of_table.get(id(piece))
            if table is None:
                yield piece
            elif id(table) not in written:
                written.add(id(table))
                yield table


def _sides(found: Sequence[PageLine]) -> list[list[PdfLine]]:
    """Return the pieces of a page, separated by columns of prose."""
    pieces = [piece for line in found for piece in line.pieces]
    if not pieces:
        return []
    left, right = min(piece.left for piece in pieces), max(piece.right for piece in pieces)
    width = max(1.0, right - left)
    long = sorted(
        (
            piece
            for piece in pieces
            if _NARROW < (piece.right - piece.left) / width < _WIDE and len(piece.text) > 24
        ),
        key=lambda piece: piece.left,
    )
    reach = float("-inf")
    for place, piece in enumerate(long):
        if place >= _MIN_LINES and len(long) - place >= _MIN_LINES and piece.left > reach:
            return list(_apart(pieces, (reach + piece.left) / 2, long))
        reach = max(reach, piece.right)
    return [pieces]


def _apart(pieces: Sequence[PdfLine], gutter: float, long: Sequence[PdfLine]) -> Iterator[list[PdfLine]]:
    lowest = min(piece.baseline for piece in long) - 1
    beside = [piece for piece in pieces if piece.baseline >= lowest]
    yield [piece for piece in pieces if piece.baseline < lowest]
    yield [piece for piece in beside if piece.right <= gutter]
    yield [piece for piece in beside if piece.left >= gutter]
