"""The layout of a sheet: which cells form tables, which rows name their columns, which lines surround them.

A sheet is rows of texts. Tables are separated by empty rows and columns; a line of one cell above a table is
its title, one below it a note. Several head rows become one name for each column, as in "Recycled 2024".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from research.parsing.frozen_text_builder import TextBuilder
from research.parsing.parsed_document import BlockKind

_MAX_HEAD_ROWS = 5
_MAX_ABOVE = 10  # sparse rows that stand above the headings of a table, without an empty row between
_MAX_NAME = 120  # characters of a heading
_SAMPLE = 50  # rows that headings are compared with

_FIGURE = re.compile(
    r"[-+−±~≈<>≤≥(*\s]*(?:[^\W\d_]{1,3}\.?|\W)?\s?[-+−]?\d[\d.,'’/:\s%‰–—+−-]*(?:[EeTZ][\d:+-]*)?"
    r"\s?(?:[^\W\d_]{1,4}[²³]?(?:/[^\W\d_]{1,4}[²³]?)?|\W{1,3})?[)*†‡§\s]*"
)
_TEMPORAL = re.compile(
    r"(?:1[5-9]|20|21)\d\d(?:(?:\s?[-/–]\s?\d{1,4}){1,2}|\s?[A-Za-z]{1,2}|[*†‡§¹²³])?|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}/\d{4}|[QHWT]\d"
)
_RANGE = re.compile(r"[<>≤≥]?\s?\d+(?:\s?[-–—+]\s?\d*)?\s?(?:years?|Jahre|ans)?")
NOTE_START = re.compile(
    r"[*†‡§¹²³⁴⁵©]|\(?\d{1,2}\)|(?:notes?|sources?|remarks?|quelle|anmerkung(?:en)?|hinweis|stand|fuente|nota|fonte|bron)\b[^|]*[:.]",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?:\S+\s+){4,}\S+[.!?][\"”’)]?(?:\s|$)")


Place = tuple[int, int]  # row and column, from 0


@dataclass(frozen=True, slots=True)
class Merge:
    """A merged region, its borders included."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(slots=True)
class VisibleSheet:
    """The visible content of a sheet: its rows as texts of equal width, with merges and notes.

    `computed` are cells whose formula has no stored value: empty, but part of their table. `loose_notes` are
    those of cells in empty rows or columns.
    """

    rows: list[list[str]]
    merges: Sequence[Merge] = ()
    notes: Mapping[Place, str] = field(default_factory=dict)
    computed: frozenset[Place] = frozenset()
    loose_notes: Sequence[str] = ()

    def take_rows(self, most: int) -> VisibleSheet:
        """Return the sheet up to as many filled rows."""
        filled = [at for at, row in enumerate(self.rows) if any(row)]
        if len(filled) <= most:
            return self
        end = filled[most]
        return VisibleSheet(
            self.rows[:end],
            [replace(merge, bottom=min(merge.bottom, end - 1)) for merge in self.merges if merge.top < end],
            {place: note for place, note in self.notes.items() if place[0] < end},
            frozenset(place for place in self.computed if place[0] < end),
            self.loose_notes,
        )


@dataclass(frozen=True, slots=True)
class _Band:
    """A range of rows and columns of a sheet."""

    rows: Sequence[int]
    columns: Sequence[int]


def add_sheet(builder: TextBuilder, sheet: VisibleSheet) -> None:
    """Append the tables of a sheet with the lines around them."""
    _Layout(sheet).add_to(builder)


