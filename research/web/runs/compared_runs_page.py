"""Two runs side by side, as a page and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from citations.claim_diff.claim_differences import Difference
from research.models import FINISHED, Run
from research.runs.comparison.compare_run_sources import SourceChanges
from research.runs.comparison.run_changes import (
    ChangeCounts,
    Changes,
    ClaimRef,
    GoneClaim,
    PairedClaim,
    changes_between,
)
from research.runs.comparison.summarize_run_changes import changes_since
from research.web.runs.change_labels import DiffPiece, absence_in_words, difference_in_words, pieces
from research.web.site.view_access import find

OTHERS = 8  # earlier runs of the same question that are offered


@dataclass(frozen=True, slots=True)
class ShownPair:
    old: ClaimRef
    new: ClaimRef
    old_pieces: tuple[DiffPiece, ...]
    new_pieces: tuple[DiffPiece, ...]
    differences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownGone:
    claim: ClaimRef
    why: str


def page(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run, earlier = _find_runs(request, run_id)
    shown: dict[str, object] = {"run": run, "earlier": earlier, "others": _others(run, earlier)}
    if earlier is not None and run.is_finished:
        changes = changes_between(earlier.pk, run.pk)
        shown |= {
            "sentence": changes_since(changes.counts, earlier.created_at),
            "counts": changes.counts,
            "changed": [_build_pair_view(pair) for pair in changes.changed],
            "reworded": [_build_pair_view(pair) for pair in changes.reworded],
            "added": changes.added,
            "gone": [ShownGone(claim.claim, absence_in_words(claim)) for claim in changes.gone],
            "sources": changes.sources,
        }
    return render(request, "research/runs/changes.html", shown)


def _build_pair_view(pair: PairedClaim) -> ShownPair:
    return ShownPair(
        pair.old,
        pair.new,
        pieces(pair.old.text, pair.old_places),
        pieces(pair.new.text, pair.new_places),
        tuple(map(difference_in_words, pair.differences)),
    )


def _find_runs(request: HttpRequest, run_id: UUID) -> tuple[Run, Run | None]:
    """Return the run, and the earlier one to compare with: the named one, or its predecessor."""
    run = find(Run.objects.defer("plan", "outline"), run_id)
    named = request.GET.get("with", "")
    if named:
        return run, find(Run.objects.defer("plan", "outline"), _run_id(named))
    return run, run.parent if run.is_compared else None


def _run_id(given: str) -> UUID:
    try:
        return UUID(given)
    except ValueError as error:
        raise Http404 from error


def _others(run: Run, earlier: Run | None) -> Sequence[Run]:
    """Return other finished runs of the same question, newest first."""
    same = Run.objects.filter(topic=run.topic, state__in=FINISHED, created_at__lt=run.created_at)
    known = [run.pk, *([earlier.pk] if earlier else ())]
    return list(same.exclude(pk__in=known).only("created_at", "state").order_by("-created_at")[:OTHERS])


@dataclass(frozen=True, slots=True)
class ToldPair:
    """A statement of both runs, in the download."""

    old: ClaimRef
    new: ClaimRef
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Download:
    """The whole comparison, for other programs."""

    old_run: UUID
    new_run: UUID
    counts: ChangeCounts
    changed: tuple[ToldPair, ...]
    reworded: tuple[ToldPair, ...]
    same: tuple[ToldPair, ...]
    new: tuple[ClaimRef, ...]
    gone: tuple[GoneClaim, ...]
    sources: SourceChanges


def download(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run, earlier = _find_runs(request, run_id)
    if earlier is None:
        raise Http404
    comparison = asdict(_download(changes_between(earlier.pk, run.pk)))
    response = JsonResponse(comparison, encoder=DjangoJSONEncoder, json_dumps_params={"indent": 1})
    response["Content-Disposition"] = f'attachment; filename="changes-{run.pk}.json"'
    return response


def _download(found: Changes) -> Download:
    return Download(
        found.old.pk,
        found.new.pk,
        found.counts,
        _build_download_pairs(found.changed),
        _build_download_pairs(found.reworded),
        _build_download_pairs(found.same),
        found.added,
        found.gone,
        found.sources,
    )


def _build_download_pairs(pairs: Sequence[PairedClaim]) -> tuple[ToldPair, ...]:
    return tuple(ToldPair(pair.old, pair.new, pair.differences) for pair in pairs)
