"""Documents and pages as sources of a run, before they are read. All inside the step's transaction."""

from collections.abc import Callable, Iterable, Sequence
from uuid import UUID

from research.agents.tools.evidence.allowed_sources import SourceSettings
from research.fetching.canonical_urls import canonical_url
from research.library.rate_source import judge_of
from research.library.run_sources import FoundPage, page_row, source_row
from research.llm.budgets.limits import most
from research.models import LibraryDocument, Run, Source, SourceStatus, SourceType
from research.models.schemas import Plan

HEAVY_COLUMNS = ("content__text", "content__blocks")


def add_documents(
    run_id: UUID, documents: Iterable[LibraryDocument], subtopic: str, *, must_read: bool = False
) -> None:
    """A source for each document that the run does not have yet.

    Of several searches that find one document, it counts for the first of the plan, whichever ends first.
    """
    judge = judge_of(run_id)
    found = [
        source_row(run_id, document, judge.rules, status=SourceStatus.PENDING, subtopic=subtopic)
        for document in documents
    ]
    for one in found:
        one.must_read = must_read
        judge.weigh(one)
    _add(run_id, found)
    known = Source.objects.filter(run_id=run_id, canonical_url__in=[one.canonical_url for one in found])
    if must_read:
        known.update(must_read=True)
    if subtopic:
        names = [
            one.name for one in Plan.model_validate(Run.objects.only("plan").get(pk=run_id).plan).subtopics
        ]
        later = ["", *names[names.index(subtopic) + 1 :]]
        known.filter(subtopic__in=later).update(subtopic=subtopic)


def add_pages(run_id: UUID, pages: Sequence[FoundPage]) -> None:
    """A source for each page that the run does not have yet."""
    new = new_pages(run_id, pages)
    _add(run_id, new)
    named = [canonical_url(page.url) for page in pages if page.must_read]
    Source.objects.filter(run_id=run_id, canonical_url__in=named).update(must_read=True)


def new_pages(run_id: UUID, pages: Sequence[FoundPage]) -> list[Source]:
    """Those that the run does not have yet, each once, as rows that are not saved."""
    judge = judge_of(run_id)
    known = set(Source.objects.filter(run_id=run_id).exclude(url="").values_list("url", flat=True))
    have = {canonical_url(url) for url in known}
    by_address = {canonical_url(page.url): page for page in reversed(pages)}
    wanted = [page for page in pages if by_address.get(canonical_url(page.url)) is page]
    return [
        judge.weigh(page_row(run_id, page, judge.rules))
        for page in wanted
        if canonical_url(page.url) not in have
    ]


def add_rows(run_id: UUID, rows: Sequence[Source]) -> None:
    """Add the rows of `new_pages` to the run."""
    _add(run_id, rows)


def best_first(config: SourceSettings) -> Callable[[Source], tuple[bool, bool, float]]:
    """Order in which sources are taken and read: what must be, then priority sites, then the best ones."""

    def place(source: Source) -> tuple[bool, bool, float]:
        return (
            not source.must_read,
            not config.is_priority(source.final_url or source.url),
            -(source.quality_score or 0.0),
        )

    return place


def refusal_of(document: LibraryDocument, config: SourceSettings) -> str:
    """Return the reason why the source settings exclude a document of the library, or "" if they do not."""
    language = document.content.language if document.content else ""
    kind = SourceType(document.source_type)
    return config.refusal(document.url, document.published_date, kind, language)


def _add(run_id: UUID, rows: Sequence[Source]) -> None:
    held = Source.objects.filter(run_id=run_id).count()
    Source.objects.bulk_create(rows[: max(0, most("sources") - held)], ignore_conflicts=True)
    Run.objects.filter(pk=run_id).update(sources_found=Source.objects.filter(run_id=run_id).count())
