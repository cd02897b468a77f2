"""Statements of tables: pairs of label and value, rows and columns that belong to an item."""

from collections.abc import Iterator
from dataclasses import dataclass

from citations.text.normalizing import Span
from research.parsing.parsed_document import BlockKind, DocumentTable
from research.pipelines.table.finding.found import ReadText
from research.pipelines.table.finding.scope import ItemScope, names_item
from research.pipelines.table.finding.statements import (
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
_TIMES = frozenset("year date as of edition census jahr".split())


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of a table with the place of each cell; empty cells have empty spans."""

    span: Span
    cells: tuple[Span, ...]
    words: tuple[str, ...]


def table_statements(item: str, source: ReadText, scope: ItemScope) -> Iterator[LabelledValue]:
    for table in source.tables:
        rows = list(_rows(source, table))
        if not rows:
            continue
        is_inside = any(Span(table.start, table.end).within(span) for span in scope.spans)
        yield from _of_table(item, source, table, rows, is_inside=is_inside)


def _of_table(
    item: str, source: ReadText, table: DocumentTable, rows: list[_Row], *, is_inside: bool
) -> Iterator[LabelledValue]:
    headers = rows[0] if any(map(str.strip, table.headers)) else None
    body = rows[1:] if headers else rows
    if headers is not None:
        yield from _of_column(item, source, headers, body)
        for row in body:
            if is_inside and len(body) == 1 or row.words and _names(item, row.words[0]):
                yield from _under_headers(source, headers, row)
    if is_inside and max(len(row.words) for row in rows) == 2:
        yield from _pairs(source, headers, body)


def _names(item: str, cell: str) -> bool:
    return bool(cell.strip()) and names_item(item, cell)


def _pairs(source: ReadText, headers: _Row | None, body: list[_Row]) -> Iterator[LabelledValue]:
    if headers is not None and _are_times(headers):
        for row in body:
            if len(row.words) == 2:
                yield _statement(source, headers.words[1], row, 1, year=year_of(row.words[0]))
        return
    is_pair = headers is not None and len(headers.words) == 2 and not _is_heading(headers)
    for row in [headers, *body] if is_pair and headers is not None else body:
        if len(row.words) == 2:
            yield _statement(source, row.words[0], row, 1)


def _are_times(headers: _Row) -> bool:
    return len(headers.words) == 2 and headers.words[0].casefold().strip() in _TIMES


def _is_heading(headers: _Row) -> bool:
    return any(set(cell.casefold().split()) & _HEADINGS_OF_PAIRS for cell in headers.words[1:])


def _under_headers(source: ReadText, headers: _Row, row: _Row) -> Iterator[LabelledValue]:
    for column in range(min(len(headers.words), len(row.words))):
        yield _statement(source, headers.words[column], row, column)


def _of_column(item: str, source: ReadText, headers: _Row, body: list[_Row]) -> Iterator[LabelledValue]:
    """Yield the item's values from a comparison table: items side by side, their attributes beneath each other."""
    for column, name in enumerate(headers.words):
        if column > 0 and len(headers.words) > 2 and _names(item, name):
            for row in body:
                if column < len(row.words):
                    yield _statement(source, row.words[0], row, column)


def _statement(
    source: ReadText, label: str, row: _Row, column: int, year: int | None = None
) -> LabelledValue:
    cell = row.cells[column]
    return LabelledValue(
        plain_label(label),
        trim_span(source.text, cell.start, cell.end),
        row.span,
        StatementForm.CELL,
        is_former=is_former(label),
        year=year or year_of(label),
    )


def _rows(source: ReadText, table: DocumentTable) -> Iterator[_Row]:
    """The lines of a table in the text, each cell found in its line."""
    written = ([table.headers] if any(map(str.strip, table.headers)) else []) + list(table.rows)
    filled = [cells for cells in written if any(map(str.strip, cells))]
    lines = [
        Span(block.start, block.end)
        for block in source.blocks
        if block.kind is BlockKind.TABLE and table.start <= block.start and block.end <= table.end
    ]
    for cells, line in zip(filled, lines, strict=False):
        yield _Row(line, tuple(_places(source.text, cells, line)), tuple(cells))


def _places(text: str, cells: tuple[str, ...], line: Span) -> Iterator[Span]:
    position = line.start
    for cell in cells:
        start = text.find(cell, position, line.end) if cell else position
        start = position if start < 0 else start
        end = min(line.end, start + len(cell))
        yield Span(start, end)
        position = end
