"""A row of a table, from its item to its cited cells. One step.

library → web search → its pages, all at once → a model, or rules → the row with its sources, claims and citations

Nothing is stored in between. What must not be done twice is kept outside the step: results of searches in their cache,
pages in the page store, their texts in the library, the model's answers in the call store. A step that is killed starts
over and finds them.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from uuid import UUID
from weakref import WeakKeyDictionary

from research.db.sql_batcher import read_batch
from research.db.tenancy import in_thread, tenant_context
from research.engine.batch_save import BatchSave
from research.engine.pipeline_registry import Json, JsonObject, StepResult, StepWork
from research.engine.states.step_failures import StepError
from research.engine.worker_computing_threads import in_computing_thread
from research.library.sources_from_library import FoundPage
from research.llm.budgets.budget_status import CRITICAL_BELOW, status_of
from research.models import Item, ItemStatus, Source
from research.pipelines.table.filling.build_table_cell_rows import build_cell_rows
from research.pipelines.table.filling.fill_table_cells_by_model import fill_by_model
from research.pipelines.table.filling.fill_table_cells_by_rules import FilledItem, fill_by_rules
from research.pipelines.table.filling.load_table_item_texts import ReadSources, find_sources, load_texts
from research.pipelines.table.filling.store_table_cells import ItemRow, store_rows
from research.pipelines.table.finding.found_table_values import FoundCell
from research.pipelines.table.gathering.search_library_for_table_item import (
    find_missing_pages,
    search_library,
)
from research.pipelines.table.gathering.search_web_for_table_item import query_for, read_pages, search_web
from research.pipelines.table.items.finish_table_row import RowEnd, follow_rows
from research.pipelines.table.items.table_items import AskedItem, read_items
from research.pipelines.table.table_config import ITEM_LIMIT_S, TableConfig
from research.search.chosen_search_services import list_configured_services

OVERDUE = f"It exceeded the time limit for an item ({ITEM_LIMIT_S} s)."


@dataclass(frozen=True, slots=True)
class StoredItem:
    """An item as its row is when a step begins. `missing`: pages to read that the library has no copy of."""

    item: AskedItem
    sources: tuple[Source, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GatheredSources:
    """The sources of an item, read or not, those that it had before first, and what the run's log tells of them."""

    sources: Sequence[Source]
    told: JsonObject = field(default_factory=dict)


async def fill_row(work: StepWork) -> StepResult:
    """Fill a row.

    Raises StepError, DiskFull and ModelError for what a later try may mend, and StepError if the sources are not found
    and read in time.
    """
    stored = await read_batch(work.tenant_id, load_items, work)
    try:
        async with asyncio.timeout(ITEM_LIMIT_S):
            gathered = await _gather_sources(work, stored)
    except TimeoutError:
        raise StepError("TIMEOUT", OVERDUE, retryable=False) from None
    filled = await fill(work, stored.item, gathered.sources)
    return await in_thread(partial(build_row_result, work, stored.item, gathered, filled))


def load_items(works: Sequence[StepWork]) -> list[StoredItem]:
    """Return the items of these steps with their sources. Needs the tenant set. Raises Item.DoesNotExist."""
    items = read_items(works)
    sources = {source.pk: source for source in find_sources([pk for item in items for pk in item.sources])}
    return [
        StoredItem(
            item,
            tuple(sources[pk] for pk in item.sources if pk in sources),
            tuple(find_missing_pages(item)) if item.config.uses_web else (),
        )
        for item in items
    ]


async def _gather_sources(work: StepWork, stored: StoredItem) -> GatheredSources:
    item, config, told = stored.item, stored.item.config, dict[str, Json]()
    documents, found = list[Source](), list[FoundPage]()
    async with _turn_to_search(item):
        if begins_in_library(config):
            documents = await in_computing_thread(partial(search_library, work, item))
            told["documents"] = [source.title for source in documents]
        if config.uses_web and (stored.missing or len(documents) < config.pages_per_item):
            known = [source for source in (*stored.sources, *documents) if source.content_id]
            found = await search_web(work, item, stored.missing, len(known))
            told["query"] = query_for(item)
    readings = await read_pages(work, config, found)
    told["pages"] = [reading.told for reading in readings]
    read = [reading.source for reading in readings]
    return GatheredSources([*stored.sources, *documents, *read], told)


