"""How credible the cited sources are, from stored facts (spec: grounding.md, Authority, credibility, tiers)."""

from collections.abc import Mapping, Sequence
from datetime import date
from uuid import UUID

from citations.dating.times import parse_iso
from citations.strength import Origin, independent
from citations.weighing.credibility import Credibility, author_kind, count_references, credibility
from research.models import Source
from research.recipes.report.verifying.checking import Judged


def credibilities(
    judged: Sequence[Judged], known: Mapping[UUID, Origin], today: date
) -> dict[UUID, Credibility]:
    """The credibility of each cited source. What it says is corroborated by independent sources of its claims."""
    others: dict[UUID, int] = {}
    sources: dict[UUID, Source] = {}
    for one in judged:
        count = independent(known[citation.source_id] for citation in one.carrying) - 1
        for citation in one.citations:
            sources[citation.source_id] = citation.source
            agreeing = count if citation in one.carrying else 0
            others[citation.source_id] = max(agreeing, others.get(citation.source_id, 0))
    return {pk: credibility_of(source, others[pk], today) for pk, source in sources.items()}


def credibility_of(source: Source, corroborating: int, today: date) -> Credibility:
    return credibility(
        tier=source.tier,
        published=parse_iso(source.published_date),
        today=today,
        author=author_kind(source.author, source.publisher),
        references=count_references(source.text),
        words=source.content.word_count if source.content else 0,
        corroborating=corroborating,
    )
