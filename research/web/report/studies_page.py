"""The evidence table of a synthesis, sorted and filtered: as a page, and as a fragment of the report."""

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_safe

from research.models import Kind, Run
from research.pipelines.synthesis.synthesis_result import StudyRow, Synthesis
from research.web.site.view_access import find, members_only, wants_fragment

Key = Callable[[StudyRow], tuple[object, ...]]
# Unknown values come last.
ORDERS: Mapping[str, tuple[Promise, Key]] = {
    "row": (_("Order of the table"), lambda row: (row.number,)),
    "year": (pgettext_lazy("study", "Year"), lambda row: (row.year is None, -(row.year or 0))),
    "size": (
        pgettext_lazy("study", "Sample size"),
        lambda row: (row.sample_size is None, -(row.sample_size or 0)),
    ),
    "design": (pgettext_lazy("study", "Design"), lambda row: (not row.design, row.design.casefold())),
    "outcome": (pgettext_lazy("study", "Outcome"), lambda row: (not row.outcome, row.outcome.casefold())),
    "direction": (pgettext_lazy("study", "Direction"), lambda row: (row.direction,)),
}


def study_orders() -> Sequence[tuple[str, Promise]]:
    return [(name, words) for name, (words, _key) in ORDERS.items()]


@members_only
@require_safe
def studies(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = find(Run.objects.filter(kind=Kind.SYNTHESIS).defer("plan", "outline", "config"), run_id)
    own = run.outcome.get("own")
    if not own:
        raise Http404
    table = Synthesis.model_validate(own)
    sort, searched = request.GET.get("sort", "row"), request.GET.get("find", "").strip()
    shown = {
        "run": run,
        "own": own,
        "studies": select_studies(table.studies, sort, searched),
        "sort": sort,
        "find": searched,
        "is_alone": not wants_fragment(request),
    }
    page = "research/site/_study_rows.html" if wants_fragment(request) else "research/report/studies.html"
    return render(request, page, shown)


def select_studies(rows: Sequence[StudyRow], sort: str, wanted: str) -> list[StudyRow]:
    """Filter and sort the studies: each word must occur in the row; an unknown order leaves the table's own."""
    words = wanted.casefold().split()
    _name, key = ORDERS.get(sort, ORDERS["row"])
    found = [row for row in rows if all(word in _build_search_text(row) for word in words)]
    return sorted(found, key=lambda row: (*key(row), row.number))


def _build_search_text(row: StudyRow) -> str:
    fields = (
        row.label,
        row.title,
        row.authors,
        row.design,
        row.population,
        row.outcome,
        row.finding,
        row.direction,
    )
    return " ".join((*fields, "preprint not peer reviewed" if row.preprint else "")).casefold()
