"""Builds the table that a section stores in its body: rows of given facts, without claims."""

from pydantic import BaseModel, ConfigDict, Field

from exports.document.document_tree import CellEntry, ColumnEntry, RowEntry, TableEntry


class _StoredShape(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Column(_StoredShape):
    name: str
    title: str
    type: str = "string"


class _StoredCell(_StoredShape):
    text: str = ""
    value: str | bool | int | float | None = None
    reason: str = ""  # the reason why there is no value


class _StoredRow(_StoredShape):
    number: int
    input: str
    cells: list[_StoredCell]


class _Table(_StoredShape):
    columns: list[_Column]
    rows: list[_StoredRow] = Field(default_factory=list)


def table_of(stored: object) -> TableEntry:
    """Build the entry. Raises pydantic.ValidationError for an invalid table."""
    read = _Table.model_validate(stored)
    return TableEntry(
        columns=tuple(ColumnEntry(column.name, column.title, column.type) for column in read.columns),
        rows=tuple(
            RowEntry(row.number, row.input, "completed", "", tuple(map(_cell, row.cells)))
            for row in read.rows
        ),
    )


def _cell(cell: _StoredCell) -> CellEntry:
    value = (
        float(cell.value) if isinstance(cell.value, int) and not isinstance(cell.value, bool) else cell.value
    )
    state = "found" if cell.text else "not_found"
    return CellEntry(state, cell.text, value if cell.text else None, cell.reason)
