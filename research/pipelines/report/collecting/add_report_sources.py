"""Add documents and pages as sources of a run, before they are read. All inside the step's transaction."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from research.agents.tools.evidence.sources_allowed_to_agents import SourceSettings
from research.db.bulk_sql import insert_rows
from research.fetching.canonical_urls import canonical_url
from research.library.rate_library_source import judge_of
from research.library.sources_from_library import FoundPage, page_row, source_address, source_row
from research.llm.budgets.budget_limits import most
from research.models import LibraryDocument, Run, Source, SourceStatus, SourceType
from research.models.schemas import Plan

HEAVY_COLUMNS = ("content__text", "content__blocks", "content__pages", "content__minhash")


@dataclass(frozen=True, slots=True)
class FoundDocuments:
    """Documents that a search found for a subtopic of the plan; "" for documents that must be read anyway."""

    run_id: UUID
    documents: Sequence[LibraryDocument]
    subtopic: str


def add_documents(
    run_id: UUID, documents: Iterable[LibraryDocument], subtopic: str, *, must_read: bool = False
) -> None:
    """Add a source for each document that the run does not have yet, as `add_found` adds them."""
    found = FoundDocuments(run_id, list(documents), subtopic)
    add_found([found])
    if must_read:
        addresses = map(source_address, found.documents)
        Source.objects.filter(run_id=run_id, canonical_url__in=list(addresses)).update(must_read=True)


def add_found(searches: Sequence[FoundDocuments]) -> list[None]:
    """Add a source for each document of these searches of one run that the run does not have yet.

    If several searches find a document, it counts for the first one in the plan, whichever ends first.
    """
    run_id = searches[0].run_id
    names = _subtopics(run_id) if any(search.subtopic for search in searches) else []
    order = {"": len(names), **{name: place for place, name in reversed(list(enumerate(names)))}}
    documents: dict[str, LibraryDocument] = {}
    subtopics: dict[str, str] = {}
    for search in searches:
        for document in search.documents:
            address = source_address(document)
            documents.setdefault(address, document)
            subtopics[address] = min(subtopics.get(address, ""), search.subtopic, key=order.__getitem__)
    existing = Source.objects.filter(run_id=run_id, canonical_url__in=list(documents))
    held = dict(existing.values_list("canonical_url", "subtopic"))
    judge = judge_of(run_id)
    new = [
        source_row(run_id, document, judge.rules, status=SourceStatus.PENDING, subtopic=subtopics[address])
        for address, document in documents.items()
        if address not in held
    ]
    _add(run_id, [judge.weigh(source) for source in new])
    earlier = defaultdict[str, list[str]](list)
    for address, subtopic in held.items():
        if order[subtopics[address]] < order.get(subtopic, -1):
            earlier[subtopics[address]].append(address)
    for subtopic, addresses in earlier.items():
        Source.objects.filter(run_id=run_id, canonical_url__in=addresses).update(subtopic=subtopic)
    return [None] * len(searches)


def _subtopics(run_id: UUID) -> list[str]:
    plan = Plan.model_validate(Run.objects.only("plan").get(pk=run_id).plan)
    return [subtopic.name for subtopic in plan.subtopics]


def add_pages(run_id: UUID, pages: Sequence[FoundPage]) -> None:
    """Add a source for each page that the run does not have yet."""
    new = new_pages(run_id, pages)
    _add(run_id, new)
    named = [canonical_url(page.url) for page in pages if page.must_read]
    Source.objects.filter(run_id=run_id, canonical_url__in=named).update(must_read=True)


def new_pages(run_id: UUID, pages: Sequence[FoundPage]) -> list[Source]:
    """Return unsaved rows for the pages that the run does not have yet, without repetitions."""
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
    """Return the sort key by which sources are taken and read: must-read ones, then priority sites, then the best."""

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
    insert_rows(rows[: max(0, most("sources") - held)], unless_there=True)
    Run.objects.filter(pk=run_id).update(sources_found=Source.objects.filter(run_id=run_id).count())
