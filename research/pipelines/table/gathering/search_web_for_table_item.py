"""Look for one item on the web: one search, its best pages, all of which are fetched and read at once."""

import asyncio
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from uuid import UUID
from weakref import WeakKeyDictionary

from research.db.sql_batcher import read_batch
from research.engine.pipeline_registry import StepWork
from research.fetching.cached_web_pages import find_copies
from research.fetching.canonical_urls import canonical_url
from research.library.rate_library_source import Judge, judge_with
from research.library.sources_from_library import FoundPage, page_row
from research.models import Source, SourceStatus, SourceType
from research.pipelines.report.collecting.collect_report_sources_from_web import build_search_error
from research.pipelines.table.gathering.fetch_table_item_pages import PageReading, PageTarget, read_page
from research.pipelines.table.gathering.store_table_sources import find_stored_sources, identify
from research.pipelines.table.items.table_items import AskedItem
from research.pipelines.table.table_config import TableConfig
from research.search.chosen_search_services import list_configured_services
from research.search.search_process import search_process
from research.search.search_protocol import Filters, SearchHit, fuse_rankings
from research.search.searched_source_kinds import search_types

OVER_FETCH = 2  # results asked for, for each page that is wanted: some are refused or can't be read
MIN_RESULTS = 5
TO_READ = frozenset({SourceStatus.PENDING, SourceStatus.FETCHING, SourceStatus.FAILED})


async def search_web(work: StepWork, item: AskedItem, given: Sequence[str], known: int) -> list[FoundPage]:
    """Return the pages to read for an item: those `given`, and the best that a search finds.

    `known`: sources that it has already. Raises StepError when every provider failed.
    """
    room = max(0 if given else 1, item.config.pages_per_item - known)
    found = (
        await search_pages(work, item.config, query_for(item), filters_of(item.config))
        if room and list_configured_services()
        else []
    )
    return select_pages_to_read(given, found, room)


def select_pages_to_read(given: Sequence[str], found: Sequence[FoundPage], room: int) -> list[FoundPage]:
    """Return the pages that must be read, then the best others of those that a search found, at most `room`."""
    known = set(map(canonical_url, given))
    others = [page for page in found if canonical_url(page.url) not in known]
    return [*(FoundPage(url, must_read=True) for url in given), *others[:room]]


async def read_pages(work: StepWork, config: TableConfig, pages: Sequence[FoundPage]) -> list[PageReading]:
    """Fetch and read pages at once, those that the run has not read yet.

    Raises StepError and DiskFull for what a later try may mend, when all pages were tried.
    """
    if not pages:
        return []
    targets = await read_batch(work.tenant_id, _load_targets, _WantedPages(work, config, pages))
    done = await asyncio.gather(*(_read(work, target) for target in targets), return_exceptions=True)
    if errors := [result for result in done if isinstance(result, BaseException)]:
        raise errors[0]
    return [result for result in done if isinstance(result, PageReading)]


# Rows that are worked on at once may want the same page, such as one that must be read for each: it is read once. Each
# run has its own event loop.
_in_hand: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, asyncio.Task[PageReading]]] = (
    WeakKeyDictionary()
)


async def _read(work: StepWork, target: PageTarget) -> PageReading:
    source = target.source
    if source.status not in TO_READ:
        return PageReading(source, {"url": source.url, "how": "read", "words": source.word_count})
    in_hand = _in_hand.setdefault(asyncio.get_running_loop(), {})
    address = source.canonical_url
    if address not in in_hand:
        task = in_hand[address] = asyncio.create_task(read_page(work, target))
        task.add_done_callback(lambda _: in_hand.pop(address))
    return await asyncio.shield(in_hand[address])


@dataclass(frozen=True, slots=True)
class _WantedPages:
    """Pages that a row of a run wants to read."""

    work: StepWork
    config: TableConfig
    pages: Sequence[FoundPage]


def _load_targets(wanted: Sequence[_WantedPages]) -> list[list[PageTarget]]:
    """Return the pages of each row, with what the run and the workspace have of them. Needs the tenant set."""
    addresses: dict[UUID, list[str]] = {}
    for row in wanted:
        addresses.setdefault(row.work.run_id, []).extend(canonical_url(page.url) for page in row.pages)
    stored = {run_id: find_stored_sources(run_id, named) for run_id, named in addresses.items()}
    read_first = {page.full_text or page.url for row in wanted for page in row.pages}
    copies = dict(zip(read_first, find_copies(list(read_first)), strict=True))
    targets = []
    for row in wanted:
        judge, known = judge_with(row.config.recency_bias), stored[row.work.run_id]
        sources = [
            copy(known[address])
            if (address := canonical_url(page.url)) in known
            else identify(new_source(row.work.run_id, page, judge), row.work.tenant_id)
            for page in row.pages
        ]
        targets.append([PageTarget(source, row.config, judge, copies) for source in sources])
    return targets


def new_source(run_id: UUID, page: FoundPage, judge: Judge) -> Source:
    """Build an unsaved source for a page that is not read yet."""
    return judge.weigh(page_row(run_id, page, judge.rules))


def query_for(item: AskedItem) -> str:
    """Return the search query for an item, with the columns' names where the template adds nothing to the item."""
    return (item.prompt if item.prompt != item.input else f"{item.input} {_titles(item)}")[:400]


def _titles(item: AskedItem) -> str:
    return ", ".join(field.title for field in item.fields)


async def search_pages(work: StepWork, config: TableConfig, query: str, filters: Filters) -> list[FoundPage]:
    """Return the pages found for a query, best first. Raises StepError when every provider failed."""
    names = config.providers
    found = await search_process().search(query, filters, str(work.run_id), work.tenant_id, names)
    if found.skipped and not found.hits:
        raise build_search_error(found)
    return [
        FoundPage(hit.url, hit.title, hit.published[:10], relevance=relevance, full_text=hit.full_text)
        for hit, relevance in fuse_rankings([found.hits])
        if not config.refusal(hit.url, hit.published, _kind(hit))
    ]


def _kind(hit: SearchHit) -> SourceType | None:
    """Return the type of a hit, or None if it is unknown until the page is read."""
    return None if hit.source_type == SourceType.OTHER else hit.source_type


def filters_of(config: TableConfig) -> Filters:
    first, *others = search_types(config.source_types)
    return Filters(
        first,
        most=max(MIN_RESULTS, OVER_FETCH * config.pages_per_item),
        excluded_domains=frozenset(config.excluded_domains),
        also=tuple(others),
    )
