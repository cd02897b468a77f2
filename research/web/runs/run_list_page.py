"""The list of all runs: filter, search, pages."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django import forms
from django.core.paginator import Page, Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from research.models import ACTIVE, WAITING, Run, State
from research.models.run_models import RunQuerySet
from research.web.report.evidence_mix_view import EvidenceMix, mixes_of
from research.web.site.view_access import members_only

RUNS_A_PAGE = 25
GROUPS = {
    "active": ACTIVE,
    "waiting": WAITING,
    "done": frozenset({State.COMPLETED}),
    "failed": frozenset({State.FAILED}),
    "cancelled": frozenset({State.CANCELLED}),
}


class RunFilterForm(forms.Form):
    q = forms.CharField(
        label=_("Search questions"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[
            ("", _("All")),
            ("active", _("Running")),
            ("waiting", _("Waiting for a person")),
            ("done", _("Done")),
            ("failed", _("Failed")),
            ("cancelled", _("Cancelled")),
        ],
    )


# The columns that rows show; some of the other columns are large.
LISTED = ("topic", "kind", "state", "parent", "relation", "result", "paused_at", "cost_usd", "created_at")


@dataclass(frozen=True, slots=True)
class RunRow:
    """A row. `run` has the columns in LISTED."""

    run: Run
    mix: EvidenceMix | None
    children: int = 0


@members_only
@require_safe
def run_list(request: HttpRequest) -> HttpResponse:
    form = RunFilterForm(request.GET)
    runs = _filter_runs(form, Run.objects.order_by("-created_at"))
    page = Paginator(runs.only(*LISTED), RUNS_A_PAGE).get_page(request.GET.get("page"))
    shown = {
        "form": form,
        "page": page,
        "rows": with_mixes(page),
        "is_filtered": form.has_changed(),
        "is_changing": any(run.is_active for run in page),
    }
    return render(request, "research/runs/run_list.html", shown)


def with_mixes(runs: Iterable[Run] | Page[Run]) -> list[RunRow]:
    found = list(runs)
    mixes = mixes_of(run.pk for run in found)
    children = children_of(run.pk for run in found)
    return [RunRow(run, mixes.get(run.pk), children.get(run.pk, 0)) for run in found]


def children_of(parents: Iterable[UUID]) -> Mapping[UUID | None, int]:
    """Return the number of runs that continue each of the given runs; those without any are left out."""
    rows = Run.objects.filter(parent__in=list(parents)).order_by().values_list("parent")
    return dict(rows.annotate(count=Count("pk")))


def _filter_runs(form: RunFilterForm, runs: RunQuerySet) -> RunQuerySet:
    if not form.is_valid():
        return runs
    if group := form.cleaned_data["state"]:
        runs = runs.filter(state__in=GROUPS[group])
    if words := form.cleaned_data["q"]:
        runs = runs.filter(topic__icontains=words)
    return runs
