"""Statements of tables: pairs of label and value, rows and columns that belong to an item."""

import re
from collections.abc import Iterator, Sequence

from citations.text.quote_span import Span
from research.parsing.parsed_table_rows import ParsedTableRow
from research.pipelines.table.finding.found_table_values import ReadText
from research.pipelines.table.finding.labelled_table_values import (
    LabelledValue,
    StatementForm,
    is_former,
    plain_label,
    trim_span,
    year_of,
)
from research.pipelines.table.finding.lay_out_tables_for_items import LaidOutTable
from research.pipelines.table.finding.table_item_names import names_item
from research.pipelines.table.finding.table_item_scope import ItemScope
from research.pipelines.table.table_column_amounts import Unit, parse_unit, unit_in

_HEADINGS_OF_PAIRS = frozenset(
    "property attribute key field fact name item label parameter value details detail description information".split()
)
_TIMES = frozenset("year date as of edition census jahr".split())
_UNITS = frozenset(
    "currency unit units curr. währung einheit devise monnaie unité moneda unidad valuta".split()
)
_TIME_ALONE = re.compile(r"(?:FY\s?)?(?:1[5-9]|20|21)\d\d(?:\s?[A-Za-z]{1,2}|\W{1,2})?")
_SUBJECT_END = re.compile(r"\s*[,;:(–]|\s+(?:by|of|in|per|for|nach|je|pro)\s", re.IGNORECASE)


def table_statements(item: str, source: ReadText, scope: ItemScope) -> Iterator[LabelledValue]:
    for table in source.laid_out_tables:
        place = Span(table.table.start, table.table.end)
        yield from _of_table(item, table, is_inside=any(place.within(span) for span in scope.spans))


def _of_table(item: str, table: LaidOutTable, *, is_inside: bool) -> Iterator[LabelledValue]:
    headers, body = table.headers, table.body
    if headers is not None:
        yield from _of_column(item, table, headers, body)
        named = table.rows_by_first_column(item)
        for row in named or table.rows_by_other_column(item):
            yield from _under_headers(table, headers, row)
        if is_inside and len(body) == 1 and not named:
            yield from _under_headers(table, headers, body[0])
    if is_inside and table.width == 2:
        yield from _pairs(table, headers, body)


def _names(item: str, cell: str) -> bool:
    return bool(cell.strip()) and names_item(item, cell)


def _pairs(
    table: LaidOutTable, headers: ParsedTableRow | None, body: Sequence[ParsedTableRow]
) -> Iterator[LabelledValue]:
    if headers is not None and _are_times(headers):
        for row in body:
            if len(row.words) == 2:
                yield _statement(table, headers.words[1], row, 1, year=year_of(row.words[0]))
        return
    is_pair = headers is not None and len(headers.words) == 2 and not _is_heading(headers)
    for row in [headers, *body] if is_pair and headers is not None else body:
        if len(row.words) == 2:
            yield _statement(table, row.words[0], row, 1)


def _are_times(headers: ParsedTableRow) -> bool:
    return len(headers.words) == 2 and headers.words[0].casefold().strip() in _TIMES


def _is_heading(headers: ParsedTableRow) -> bool:
    return any(set(cell.casefold().split()) & _HEADINGS_OF_PAIRS for cell in headers.words[1:])


def _under_headers(
    table: LaidOutTable, headers: ParsedTableRow, row: ParsedTableRow
) -> Iterator[LabelledValue]:
    unit = _unit_of_row(headers, row)
    for column in range(min(len(headers.words), len(row.words))):
        yield _statement(table, _label(table, headers.words[column]), row, column, unit=unit)


def _label(table: LaidOutTable, heading: str) -> str:
    """Return the heading, behind the subject of the table where it only tells a time: "Revenue" above "2023 | 2024"."""
    subject = _SUBJECT_END.split(f"{table.table.caption} ", maxsplit=1)[0].strip()
    is_of_time = subject and _TIME_ALONE.fullmatch(heading.strip())
    return f"{subject} {heading}" if is_of_time and len(subject.split()) <= 4 else heading


def _unit_of_row(headers: ParsedTableRow, row: ParsedTableRow) -> Unit | None:
    """Return the unit that a cell of the row names under a heading that says so: "Currency"."""
    named = (
        parse_unit(words)
        for heading, words in zip(headers.words, row.words, strict=False)
        if heading.casefold().strip() in _UNITS
    )
    return next((unit for unit in named if unit is not None), None)


def _of_column(
    item: str, table: LaidOutTable, headers: ParsedTableRow, body: Sequence[ParsedTableRow]
) -> Iterator[LabelledValue]:
    """Yield the item's values from a comparison table: items side by side, their attributes beneath each other."""
    for column, name in enumerate(headers.words):
        if column > 0 and len(headers.words) > 2 and _names(item, name):
            for row in body:
                if column < len(row.words):
                    yield _statement(table, row.words[0], row, column)


def _statement(
    table: LaidOutTable,
    label: str,
    row: ParsedTableRow,
    column: int,
    *,
    year: int | None = None,
    unit: Unit | None = None,
) -> LabelledValue:
    cell = row.cells[column]
    return LabelledValue(
        plain_label(label),
        trim_span(table.text, cell.start, cell.end),
        row.span,
        StatementForm.CELL,
        is_former=is_former(label),
        year=year or year_of(label),
        unit=unit_in(label) or unit or table.unit,
        comma_is_decimal=table.comma_is_decimal,
    )
