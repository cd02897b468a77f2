"""A table's rows as its pages show them: a page of them filtered and ordered, those that changed, how many there are.

Each takes a fixed number of statements. Filters and orders look into the cells in the database: a table of 2 000 rows
is never read whole for a page of it. Inside the caller's `tenant_context`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from uuid import UUID

from django.db.models import BooleanField, Count, F, Func, JSONField, Q, QuerySet, Value
from django.db.models.expressions import OrderBy
from django.db.models.fields.json import KeyTransform

from citations.models import Claim
from exports.document.document_tree import (
    CellEntry,
    ClaimEntry,
    ColumnEntry,
    InsightEntry,
    RowEntry,
    StatisticEntry,
)
from research.models import Item, ItemStatus, Run
from research.models.schemas import StoredCell, StoredOverview
from research.pipelines.table.table_config import TableConfig

ROWS_A_PAGE = 50
LOW = 0.6  # a confidence below it is low

# What rows are asked for: that one of their cells is so.
PATHS: Mapping[str, str] = {
    "low": f'$.* ? (@.state == "found" && @.confidence < {LOW})',
    "disputed": "$.* ? (@.disputed == true)",
    "empty": '$.* ? (@.state == "not_found")',
}
STATUSES: Mapping[str, str] = {
    ItemStatus.PENDING: "waiting",
    ItemStatus.RUNNING: "running",
    ItemStatus.COMPLETED: "completed",
    ItemStatus.FAILED: "failed",
}


@dataclass(frozen=True, slots=True)
class RowCounts:
    """Numbers of rows of a table: by status, and of those with a cell of low confidence, disputed or empty."""

    total: int
    waiting: int  # held ones among them
    held: int  # until the pilot is released
    running: int
    completed: int
    failed: int
    low: int
    disputed: int
    empty: int

    def of(self, show: str) -> int:
        """Return the number of rows that a filter leaves."""
        return int(getattr(self, show)) if show else self.total


@dataclass(frozen=True, slots=True)
class VersionedRow:
    id: UUID
    version: int  # the run's `snapshot_version` when it last changed
    entry: RowEntry


@dataclass(frozen=True, slots=True)
class TablePage:
    columns: tuple[ColumnEntry, ...]
    rows: tuple[VersionedRow, ...]
    number: int  # from 1
    pages: int


def counts_of(run: Run) -> RowCounts:
    counted = {name: Count("pk", filter=_has(path)) for name, path in PATHS.items()}
    counted |= {name: Count("pk", filter=Q(status=status)) for status, name in STATUSES.items()}
    waits = Q(status=ItemStatus.PENDING, is_held=True)
    return RowCounts(
        **Item.objects.filter(run=run).aggregate(total=Count("pk"), held=Count("pk", filter=waits), **counted)
    )


def page_of_rows(run: Run, counts: RowCounts, *, show: str = "", sort: str = "", page: int = 1) -> TablePage:
    """Return one page of the rows.

    `show`: "", a name of PATHS or "failed". `sort`: "" (as given), "input" or a column; a leading "-" sorts in
    descending order.
    Unknown values of `show` and `sort` are ignored; a page after the last one gives the last one.
    """
    columns = columns_of(run)
    pages = max(ceil(counts.of(show) / ROWS_A_PAGE), 1)
    number = min(max(page, 1), pages)
    rows = _order_rows(_filter_rows(run, show), sort, {column.name for column in columns})
    first = (number - 1) * ROWS_A_PAGE
    return TablePage(columns, _rows(rows[first : first + ROWS_A_PAGE], columns), number, pages)


def rows_of(run: Run, numbers: Sequence[int], since: int | None = None) -> tuple[VersionedRow, ...]:
    """Return the rows with these numbers, in order; with `since` only those changed after that version of the run."""
    rows = Item.objects.filter(run=run, index__in=[number - 1 for number in numbers]).order_by("index")
    return _rows(rows if since is None else rows.filter(version__gt=since), columns_of(run))


def columns_of(run: Run) -> tuple[ColumnEntry, ...]:
    fields = TableConfig.model_validate(run.config).fields
    return tuple(ColumnEntry(field.name, field.title, field.type, field.description) for field in fields)


def overview_entries(run: Run) -> tuple[tuple[StatisticEntry, ...], tuple[InsightEntry, ...]]:
    """Return the statistics and insights over all rows; empty before all rows have ended."""
    stored = StoredOverview.model_validate((run.result or {}).get("table") or {})
    return (
        tuple(
            StatisticEntry(statistic.column, statistic.name, statistic.text, statistic.value)
            for statistic in stored.statistics
        ),
        tuple(InsightEntry(insight.text, tuple(insight.rows)) for insight in stored.insights),
    )


# --- which rows ----------------------------------------------------------------------------------


def _has(path: str) -> Q:
    exists = Func(
        F("result"), Value(path), template="jsonb_path_exists(%(expressions)s::jsonpath)",
        output_field=BooleanField(),
    )  # fmt: skip
    return Q(exists)


def _filter_rows(run: Run, show: str) -> QuerySet[Item]:
    rows = Item.objects.filter(run=run)
    if show == "failed":
        return rows.filter(status=ItemStatus.FAILED)
    return rows.filter(_has(PATHS[show])) if show in PATHS else rows


def _order_rows(rows: QuerySet[Item], sort: str, columns: Iterable[str]) -> QuerySet[Item]:
    """Order the rows by their JSON values, numbers by size; rows without a value come last in both directions."""
    name, is_down = sort.removeprefix("-"), sort.startswith("-")
    if name == "input":
        return rows.order_by(OrderBy(F("input"), descending=is_down), "index")
    if name not in columns:
        return rows.order_by("index")
    value = Func(
        KeyTransform("value", KeyTransform(name, "result")),
        template="NULLIF(%(expressions)s, 'null'::jsonb)",
        output_field=JSONField(),
    )
    return rows.order_by(OrderBy(value, descending=is_down, nulls_last=True), "index")


# --- as entries ----------------------------------------------------------------------------------


def _rows(items: Iterable[Item], columns: Sequence[ColumnEntry]) -> tuple[VersionedRow, ...]:
    listed = list(items)
    cells = {item.pk: _parse_stored_cells(item) for item in listed}
    claim_ids = {cell.claim for row in cells.values() for cell in row.values() if cell.claim}
    claims = light_claims(claim_ids)
    return tuple(
        VersionedRow(
            table_item.pk, table_item.version, row_entry(table_item, cells[table_item.pk], columns, claims)
        )
        for table_item in listed
    )


def _parse_stored_cells(item: Item) -> dict[str, StoredCell]:
    return {name: StoredCell.model_validate(cell) for name, cell in (item.result or {}).items()}


def light_claims(ids: Iterable[UUID]) -> dict[UUID, ClaimEntry]:
    """Return the claims without their citations, which are read when a claim is opened."""
    rows = Claim.objects.filter(pk__in=ids).only(
        "number", "text", "claim_type", "strength", "origins", "confidence", "contradiction_status",
        "verification_status",
    )  # fmt: skip
    return {row.pk: _light(row) for row in rows}


def _light(row: Claim) -> ClaimEntry:
    return ClaimEntry(
        id=row.pk,
        number=row.number or 0,
        text=row.text,
        claim_type=row.claim_type,
        strength=row.strength,
        origins=row.origins,
        confidence=row.confidence,
        verification_status=row.verification_status,
        verification_note="",
        contradiction_status=row.contradiction_status,
        citations=(),
    )


def row_entry(
    item: Item,
    cells: Mapping[str, StoredCell],
    columns: Sequence[ColumnEntry],
    claims: Mapping[UUID, ClaimEntry],
) -> RowEntry:
    entries = (_cell_entry(item, column.name, cells.get(column.name), claims) for column in columns)
    return RowEntry(item.index + 1, item.input, STATUSES[item.status], item.error, tuple(entries))


_STANDING = {ItemStatus.RUNNING: "running", ItemStatus.FAILED: "failed"}


def _cell_entry(
    item: Item, name: str, cell: StoredCell | None, claims: Mapping[UUID, ClaimEntry]
) -> CellEntry:
    """Return a cell as it is shown; one that is being searched again is shown as such, whatever was known of it."""
    if cell is None or name in item.wanted:
        return CellEntry(_STANDING.get(ItemStatus(item.status), "waiting"), reason=item.error)
    value = tuple(map(str, cell.value)) if isinstance(cell.value, list) else cell.value
    claim = claims.get(cell.claim) if cell.claim else None
    return CellEntry(cell.state, cell.text, value, cell.reason, claim, cell.disputed)