def begins_in_library(config: TableConfig) -> bool:
    """Return True if the library is searched before the web: what it has need not be fetched."""
    return bool(config.uses_library or config.must_read or config.documents)


# Each run has its own event loop.
_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()
LONGEST_TURN_S = 60  # after which a row no longer waits for others, whose search services are slow


@asynccontextmanager
async def _turn_to_search(item: AskedItem) -> AsyncIterator[None]:
    """Wait until the item may be searched for.

    The first rows that ask a model are searched for alone, and the next ones when these are: otherwise all that are
    open would compete for the processor, and be searched for before the model is asked about any.
    """
    turns = _turns.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(item.config.concurrency))
    is_held = False
    if item.is_by_model:
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_TURN_S):
                is_held = await turns.acquire()
    try:
        yield
    finally:
        if is_held:
            turns.release()


async def fill(work: StepWork, item: AskedItem, sources: Sequence[Source]) -> FilledItem | ReadSources:
    """Fill the cells from these sources, or return these where some were found and none could be read.

    Raises ModelError for a failure that a later try may mend.
    """
    read = await in_thread(partial(load_texts, work.tenant_id, sources))
    if read.could_not_be_read and not item.is_again:
        return read
    if item.is_by_model:
        return await fill_by_model(work, item, read)
    return await in_computing_thread(partial(fill_by_rules, work, item, read))


def build_row_result(
    work: StepWork, item: AskedItem, gathered: GatheredSources, filled: FilledItem | ReadSources
) -> StepResult:
    """Return the result of a step that filled a row, or found sources that could not be read."""
    told: JsonObject = {"item": item.input, **gathered.told}
    if isinstance(filled, ReadSources):
        code, message = failure = describe_unread(filled)
        return StepResult(
            {**told, "code": code, "message": message},
            save=BatchSave(store_rows, ItemRow(work.run_id, item, (), gathered.sources, is_filled=False)),
            follow=BatchSave(follow_rows, build_end(work, item, failure=failure)),
        )
    if item.is_again:
        filled = replace(filled, cells=tuple(cell for cell in filled.cells if cell.value is not None))
    again = () if item.is_again else columns_to_try_again(work, item, filled.cells)
    cells = build_cell_rows(item, filled.cells, filled.read, lessened=filled.lessened)
    states = Counter[str](cell.stored.state for cell in cells)
    return StepResult(
        {**told, "cells": dict(states), **filled.note},
        save=BatchSave(store_rows, ItemRow(work.run_id, item, cells, gathered.sources)),
        follow=BatchSave(follow_rows, build_end(work, item, second_look=again)),
        usage=filled.usage,
        activity=f"Row {item.number}: “{item.input}”"[:300],
    )


def build_end(
    work: StepWork, item: AskedItem, *, failure: tuple[str, str] = ("", ""), second_look: tuple[str, ...] = ()
) -> RowEnd:
    return RowEnd(work.run_id, item.index, item.input, int(str(work.input["try"])), failure, second_look)


def describe_unread(read: ReadSources) -> tuple[str, str]:
    """Return the code and the words with which a row fails, which is not the same as an empty row."""
    first, count = read.failed[0], len(read.failed)
    said = "Its only source could" if count == 1 else f"None of its {count} sources could"
    message = f"{said} {'not ' if count == 1 else ''}be read. {first.error_message}".strip()
    return "EXTRACTION_FAILED", message


def columns_to_try_again(work: StepWork, item: AskedItem, cells: Sequence[FoundCell]) -> tuple[str, ...]:
    """The empty and the disputed ones, where there are a place to look for them and the means."""
    can_search = item.config.uses_library or (item.config.uses_web and list_configured_services())
    wanted = tuple(cell.field.name for cell in cells if cell.value is None or cell.is_disputed)
    if not (wanted and can_search):
        return ()
    with tenant_context(work.tenant_id):
        return wanted if _has_means(work.run_id, item) else ()


def _has_means(run_id: UUID, item: AskedItem) -> bool:
    """Return True if enough is left for the first try of all rows that wait."""
    if not item.is_by_model:
        return True
    left = status_of(run_id)
    rows = Item.objects.filter(run=run_id)
    waiting = rows.filter(status=ItemStatus.PENDING).count()
    return min(left.tokens.share, left.cost.share) > waiting / rows.count() + CRITICAL_BELOW
