"""Builds the table of a run's document: columns, rows, and each cell with its claim."""

from collections.abc import Mapping, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import NotRequired, TypedDict
from uuid import UUID

from exports.document.document_tree import (
    CellEntry,
    CellValue,
    ClaimEntry,
    ColumnEntry,
    InsightEntry,
    RowEntry,
    StatisticEntry,
    TableEntry,
)
from research.models import Item, ItemStatus, Run
from research.models.schemas import StoredCell, StoredOverview

LEFT_OUT = "What was found did not hold when it was checked."
NOTHING_SAID = "not stated"


class LayoutRow(TypedDict):
    input: str
    cells: list[str | list[str] | None]  # ids of claims


class TableLayout(TypedDict):
    """The arrangement of a section's claims in a table."""

    head: NotRequired[str]  # title of the first column
    columns: list[str]
    rows: list[LayoutRow]


Claims = Mapping[UUID, ClaimEntry]
_UNFILLED = {ItemStatus.PENDING: "waiting", ItemStatus.RUNNING: "running"}


def table_entry(run: Run, claims: Claims) -> TableEntry:
    """Build the entry with one query. A cell whose claim is not among `claims` shows its value without it."""
    columns = columns_of(run)
    stored = StoredOverview.model_validate((run.result or {}).get("table") or {})
    items = Item.objects.filter(run=run).order_by("index")
    return TableEntry(
        columns=columns,
        rows=tuple(row_entry(item, columns, claims) for item in items),
        statistics=tuple(
            StatisticEntry(statistic.column, statistic.name, statistic.text, statistic.value)
            for statistic in stored.statistics
        ),
        insights=tuple(InsightEntry(insight.text, tuple(insight.rows)) for insight in stored.insights),
        beside=tuple(run.config.get("beside", ())),
    )


def columns_of(run: Run) -> tuple[ColumnEntry, ...]:
    fields: Sequence[Mapping[str, str]] = run.config.get("fields", ())
    return tuple(
        ColumnEntry(
            field["name"],
            field.get("title", field["name"]),
            field.get("type", "string"),
            field.get("description", ""),
        )
        for field in fields
    )


def row_entry(item: Item, columns: tuple[ColumnEntry, ...], claims: Claims) -> RowEntry:
    """Build the entry of a row. Its `status` is waiting, running, completed or failed."""
    return RowEntry(
        number=item.index + 1,
        input=item.input,
        status=_UNFILLED.get(ItemStatus(item.status), item.status),
        error=item.error,
        cells=tuple(cell_entry(item, column.name, claims) for column in columns),
        beside=tuple(item.beside or ()),
    )


def cell_entry(item: Item, name: str, claims: Claims) -> CellEntry:
    """Build the entry of a cell: its value, a note that it is in progress, or the reason why none was found."""
    if item.status in _UNFILLED and name in item.wanted:
        return CellEntry(_UNFILLED[ItemStatus(item.status)])
    given = (item.result or {}).get(name)
    if given is None:
        return CellEntry("waiting")
    cell = StoredCell.model_validate(given)
    return CellEntry(
        state=cell.state,
        text=cell.text,
        value=_value(cell),
        reason=cell.reason,
        claim=claims.get(cell.claim) if cell.claim else None,
        is_disputed=cell.disputed,
    )


def _value(cell: StoredCell) -> CellValue:
    return tuple(map(str, cell.value)) if isinstance(cell.value, list) else cell.value


def build_layout_table(layout: TableLayout, claims: Claims) -> TableEntry:
    """Build the table of a section. Claims that are not among `claims` have been removed from the report since.

    In a table of one column, neighbouring rows of the same heading are one row: a release of a timeline that changed
    several things.
    """
    columns = tuple(
        ColumnEntry(f"aspect_{n}", title, "string") for n, title in enumerate(layout["columns"], 1)
    )
    rows = (
        RowEntry(
            number,
            row["input"],
            "completed",
            "",
            tuple(_build_layout_cell(cell, claims) for cell in row["cells"]),
        )
        for number, row in enumerate(_join_rows(layout), 1)
    )
    return TableEntry(columns, tuple(rows), head=layout.get("head", ""), is_of_sentences=True)


def _join_rows(layout: TableLayout) -> list[LayoutRow]:
    if len(layout["columns"]) != 1:
        return layout["rows"]
    joined: list[LayoutRow] = []
    for heading, rows in groupby(layout["rows"], key=itemgetter("input")):
        stated = [claim for row in rows for cell in row["cells"] for claim in _list_claim_ids(cell)]
        joined.append(LayoutRow(input=heading, cells=[stated or None]))
    return joined


def claims_in(layout: TableLayout) -> list[UUID]:
    """Return the ids of the claims in the cells, row by row."""
    return [
        UUID(claim)
        for row in layout["rows"]
        for claim in chain.from_iterable(map(_list_claim_ids, row["cells"]))
    ]


def _list_claim_ids(cell: str | list[str] | None) -> list[str]:
    return [cell] if isinstance(cell, str) else cell or []


def _build_layout_cell(cell: str | list[str] | None, claims: Claims) -> CellEntry:
    wanted = _list_claim_ids(cell)
    if not wanted:
        return CellEntry("not_found", reason=NOTHING_SAID)
    found = [claims[claim] for claim in map(UUID, wanted) if claim in claims and claims[claim].number]
    if not found:
        return CellEntry("not_found", reason=LEFT_OUT)
    said = " ".join(claim.plain_text for claim in found)
    is_disputed = any(claim.contradiction_status != "none" for claim in found)
    return CellEntry("found", said, said, claim=found[0], is_disputed=is_disputed, further=tuple(found[1:]))
