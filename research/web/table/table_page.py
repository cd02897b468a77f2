"""The page of a table, which is updated while the run fills it; each value opens its evidence.

A poll sends the page's row numbers and returns the rows that changed since. With a filter or order, no row is added
or removed meanwhile; the page says when it would look different.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from research.models import Kind, Run
from research.pipelines.table.read_table_rows import (
    ROWS_A_PAGE,
    RowCounts,
    TablePage,
    columns_of,
    counts_of,
    page_of_rows,
    rows_of,
)
from research.pipelines.table.table_config import TableConfig
from research.web.runs.progress_page_snapshot import interval_of, tag_of
from research.web.site.page_request_numbers import whole
from research.web.site.view_access import find, may_write, members_only, wants_fragment
from research.web.table.table_overview_view import overview_of
from research.web.table.table_page_actions import ActForms, acts_of, as_asked
from research.web.table.table_view import ColumnHeading, ShownRow, base_of, build_row_views, headings

MAX_NUMBERS = 100  # rows in a poll
SHOWN: Mapping[str, Promise] = {
    "": _("All"),
    "low": _("Low confidence"),
    "disputed": _("Disputed"),
    "empty": _("Empty"),
    "failed": _("Failed"),
}


@dataclass(frozen=True, slots=True)
class TableViewOptions:
    """The filter, order and page of a table view, from the URL; invalid values are ignored."""

    show: str
    sort: str
    page: int

    @classmethod
    def of(cls, request: HttpRequest) -> "TableViewOptions":
        show, page = request.GET.get("show", ""), request.GET.get("page", "")
        return cls(show if show in SHOWN else "", request.GET.get("sort", "")[:70], max(whole(page), 1))

    @property
    def is_plain(self) -> bool:
        """Return True for the unfiltered table in its own order, in which changes move no row."""
        return not self.show and self.sort in ("", "number")

    def query(self, **other: str | int) -> str:
        values: dict[str, str | int] = {"show": self.show, "sort": self.sort, "page": self.page, **other}
        usual: dict[str, str | int] = {"show": "", "sort": "", "page": 1}
        return urlencode({name: value for name, value in values.items() if value != usual[name]})


@dataclass(frozen=True, slots=True)
class FilterLink:
    name: str
    count: int
    address: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class TableProgress:
    """The progress of a table run."""

    run: Run
    counts: RowCounts
    tag: str
    interval: int  # seconds until the page polls again

    @property
    def done_rows(self) -> int:
        return self.counts.completed + self.counts.failed

    @property
    def is_pilot(self) -> bool:
        """Return True if the first rows are filled, and the others wait to be released."""
        waits_for_nobody = self.counts.waiting - self.counts.held + self.counts.running
        return bool(self.counts.held) and not waits_for_nobody


def table_runs() -> QuerySet[Run]:
    return Run.objects.filter(kind=Kind.TABLE).defer("plan", "outline")


def status_of(run: Run) -> TableProgress:
    now = timezone.now()
    return TableProgress(run, counts_of(run), tag_of(run, now), interval_of(run, now))


@members_only
@require_safe
@never_cache
def table(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = find(table_runs(), run_id)
    return table_with(request, run, _build_change_form(request, run))


def _build_change_form(request: HttpRequest, run: Run) -> ActForms | None:
    """Return the form for a column that is to be changed."""
    field = TableConfig.model_validate(run.config).field(request.GET.get("change", ""))
    return None if field is None else ActForms(changed=as_asked(field))


def table_with(request: HttpRequest, run: Run, forms: ActForms | None = None) -> HttpResponse:
    """Render the table. `forms` holds forms that were refused or requested."""
    chosen, status = TableViewOptions.of(request), status_of(run)
    page = page_of_rows(run, status.counts, show=chosen.show, sort=chosen.sort, page=chosen.page)
    shown = {
        "run": run,
        "status": status,
        "chosen": chosen,
        "page": page,
        "rows_a_page": ROWS_A_PAGE,
        "headings": _headings(page, chosen),
        "rows": _build_rows(run, page),
        "filters": filters_of(status.counts, chosen),
        "poll": _poll_of(run, page, chosen),
        "acts": acts_of(run, status.counts, forms) if may_write(request) else None,
        "overview": overview_of(run),
        "earlier": chosen.query(page=page.number - 1) if page.number > 1 else None,
        "later": chosen.query(page=page.number + 1) if page.number < page.pages else None,
        "is_still": forms is not None,
    }
    return render(
        request, "research/table/table.html", shown, status=422 if request.method == "POST" else 200
    )


def _headings(page: TablePage, chosen: TableViewOptions) -> list[tuple[ColumnHeading, str]]:
    """Return the headings, each with the URL that sorts by it."""
    return [
        (heading, chosen.query(sort=heading.sort, page=1)) for heading in headings(page.columns, chosen.sort)
    ]


def _build_rows(run: Run, page: TablePage) -> list[ShownRow]:
    return build_row_views([row.entry for row in page.rows], page.columns, base_of(run.pk))


def filters_of(counts: RowCounts, chosen: TableViewOptions) -> list[FilterLink]:
    return [
        FilterLink(str(name), counts.of(key), chosen.query(show=key, page=1), key == chosen.show)
        for key, name in SHOWN.items()
    ]


def _poll_of(run: Run, page: TablePage, chosen: TableViewOptions) -> str:
    """Return the URL that polls the rows on the page."""
    numbers = ",".join(str(row.entry.number) for row in page.rows)
    address = reverse("research:table_rows", args=[run.pk])
    return f"{address}?{'&'.join(filter(None, (f'rows={numbers}', chosen.query())))}"


@members_only
@require_safe
@never_cache
def table_rows(request: HttpRequest, run_id: UUID) -> HttpResponseBase:
    """Answer a poll of table.html with the changed rows and the progress; with 304 while nothing changed."""
    run = find(table_runs(), run_id)
    tag = request.headers.get("HX-PTag", "")
    if tag and tag == tag_of(run, timezone.now()):
        return HttpResponseNotModified()
    if not wants_fragment(request):
        return redirect("research:table", run_id)
    status, chosen = status_of(run), TableViewOptions.of(request)
    found = rows_of(run, _numbers(request), since=_version_in(tag))
    shown = {
        "run": run,
        "status": status,
        "chosen": chosen,
        "rows": build_row_views([row.entry for row in found], columns_of(run), base_of(run_id)),
        "filters": filters_of(status.counts, chosen),
        "is_moved": not chosen.is_plain,
        "here": f"{base_of(run_id)}?{chosen.query()}",
        "overview": overview_of(run),
        "acts": acts_of(run, status.counts) if may_write(request) else None,
    }
    response = render(request, "research/table/_table_update.html", shown)
    response["HX-PTag"] = status.tag
    return response


def _numbers(request: HttpRequest) -> Sequence[int]:
    given = request.GET.get("rows", "").split(",")
    numbers = [whole(number, -1) for number in given[:MAX_NUMBERS]]
    return [number for number in numbers if number >= 0]


def _version_in(tag: str) -> int | None:
    """Return the version of the page's rows from its tag; None if the tag has none, in which case all rows are sent."""
    version = whole("".join(tag.split(".")[1:2]), -1)
    return None if version < 0 else version
