"""The lines of a page in the order in which they are read: without line numbers, column by column, tables as such."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from research.parsing.formats.pdf.lines import Line, PageLine, Segment
from research.parsing.formats.pdf.shifts import RAISED
from research.parsing.formats.pdf.tables import PageTable, find_tables, rows_of

_LINE_NUMBER = re.compile(r"\d{1,5}")
_SMALL_MARK = re.compile(r"[\d,*†‡§]{1,4}|[a-z]")
_STEPS = (1, 2, 5, 10)
_FEWEST_NUMBERS = 3  # that a page needs for its line numbers to be known; other pages then need fewer
_PROSE = 15  # characters of a line that shows where text stands
_FEWEST_JUMPS = 3  # over the gutter, for columns that were drawn line by line
_NARROW, _WIDE = 0.2, 0.56  # of the text's width: the lines of columns
_FEWEST_LINES = 6  # of a column
_NUMBERS_APART = 0.5  # of the type size, between a line number and its line at least
_MOST_COLUMNS = 4


@dataclass(slots=True)
class _Numbers:
    """Pieces that may be the line numbers of a page. `is_sure`: they show it by themselves."""

    pieces: list[Line]
    is_sure: bool


def arrange(pages: Sequence[Sequence[PageLine]]) -> Iterator[Line | PageTable]:
    """All lines of a document as they are read."""
    numbers = [_line_numbers(found) for found in pages]
    is_numbered = any(found.is_sure for found in numbers)
    for found, of_page in zip(pages, numbers, strict=True):
        dropped = {id(line) for line in of_page.pieces} if is_numbered else set()
        yield from _arrange_page(found, dropped)


def _arrange_page(found: Sequence[PageLine], dropped: set[int]) -> Iterator[Line | PageTable]:
    kept = [
        _without(line, dropped) if dropped.intersection(map(id, line.pieces)) else line
        for line in found
        if not line.whole.is_turned
    ]
    kept = _attach_marks([line for line in kept if line is not None])
    in_columns = _by_columns(kept)
    if in_columns is not None:
        yield from in_columns
    else:
        yield from _with_tables(kept)
    yield from (line.whole for line in found if line.whole.is_turned)


def _attach_marks(found: list[PageLine]) -> list[PageLine]:
    """Lines that are only the mark of a note, or a power, put back to the words that they stand behind."""
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
                whole = replace(line.whole, segments=_joined(parts))
                found = [other for other in found if other is not mark]
                found[found.index(line)] = PageLine(whole, tuple(parts) if len(parts) > 1 else ())
                break
    return found


def _is_behind(small: Line, line: Line) -> bool:
    return small.size <= 0.88 * line.size and abs(small.left - line.right) <= 0.4 * line.size


def _without(line: PageLine, dropped: set[int]) -> PageLine | None:
    parts = tuple(part for part in line.pieces if id(part) not in dropped)
    if len(parts) < 2:
        return PageLine(parts[0]) if parts else None
    whole = replace(
        line.whole,
        segments=_joined(parts),
        left=parts[0].left,
        right=parts[-1].right,
        baseline=parts[0].baseline,
        size=parts[0].size,
        has_line_hyphen=parts[-1].has_line_hyphen,
    )
    return PageLine(whole, parts)


def _joined(parts: Sequence[Line]) -> tuple[Segment, ...]:
    segments = list(parts[0].segments)
    for part in parts[1:]:
        segments += [Segment(" ", part.page, None), *part.segments]
    return tuple(segments)


def _line_numbers(found: Sequence[PageLine]) -> _Numbers:
    """The numbers beside the lines of a page: outside of its text, counting up, in rows with one line of prose."""
    pieces = [piece for line in found if not line.whole.is_turned for piece in line.pieces]
    figures = [piece for piece in pieces if _LINE_NUMBER.fullmatch(piece.text)]
    body = [piece for piece in pieces if len(piece.text) >= _PROSE]
    if not figures or len(body) < 2:
        return _Numbers([], is_sure=False)
    rows = rows_of(pieces)
    beside = {id(piece): [other for other in row if other is not piece] for row in rows for piece in row}
    left, right = sorted(line.left for line in body), sorted(line.right for line in body)
    first, last = left[len(left) // 10], right[-1 - len(right) // 10]
    sides = (
        [piece for piece in figures if piece.right <= first - _NUMBERS_APART * piece.size],
        [piece for piece in figures if piece.left >= last + _NUMBERS_APART * piece.size],
    )
    for side in sides:
        near = [piece for piece in side if len(beside[id(piece)]) == 1 and len(beside[id(piece)][0].text) > 4]
        counted = sorted(near, key=lambda piece: -piece.baseline)
        if counted and _count_up([int(piece.text) for piece in counted]):
            goes_on = any(beside[id(piece)][0].text[0].islower() for piece in counted)
            values = {int(piece.text) for piece in counted}
            # A number beside an empty line, or one that its line's gap does not part.
            more = [piece for piece in side if piece not in counted and not beside[id(piece)]]
            more = [piece for piece in more if _fits_between(piece, counted)]
            return _Numbers(
                [*counted, *more],
                is_sure=len(values) >= _FEWEST_NUMBERS and (goes_on or _are_multiples(values)),
            )
    return _Numbers([], is_sure=False)


def _count_up(values: Sequence[int]) -> bool:
    steps = [after - before for before, after in pairwise(values)]
    if not steps:
        return True
    least = min(steps)
    return least in _STEPS and all(step % least == 0 and step <= 5 * least for step in steps)


def _are_multiples(values: set[int]) -> bool:
    return all(value % 5 == 0 for value in values)


def _fits_between(piece: Line, counted: Sequence[Line]) -> bool:
    value = int(piece.text)
    return all((int(other.text) < value) == (other.baseline > piece.baseline) for other in counted)


def _by_columns(found: Sequence[PageLine]) -> list[Line | PageTable] | None:
    """The lines of columns that were drawn across the gutter, column by column; None where there are none such."""
    pieces = [piece for line in found for piece in line.pieces]
    ordered = _column_order(pieces, _MOST_COLUMNS)
    return None if ordered is None else list(ordered)


def _column_order(pieces: Sequence[Line], most: int) -> list[Line] | None:
    gutter = _gutter_crossed(pieces) if most > 1 else None
    if gutter is None:
        return None
    left = [piece for piece in pieces if piece.right <= gutter + 1]
    right = [piece for piece in pieces if piece.left >= gutter - 1]
    ordered: list[Line] = []
    waiting: tuple[list[Line], list[Line]] = ([], [])
    is_left, is_right = set(map(id, left)), set(map(id, right))
    top = max(piece.baseline for piece in (*left, *right) if len(piece.text) >= _PROSE)
    for piece in (piece for row in rows_of(pieces) for piece in row):
        if id(piece) in is_left and piece.baseline <= top + piece.size:
            waiting[0].append(piece)
        elif id(piece) in is_right and piece.baseline <= top + piece.size:
            waiting[1].append(piece)
        else:
            ordered += _flush(waiting, most)
            ordered.append(piece)
    return [*ordered, *_flush(waiting, most)]


def _flush(waiting: tuple[list[Line], list[Line]], most: int) -> list[Line]:
    ordered = [piece for side in waiting for piece in (_column_order(side, most - 1) or side)]
    for side in waiting:
        side.clear()
    return ordered


def _gutter_crossed(pieces: Sequence[Line]) -> float | None:
    """Where the columns part that the order of drawing jumps between; None where it does not."""
    jumps = [
        (before.right, after.left)
        for before, after in pairwise(pieces)
        if after.left >= before.right + 0.5 * after.size
        and after.baseline > before.baseline - 0.9 * before.size
        and min(len(before.text), len(after.text)) >= _PROSE
    ]
    if len(jumps) < _FEWEST_JUMPS:
        return None
    x = median((right + left) / 2 for right, left in jumps)
    near = [jump for jump in jumps if jump[0] <= x + 1 and jump[1] >= x - 1]
    if len(near) < max(_FEWEST_JUMPS, 0.8 * len(jumps)):
        return None
    x = (max(right for right, _ in near) + min(left for _, left in near)) / 2
    sides = (
        [piece for piece in pieces if piece.right <= x + 1],
        [piece for piece in pieces if piece.left >= x - 1],
    )
    return x if all(map(_is_column, sides)) else None


def _is_column(pieces: Sequence[Line]) -> bool:
    """Lines of prose that fill their width."""
    if len(pieces) < _FEWEST_JUMPS:
        return False
    left, right = min(piece.left for piece in pieces), max(piece.right for piece in pieces)
    full = [piece for piece in pieces if piece.right >= left + 0.7 * (right - left)]
    return len(full) >= 0.5 * len(pieces) and median(len(piece.text) for piece in pieces) >= 20


def _with_tables(found: Sequence[PageLine]) -> Iterator[Line | PageTable]:
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


def _sides(found: Sequence[PageLine]) -> list[list[Line]]:
    """The pieces of a page, those of columns of prose apart from each other."""
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
        if place >= _FEWEST_LINES and len(long) - place >= _FEWEST_LINES and piece.left > reach:
            return list(_apart(pieces, (reach + piece.left) / 2, long))
        reach = max(reach, piece.right)
    return [pieces]


def _apart(pieces: Sequence[Line], gutter: float, long: Sequence[Line]) -> Iterator[list[Line]]:
    lowest = min(piece.baseline for piece in long) - 1
    beside = [piece for piece in pieces if piece.baseline >= lowest]
    yield [piece for piece in pieces if piece.baseline < lowest]
    yield [piece for piece in beside if piece.right <= gutter]
    yield [piece for piece in beside if piece.left >= gutter]
