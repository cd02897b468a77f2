"""Documents and pages as sources of a run, before they are read. All inside the step's transaction."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from citations.models import DomainRule
from research.library.addresses import canonical_url
from research.library.sources import FoundPage, page_row, source_row
from research.models import LibraryDocument, Run, Source, SourceStatus
from research.models.schemas import Plan


def add_documents(run_id: UUID, documents: Iterable[LibraryDocument], subtopic: str) -> None:
    """A source for each document that the run does not have yet.

    Of several searches that find one document, it counts for the first of the plan, whichever ends first.
    """
    rules = DomainRule.objects.as_rules()
    found = [
        source_row(run_id, document, rules, status=SourceStatus.PENDING, subtopic=subtopic)
        for document in documents
    ]
    _add(run_id, found)
    if subtopic:
        names = [
            one.name for one in Plan.model_validate(Run.objects.only("plan").get(pk=run_id).plan).subtopics
        ]
        later = ["", *names[names.index(subtopic) + 1 :]]
        known = Source.objects.filter(run_id=run_id, canonical_url__in=[one.canonical_url for one in found])
        known.filter(subtopic__in=later).update(subtopic=subtopic)


def add_pages(run_id: UUID, pages: Sequence[FoundPage]) -> None:
    """A source for each page that the run does not have yet."""
    rules = DomainRule.objects.as_rules()
    known = set(Source.objects.filter(run_id=run_id).exclude(url="").values_list("url", flat=True))
    have = {canonical_url(url) for url in known}
    new = {canonical_url(page.url): page for page in reversed(pages)}
    _add(run_id, [page_row(run_id, page, rules) for address, page in new.items() if address not in have])


def _add(run_id: UUID, rows: Sequence[Source]) -> None:
    Source.objects.bulk_create(rows, ignore_conflicts=True)
    Run.objects.filter(pk=run_id).update(sources_found=Source.objects.filter(run_id=run_id).count())
