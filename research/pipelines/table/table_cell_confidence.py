"""The confidence of a cell: the pure functions of `citations`, applied to its claim and its citations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from citations.claim_confidence import Confidence, Conflict
from citations.claim_strength import Origin, Strength, independent
from citations.models import Citation, Claim, ClaimStatus, MatchType
from research.library.rate_library_source import credibility_of
from research.pipelines.common.verifying.report_claim_trust import ClaimStanding, assess_standing
from research.pipelines.table.finding.found_table_values import FoundCell

ACCURATE = 0.75  # fit of a sentence with its column from which it says what the cell says
LABELLED = "Its source gives it under this name."
IN_SENTENCE = "A sentence of its source says so."
ROUGHLY = "A sentence of its source comes near to what the column asks for."
_WORD_FOR_WORD = frozenset({MatchType.EXACT, MatchType.NORMALIZED})


@dataclass(frozen=True, slots=True)
class Trust:
    """Figures of a cell's claim, and of each of its citations by its id."""

    strength: Strength
    origins: int
    confidence: Confidence
    citations: Mapping[UUID, Confidence]
    conflict: Conflict
    status: ClaimStatus
    note: str


def trust(
    claim: Claim,
    citations: Sequence[Citation],
    known: Mapping[UUID, Origin],
    cell: FoundCell,
    *,
    item: str,
    today: date,
) -> Trust:
    """`citations` with their sources, unsaved or not; `known` is the origin of each source by its id.

    Raises ValueError for a cell without citations: it has no confidence, and no claim.
    """
    conflict = conflict_of(cell)
    found = _rate_standing(claim, citations, known, conflict, item, today)
    status, note = verdict(citations)
    return Trust(found.strength, found.origins, found.confidence, found.citations, conflict, status, note)


def conflict_of(cell: FoundCell) -> Conflict:
    """Both sides are shown where sources disagree; what a source itself calls outdated is settled."""
    if cell.is_disputed:
        return Conflict.PRESENTED_BOTH
    return Conflict.RESOLVED if cell.others else Conflict.NONE


def verdict(citations: Sequence[Citation]) -> tuple[ClaimStatus, str]:
    """Return a cell's status and the reason, by its best citation: a labelled value, or a sentence on the column."""
    if any(MatchType(citation.match_type) in _WORD_FOR_WORD for citation in citations):
        return ClaimStatus.VERIFIED, LABELLED
    if any(citation.similarity >= ACCURATE for citation in citations):
        return ClaimStatus.PARAPHRASED_ACCURATE, IN_SENTENCE
    return ClaimStatus.PARTIALLY_SUPPORTED, ROUGHLY


def _rate_standing(
    claim: Claim,
    citations: Sequence[Citation],
    known: Mapping[UUID, Origin],
    conflict: Conflict,
    item: str,
    today: date,
) -> ClaimStanding:
    others = independent(known[citation.source_id] for citation in citations) - 1
    fits = {citation.quote: citation.similarity for citation in citations}
    return assess_standing(
        claim,
        citations,
        known,
        conflict,
        topic=frozenset(item.casefold().split()),
        today=today,
        credibility={
            citation.source_id: credibility_of(citation.source, others, today) for citation in citations
        },
        similarity=lambda _, quote: fits[quote],
    )
