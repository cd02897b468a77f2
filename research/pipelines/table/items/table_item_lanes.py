"""Items one after the other in lanes: as many at once as the run may have, and the next one when one has ended.

The first items have as many lanes as calls of a model may be made at once; each opens further ones when it has been
searched for. All lanes at once would compete for the processor, so that every item were searched for before the model
is asked about any.

Which item is next is decided in the transaction that ends the one before, so that none is left out or done twice. A
lane whose worker dies is taken up again with its step; one that is lost all the same leaves open items, and the state
is tried again for them.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from math import ceil
from uuid import UUID

from django.db import connection
from django.db.models import F, Q
from django.db.models.functions import Greatest, Now

from research.db.tenancy import tenant_context
from research.engine.lease_timing import RUN_LIMIT_S
from research.engine.pipeline_registry import Following, StepDraft, StepResult, StepWork
from research.engine.states.state_exit_conditions import TIME_RUNS_OUT
from research.models import AgentRole, Item, ItemStatus, Run, Source
from research.pipelines.common.choose_rules_or_model import Engine
from research.pipelines.table.items.table_item_steps import begins_in_library, first_step
from research.pipelines.table.items.table_items import config_of
from research.pipelines.table.table_config import TableConfig
from research.pipelines.table.table_engine import engine_of
from research.pipelines.table.table_step_names import TableStepName

# While some items search and read, others ask the model: it alone is what `concurrency` counts then.
OPEN_FOR_EACH_CALL = 4
# Seconds of a table's time limit for a row, four times what one usually takes.
ROW_S = 120


def lane_drafts(run: Run) -> Iterator[StepDraft]:
    """One step opens them all. What a worker had in hand when the state was left counts as open again."""
    Item.objects.filter(run=run, status=ItemStatus.RUNNING).update(status=ItemStatus.PENDING)
    waiting = Item.objects.filter(run=run, status=ItemStatus.PENDING, is_held=False).count()
    if lanes := min(waiting, lanes_of(run)):
        _allow_time(run, ceil(waiting / lanes) * ROW_S)
        yield StepDraft("lanes", TableStepName.OPEN_LANES, AgentRole.ORCHESTRATOR, input={"lanes": lanes})


def _allow_time(run: Run, seconds: int) -> None:
    """Move the limits of the state and of the run, if the rows take longer than these allow."""
    after = timedelta(seconds=seconds)
    until = F("state_entered_at") + after / TIME_RUNS_OUT
    Run.objects.filter(pk=run.pk).update(
        state_deadline=Greatest("state_deadline", until),
        deadline=Greatest("deadline", until + timedelta(seconds=RUN_LIMIT_S / 2)),
    )


def lanes_of(run: Run) -> int:
    wanted = TableConfig.model_validate(run.config).concurrency
    return wanted * OPEN_FOR_EACH_CALL if engine_of(run) is Engine.MODEL else wanted


def open_lanes(work: StepWork) -> StepResult:
    lanes = int(str(work.input.get("lanes", 1)))
    with tenant_context(work.tenant_id):
        config = config_of(work.run_id)
    opens, in_library = distribute_lanes(lanes, config.concurrency), begins_in_library(config)
    return StepResult(follow=lambda: next_items(work.run_id, in_library=in_library, opens=opens))


def distribute_lanes(lanes: int, at_first: int) -> list[int]:
    """Return for each of the first lanes how many further ones it opens."""
    first = min(lanes, at_first)
    return [(lanes - 1 - place) // first for place in range(first)]


def next_items(run_id: UUID, *, in_library: bool, opens: Sequence[int]) -> list[Following]:
    """Take an item for each of `opens`, the number of lanes that it opens, as far as there are any, in their order.
    Needs the run's row locked.
    """
    if not opens:
        return []
    with connection.cursor() as cursor:
        cursor.execute(TAKE, {"run": run_id, "most": len(opens)})
        taken = sorted(row[0] for row in cursor.fetchall())
    return [
        item_steps(index, in_library=in_library, opens=more)
        for index, more in zip(taken, opens, strict=False)
    ]


def open_further(works: Sequence[StepWork], *, in_library: bool) -> list[Following]:
    """Take the items of the lanes that these searches open, which are over. Needs the run's row locked."""
    opens = [int(str(work.input.get("opens", 0))) for work in works]
    return next_items(works[0].run_id, in_library=in_library, opens=[more - 1 for more in opens if more])


def item_steps(index: int, tries: int = 0, *, in_library: bool, opens: int = 0) -> Following:
    """The way of one item, and the step that waits for its end: for whatever follows from a step of its way."""
    name = f"item.{index}.{tries}" if tries else f"item.{index}"
    end = StepDraft(
        f"{name}/end",
        TableStepName.END_ITEM,
        AgentRole.ORCHESTRATOR,
        input={"item": index, "try": tries},
        agent_id=name,
    )
    return Following([first_step(index, name, in_library=in_library, opens=opens)], end)


TAKE = """
UPDATE research_item AS item
SET status = 'running', started_at = clock_timestamp(), completed_at = NULL, error = '', error_code = '',
    retry_count = 0, version = run.snapshot_version + 1, updated_at = clock_timestamp()
FROM (
    SELECT id FROM research_item
    WHERE run_id = %(run)s AND status = 'pending' AND NOT is_held ORDER BY index LIMIT %(most)s
) AS next, research_run AS run
WHERE item.id = next.id AND run.id = %(run)s
RETURNING item.index
"""


def touch(run: Run, which: Q, **values: object) -> int:
    """Change rows so that pages see it: how many. Needs the run's row locked; the caller moves the snapshot on."""
    return Item.objects.filter(which, run=run).update(
        **values, version=run.snapshot_version + 1, updated_at=Now()
    )


def count_items(run_id: UUID) -> None:
    """The run's own counters, from its rows. Needs the run's row locked."""
    rows = Item.objects.filter(run_id=run_id)
    Run.objects.filter(pk=run_id).update(
        items_total=rows.count(),
        items_completed=rows.filter(status=ItemStatus.COMPLETED).count(),
        items_failed=rows.filter(status=ItemStatus.FAILED).count(),
        sources_found=Source.objects.filter(run_id=run_id).count(),
        snapshot_version=F("snapshot_version") + 1,
    )
