"""Looking for one item on the web: one search, its best pages, each fetched and read by steps of its own."""

import asyncio
from collections.abc import Sequence

from django.db.models import F

from research.db.sql_batcher import read_batch, read_together
from research.db.tenancy import in_tenant
from research.engine.batch_save import BatchSave
from research.engine.pipeline_registry import Following, StepResult, StepWork
from research.fetching.canonical_urls import canonical_url
from research.fetching.get_web_page import find_usable_copy
from research.library.rate_library_source import Judge, judge_with
from research.library.sources_from_library import FoundPage, page_row
from research.models import Run, Source, SourceStatus, SourceType
from research.pipelines.report.collecting.collect_report_sources_from_web import build_search_error
from research.pipelines.table.gathering.fetch_table_item_pages import as_kept
from research.pipelines.table.gathering.search_library_for_table_item import (
    GatheredSources,
    add_sources,
    find_missing_pages,
    follow_gathered,
)
from research.pipelines.table.items.table_item_steps import build_filling_step, fetch_step
from research.pipelines.table.items.table_items import AskedItem, read_items
from research.pipelines.table.table_config import TableConfig
from research.search.chosen_search_services import list_configured_services
from research.search.search_process import search_process
from research.search.search_protocol import Filters, SearchHit, fuse_rankings
from research.search.searched_source_kinds import search_types

OVER_FETCH = 2  # results asked for, for each page that is wanted: some are refused or can't be read
MIN_RESULTS = 5
TO_READ = frozenset({SourceStatus.PENDING, SourceStatus.FETCHING, SourceStatus.FAILED})


async def search_web(work: StepWork) -> StepResult:
    """Search the web for one item. Raises StepError when every provider failed."""
    item, judge, given = await read_batch(work.tenant_id, _load_search_contexts, work)
    query, name = query_for(item), str(work.input["name"])
    room = max(0 if given else 1, item.config.pages_per_item - len(item.sources))
    found = (
        await search_pages(work, item.config, query, filters_of(item.config))
        if room and list_configured_services()
        else []
    )
    pages = select_pages_to_read(given, found, room)
    rows, copies = await asyncio.gather(
        read_together(work.tenant_id, lambda: [new_source(work, page, judge) for page in pages]),
        asyncio.gather(*(find_usable_copy(work.tenant_id, page.url) for page in pages)),
    )
    if any(copies):  # whether their bytes still exist may have to be asked of another machine
        rows = await in_tenant(work.tenant_id, lambda: [source_of(work, page, judge) for page in pages])

    def then(found: Sequence[Source]) -> Following:
        """Return the steps that fetch the pages; a page that another item is reading at the moment is read again."""
        fetches = [
            fetch_step(name, item.index, source.pk, source.url)
            for source in found
            if source.status in TO_READ
        ]
        return Following(fetches, build_filling_step(item.index, name, by_model=item.is_by_model))

    return StepResult(
        {
            "query": query,
            "pages": [page.url for page in pages],
            "kept": [row.url for row in rows if row.status == SourceStatus.PROCESSED],
        },
        follow=BatchSave(follow_searched, GatheredSources(work, item, rows, then)),
        activity=f"Searching the web for “{item.input}”"[:300],
    )


def select_pages_to_read(given: Sequence[str], found: Sequence[FoundPage], room: int) -> list[FoundPage]:
    """Return the pages that must be read, then the best others of those that a search found, at most `room`."""
    known = set(map(canonical_url, given))
    others = [page for page in found if canonical_url(page.url) not in known]
    return [*(FoundPage(url, must_read=True) for url in given), *others[:room]]


def source_of(work: StepWork, page: FoundPage, judge: Judge) -> Source:
    """Build an unsaved source for a page, with its text if the workspace has cached the page."""
    return as_kept(page_row(work.run_id, page, judge.rules), judge) or new_source(work, page, judge)


def new_source(work: StepWork, page: FoundPage, judge: Judge) -> Source:
    """Build an unsaved source for a page that is not read yet."""
    return judge.weigh(page_row(work.run_id, page, judge.rules))


def follow_searched(batch: Sequence[GatheredSources]) -> list[Sequence[Following]]:
    """Store the pages of items of one run and return what follows for each. Needs the run's row locked."""
    stored = add_sources(batch)
    kept = {row.pk for sources in batch for row in sources.rows if row.status == SourceStatus.PROCESSED}
    if read := len(kept & {row.pk for theirs in stored for row in theirs}):
        run = Run.objects.filter(pk=batch[0].work.run_id)
        run.update(sources_processed=F("sources_processed") + read)
    return follow_gathered(batch, stored)


def _load_search_contexts(works: Sequence[StepWork]) -> list[tuple[AskedItem, Judge, list[str]]]:
    return [
        (item, judge_with(item.config.recency_bias), find_missing_pages(item)) for item in read_items(works)
    ]


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
