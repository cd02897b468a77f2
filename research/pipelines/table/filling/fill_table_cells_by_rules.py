"""An item's cells by rules: values are found in the sources' own words."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from uuid import UUID

from research.db.bulk_sql import open_prepared_cursor
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.engine.states.step_failures import StepError
from research.pipelines.table.filling.load_table_item_texts import ReadSources, read_sources
from research.pipelines.table.filling.store_table_cells import FilledItem, build_row_result
from research.pipelines.table.finding import find_cells
from research.pipelines.table.finding.found_table_values import FoundCell
from research.pipelines.table.gathering.table_item_mentions import other_names
from research.pipelines.table.items.table_items import AskedItem, read_item


def find_values(work: StepWork) -> StepResult:
    """Raises StepError where sources were found, but none of them could be read."""
    with tenant_context(work.tenant_id):
        item = read_item(work)
        [read] = read_sources([item])
    if not item.is_again:
        check_readable(read)
    cells = tuple(find_by_rules(work, item, read))
    is_instead = bool(work.input.get("instead"))
    lessened = frozenset(field.name for field in item.fields) if is_instead else frozenset[str]()
    return build_row_result(work, FilledItem(item, cells, read, lessened=lessened))


def find_by_rules(work: StepWork, item: AskedItem, read: ReadSources) -> list[FoundCell]:
    """Return a cell for each column of the item, in their order."""
    with tenant_context(work.tenant_id):
        others = _find_other_items(work.run_id, item, read)
    find = _find_by_any_name if item.is_again else _find_by_name
    return find(item, read, others)


ITEMS = "SELECT index, input FROM research_item WHERE run_id = %s ORDER BY index"
TABLES_KEPT = 8
_WORD = re.compile(r"\w+")


def _find_other_items(run_id: UUID, item: AskedItem, read: ReadSources) -> list[str]:
    """Return the other rows of the table whose names may stand in what was read: their first word does."""
    if not read.texts:
        return []
    names = _load_names(run_id, item.of_items)
    words = frozenset[str]().union(*(text.prose_words for text in read.texts))
    found = sorted(row for word in words for row in names.get(word, ()))
    return [name for index, name in found if index != item.index]


@lru_cache(TABLES_KEPT)
def _load_names(run_id: UUID, count: int) -> Mapping[str, Sequence[tuple[int, str]]]:
    """Return the rows of the table with their indexes, by the first words of their names. Needs the tenant set.

    Its rows keep their names, so that they are loaded once, and again when their `count` has changed.
    """
    with open_prepared_cursor() as cursor:
        cursor.execute(ITEMS, [run_id])
        rows = cursor.fetchall()
    names: dict[str, list[tuple[int, str]]] = {}
    for index, name in rows:
        if (first := _WORD.search(name)) is not None:
            names.setdefault(first[0], []).append((index, name))
    return names


def _find_by_name(item: AskedItem, read: ReadSources, others: Sequence[str]) -> list[FoundCell]:
    return find_cells(item.input, item.fields, read.texts, others)


def _find_by_any_name(item: AskedItem, read: ReadSources, others: Sequence[str]) -> list[FoundCell]:
    """Find the cells of an item by its own name, and missing ones by its other names."""
    cells = _find_by_name(item, read, others)
    for name in other_names(item.input, [text.text for text in read.texts]):
        further = find_cells(name, item.fields, read.texts, others)
        cells = [
            other if cell.value is None and other.value is not None else cell
            for cell, other in zip(cells, further, strict=True)
        ]
    return cells


def check_readable(read: ReadSources) -> None:
    """Raises StepError: the item has failed, which is not the same as an empty row."""
    if read.could_not_be_read:
        first, count = read.failed[0], len(read.failed)
        said = "Its only source could" if count == 1 else f"None of its {count} sources could"
        message = f"{said} {'not ' if count == 1 else ''}be read. {first.error_message}".strip()
        raise StepError("EXTRACTION_FAILED", message, retryable=False)
