"""Find the rows and cells of tables in a frozen text, and name a cell by its row and column."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter

from citations.text.quote_span import Span
from research.parsing.parsed_document import BlockKind, DocumentTable, TextBlock

_WORD = re.compile(r"[^\W\d_]{2}")
_NO_RANK = r"(?!\W*\d+(?:st|nd|rd|th)\W*$)"
_HAS_WORD = re.compile(rf"{_NO_RANK}.*{_WORD.pattern}", re.DOTALL)
_CODE = re.compile(rf"{_NO_RANK}.*[^\W\d_]", re.DOTALL)  # "O", "M31", "v1.2"
_ENUMERATION = re.compile(
    r"\W*|.*\b(?:no|nr|num|number|rank|pos|position|item|id|index|row|line)\b.*", re.IGNORECASE
)
_OF_NAMES = re.compile(
    r"\W*(?:\w+ )?(?:names?|titles?|descriptions?|bezeichnung|beschreibung)\W*", re.IGNORECASE
)
_DATE_OR_VERSION = re.compile(
    r"\W*(?:\d{4}[-./]\d\d(?:[-./]\d\d)?|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}|\d+\.\d+\.\d+|(?:19|20)\d\d)\b.{0,12}"
)
_MAX_WORDS_OF_THING = 3  # on average: with more, a column describes what a date or version names
_SAMPLE = 500  # rows that tell which column names the rows
_MAX_NAMING = 3  # columns that name a row together
_MAX_WORDS = 8  # of a name: a longer cell is a text
_MAX_NAME, _MAX_COLUMNS = 200, 50


@dataclass(frozen=True)
class ParsedTableRow:
    """One line of a table in `text`, with the words of each cell."""

    text: str = field(repr=False)
    span: Span
    words: tuple[str, ...]

    @cached_property
    def cells(self) -> tuple[Span, ...]:
        """The place of each cell; empty cells have empty spans. A long table's rows are laid out when they are used."""
        return tuple(_places(self.text, self.words, self.span))


@dataclass(frozen=True, slots=True)
class ParsedCellNames:
    """The names of the table row and columns that a quote is from. Either may be empty, not both."""

    row: str
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedRow:
    """A row, or some of its cells: pairs of column name and words. `naming` are those that name the row."""

    name: str
    cells: tuple[tuple[str, str], ...] = ()
    naming: tuple[tuple[str, str], ...] = ()
    spans: tuple[Span, ...] = ()  # of all these cells


def rows_of_table(text: str, blocks: Sequence[TextBlock], table: DocumentTable) -> Iterator[ParsedTableRow]:
    """Yield the lines of a table in the text, its head first, each cell found in its line."""
    for cells, block in zip(_list_text_rows(table), _lines(blocks, table), strict=False):
        yield ParsedTableRow(text, Span(block.start, block.end), tuple(cells))


def has_head(table: DocumentTable) -> bool:
    return any(map(str.strip, table.headers))


class TableNames:
    """Names the cells of a document's tables."""

    def __init__(self, text: str, blocks: Sequence[TextBlock], tables: Sequence[DocumentTable]) -> None:
        self._text, self._blocks = text, blocks
        self._tables = sorted(tables, key=attrgetter("start"))
        self._known: dict[int, _KnownTable] = {}

    def at(self, start: int, end: int) -> ParsedCellNames | None:
        """Name the cells that text[start:end] touches; None outside of tables, in a head, or over several rows."""
        found = self.row_at(start, end)
        if found is None:
            return None
        cells = found.cells or found.naming
        names = tuple(name[:_MAX_NAME] for name, _ in cells[:_MAX_COLUMNS] if name)
        row = found.name[:_MAX_NAME]
        return ParsedCellNames(row, names) if row or names else None

    def row_at(self, start: int, end: int) -> NamedRow | None:
        """Return the row that holds text[start:end]; None outside of tables, in a head, or over several rows."""
        place = bisect_right(self._tables, start, key=attrgetter("start")) - 1
        if place < 0 or end > self._tables[place].end:
            return None
        if place not in self._known:
            self._known[place] = _KnownTable.of(self._tables[place], self._blocks)
        return self._known[place].row_at(self._text, start, end)

    def split_row(self, start: int, end: int, most: int) -> list[tuple[int, int]]:
        """Split a row between its cells into parts of at most so many; any other stretch stays whole."""
        row = self.row_at(start, end)
        if row is None or len(row.spans) <= most:
            return [(start, end)]
        parts = [row.spans[at : at + most] for at in range(0, len(row.spans), most)]
        return [(part[0].start, part[-1].end) for part in parts]


