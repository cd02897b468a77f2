"""The second look for an item whose cells are empty or disputed: in other words, and wherever else there is to look.

Other words are those that name the same columns, and the item's other names; on the web every service that is set up
may answer. What is found besides is read, and the cells are filled once more from all of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from research.db.tenancy import in_tenant, in_thread
from research.engine.batch_save import BatchSave
from research.engine.pipeline_registry import Following, StepResult, StepWork
from research.engine.states.step_failures import StepError
from research.fetching.canonical_urls import canonical_url
from research.library.rate_library_source import judge_with
from research.library.sources_from_library import FoundPage
from research.models import LibraryDocument, Source
from research.pipelines.table.filling.load_table_item_texts import ReadSources, read_sources
from research.pipelines.table.finding.table_column_lexicon import synonyms
from research.pipelines.table.gathering.search_library_for_table_item import (
    GatheredSources,
    find_documents_by_passages,
    sources_of,
)
from research.pipelines.table.gathering.search_web_for_table_item import (
    TO_READ,
    filters_of,
    follow_searched,
    search_pages,
    source_of,
)
from research.pipelines.table.gathering.table_item_mentions import other_names
from research.pipelines.table.items.table_item_steps import build_filling_step, fetch_step
from research.pipelines.table.items.table_items import AskedItem, columns_again, read_item
from research.search.chosen_search_services import list_configured_services
from research.search.searched_source_kinds import for_named

MAX_QUERIES = 3
MAX_QUERY_LENGTH = 300  # characters


@dataclass(frozen=True, slots=True)
class KnownItem:
    """An item with what was read for it so far."""

    item: AskedItem
    read: ReadSources
    addresses: frozenset[str]  # of all its sources, read or not
    documents: tuple[UUID, ...]

    @property
    def names(self) -> list[str]:
        return other_names(self.item.input, [text.text for text in self.read.texts])


async def search_again(work: StepWork) -> StepResult:
    """Search for an item a second time. If no provider answers, the row stays as it was filled."""
    known = await in_tenant(work.tenant_id, lambda: _load_known_item(work))
    item, names = known.item, known.names
    queries = other_queries(item, names)
    rows = await _find_in_library(work, known, queries, names) if item.config.uses_library else []
    pages = await _find_on_web(work, known, queries)
    rows += await in_tenant(work.tenant_id, lambda: _rows_of(work, item, pages))
    name, columns = str(work.input["name"]), columns_again(work)
    has_other_names = bool(names)

    def then(found: Sequence[Source]) -> Following:
        if not found and not has_other_names:
            return Following()
        to_read = [source for source in found if source.status in TO_READ]
        fetches = [fetch_step(name, item.index, source.pk, source.url) for source in to_read]
        return Following(
            fetches, build_filling_step(item.index, name, by_model=item.is_by_model, again=columns)
        )

    return StepResult(
        {
            "item": item.input,
            "columns": list(columns),
            "queries": queries,
            "found": [row.title or row.url for row in rows],
        },
        follow=BatchSave(follow_searched, GatheredSources(work, item, rows, then)),
        activity=f"Looking again for “{item.input}”"[:300],
    )


def _rows_of(work: StepWork, item: AskedItem, pages: Sequence[FoundPage]) -> list[Source]:
    judge = judge_with(item.config.recency_bias)
    return [source_of(work, page, judge) for page in pages]


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


def _load_known_item(work: StepWork) -> KnownItem:
    item = read_item(work)
    rows = Source.objects.filter(pk__in=item.sources)
    documents = rows.exclude(library_document=None).values_list("library_document", flat=True)
    return KnownItem(
        item,
        read_sources([item])[0],
        frozenset(canonical_url(url) for url in rows.values_list("url", flat=True) if url),
        tuple(documents),
    )


async def _find_in_library(
    work: StepWork, known: KnownItem, queries: Sequence[str], names: Sequence[str]
) -> list[Source]:
    def look() -> list[Source]:
        documents_by_id = dict[UUID, LibraryDocument]()
        for query in queries:
            for document in find_documents_by_passages(work, known.item, query, known.documents, names):
                documents_by_id.setdefault(document.pk, document)
        return sources_of(work, list(documents_by_id.values())[: known.item.config.pages_per_item])

    return await in_thread(look)


async def _find_on_web(work: StepWork, known: KnownItem, queries: Sequence[str]) -> list[FoundPage]:
    """Return new pages from the web, at most as many as the first try reads."""
    config = known.item.config
    if not config.uses_web or not list_configured_services():
        return []
    found: dict[str, FoundPage] = {}
    for query in queries:
        try:
            pages = await search_pages(work, config, query, for_named(filters_of(config)))
        except StepError:
            continue
        for page in pages:
            found.setdefault(canonical_url(page.url), page)
        if len(found.keys() - known.addresses) >= config.pages_per_item:
            break
    new = [page for address, page in found.items() if address not in known.addresses]
    return new[: config.pages_per_item]
