"""Reads the claims that contradict a claim, with their evidence."""

from uuid import UUID

from django.db.models import Q

from citations.models import Claim, Contradiction
from exports.building.build_document import number_cited_sources
from exports.building.build_document_evidence import (
    EvidenceIndex,
    citations_by_claim,
    claim_entry,
    source_entry,
    source_rows,
)
from exports.document.document_tree import ClaimEntry


def rivals_of(run_id: UUID, claim_id: UUID) -> tuple[ClaimEntry, ...]:
    """Return the claims in the order in which the contradictions were found."""
    pairs = Contradiction.objects.filter(Q(claim_a=claim_id) | Q(claim_b=claim_id), run_id=run_id)
    sides = pairs.order_by("created_at", "pk").values_list("claim_a", "claim_b")
    ids = list(dict.fromkeys(id for pair in sides for id in pair if id != claim_id))
    claims, citations = Claim.objects.in_bulk(ids), citations_by_claim(ids)
    numbers = number_cited_sources(run_id) if ids else {}
    wanted = {citation.source_id for found in citations.values() for citation in found}
    rows = source_rows(run_id).filter(pk__in=wanted)
    sources = {source.pk: source_entry(source, numbers.get(source.pk)) for source in rows}
    return tuple(claim_entry(claims[id], EvidenceIndex(sources, citations)) for id in ids)
