"""Statements of tables: pairs of label and value, rows and columns that belong to an item."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citations.text.numerals import comma_is_decimal
from citations.text.text_span import Span
from research.parsing.table_rows import TableRow, has_head, rows_of_table
from research.pipelines.table.column_amounts import Unit, unit_in, unit_of_caption
from research.pipelines.table.finding.found_values import ReadText
from research.pipelines.table.finding.item_names import names_item
from research.pipelines.table.finding.item_scope import ItemScope
from research.pipelines.table.finding.labelled_values import (
    LabelledValue,
    StatementForm,
    is_former,
    plain_label,
    trim_span,
    year_of,
)

_HEADINGS_OF_PAIRS = frozenset(
    "property attribute key field fact name item label parameter value details detail description information".split()
)
_WORD = re.compile(r"[^\W\d_]{2}")
_GROUP_HEADING = re.compile(
    r"^(?:no\.?|nr\.?|#|index|id|code|rank|pos\.?|regions?|districts?|groups?|categor(?:y|ies)|types?|class|classes|kinds?|"
    r"areas?|sectors?|departments?|divisions?|continents?|years?|dates?|periods?|gruppe|bereich|art|jahr|datum|land)$",
    re.IGNORECASE,
)
_TIMES = frozenset("year date as of edition census jahr".split())


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of a source: its lines, and how it writes its amounts."""

    source: ReadText
    rows: tuple[TableRow, ...]
    unit: Unit | None
    comma_is_decimal: bool


def table_statements(item: str, source: ReadText, scope: ItemScope) -> Iterator[LabelledValue]:
    for table in source.tables:
        rows = tuple(rows_of_table(source.text, source.blocks, table))
        if not rows:
            continue
        is_inside = any(Span(table.start, table.end).within(span) for span in scope.spans)
        is_comma = comma_is_decimal(source.text[table.start : table.end])
        read = _Table(source, rows, unit_of_caption(table.caption) if table.caption else None, is_comma)
        yield from _of_table(item, read, is_inside=is_inside, has_headers=has_head(table))


def _of_table(item: str, table: _Table, *, is_inside: bool, has_headers: bool) -> Iterator[LabelledValue]:
    headers, body = (table.rows[0], table.rows[1:]) if has_headers else (None, table.rows)
    if headers is not None:
        yield from _of_column(item, table, headers, body)
        named = [row for row in body if row.words and _names(item, row.words[0])]
        for row in named or _find_row_by_other_column(item, headers, body):
            yield from _under_headers(table, headers, row)
        if is_inside and len(body) == 1 and not named:
            yield from _under_headers(table, headers, body[0])
    if is_inside and max(len(row.words) for row in table.rows) == 2:
        yield from _pairs(table, headers, body)


def _find_row_by_other_column(item: str, headers: TableRow, body: Sequence[TableRow]) -> list[TableRow]:
    """The row that another column than the first names, if its heading says that names stand in it.

    That is the first column of names that are all different; those to its left number or group the rows.
    """
    for column, heading in enumerate(headers.words):
        words = [row.words[column].strip() for row in body if column < len(row.words)]
        filled = [word for word in words if word]
        is_key = bool(filled) and len({word.casefold() for word in filled}) == len(filled)
        is_of_names = sum(bool(_WORD.search(word)) for word in filled) * 10 > len(filled) * 9
        is_group = bool(_GROUP_HEADING.search(heading))
        if not heading.strip() or not is_key or not is_of_names or column == 0 or is_group:
            if is_of_names and is_key and not is_group and column == 0:
                return []  # the first column names the rows
            continue
        found = [row for row in body if column < len(row.words) and _names(item, row.words[column])]
        return found
    return []


def _names(item: str, cell: str) -> bool:
    return bool(cell.strip()) and names_item(item, cell)


def _pairs(table: _Table, headers: TableRow | None, body: Sequence[TableRow]) -> Iterator[LabelledValue]:
    if headers is not None and _are_times(headers):
        for row in body:
            if len(row.words) == 2:
                yield _statement(table, headers.words[1], row, 1, year=year_of(row.words[0]))
        return
    is_pair = headers is not None and len(headers.words) == 2 and not _is_heading(headers)
    for row in [headers, *body] if is_pair and headers is not None else body:
        if len(row.words) == 2:
            yield _statement(table, row.words[0], row, 1)


def _are_times(headers: TableRow) -> bool:
    return len(headers.words) == 2 and headers.words[0].casefold().strip() in _TIMES


def _is_heading(headers: TableRow) -> bool:
    return any(set(cell.casefold().split()) & _HEADINGS_OF_PAIRS for cell in headers.words[1:])


def _under_headers(table: _Table, headers: TableRow, row: TableRow) -> Iterator[LabelledValue]:
    for column in range(min(len(headers.words), len(row.words))):
        yield _statement(table, headers.words[column], row, column)


def _of_column(
    item: str, table: _Table, headers: TableRow, body: Sequence[TableRow]
) -> Iterator[LabelledValue]:
    """Yield the item's values from a comparison table: items side by side, their attributes beneath each other."""
    for column, name in enumerate(headers.words):
        if column > 0 and len(headers.words) > 2 and _names(item, name):
            for row in body:
                if column < len(row.words):
                    yield _statement(table, row.words[0], row, column)


def _statement(
    table: _Table, label: str, row: TableRow, column: int, year: int | None = None
) -> LabelledValue:
    cell = row.cells[column]
    return LabelledValue(
        plain_label(label),
        trim_span(table.source.text, cell.start, cell.end),
        row.span,
        StatementForm.CELL,
        is_former=is_former(label),
        year=year or year_of(label),
        unit=unit_in(label) or table.unit,
        comma_is_decimal=table.comma_is_decimal,
    )
