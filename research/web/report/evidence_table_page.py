"""All evidence of a report as one table: a row for each claim and source that it cites, and the distribution."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from citations.models import Strength
from exports.building.build_document import build_document
from exports.document.document_charts import (
    chart_of_kinds,
    chart_of_strengths,
    chart_of_years,
    drop_single_bar,
    select_nonempty_charts,
)
from exports.document.document_tree import CitationEntry, ClaimEntry, Document
from research.models import Run
from research.web.site.view_access import find, members_only

ROWS_A_PAGE = 100
Key = Callable[["EvidenceRow"], tuple[int | float | str, ...]]


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    claim: ClaimEntry
    citation: CitationEntry


_STRENGTHS = list(Strength.values)
# Unknown values come last in rising order.
KEYS: Mapping[str, Key] = {
    "claim": lambda row: (row.claim.number,),
    "source": lambda row: (row.citation.source.number or 0,),
    "strength": lambda row: (_STRENGTHS.index(row.claim.strength),),
    "match": lambda row: (-row.citation.similarity,),
    "confidence": lambda row: (-1.0 if row.citation.confidence is None else row.citation.confidence,),
    "published": lambda row: (row.citation.source.published,),
}
COLUMNS = (
    ("claim", _("Claim"), ""),
    ("strength", _("Evidence"), ""),
    ("source", _("Source"), ""),
    ("", _("Quote"), ""),
    ("match", _("Match"), ""),
    ("confidence", _("Confidence"), "number"),
    ("published", _("Published"), "number"),
)


@dataclass(frozen=True, slots=True)
class EvidenceColumn:
    """A heading of the table. `order`: how the rows are sorted by it: ascending, descending or not at all."""

    title: str
    kind: str
    sort: str  # query of a click; empty: cannot be sorted by it
    order: str


class ViewForm(forms.Form):
    """The filter and order of the evidence table."""

    show = forms.ChoiceField(
        label=_("Show"),
        required=False,
        choices=[
            ("", _("All claims")),
            ("strong", _("Strong evidence")),
            ("moderate", _("Moderate evidence")),
            ("limited", _("Limited evidence")),
            ("disputed", _("Disputed claims")),
        ],
    )
    sort = forms.ChoiceField(
        label=_("Order by"),
        required=False,
        choices=[
            ("", _("Claim")),
            ("-claim", _("Claim, last first")),
            ("source", _("Source")),
            ("-source", _("Source, last first")),
            ("strength", _("Evidence, strongest first")),
            ("-strength", _("Evidence, weakest first")),
            ("match", _("Match, closest first")),
            ("-match", _("Match, loosest first")),
            ("confidence", _("Confidence, lowest first")),
            ("-confidence", _("Confidence, highest first")),
            ("published", _("Published, oldest first")),
            ("-published", _("Published, newest first")),
        ],
    )


@members_only
@require_safe
def evidence_table(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = find(Run.objects.defer("plan", "outline"), run_id)
    document = build_document(run_id, with_context=False)
    form = ViewForm(request.GET)
    chosen = form.cleaned_data if form.is_valid() else {"show": "", "sort": ""}
    rows = _sort_rows(_rows(document, chosen["show"]), chosen["sort"])
    page = Paginator(rows, ROWS_A_PAGE).get_page(request.GET.get("page"))
    shown = {
        "run": run,
        "document": document,
        "form": form,
        "columns": _columns(chosen["sort"]),
        "page": page,
        "total": len(rows),
        "charts": [
            drop_single_bar(chart)
            for chart in select_nonempty_charts(
                chart_of_strengths(document.counts),
                chart_of_years(document.sources),
                chart_of_kinds(document.sources),
            )
        ],
    }
    return render(request, "research/report/evidence_table.html", shown)


def _rows(document: Document, show: str) -> list[EvidenceRow]:
    claims = (claim for claim in document.claims if _is_shown(claim, show))
    return [EvidenceRow(claim, citation) for claim in claims for citation in claim.citations]


def _is_shown(claim: ClaimEntry, show: str) -> bool:
    if show == "disputed":
        return claim.contradiction_status != "none"
    return not show or claim.strength == show


def _sort_rows(rows: list[EvidenceRow], sort: str) -> list[EvidenceRow]:
    """Sort the rows; equal ones stay in the order of the claims."""
    key = KEYS[sort.removeprefix("-") or "claim"]
    return sorted(rows, key=key, reverse=sort.startswith("-"))


def _columns(sort: str) -> list[EvidenceColumn]:
    return [_column(name, str(title), kind, sort or "claim") for name, title, kind in COLUMNS]


def _column(name: str, title: str, kind: str, sort: str) -> EvidenceColumn:
    if not name:
        return EvidenceColumn(title, kind, "", "")
    order = {name: "ascending", f"-{name}": "descending"}.get(sort, "")
    return EvidenceColumn(title, kind, f"-{name}" if order == "ascending" else name, order)
