"""An item as its steps see it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from research.db.bulk_sql import open_prepared_cursor
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
ITEM = """
SELECT item.id, item.input, item.wanted, item.sources, item.result, run.config::text, run.result ->> 'engine',
    run.items_total,
    coalesce((
        SELECT sum(upper(span) - lower(span)) FROM unnest((
            SELECT range_agg(tstzrange(step.started_at, greatest(step.started_at, step.completed_at)))
            FROM research_step own JOIN research_step step
                ON step.tenant_id = own.tenant_id AND step.parent_id = own.parent_id
            WHERE own.id = %(step)s AND step.status IN ('completed', 'failed')
        )) AS span
    ) > %(limit)s * interval '1 second', false),
    ARRAY(SELECT source.id || ' ' || source.xmin FROM research_source source
        WHERE source.id IN (SELECT named::uuid FROM jsonb_array_elements_text(item.sources) AS named)
        ORDER BY source.id)
FROM research_item item JOIN research_run run ON run.id = item.run_id
WHERE item.run_id = %(run)s AND item.index = %(index)s
"""


def read_item(work: StepWork) -> AskedItem:
    """Needs the tenant set. Raises Item.DoesNotExist, and StepError for an item that was worked on for longer than its
    limit before its cells were filled for the first time.
    """
    again = columns_again(work)
    index = int(str(work.input["item"]))
    with open_prepared_cursor() as cursor:
        cursor.execute(
            ITEM, {"run": work.run_id, "index": index, "step": work.step_id, "limit": ITEM_LIMIT_S}
        )
        row = cursor.fetchone()
    if row is None:
        raise Item.DoesNotExist
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


STATUS = """
SELECT item.status, run.config::text FROM research_run run
    LEFT JOIN research_item item ON item.run_id = run.id AND item.index = %(index)s
WHERE run.id = %(run)s
"""


def status_and_config(run_id: UUID, index: int) -> tuple[str | None, TableConfig]:
    """Return an item's status, None if the item is gone, and the configuration of its table.

    Needs the tenant set. Raises Run.DoesNotExist.
    """
    with open_prepared_cursor() as cursor:
        cursor.execute(STATUS, {"run": run_id, "index": index})
        row = cursor.fetchone()
    if row is None:
        raise Run.DoesNotExist
    return row[0], _config(row[1])


@lru_cache(maxsize=32)
def _config(stored: str) -> TableConfig:
    """All items of a run have the same one."""
    return TableConfig.model_validate_json(stored)
