"""An item as its steps see it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from research.db.bulk_sql import open_prepared_cursor, texts
from research.engine.pipeline_registry import StepWork
from research.models import Item, Run
from research.pipelines.common.pipeline_input_values import require_list
from research.pipelines.table.table_columns import TableField
from research.pipelines.table.table_config import TableConfig, prompt_for
from research.pipelines.table.table_engine import Engine


@dataclass(frozen=True, slots=True)
class AskedItem:
    """A row with the fields that it still wants."""

    pk: UUID
    index: int  # from 0
    input: str
    config: TableConfig
    fields: tuple[TableField, ...]
    sources: tuple[UUID, ...]
    result: Mapping[str, object]  # its cells so far: no other step changes them
    is_by_model: bool  # that its cells are filled
    is_again: bool = False  # the fields were empty or disputed, and are filled a second time
    of_items: int = 0  # rows of the table

    @property
    def number(self) -> int:
        """The number shown to readers, from 1."""
        return self.index + 1

    @property
    def prompt(self) -> str:
        return prompt_for(self.config.template, self.input)


ITEMS = """
SELECT item.id, item.input, item.wanted, item.sources, item.result, run.config::text, run.result ->> 'engine',
    run.items_total
FROM unnest(%(runs)s::uuid[], %(indexes)s::int[]) WITH ORDINALITY AS asked(run, index, place)
    JOIN research_item item ON item.run_id = asked.run AND item.index = asked.index
    JOIN research_run run ON run.id = item.run_id
ORDER BY asked.place
"""


def read_items(works: Sequence[StepWork]) -> list[AskedItem]:
    """Return the items of these steps. Needs the tenant set. Raises Item.DoesNotExist."""
    places: dict[str, list[UUID] | list[str | None]] = {
        "runs": [work.run_id for work in works],
        "indexes": texts(work.input["item"] for work in works),
    }
    with open_prepared_cursor() as cursor:
        cursor.execute(ITEMS, places)
        rows = cursor.fetchall()
    if len(rows) < len(works):
        raise Item.DoesNotExist
    return [_asked_item(work, row) for work, row in zip(works, rows, strict=True)]


def _asked_item(work: StepWork, row: Sequence[Any]) -> AskedItem:
    again, index = columns_again(work), int(str(work.input["item"]))
    pk, text, wanted, sources, result, config_text, engine, total = row
    config, names = _config(config_text), frozenset(again or json.loads(wanted))
    return AskedItem(
        pk=pk,
        index=index,
        input=text,
        config=config,
        fields=tuple(field for field in config.fields if field.name in names),
        sources=tuple(map(UUID, json.loads(sources))),
        result=json.loads(result or "{}"),
        is_by_model=engine == Engine.MODEL,
        is_again=bool(again),
        of_items=total,
    )


def columns_again(work: StepWork) -> tuple[str, ...]:
    """The names of the columns that the step fills a second time; none in a first try."""
    return tuple(str(name) for name in require_list(work.input.get("again", [])))


def config_of(run_id: UUID) -> TableConfig:
    """Needs the tenant set. Raises Run.DoesNotExist."""
    with open_prepared_cursor() as cursor:
        cursor.execute("SELECT config::text FROM research_run WHERE id = %s", [run_id])
        row = cursor.fetchone()
    if row is None:
        raise Run.DoesNotExist
    return _config(row[0])


@lru_cache(maxsize=32)
def _config(stored: str) -> TableConfig:
    """All items of a run have the same one."""
    return TableConfig.model_validate_json(stored)
