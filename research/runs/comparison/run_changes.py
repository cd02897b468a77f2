"""Changes from one run to another, claim by claim.

Read in a fixed number of queries, whatever the runs' size. How claims are matched: docs/changes.md.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING
from uuid import UUID

from citations.claim_diff.claim_differences import Difference
from citations.claim_diff.claim_versions import ComparableClaim
from citations.claim_diff.match_claims import Matching, MatchOutcome, StatementPair, match
from citations.claim_similarity import profile_for
from citations.models import Citation, Claim
from citations.text.quote_span import Span
from research.models import Run, Source
from research.runs.comparison.compare_run_sources import (
    SourceChanges,
    SourceRef,
    by_key,
    reference,
    source_changes,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# Claims are always embedded by the built-in model, whatever the library uses.
PROFILE = profile_for("all-MiniLM-L6-v2")


class Absence(StrEnum):
    """The reason why a claim is missing from the new run, as far as the new run knows it."""

    LEFT_OUT = "left_out"  # it was written and then excluded; the note says why
    NOT_READ = "not_read"  # none of its sources could be read; the note says why
    NOT_FOUND = "not_found"  # none of its sources was found
    SOURCE_CHANGED = "source_changed"  # the text of one of its sources has changed
    NOT_CHOSEN = "not_chosen"  # its sources were read again, but it was not used
    UNFINISHED = "unfinished"  # the new run ended without a report


@dataclass(frozen=True, slots=True)
class ClaimRef:
    """A claim of one of the runs as the page shows it. `number` is the one that readers see."""

    id: UUID
    run_id: UUID
    number: int
    text: str
    status: str
    strength: str
    origins: int
    confidence: float | None
    sources: tuple[SourceRef, ...]


@dataclass(frozen=True, slots=True)
class PairedClaim:
    """A statement that both runs make; the spans mark where the texts differ."""

    old: ClaimRef
    new: ClaimRef
    differences: tuple[Difference, ...]
    old_places: tuple[Span, ...]
    new_places: tuple[Span, ...]

    @property
    def says_otherwise(self) -> bool:
        return any(not difference.is_of_standing for difference in self.differences)


@dataclass(frozen=True, slots=True)
class GoneClaim:
    claim: ClaimRef
    absence: Absence
    note: str = ""


@dataclass(frozen=True, slots=True)
class ChangeCounts:
    new: int = 0
    changed: int = 0
    gone: int = 0
    same: int = 0  # including reworded ones

    @property
    def are_none(self) -> bool:
        return not (self.new or self.changed or self.gone)


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes between two runs. `changed` begins with claims of another meaning; then those with other evidence."""

    old: Run
    new: Run
    changed: tuple[PairedClaim, ...]
    reworded: tuple[PairedClaim, ...]
    same: tuple[PairedClaim, ...]
    added: tuple[ClaimRef, ...]
    gone: tuple[GoneClaim, ...]
    sources: SourceChanges

    @property
    def counts(self) -> ChangeCounts:
        same = len(self.same) + len(self.reworded)
        return ChangeCounts(len(self.added), len(self.changed), len(self.gone), same)


@dataclass(frozen=True, slots=True)
class _ComparedRun:
    """A run's rows, with its claims prepared for comparison. `dropped` were left out of its report."""

    run: Run
    sources: tuple[SourceRef, ...]
    claims: Mapping[str, ClaimRef]
    stated: tuple[ComparableClaim, ...]
    dropped: tuple[ComparableClaim, ...]
    notes: Mapping[str, str]  # why each dropped claim was left out


def changes_between(old_run_id: UUID, new_run_id: UUID) -> Changes:
    """Compare two runs. Needs the tenant set. Raises Run.DoesNotExist."""
    old, new = _sides(old_run_id, new_run_id)
    matches = match(old.stated, new.stated, PROFILE)
    return Changes(
        old=old.run,
        new=new.run,
        changed=_find_changed_claims(matches, old, new),
        reworded=_select_pairs(MatchOutcome.REWORDED, matches, old, new),
        same=_select_pairs(MatchOutcome.SAME, matches, old, new),
        added=tuple(new.claims[name] for name in matches.new),
        gone=tuple(_find_gone_claims(matches, old, new)),
        sources=source_changes(old.sources, new.sources),
    )


def counts_between(old: Run, new: Run) -> ChangeCounts:
    """Count the changes between two runs. The counts are cached until one of the runs changes."""
    return _count_changes(old.pk, new.pk, f"{old.updated_at} {new.updated_at}")


@lru_cache(maxsize=512)
def _count_changes(old_id: UUID, new_id: UUID, _as_of: str) -> ChangeCounts:
    return changes_between(old_id, new_id).counts


def _sides(old_id: UUID, new_id: UUID) -> tuple[_ComparedRun, _ComparedRun]:
    ids = (old_id, new_id)
    runs = Run.objects.in_bulk(ids)
    missing = [str(run_id) for run_id in ids if run_id not in runs]
    if missing:
        raise Run.DoesNotExist(", ".join(missing))
    sources, claims, citing = _sources(ids), _claims(ids), _load_cited_sources(ids)
    first, second = (_side(runs[run_id], sources[run_id], claims[run_id], citing) for run_id in ids)
    return first, second


