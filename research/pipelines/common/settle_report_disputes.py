"""Contradictions between the claims of a report, and how they are settled (spec: grounding.md, Contradictions)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from uuid import UUID

import numpy as np

from citations import contradictions
from citations.claim_confidence import Conflict
from citations.claim_strength import Origin, independent, work_key
from citations.contradiction import nearest_claim_vectors
from citations.contradiction.claim_circumstances import (
    ComparedCircumstance,
    QuotedStatement,
    compare_circumstances,
)
from citations.contradiction.claim_statement_conflicts import SentenceConflict
from citations.contradictions import Assertion, ClaimRelation, find_contradictions
from citations.credibility.source_authority import source_authority
from citations.credibility.source_authority_rules import SourceType
from citations.dates.find_dates import parse_iso
from citations.models import Citation, Claim, Contradiction
from citations.models import Resolution as StoredResolution
from research.models.schemas import StoredCircumstance, StoredGates

NEAREST = 6  # nearest claims by embedding with which a claim is compared
CONFLICTS = {
    StoredResolution.RESOLVED: Conflict.RESOLVED,
    StoredResolution.PRESENTED_BOTH: Conflict.PRESENTED_BOTH,
}
ORDER = (Conflict.PRESENTED_BOTH, Conflict.RESOLVED)  # the weaker standing comes first


@dataclass(frozen=True, slots=True)
class DisputeRows:
    """Unsaved rows, one for each pair of claims that cannot both hold; `decided` are those that a person settled."""

    rows: tuple[Contradiction, ...] = ()
    decided: tuple[Contradiction, ...] = ()

    def conflict_of(self, claim: UUID) -> Conflict:
        """Return the weakest standing of the claim in any of its disputes."""
        about = [row for row in (*self.rows, *self.decided) if claim in sides(row)]
        found = {_conflict(row) for row in about}
        return next((conflict for conflict in ORDER if conflict in found), Conflict.NONE)

    @property
    def unresolved_count(self) -> int:
        """The number of disputes that are open: both sides are shown, or they were found just now."""
        return len(self.rows) + sum(row.winner_id is None for row in self.decided)

    def is_decided(self, claim: UUID) -> bool:
        """Return True if a person decided a dispute about the claim."""
        return any(claim in sides(row) for row in self.decided)


def _conflict(row: Contradiction) -> Conflict:
    if row.resolution == StoredResolution.HUMAN:
        return Conflict.PRESENTED_BOTH if row.winner_id is None else Conflict.RESOLVED
    return CONFLICTS.get(StoredResolution(row.resolution), Conflict.NONE)


def sides(row: Contradiction) -> frozenset[UUID]:
    return frozenset((row.claim_a_id, row.claim_b_id))


def find_disputes(
    claims: Sequence[Claim],
    citations: Mapping[UUID, Sequence[Citation]],
    known: Mapping[UUID, Origin],
    today: date,
    decided: Sequence[Contradiction] = (),
) -> DisputeRows:
    """Return the contradictions between claims.

    A statement that changed over time in one work or publisher is no dispute: the dates tell the versions apart.

    `decided` are rows that a person settled: their subjects are not asked about again.
    """
    claims = [
        claim for claim in claims if not claim.quantities
    ]  # a computed sum does not contradict its parts
    assertions = [
        _assertion(claim, citations[claim.pk], known, today) for claim in claims if citations[claim.pk]
    ]
    found = find_contradictions(assertions, today=today, neighbours=nearest(claims))
    by_id = {str(claim.pk): claim for claim in claims}
    rows = [
        _row(contradiction, by_id, citations)
        for contradiction in found
        if contradiction.relation is ClaimRelation.CONTRADICTION
    ]
    known_pairs = {sides(row) for row in decided}
    return DisputeRows(tuple(row for row in rows if sides(row) not in known_pairs), tuple(decided))


def nearest(claims: Sequence[Claim]) -> dict[str, list[tuple[str, float]]]:
    """Return the nearest other claims, with their cosine, of each claim with an embedding."""
    placed = [claim for claim in claims if claim.embedding is not None]
    if not placed:
        return {}
    vectors = np.stack([np.asarray(claim.embedding, dtype=np.float32) for claim in placed])
    return {
        str(claim.pk): [(str(placed[other].pk), cosine) for other, cosine in others]
        for claim, others in zip(placed, nearest_claim_vectors.nearest(vectors, NEAREST), strict=True)
    }


def _assertion(
    claim: Claim, citations: Sequence[Citation], known: Mapping[UUID, Origin], today: date
) -> Assertion:
    source = citations[0].source
    published = parse_iso(source.published_date)
    return Assertion(
        id=str(claim.pk),
        text=claim.text,
        source=str(source.pk),
        authority=source_authority(
            source.tier,
            SourceType(source.source_type),
            has_author=bool(source.author),
            published=published,
            today=today,
        ),
        independent_others=independent(known[citation.source_id] for citation in citations) - 1,
        published=published,
        publisher=source.publisher,
        work=work_key(source.title),
        title=source.title,
    )


def _row(
    contradiction: contradictions.DetectedContradiction,
    by_id: Mapping[str, Claim],
    citations: Mapping[UUID, Sequence[Citation]],
) -> Contradiction:
    claim_a, claim_b = by_id[contradiction.claim_a], by_id[contradiction.claim_b]
    accounts = [_account(claim, citations[claim.pk]) for claim in (claim_a, claim_b)]
    return Contradiction(
        run_id=claim_a.run_id,
        claim_a=claim_a,
        claim_b=claim_b,
        kind=contradiction.kind.value,
        gates=_gates(contradiction.difference, compare_circumstances(*accounts)).model_dump(mode="json"),
        scores_a=asdict(contradiction.side_a),
        scores_b=asdict(contradiction.side_b),
        margin=contradiction.margin,
        resolution=StoredResolution(contradiction.resolution.value),
        winner=by_id[contradiction.winner] if contradiction.winner else None,
        note=contradiction.note,
    )


def _account(claim: Claim, citations: Sequence[Citation]) -> QuotedStatement:
    published = parse_iso(citations[0].source.published_date)
    return QuotedStatement(claim.text, tuple(citation.quote for citation in citations), published)


def _gates(difference: SentenceConflict, circumstances: Sequence[ComparedCircumstance]) -> StoredGates:
    return StoredGates(
        mine=difference.mine,
        theirs=difference.theirs,
        circumstances=[
            StoredCircumstance.model_validate(asdict(circumstance)) for circumstance in circumstances
        ],
    )
