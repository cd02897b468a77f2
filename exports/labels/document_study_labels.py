"""Translates tables of sections into the reader's language: our headings, and the direction of findings."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from django.utils.translation import pgettext_lazy

from exports.document.document_tree import CellEntry, ColumnEntry, RowEntry, TableEntry
from exports.stored.exported_headings import ASPECT, translate_heading
from exports.stored.translate_exported_sentences import translate_stored_text

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

DIRECTION = "direction"
DIRECTIONS: Mapping[str, "_StrPromise"] = {
    "benefit": pgettext_lazy("direction of a finding", "benefit"),
    "harm": pgettext_lazy("direction of a finding", "harm"),
    "higher": pgettext_lazy("direction of a finding", "higher"),
    "lower": pgettext_lazy("direction of a finding", "lower"),
    # in syntheses of earlier versions
    "positive": pgettext_lazy("direction of a finding", "higher"),
    "negative": pgettext_lazy("direction of a finding", "lower"),
    "null": pgettext_lazy("direction of a finding", "no effect"),
    "mixed": pgettext_lazy("direction of a finding", "mixed"),
    "descriptive": pgettext_lazy("direction of a finding", "descriptive"),
    "unclear": pgettext_lazy("direction of a finding", "unclear"),
}
# The columns that a synthesis stores, by name and title.
_STUDY: Mapping[tuple[str, str], "_StrPromise"] = {
    ("year", "Year"): pgettext_lazy("study", "Year"),
    ("design", "Design"): pgettext_lazy("study", "Design"),
    ("population", "Population"): pgettext_lazy("study", "Population"),
    ("sample_size", "Sample size"): pgettext_lazy("study", "Sample size"),
    ("outcome", "Outcome"): pgettext_lazy("study", "Outcome"),
    ("finding", "Finding"): pgettext_lazy("study", "Finding"),
    (DIRECTION, "Direction"): pgettext_lazy("study", "Direction"),
    ("peer_reviewed", "Peer reviewed"): pgettext_lazy("study", "Peer reviewed"),
    # in syntheses of earlier versions
    ("preprint", "Preprint"): pgettext_lazy("study", "Preprint"),
}


def translate_table(table: TableEntry) -> TableEntry:
    """Return the table of a section in the reader's language. The table of a table run keeps the words of its owner."""
    directions = {
        place for place, column in enumerate(table.columns) if (column.name, column.title) == _POINTING
    }
    rows = tuple(_row(row, directions) for row in table.rows) if directions else table.rows
    if table.head == ASPECT:
        rows = tuple(replace(row, input=translate_heading(row.input)) for row in rows)
    return replace(
        table, columns=tuple(map(_column, table.columns)), rows=rows, head=translate_heading(table.head)
    )


_POINTING = (DIRECTION, "Direction")


def _column(column: ColumnEntry) -> ColumnEntry:
    known = _STUDY.get((column.name, column.title))
    return replace(column, title=str(known) if known else translate_heading(column.title))


def _row(row: RowEntry, directions: set[int]) -> RowEntry:
    cells = (
        _translate_direction(cell) if place in directions else cell for place, cell in enumerate(row.cells)
    )
    return replace(row, cells=tuple(cells))


def _translate_direction(cell: CellEntry) -> CellEntry:
    direction, space, rest = cell.text.partition(" ")
    said = f"{DIRECTIONS.get(direction, direction)}{space}{translate_stored_text(rest)}"
    return replace(cell, text=said, value=said if isinstance(cell.value, str) else cell.value)
