"""The trustworthiness of a claim of the report: the pure functions of `citations`, applied to its rows."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from citations.claim_confidence import (
    AUTHORITATIVE_TIER,
    Confidence,
    Conflict,
    MatchKind,
    citation_confidence,
    claim_confidence,
)
from citations.claim_strength import Origin, Strength, origins, strength
from citations.credibility.credibility import Credibility
from citations.credibility.source_authority import source_authority
from citations.credibility.source_authority_rules import SourceType
from citations.credibility.source_recency import STALE_MONTHS, RecencyBias
from citations.credibility.withdrawn_sources import is_withdrawn
from citations.dates.find_dates import parse_iso
from citations.entities.entities import entity_keys
from citations.models import Citation, Claim
from citations.verification import SimilarityFunction
from research.models import Source

OLD = 2  # times the age from which a source is stale
WORD_FOR_WORD = frozenset({MatchKind.EXACT, MatchKind.NORMALIZED})


@dataclass(frozen=True, slots=True)
class ClaimStanding:
    """The figures of one claim, and of each citation that carries it, by the citation's id."""

    strength: Strength
    origins: int
    confidence: Confidence
    citations: Mapping[UUID, Confidence]


def assess_standing(
    claim: Claim,
    citations: Sequence[Citation],
    known: Mapping[UUID, Origin],
    conflict: Conflict,
    *,
    topic: frozenset[str],
    today: date,
    credibility: Mapping[UUID, Credibility],
    similarity: SimilarityFunction,
    stale_months: float = STALE_MONTHS[RecencyBias.BALANCED],
) -> ClaimStanding:
    """Return the standing of a claim.

    `credibility` is that of each cited source; `stale_months` is the age from which sources count as old for the run's
    recency bias. Raises ValueError for a claim without citations.
    """
    groups = origins(known[citation.source_id] for citation in citations)
    each = {
        citation.pk: _citation_confidence(
            claim, citation, len(groups) - 1, topic=topic, today=today, similarity=similarity
        )
        for citation in citations
    }
    whole = claim_confidence(
        tuple(each.values()),
        independent_sources=len(groups),
        authoritative_sources=_authoritative(groups, citations),
        conflict=conflict,
        may_stand_alone=any(credibility[row.source_id].may_stand_alone for row in citations),
        is_outdated=all(is_outdated(row.source, today, stale_months) for row in citations),
    )
    return ClaimStanding(strength(len(groups)), len(groups), whole, each)


def is_outdated(source: Source, today: date, stale_months: float) -> bool:
    """Return True if the source was withdrawn, or is twice as old as the stale age."""
    published = parse_iso(source.published_date)
    is_old = published is not None and published.months_before(today) > OLD * stale_months
    return is_old or is_withdrawn(source.title, source.text)


def _citation_confidence(
    claim: Claim,
    citation: Citation,
    others: int,
    *,
    topic: frozenset[str],
    today: date,
    similarity: SimilarityFunction,
) -> Confidence:
    source, kind = citation.source, MatchKind(citation.match_type)
    authority = source_authority(
        source.tier,
        SourceType(source.source_type),
        has_author=bool(source.author),
        published=parse_iso(source.published_date),
        today=today,
    )
    return citation_confidence(
        kind=kind,
        source_authority=authority,
        independent_others=others,
        similarity=None if kind in WORD_FOR_WORD else similarity(claim.text, citation.quote),
        has_section=bool(citation.chunk and citation.chunk.section_header),
        title_relevance=_share(topic, _words(source.title)),
        entity_overlap=_share(entity_keys(claim.text), entity_keys(citation.quote)),
    )


def _authoritative(groups: Iterable[frozenset[str]], citations: Sequence[Citation]) -> int:
    good = {str(citation.source_id) for citation in citations if citation.source.tier <= AUTHORITATIVE_TIER}
    return sum(bool(group & good) for group in groups)


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


def _share(wanted: frozenset[str], found: frozenset[str]) -> float:
    """Return the share of `wanted` that is found; 0 if nothing is wanted."""
    return len(wanted & found) / len(wanted) if wanted else 0.0
