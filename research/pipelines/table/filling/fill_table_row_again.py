"""The second look for an item whose cells are empty or disputed: in other words, and wherever else there is to look.
One step.

Other words are those that name the same columns, and the item's other names; on the web every service that is set up
may answer. What is found besides is read, and the cells are filled once more from all of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from research.agents.agent_toolbox import FATAL
from research.db.sql_batcher import read_batch
from research.engine.batch_save import BatchSave
from research.engine.pipeline_registry import JsonObject, StepResult, StepWork
from research.engine.states.step_failures import StepError
from research.engine.worker_computing_threads import in_computing_thread
from research.fetching.canonical_urls import canonical_url
from research.library.sources_from_library import FoundPage
from research.llm.model_errors import ModelError
from research.models import LibraryDocument, Source
from research.pipelines.table.filling.fill_table_row import (
    GatheredSources,
    StoredItem,
    build_end,
    build_row_result,
    fill,
    load_items,
)
from research.pipelines.table.filling.load_table_item_texts import load_texts
from research.pipelines.table.finding.table_column_lexicon import synonyms
from research.pipelines.table.gathering.search_library_for_table_item import (
    find_documents_by_passages,
    sources_of,
)
from research.pipelines.table.gathering.search_web_for_table_item import (
    filters_of,
    read_pages,
    search_pages,
)
from research.pipelines.table.gathering.store_table_sources import identify
from research.pipelines.table.gathering.table_item_mentions import other_names
from research.pipelines.table.items.finish_table_row import follow_rows
from research.pipelines.table.items.table_items import AskedItem
from research.search.chosen_search_services import list_configured_services
from research.search.searched_source_kinds import for_named

MAX_QUERIES = 3
MAX_QUERY_LENGTH = 300  # characters


@dataclass(frozen=True, slots=True)
class SecondSearch:
    """A second search for an item: its queries, and further names of the item."""

    stored: StoredItem
    names: Sequence[str]
    queries: Sequence[str]

    @property
    def item(self) -> AskedItem:
        return self.stored.item


async def fill_row_again(work: StepWork) -> StepResult:
    """Search for an item a second time, and fill its open cells from what was found.

    If no provider answers, or the budget does not allow it, the row stays as it was filled. Raises StepError, DiskFull
    and ModelError for what a later try may mend.
    """
    stored = await read_batch(work.tenant_id, load_items, work)
    search = await in_computing_thread(partial(_choose_words, work, stored))
    item = stored.item
    documents = await in_computing_thread(partial(_find_in_library, work, search))
    readings = await read_pages(work, item.config, await _find_on_web(work, search))
    found = [*documents, *(reading.source for reading in readings)]
    told: JsonObject = {
        "item": item.input,
        "columns": [column.name for column in item.fields],
        "queries": list(search.queries),
        "documents": [source.title for source in documents],
        "pages": [reading.told for reading in readings],
    }
    if not found and not search.names:
        return StepResult(told, follow=BatchSave(follow_rows, build_end(work, item)))
    gathered = GatheredSources([*stored.sources, *found], told)
    try:
        filled = await fill(work, item, gathered.sources)
    except ModelError as error:
        if error.code not in FATAL:
            raise
        given_up: JsonObject = {**told, "given_up": error.code.value}
        return StepResult(given_up, follow=BatchSave(follow_rows, build_end(work, item)))
    return await in_computing_thread(partial(build_row_result, work, item, gathered, filled))


def _choose_words(work: StepWork, stored: StoredItem) -> SecondSearch:
    read = load_texts(work.tenant_id, stored.sources)
    names = other_names(stored.item.input, [text.text for text in read.texts])
    return SecondSearch(stored, names, other_queries(stored.item, names))


def other_queries(item: AskedItem, names: Sequence[str]) -> list[str]:
    """Return queries with synonyms of the columns, with the item's other name, and with each column alone."""
    titles = [field.title for field in item.fields]
    words = [word for title in titles for word in _other_words(title)]
    queries = [f"{item.input} {' '.join(words)}"] if words else []
    queries += [f"{name} {' '.join(titles)}" for name in names[:1]]
    queries += [f"{item.input} {title}" for title in titles]
    return list(dict.fromkeys(query[:MAX_QUERY_LENGTH] for query in queries))[:MAX_QUERIES]


def _other_words(title: str) -> list[str]:
    found = [other for word in title.split() for other in synonyms(word)]
    return list(dict.fromkeys(found))[:3]


def _find_in_library(work: StepWork, search: SecondSearch) -> list[Source]:
    item = search.item
    if not item.config.uses_library:
        return []
    known = [source.library_document_id for source in search.stored.sources if source.library_document_id]
    documents = dict[UUID, LibraryDocument]()
    for query in search.queries:
        for document in find_documents_by_passages(work, item, query, known, search.names):
            documents.setdefault(document.pk, document)
    found = sources_of(work, list(documents.values())[: item.config.pages_per_item])
    return [identify(source, work.tenant_id) for source in found]


async def _find_on_web(work: StepWork, search: SecondSearch) -> list[FoundPage]:
    """Return new pages from the web, at most as many as the first try reads."""
    config = search.item.config
    if not config.uses_web or not list_configured_services():
        return []
    known = {canonical_url(source.url) for source in search.stored.sources if source.url}
    found: dict[str, FoundPage] = {}
    for query in search.queries:
        try:
            pages = await search_pages(work, config, query, for_named(filters_of(config)))
        except StepError:
            continue
        for page in pages:
            found.setdefault(canonical_url(page.url), page)
        if len(found.keys() - known) >= config.pages_per_item:
            break
    new = [page for address, page in found.items() if address not in known]
    return new[: config.pages_per_item]
