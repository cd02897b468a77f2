"""Web pages as sources of a run, before they are read."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.authority import classify_source, origin_domain
from citations.authority_rules import Rule
from citations.models import DomainRule
from research.library.addresses import canonical_url
from research.models import Run, Source, SourceStatus


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page that is to be read. `relevance` 0–1 is its fused rank; None for one that must be read."""

    url: str
    title: str = ""
    published: str = ""
    subtopic: str = ""
    relevance: float | None = None


def add_pages(run_id: UUID, pages: Sequence[FoundPage]) -> None:
    """A source for each page that the run does not have yet. Runs inside the step's transaction."""
    rules = DomainRule.objects.as_rules()
    known = set(Source.objects.filter(run_id=run_id).exclude(url="").values_list("url", flat=True))
    have = {canonical_url(url) for url in known}
    new = {canonical_url(page.url): page for page in reversed(pages)}
    Source.objects.bulk_create(
        [_source(run_id, canonical, page, rules) for canonical, page in new.items() if canonical not in have],
        ignore_conflicts=True,
    )
    Run.objects.filter(pk=run_id).update(sources_found=Source.objects.filter(run_id=run_id).count())


def _source(run_id: UUID, canonical: str, page: FoundPage, rules: Sequence[Rule]) -> Source:
    kind = classify_source(url=page.url, title=page.title, rules=rules)
    return Source(
        run_id=run_id,
        url=page.url,
        canonical_url=canonical,
        domain=origin_domain(page.url)[:255],
        title=page.title,
        publisher=kind.publisher,
        published_date=page.published,
        source_type=kind.source_type.value,
        tier=kind.tier,
        relevance_score=page.relevance,
        subtopic=page.subtopic[:300],
        status=SourceStatus.PENDING,
    )
