"""Change an existing table, as its page does."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.http import HttpRequest
from ninja import Router
from pydantic import Field

from research.integrations.api.api_auth import NEEDS, caller_of
from research.integrations.api.api_json_bodies import Sent
from research.integrations.api.api_lookup import find_run
from research.integrations.api.api_problems import Problem
from research.integrations.api.api_schemas import RunOut, run_out
from research.models import Scope
from research.pipelines.table import table_changes
from research.pipelines.table.start_proposed_table import begin_proposed
from research.pipelines.table.table_columns import MAX_FIELDS, MAX_NAME, TableField
from research.pipelines.table.table_config import MAX_ITEMS, MAX_TEMPLATE

router = Router(tags=["tables"])
WRITE = NEEDS[Scope.WRITE]


class CheckedProposal(Sent):
    """Rows and columns that were proposed, as they are to be filled. Omitted parts stay as proposed."""

    items: list[str] = Field(default_factory=list, max_length=MAX_ITEMS)
    fields: list[TableField] = Field(default_factory=list, max_length=MAX_FIELDS)
    template: str = Field("", max_length=MAX_TEMPLATE)
    pilot: bool = False


class MoreRows(Sent):
    items: list[str] = Field(min_length=1, max_length=MAX_ITEMS)


class MoreColumns(Sent):
    """Another column. `field` is as in the `input` of a table run."""

    field: TableField


class ChangedColumn(Sent):
    """A changed column. `column` is its current name, `field` is as in the `input` of a table run."""

    column: str = Field(min_length=1, max_length=MAX_NAME)
    field: TableField


class OneCell(Sent):
    """A cell. `row` counts from 1; `field` is the column's name."""

    row: int = Field(ge=1, le=MAX_ITEMS)
    field: str = Field(min_length=1, max_length=MAX_NAME)


@router.post("/runs/{uuid:run_id}/table/start", response=RunOut, auth=WRITE, summary="Start a proposed table")
def start_proposed(request: HttpRequest, run_id: UUID, checked: CheckedProposal) -> RunOut:
    """Fill a table of checked rows that were found or proposed; `GET …/plan` returns the estimate."""
    with _convert_refusals(run_id):
        begin_proposed(
            run_id,
            caller_of(request).user(),
            inputs=checked.items or None,
            fields=checked.fields or None,
            template=checked.template,
            is_pilot=checked.pilot,
        )
    return _now(run_id)


@router.post("/runs/{uuid:run_id}/table/rows", response=RunOut, auth=WRITE, summary="Add rows")
def add_rows(request: HttpRequest, run_id: UUID, more: MoreRows) -> RunOut:
    """Append rows; existing ones are skipped. A finished table is reopened."""
    with _convert_refusals(run_id):
        table_changes.add_rows(run_id, caller_of(request).user(), more.items)
    return _now(run_id)


@router.post("/runs/{uuid:run_id}/table/columns", response=RunOut, auth=WRITE, summary="Add a column")
def add_column(request: HttpRequest, run_id: UUID, more: MoreColumns) -> RunOut:
    """Append a column once all rows have ended; only its cells are looked up."""
    with _convert_refusals(run_id):
        table_changes.add_field(run_id, caller_of(request).user(), more.field)
    return _now(run_id)


@router.post(
    "/runs/{uuid:run_id}/table/columns/change", response=RunOut, auth=WRITE, summary="Change a column"
)
def change_column(request: HttpRequest, run_id: UUID, changed: ChangedColumn) -> RunOut:
    """Change a column. Its cells are looked up again in finished rows; a pilot repeats its first rows and waits."""
    with _convert_refusals(run_id):
        table_changes.change_field(run_id, caller_of(request).user(), changed.column, changed.field)
    return _now(run_id)


@router.post("/runs/{uuid:run_id}/table/release", response=RunOut, auth=WRITE, summary="Release a pilot")
def release_rows(request: HttpRequest, run_id: UUID) -> RunOut:
    """Fill the rows after the first five as well."""
    with _convert_refusals(run_id):
        table_changes.release_rest(run_id, caller_of(request).user())
    return _now(run_id)


@router.post("/runs/{uuid:run_id}/table/retry", response=RunOut, auth=WRITE, summary="Retry failed rows")
def retry_rows(request: HttpRequest, run_id: UUID) -> RunOut:
    """Retry all cells of the failed rows, and no others."""
    with _convert_refusals(run_id):
        table_changes.retry_failed(run_id, caller_of(request).user())
    return _now(run_id)


@router.post("/runs/{uuid:run_id}/table/cells", response=RunOut, auth=WRITE, summary="Look a cell up again")
def look_again(request: HttpRequest, run_id: UUID, cell: OneCell) -> RunOut:
    """Look up one cell again. Its current value stays until there is a new one."""
    with _convert_refusals(run_id):
        table_changes.rerun_cell(run_id, caller_of(request).user(), cell.row, cell.field)
    return _now(run_id)


@contextmanager
def _convert_refusals(run_id: UUID) -> Iterator[None]:
    """Turn refusals into Problem: the run is missing, or can't be changed in this way, or not now."""
    find_run(run_id)
    try:
        yield
    except table_changes.TableRefused as refusal:
        raise Problem("refused", str(refusal)) from refusal


def _now(run_id: UUID) -> RunOut:
    return run_out(find_run(run_id))
