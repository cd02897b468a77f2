"""An item as its steps see it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from research.db.bulk_sql import open_prepared_cursor, texts
from research.engine.pipeline_registry import StepWork
from research.engine.states.step_failures import StepError
from research.models import Item, Run
from research.pipelines.common.pipeline_input_values import require_list
from research.pipelines.table.table_columns import TableField
from research.pipelines.table.table_config import ITEM_LIMIT_S, TableConfig, prompt_for
from research.pipelines.table.table_engine import Engine

OVERDUE = f"It exceeded the time limit for an item ({ITEM_LIMIT_S} s)."


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
    sources_as_of: tuple[str, ...] = ()  # their rows' versions: the same, and nothing of them has changed

    @property
    def number(self) -> int:
        """The number shown to readers, from 1."""
        return self.index + 1

    @property
    def prompt(self) -> str:
        return prompt_for(self.config.template, self.input)


# The limit counts the time for which somebody worked on the item, not that in which its steps only waited, because the
# machine was off or the run paused. The steps of one way have one parent, the step that waits for their end.
ITEMS = """
SELECT item.id, item.input, item.wanted, item.sources, item.result, run.config::text, run.result ->> 'engine',
    run.items_total,
    coalesce((
        SELECT sum(upper(span) - lower(span)) FROM unnest((
            SELECT range_agg(tstzrange(step.started_at, greatest(step.started_at, step.completed_at)))
            FROM research_step own JOIN research_step step
                ON step.tenant_id = own.tenant_id AND step.parent_id = own.parent_id
            WHERE own.id = asked.step AND step.status IN ('completed', 'failed')
        )) AS span
    ) > %(limit)s * interval '1 second', false),
    ARRAY(SELECT source.id || ' ' || source.xmin FROM research_source source
        WHERE source.id IN (SELECT named::uuid FROM jsonb_array_elements_text(item.sources) AS named)
        ORDER BY source.id)
FROM unnest(%(runs)s::uuid[], %(indexes)s::int[], %(steps)s::uuid[]) WITH ORDINALITY AS asked(run, index, step, place)
    JOIN research_item item ON item.run_id = asked.run AND item.index = asked.index
    JOIN research_run run ON run.id = item.run_id
ORDER BY asked.place
"""


def read_item(work: StepWork) -> AskedItem:
    """Return the item of one step, as `read_items` does."""
    return read_items([work])[0]


def read_items(works: Sequence[StepWork]) -> list[AskedItem]:
    """Return the items of these steps. Needs the tenant set.

    Raises Item.DoesNotExist, and StepError for an item that was worked on for longer than its limit before its cells
    were filled for the first time.
    """
    with open_prepared_cursor() as cursor:
        cursor.execute(ITEMS, {**_places_of(works), "limit": ITEM_LIMIT_S})
        rows = cursor.fetchall()
    if len(rows) < len(works):
        raise Item.DoesNotExist
    return [_asked_item(work, row) for work, row in zip(works, rows, strict=True)]


def _places_of(works: Sequence[StepWork]) -> dict[str, list[UUID] | list[str | None]]:
    return {
        "runs": [work.run_id for work in works],
        "indexes": texts(work.input["item"] for work in works),
        "steps": [work.step_id for work in works],
    }


def _asked_item(work: StepWork, row: Sequence[Any]) -> AskedItem:
    again, index = columns_again(work), int(str(work.input["item"]))
    pk, text, wanted, sources, result, config_text, engine, total, is_overdue, as_of = row
    if is_overdue and not again:
        raise StepError("TIMEOUT", OVERDUE, retryable=False)
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
        sources_as_of=tuple(as_of),
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


STATUSES = """
SELECT item.status, run.config::text
FROM unnest(%(runs)s::uuid[], %(indexes)s::int[]) WITH ORDINALITY AS asked(run, index, place)
    JOIN research_run run ON run.id = asked.run
    LEFT JOIN research_item item ON item.run_id = run.id AND item.index = asked.index
ORDER BY asked.place
"""


def statuses_and_configs(works: Sequence[StepWork]) -> list[tuple[str | None, TableConfig]]:
    """Return for the item of each step its status, None if it is gone, and the configuration of its table.

    Needs the tenant set. Raises Run.DoesNotExist.
    """
    with open_prepared_cursor() as cursor:
        cursor.execute(STATUSES, _places_of(works))
        rows = cursor.fetchall()
    if len(rows) < len(works):
        raise Run.DoesNotExist
    return [(status, _config(config)) for status, config in rows]


@lru_cache(maxsize=32)
def _config(stored: str) -> TableConfig:
    """All items of a run have the same one."""
    return TableConfig.model_validate_json(stored)