@dataclass(frozen=True, slots=True)
class _KnownTable:
    table: DocumentTable
    written: tuple[tuple[str, ...], ...]
    lines: tuple[TextBlock, ...]
    naming: tuple[int, ...]
    groups: tuple[str, ...]  # the line that names the group of each row below the head
    repeated: frozenset[str]  # names of rows that several groups have

    @classmethod
    def of(cls, table: DocumentTable, blocks: Sequence[TextBlock]) -> _KnownTable:
        written = tuple(_list_text_rows(table))
        rows = written[1:] if has_head(table) else written
        groups = tuple(_find_groups(rows))
        naming = _find_naming_columns(rows, groups, table.headers if has_head(table) else ())
        names = Counter(_join_name(row, naming) for row in rows if len(row) > 1)
        repeated = frozenset(name for name, times in names.items() if times > 1)
        return cls(table, written, tuple(_lines(blocks, table)), naming, groups, repeated)

    def row_at(self, text: str, start: int, end: int) -> NamedRow | None:
        index = bisect_right(self.lines, start, key=attrgetter("start")) - 1
        first = 1 if has_head(self.table) else 0
        if index < first or len(self.lines) != len(self.written) or end > self.lines[index].end:
            return None
        cells = self.written[index]
        line = Span(self.lines[index].start, self.lines[index].end)
        places = list(_places(text, cells, line))
        touched = [
            column for column, span in enumerate(places) if max(start, span.start) < min(end, span.end)
        ]
        naming = self.naming if len(cells) > 1 else ()
        name = _join_name(cells, naming)
        if naming and not name:  # as in a row of totals
            naming = tuple(column for column, cell in enumerate(cells) if _WORD.search(cell))[:1] or naming
            name = _join_name(cells, naming)
        if name and name in self.repeated:
            name = ", ".join(filter(None, (self.groups[index - first], name)))

        def name_cells(columns: Sequence[int]) -> tuple[tuple[str, str], ...]:
            heads = self.table.headers
            return tuple((heads[at].strip() if at < len(heads) else "", cells[at]) for at in columns)

        return NamedRow(
            name,
            name_cells([column for column in touched if column not in naming]),
            name_cells([column for column in touched if column in naming]),
            tuple(places[column] for column in touched),
        )


def _list_text_rows(table: DocumentTable) -> list[tuple[str, ...]]:
    """Return the rows that stand in the text: an empty one is left out there."""
    rows = [table.headers, *table.rows] if has_head(table) else table.rows
    return [cells for cells in rows if any(map(str.strip, cells))]


def _lines(blocks: Sequence[TextBlock], table: DocumentTable) -> list[TextBlock]:
    first = bisect_left(blocks, table.start, key=attrgetter("start"))
    last = bisect_right(blocks, table.end, key=attrgetter("end"))
    return [block for block in blocks[first:last] if block.kind is BlockKind.TABLE]


def _places(text: str, cells: Sequence[str], line: Span) -> Iterator[Span]:
    position = line.start
    for cell in cells:
        start = text.find(cell, position, line.end) if cell else position
        start = position if start < 0 else start
        end = min(line.end, start + len(cell))
        yield Span(start, end)
        position = end


def _join_name(cells: Sequence[str], naming: Sequence[int]) -> str:
    return ", ".join(cells[column] for column in naming if column < len(cells) and cells[column])


def _find_groups(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the group that each row stands in: the words of the last line of one cell above it.

    In formats without cells across a table, such lines have empty cells; so has a row without values, of which
    there is no telling in a table that has a single one.
    """
    width = max(map(len, rows), default=0)
    alone = [
        len(list(filter(None, row))) == 1 and bool(row[0]) and len(row[0].split()) <= _MAX_WORDS
        for row in rows
    ]
    heads = [is_alone and at + 1 < len(rows) and not alone[at + 1] for at, is_alone in enumerate(alone)]
    is_told = sum(heads) > 1 and width > 1
    group = ""
    for row, is_group in zip(rows, heads, strict=True):
        if is_group and (is_told or len(row) < width):
            group = row[0]
            yield ""
        else:
            yield group


def _find_naming_columns(
    rows: Sequence[Sequence[str]], groups: Sequence[str], headers: Sequence[str]
) -> tuple[int, ...]:
    """Return the columns that tell the rows apart: the first of distinct words, else some from the left together.

    In the first column, a letter or code will do, unless its header says that it only counts the rows, or another
    column is headed as their name; dates and versions will, unless the next column has things with a name of their
    own. The same word may stand in several groups.
    """
    sample = [
        (row, group) for row, group in zip(rows, groups, strict=True) if len(list(filter(None, row))) > 1
    ]
    sample = sample[:_SAMPLE]
    width = max((len(row) for row, _ in sample), default=0)

    def tells_apart(column: int, pattern: re.Pattern[str]) -> bool:
        filled = [(row[column], group) for row, group in sample if column < len(row) and row[column]]
        fitting = sum(bool(pattern.match(cell)) and len(cell.split()) <= _MAX_WORDS for cell, _ in filled)
        is_full = len(filled) * 10 > len(sample) * 9
        return is_full and fitting * 10 > len(filled) * 9 and len(set(filled)) == len(filled)

    if not _ENUMERATION.fullmatch(headers[0] if headers else "") and tells_apart(0, _CODE):
        titled = [at for at, header in enumerate(headers[:width]) if at and _OF_NAMES.fullmatch(header)]
        other = next((at for at in titled if tells_apart(at, _HAS_WORD)), 0)
        return (0,) if tells_apart(0, _HAS_WORD) else (other,)
    named = next((column for column in range(width) if tells_apart(column, _HAS_WORD)), None)
    if named and tells_apart(0, _DATE_OR_VERSION):
        count = sum(len(row[named].split()) for row, _ in sample if named < len(row))
        return (0,) if named > 1 or count > _MAX_WORDS_OF_THING * len(sample) else (named,)
    if named is not None:
        return (named,)
    for count in range(1, min(_MAX_NAMING, width - 1) + 1):
        if len({(tuple(row[:count]), group) for row, group in sample}) == len(sample):
            return tuple(range(count))
    return (0,) if width else ()
