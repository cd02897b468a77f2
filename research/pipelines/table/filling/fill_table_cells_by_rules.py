"""An item's cells by rules: values are found in the sources' own words."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from uuid import UUID

from research.db.bulk_sql import open_prepared_cursor
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import JsonObject, StepUsage, StepWork
from research.pipelines.table.filling.load_table_item_texts import ReadSources
from research.pipelines.table.finding import find_cells
from research.pipelines.table.finding.found_table_values import FoundCell
from research.pipelines.table.gathering.table_item_mentions import other_names
from research.pipelines.table.items.table_items import AskedItem


@dataclass(frozen=True, slots=True)
class FilledItem:
    """The cells found in an item's sources, field by field. `lessened`: columns that rules filled for a model."""

    cells: tuple[FoundCell, ...]
    read: ReadSources
    note: JsonObject = field(default_factory=dict)  # for the step's output
    usage: StepUsage = StepUsage()
    lessened: frozenset[str] = frozenset()


def fill_by_rules(
    work: StepWork, item: AskedItem, read: ReadSources, *, is_instead: bool = False
) -> FilledItem:
    """Fill an item's cells. `is_instead` of a model that failed: what is found is trusted less."""
    lessened = frozenset(column.name for column in item.fields) if is_instead else frozenset[str]()
    return FilledItem(tuple(find_by_rules(work, item, read)), read, lessened=lessened)


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
