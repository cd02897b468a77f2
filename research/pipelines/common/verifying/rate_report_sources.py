"""Compute the credibility of cited sources from stored facts (spec: grounding.md, Authority, credibility, tiers)."""

from collections.abc import Mapping, Sequence
from datetime import date
from uuid import UUID

from citations.claim_strength import Origin, independent
from citations.credibility.credibility import Credibility
from research.library.rate_library_source import credibility_of
from research.models import Source
from research.pipelines.common.verifying.check_report_claims import JudgedClaim


def credibilities(
    judged: Sequence[JudgedClaim], known: Mapping[UUID, Origin], today: date
) -> dict[UUID, Credibility]:
    """Return the credibility of each cited source. Independent sources of the same claims corroborate it."""
    others: dict[UUID, int] = {}
    sources: dict[UUID, Source] = {}
    for claim in judged:
        count = independent(known[citation.source_id] for citation in claim.carrying_citations) - 1
        for citation in claim.citations:
            sources[citation.source_id] = citation.source
            agreeing = count if citation in claim.carrying_citations else 0
            others[citation.source_id] = max(agreeing, others.get(citation.source_id, 0))
    return {pk: credibility_of(source, others[pk], today) for pk, source in sources.items()}
