"""Web pages as sources of a run, before they are read."""

from collections.abc import Sequence
from uuid import UUID

from citations.models import DomainRule
from research.library.addresses import canonical_url
from research.library.sources import FoundPage, page_row
from research.models import Run, Source


def add_pages(run_id: UUID, pages: Sequence[FoundPage]) -> None:
    """A source for each page that the run does not have yet. Runs inside the step's transaction."""
    rules = DomainRule.objects.as_rules()
    known = set(Source.objects.filter(run_id=run_id).exclude(url="").values_list("url", flat=True))
    have = {canonical_url(url) for url in known}
    new = {canonical_url(page.url): page for page in reversed(pages)}
    Source.objects.bulk_create(
        [page_row(run_id, page, rules) for address, page in new.items() if address not in have],
        ignore_conflicts=True,
    )
    Run.objects.filter(pk=run_id).update(sources_found=Source.objects.filter(run_id=run_id).count())
