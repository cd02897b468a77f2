"""The page of a table's cell: the words that its value comes from, or the reason why it is empty; and its retry."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exports.building.build_document import read_claim
from exports.building.read_contradicting_document_claims import rivals_of
from exports.document.document_tree import CellEntry, ColumnEntry, RowEntry
from research.models import Run
from research.pipelines.table import table_changes
from research.pipelines.table.read_table_rows import columns_of, rows_of
from research.pipelines.table.table_changes import TableRefused
from research.web.site.view_access import find, may_write, members_only, person, wants_fragment, writers_only
from research.web.table.table_page import table_runs
from research.web.table.table_view import build_cell_view


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def table_cell(request: HttpRequest, run_id: UUID, row: int, field: str) -> HttpResponseBase:
    """Render the popover's body for htmx, else a page; a POST retries the cell."""
    return (_ask_again if request.method == "POST" else _show)(request, run_id, row, field)


@members_only
def _show(request: HttpRequest, run_id: UUID, row: int, field: str) -> HttpResponse:
    run = find(table_runs(), run_id)
    found, column, cell = _cell_of(run, row, field)
    shown = {
        "run": run,
        "row": found,
        "column": column,
        "cell": cell,
        "shown": build_cell_view(found, cell, column, ""),
        "claim": read_claim(run_id, cell.claim.number) if cell.claim else None,
        "rivals": rivals_of(run_id, cell.claim.id) if cell.claim and cell.is_disputed else (),
        "may_ask": may_write(request) and not run.cancel_at and cell.state not in ("waiting", "running"),
    }
    page = "research/table/_table_cell.html" if wants_fragment(request) else "research/table/table_cell.html"
    response = render(request, page, shown)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _cell_of(run: Run, number: int, field: str) -> tuple[RowEntry, ColumnEntry, CellEntry]:
    """Return the cell with its row and column. Raises Http404."""
    for row in rows_of(run, [number]):
        for column, cell in zip(columns_of(run), row.entry.cells, strict=True):
            if column.name == field:
                return row.entry, column, cell
    raise Http404


@writers_only
def _ask_again(request: HttpRequest, run_id: UUID, row: int, field: str) -> HttpResponse:
    run = find(table_runs(), run_id)
    _cell_of(run, row, field)
    try:
        table_changes.rerun_cell(run_id, person(request), row, field)
        messages.success(request, _("The cell is being looked up again."))
    except TableRefused as refusal:
        messages.error(request, str(refusal))
    return redirect("research:table", run_id)