class _Layout:
    def __init__(self, sheet: VisibleSheet) -> None:
        self._rows = sheet.rows
        self._notes, self._computed = dict(sheet.notes), sheet.computed
        self._loose_notes = sheet.loose_notes
        self._origins: dict[Place, Place] = {}  # of cells in merged regions, but for their first
        for merge in sheet.merges:
            first = merge.top, merge.left
            for row in range(merge.top, merge.bottom + 1):
                for column in range(merge.left, merge.right + 1):
                    if (row, column) != first:
                        self._origins[row, column] = first
                        self._rows[row][column] = self._rows[first[0]][first[1]]

    def add_to(self, builder: TextBuilder) -> None:
        bands = self._join([part for band in self._bands() for part in self._split_beside(band)])
        has_tables = any(self._width(band) > 1 for band in bands)
        waiting: list[str] = []
        for band in bands:
            if self._width(band) < 2 and has_tables and not self._is_list(band):
                waiting += self._lines(band, band.rows)
                continue
            above, table, below = self._take_lines(band)
            self._add_table(builder, [*waiting, *self._lines(band, above)], _Band(table, band.columns))
            waiting = []
            _add_lines(builder, self._lines(band, below))
        _add_lines(builder, waiting)
        _add_lines(builder, [*self._notes.values(), *self._loose_notes])

    # --- cells and rows

    def _is_filled(self, row: int, column: int) -> bool:
        return bool(self._rows[row][column]) or (row, column) in self._computed

    def _find_filled_columns(self, band: _Band, row: int) -> list[int]:
        texts = self._rows[row]
        if not self._computed:
            return [column for column in band.columns if texts[column]]
        return [column for column in band.columns if texts[column] or (row, column) in self._computed]

    def _own(self, band: _Band, row: int) -> list[int]:
        """Return the filled cells of a row, a merged region once."""
        filled = self._find_filled_columns(band, row)
        return (
            [column for column in filled if (row, column) not in self._origins] if self._origins else filled
        )

    def _width(self, band: _Band) -> int:
        """Return the largest number of filled cells in a row; the search ends at the first full row."""
        most = 0
        for row in band.rows:
            most = max(most, len(self._own(band, row)))
            if most == len(band.columns):
                break
        return most

    def _texts(self, rows: Iterable[int], column: int) -> list[str]:
        return [text for row in rows if (text := self._rows[row][column])]

    def _lines(self, band: _Band, rows: Iterable[int]) -> list[str]:
        return [" ".join(self._rows[row][column] for column in self._own(band, row)) for row in rows]

    # --- bands

    def _bands(self) -> Iterator[_Band]:
        width = len(self._rows[0]) if self._rows else 0
        yield from self._part_at_empty_rows(range(len(self._rows)), range(width))

    def _part_at_empty_rows(self, rows: Sequence[int], columns: Sequence[int]) -> Iterator[_Band]:
        """Yield the rows between empty ones, with the columns from the first to the last that is filled."""
        whole, waiting = _Band(rows, columns), list[int]()
        is_wide = len(columns) == len(self._rows[0]) if self._rows else False
        for row in (*rows, -1):
            if row >= 0 and (is_wide and any(self._rows[row]) or self._find_filled_columns(whole, row)):
                waiting.append(row)
            elif waiting:
                used = [column for column in columns if any(self._is_filled(row, column) for row in waiting)]
                yield _Band(waiting, [column for column in columns if used[0] <= column <= used[-1]])
                waiting = []

    def _split_beside(self, band: _Band) -> Iterator[_Band]:
        """Split a band at empty columns if two tables are side by side; otherwise drop these columns.

        Those at its ends that hold only formulas without a value name nothing, and are dropped, too.
        """
        said = [column for column in band.columns if any(self._rows[row][column] for row in band.rows)]
        pieces: list[list[int]] = [[]]
        for column in band.columns:
            if said and not said[0] <= column <= said[-1]:
                continue
            if any(self._is_filled(row, column) for row in band.rows):
                pieces[-1].append(column)
            elif pieces[-1]:
                pieces.append([])
        parts = [_Band(band.rows, piece) for piece in pieces]
        if len(parts) > 1 and self._stand_alone(parts) and self._differ(parts):
            for part in parts:
                yield from self._part_at_empty_rows(part.rows, part.columns)
        else:
            yield _Band(band.rows, [column for piece in pieces for column in piece])

    def _stand_alone(self, parts: Sequence[_Band]) -> bool:
        """Return True if each part may be a table. The rows of the first may be numbered if they end elsewhere."""
        filled = [[bool(self._find_filled_columns(part, row)) for row in part.rows] for part in parts]
        ends = {sum(rows) for rows in filled if rows == sorted(rows, reverse=True)}
        is_first_apart = len(ends) == len(parts) and self._width(parts[0]) > 1
        return all(map(self._stands_alone, parts[1:] if is_first_apart else parts))

    def _stands_alone(self, part: _Band) -> bool:
        """Return True if a part may be a table: several columns under headings, the first of them names."""
        rows = [row for row in part.rows if self._find_filled_columns(part, row)]
        names = self._texts(rows[1:], part.columns[0])
        return self._width(part) > 1 and bool(names) and 2 * sum(map(_is_figure, names)) < len(names)

    def _differ(self, parts: Sequence[_Band]) -> bool:
        """Return True for parts with different rows, with the same headings, or with figures each."""
        shapes = {tuple(bool(self._find_filled_columns(part, row)) for row in part.rows) for part in parts}
        heads = {tuple(self._rows[part.rows[0]][column] for column in part.columns) for part in parts}
        has_figures = (
            any(map(_is_figure, self._texts(part.rows, column)))
            for part in parts
            for column in part.columns[-1:]
        )
        return len(shapes) > 1 or len(heads) < len(parts) or all(has_figures)

    def _join(self, bands: Sequence[_Band]) -> list[_Band]:
        """Join rows to the table above if they are separated by an empty row but have no headings."""
        found: list[_Band] = []
        for band in bands:
            before = found[-1] if found else None
            if (
                before is not None
                and list(before.columns) == list(band.columns)
                and min(self._width(before), self._width(band)) > 1
            ):
                has_head = self._count_head_rows(_Band(self._take_lines(before)[1], before.columns))
                has_own = self._count_head_rows(_Band(self._take_lines(band)[1], band.columns))
                if has_head and not has_own or len(before.rows) == 1:
                    found[-1] = _Band([*before.rows, *band.rows], band.columns)
                    continue
            found.append(band)
        return found

    def _is_list(self, band: _Band) -> bool:
        """Return True for a column of names or figures under a heading, False for titles and sentences."""
        texts = self._lines(band, band.rows)
        return len(texts) > 3 and not any(_SENTENCE.match(text) or NOTE_START.match(text) for text in texts)

    # --- lines around a table

    def _take_lines(self, band: _Band) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
        """Split the rows of a band into lines above its table, the table, and notes below it."""
        width = self._width(band)
        if width < 2:
            return [], band.rows, []
        first, last = 0, len(band.rows)
        while first < min(last - 1, _MAX_ABOVE) and self._is_above(band, first, width):
            first += 1
        while last - first > 1 and self._is_below(band, band.rows[last - 1], width):
            last -= 1
        return band.rows[:first], band.rows[first:last], band.rows[last:]

    def _is_above(self, band: _Band, at: int, width: int) -> bool:
        row, below = band.rows[at], band.rows[at + 1]
        stub = band.columns[0]
        own, filled = self._own(band, row), self._find_filled_columns(band, row)
        if len(own) == 1:
            is_title = stub in filled or len(self._find_filled_columns(band, below)) < 2
            return is_title and not self._is_merged_below(row, band.columns)
        is_sparse = stub in filled and len(filled) < 3 and 2 * len(filled) <= width and width > 3
        return is_sparse and self._is_filled(below, stub)

    def _is_merged_below(self, row: int, columns: Sequence[int]) -> bool:
        """Return True for a row whose first cell spans into the next: it is a heading, not a title."""
        return self._origins.get((row + 1, columns[0])) == (row, columns[0])

    def _is_below(self, band: _Band, row: int, width: int) -> bool:
        own = self._own(band, row)
        if own != [band.columns[0]] or (row, own[0]) in self._computed:
            return False
        text = self._rows[row][own[0]]
        if NOTE_START.match(text) or _SENTENCE.match(text):
            return True
        return width > 2 and (len(text.split()) > 4 or len(text) > 60)

    # --- headings

    def _count_head_rows(self, table: _Band) -> int:
        """Return how many of the first rows name the columns; 0 if none does."""
        rows, columns = table.rows, table.columns
        if len(rows) < 2:
            return 0
        count = 1
        while count < min(_MAX_HEAD_ROWS, len(rows) - 1) and self._is_head_continued(table, count):
            count += 1
        head, body = rows[:count], rows[count : count + _SAMPLE]
        if not all(
            self._is_in_region_of(row, columns[0], head) or self._are_names(table, row, body) for row in head
        ):
            return 0
        names = self._names(table, count)
        has_words = any(not _is_figure(text) for column in columns for text in self._texts(head, column))
        if not has_words or not all(names[1:]) or not any(names):
            return 0
        has_figures = any(map(_is_figure, (text for column in columns for text in self._texts(body, column))))
        return count if has_figures or len(set(names)) == len(names) else 0

    def _are_names(self, table: _Band, row: int, body: Sequence[int]) -> bool:
        return all(
            (row, column) not in self._computed
            and _is_name(self._rows[row][column], self._texts(body, column))
            for column in self._find_filled_columns(table, row)
        )

    def _is_head_continued(self, table: _Band, at: int) -> bool:
        """Return True if the row at `at` names columns too: under headings that span some, or units."""
        rows, columns, stub = table.rows, table.columns, table.columns[0]
        row, above, body = rows[at], rows[at - 1], rows[at + 1 : at + 1 + _SAMPLE]
        if self._is_in_region_of(row, stub, rows[:at]):
            return True
        own = self._own(table, row)
        has_gaps = any(not self._is_filled(above, column) for column in columns[1:])
        has_spans = any(self._origins.get((above, column), (-1, -1))[0] == above for column in columns)
        is_under_corner = not any(self._is_filled(each, stub) for each in rows[:at])
        if not own or self._is_filled(row, stub) and not (is_under_corner and (has_gaps or has_spans)):
            return False
        if not self._are_names(table, row, body) or not any(self._is_filled(each, stub) for each in body[:1]):
            return False
        is_stub_empty = not self._is_filled(row, stub)
        are_units = all(self._are_figures(self._texts(body, column), mostly=is_stub_empty) for column in own)
        return has_gaps or has_spans or are_units

    def _are_figures(self, texts: Sequence[str], *, mostly: bool) -> bool:
        """Return True for figures; with `mostly`, signs for missing ones may stand among them."""
        count = sum(map(_is_figure, texts))
        return 2 * count > len(texts) if mostly else count == len(texts)

    def _is_in_region_of(self, row: int, column: int, rows: Sequence[int]) -> bool:
        origin = self._origins.get((row, column))
        return origin is not None and origin[0] in rows and origin[0] != row

    def _names(self, table: _Band, count: int) -> list[str]:
        """Return a name for each column: the headings above it from the top, each once."""
        levels = [[self._rows[row][column] for column in table.columns] for row in table.rows[:count]]
        for level, below in zip(levels, levels[1:], strict=False):
            for at in range(1, len(level)):
                if not level[at] and level[at - 1] and below[at] and below[at - 1]:
                    level[at] = level[at - 1]
        columns = zip(*levels, strict=True)
        return [" ".join(dict.fromkeys(filter(None, column))) for column in columns]

    # --- text

    def _add_table(self, builder: TextBuilder, above: Sequence[str], table: _Band) -> None:
        *lines, last = above or [""]
        if _SENTENCE.match(last):
            lines, last = [*lines, last], ""
        for line in lines:
            builder.add(BlockKind.PARAGRAPH if _SENTENCE.match(line) else BlockKind.CAPTION, line)
        count = self._count_head_rows(table)
        names = self._names(table, count) if count else []
        rows = (self._row(table, row) for row in table.rows[count:])
        builder.table(names, [row for row in rows if row != names], caption=last)  # a repeated head is no row
        for row, column in list(self._notes):
            if row in table.rows and column in table.columns:
                self._add_note(builder, table, names, (row, column), is_head=row in table.rows[:count])

    def _row(self, table: _Band, row: int) -> list[str]:
        texts = [self._rows[row][column] for column in table.columns]
        is_across = self._origins and len(texts) > 1 and len(self._own(table, row)) == 1 and all(texts)
        return [texts[0], *[""] * (len(texts) - 1)] if is_across else texts

    def _add_note(
        self, builder: TextBuilder, table: _Band, names: Sequence[str], place: Place, *, is_head: bool
    ) -> None:
        """Add a note with the names of its row and column, which say what it refers to."""
        row, column = place
        texts = [self._rows[row][each] for each in table.columns]
        label = next((text for text in texts if text and not _is_figure(text)), "")
        heading = names[list(table.columns).index(column)] if names else ""
        of = [heading] if is_head else [label, "" if self._rows[row][column] == label else heading]
        builder.add(
            BlockKind.PARAGRAPH,
            ": ".join(filter(None, (", ".join(filter(None, of)), self._notes.pop(place)))),
        )


def _add_lines(builder: TextBuilder, lines: Iterable[str]) -> None:
    for line in lines:
        builder.add(BlockKind.PARAGRAPH, line)


def _is_figure(text: str) -> bool:
    return bool(text) and _FIGURE.fullmatch(text[:_MAX_NAME]) is not None


def _is_name(text: str, below: Sequence[str]) -> bool:
    """Return True if a text may name the column of the cells `below`: words, or a time unlike them."""
    if len(text) > _MAX_NAME or _SENTENCE.match(text):
        return False
    if not _is_figure(text):
        return True
    if _TEMPORAL.fullmatch(text):
        return 2 * sum(_TEMPORAL.fullmatch(each) is not None for each in below) <= len(below) > 0
    if _RANGE.fullmatch(text) and not text.isdigit():
        alike = sum(_RANGE.fullmatch(each) is not None and not each.isdigit() for each in below)
        return 2 * alike <= len(below) > 0 and all(map(_is_figure, below))
    return False