def _sources(ids: tuple[UUID, UUID]) -> Mapping[UUID, list[SourceRef]]:
    columns = (
        "run_id", "canonical_url", "title", "url", "status", "error_message", "content__sha256",
    )  # fmt: skip
    rows = Source.objects.filter(run__in=ids).select_related("content").only(*columns)
    found: defaultdict[UUID, list[SourceRef]] = defaultdict(list)
    for row in rows.order_by("title", "canonical_url"):
        found[row.run_id].append(reference(row))
    return found


def _claims(ids: tuple[UUID, UUID]) -> Mapping[UUID, list[Claim]]:
    columns = (
        "run_id", "section_id", "number", "text", "strength", "origins", "confidence", "verification_status",
        "verification_note", "embedding",
    )  # fmt: skip
    found: defaultdict[UUID, list[Claim]] = defaultdict(list)
    for row in Claim.objects.filter(run__in=ids).only(*columns).order_by("number", "position", "pk"):
        found[row.run_id].append(row)
    return found


def _load_cited_sources(ids: tuple[UUID, UUID]) -> Mapping[UUID, list[UUID]]:
    """Return the sources that each claim cites."""
    rows = Citation.objects.filter(claim__run__in=ids).order_by("citation_index", "pk")
    found: defaultdict[UUID, list[UUID]] = defaultdict(list)
    for claim_id, source_id in rows.values_list("claim_id", "source_id"):
        found[claim_id].append(source_id)
    return found


def _side(
    run: Run, sources: Sequence[SourceRef], claims: Sequence[Claim], citing: Mapping[UUID, Sequence[UUID]]
) -> _ComparedRun:
    by_id = {source.id: source for source in sources}
    cited = {
        claim.pk: tuple(dict.fromkeys(by_id[key] for key in citing.get(claim.pk, ()) if key in by_id))
        for claim in claims
    }
    placed = [claim for claim in claims if claim.section_id is not None and claim.number is not None]
    dropped = [claim for claim in claims if claim.section_id is None and claim.verification_note]
    return _ComparedRun(
        run,
        tuple(sources),
        {str(claim.pk): _build_claim_ref(claim, cited[claim.pk]) for claim in placed},
        tuple(_build_stated_claim(claim, cited[claim.pk]) for claim in placed),
        tuple(_build_stated_claim(claim, cited[claim.pk]) for claim in dropped),
        {str(claim.pk): claim.verification_note for claim in dropped},
    )


def _build_claim_ref(claim: Claim, sources: tuple[SourceRef, ...]) -> ClaimRef:
    return ClaimRef(
        claim.pk,
        claim.run_id,
        claim.number or 0,
        claim.text,
        claim.verification_status,
        claim.strength,
        claim.origins,
        claim.confidence,
        sources,
    )


def _build_stated_claim(claim: Claim, sources: Sequence[SourceRef]) -> ComparableClaim:
    return ComparableClaim(
        str(claim.pk),
        claim.text,
        claim.verification_status,
        claim.strength,
        claim.confidence,
        frozenset(source.key for source in sources),
        _vector(claim),
    )


def _vector(claim: Claim) -> "npt.NDArray[np.float32] | None":
    import numpy as np  # imported here, because most web processes never compare

    return None if claim.embedding is None else np.asarray(claim.embedding, dtype=np.float32)


def _select_pairs(
    outcome: MatchOutcome, found: Matching, old: _ComparedRun, new: _ComparedRun
) -> tuple[PairedClaim, ...]:
    return tuple(_build_paired_claim(pair, old, new) for pair in found.pairs if pair.outcome is outcome)


def _build_paired_claim(pair: StatementPair, old: _ComparedRun, new: _ComparedRun) -> PairedClaim:
    return PairedClaim(
        old.claims[pair.old],
        new.claims[pair.new],
        pair.differences,
        pair.old_places,
        pair.new_places,
    )


def _find_changed_claims(found: Matching, old: _ComparedRun, new: _ComparedRun) -> tuple[PairedClaim, ...]:
    some = _select_pairs(MatchOutcome.CHANGED, found, old, new)
    return tuple(sorted(some, key=lambda claim: not claim.says_otherwise))


def _find_gone_claims(found: Matching, old: _ComparedRun, new: _ComparedRun) -> Iterator[GoneClaim]:
    lost = [claim for claim in old.stated if claim.id in set(found.gone)]
    dropped = {pair.old: new.notes[pair.new] for pair in match(lost, new.dropped, PROFILE).pairs}
    known = by_key(new.sources)
    for stated in lost:
        claim = old.claims[stated.id]
        if note := dropped.get(stated.id):
            yield GoneClaim(claim, Absence.LEFT_OUT, note)
        else:
            yield _explain_absence(claim, known, new)


def _explain_absence(claim: ClaimRef, known: Mapping[str, SourceRef], new: _ComparedRun) -> GoneClaim:
    """Return why the new run lacks the claim, from the state of the claim's sources."""
    met = [(source, known[source.key]) for source in claim.sources if source.key in known]
    read = [(before, now) for before, now in met if now.was_read]
    if not new.claims and not read:
        return GoneClaim(claim, Absence.UNFINISHED)
    if not met:
        return GoneClaim(claim, Absence.NOT_FOUND)
    if not read:
        return GoneClaim(claim, Absence.NOT_READ, met[0][1].problem)
    if any(before.text_hash != now.text_hash for before, now in read):
        return GoneClaim(claim, Absence.SOURCE_CHANGED)
    return GoneClaim(claim, Absence.NOT_CHOSEN)
