"""The page of contradictions between a run's sources: pairs side by side, reasons for differences, resolutions."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from exports.building.build_document import build_document
from exports.document.document_tree import ClaimEntry, ContradictionEntry, Document
from research.models import Run
from research.web.site.view_access import find, members_only

NEEDED = 0.3  # equals citations.contradictions.MARGIN, whose import would load too much


@dataclass(frozen=True, slots=True)
class SideMeasure:
    """The scores of both sides by one measure, 0–1."""

    name: str
    a: float
    b: float


@dataclass(frozen=True, slots=True)
class ContradictionView:
    """A contradiction as the page shows it. `used` is the claim that the report follows, None if it follows none."""

    entry: ContradictionEntry
    sides: tuple[tuple[str, ClaimEntry], tuple[str, ClaimEntry]]
    weighed: tuple[SideMeasure, ...]

    @property
    def used_side(self) -> str:
        return self.entry.winner.upper()


@dataclass(frozen=True, slots=True)
class ComparisonCounts:
    """Counts of what was compared: claims with citations, and the sources that they rest on."""

    claims: int
    sources: int


@members_only
@require_safe
def contradictions(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = find(Run.objects.defer("plan", "outline"), run_id)
    document = build_document(run_id, with_context=False)
    shown = {
        "run": run,
        "document": document,
        "pairs": [_pair(entry) for entry in document.contradictions],
        "open_count": sum(entry.is_open for entry in document.contradictions),
        "compared": _build_comparison(document),
        "needed": NEEDED,
    }
    return render(request, "research/report/contradictions.html", shown)


def _pair(entry: ContradictionEntry) -> ContradictionView:
    theirs = {score.name: score.value for score in entry.scores_b}
    weighed = (SideMeasure(score.name, score.value, theirs.get(score.name, 0.0)) for score in entry.scores_a)
    return ContradictionView(entry, (("A", entry.a), ("B", entry.b)), tuple(weighed))


def _build_comparison(document: Document) -> ComparisonCounts | None:
    """Return the counts; None before the report was checked."""
    if document.verification is None:
        return None
    cited: Sequence[ClaimEntry] = [claim for claim in document.claims if claim.citations]
    return ComparisonCounts(len(cited), len({claim.citations[0].source.id for claim in cited}))
