"""Rows one after the other in lanes: as many at once as the run may have, and the next one when one has ended.

With a model there are several lanes for each of its calls, so that some rows search and read while others ask it.
Which row is next is decided in the transaction that ends the one before, so that none is left out or done twice. A
lane whose worker dies is taken up again with its step; one that is lost all the same leaves open rows, and the state
is tried again for them.
"""

from collections.abc import Iterator
from datetime import timedelta
from math import ceil
from uuid import UUID

from django.db import connection
from django.db.models import F, Q
from django.db.models.functions import Greatest, Now

from research.engine.lease_timing import RUN_LIMIT_S
from research.engine.pipeline_registry import StepDraft
from research.engine.states.state_exit_conditions import TIME_RUNS_OUT
from research.models import Item, ItemStatus, Run, Source
from research.pipelines.table.items.table_row_steps import draft_row
from research.pipelines.table.table_config import TableConfig
from research.pipelines.table.table_engine import is_by_model

# While some rows search and read, others ask the model: it alone is what `concurrency` counts then.
OPEN_FOR_EACH_CALL = 4
# Seconds of a table's time limit for a row, four times what one usually takes.
ROW_S = 120


def draft_rows(run: Run) -> Iterator[StepDraft]:
    """Yield the steps of the first rows, one for each lane. What a worker had in hand when the state was left counts
    as open again.
    """
    Item.objects.filter(run=run, status=ItemStatus.RUNNING).update(status=ItemStatus.PENDING)
    waiting = Item.objects.filter(run=run, status=ItemStatus.PENDING, is_held=False).count()
    at_once = TableConfig.model_validate(run.config).concurrency
    lanes = min(waiting, at_once * (OPEN_FOR_EACH_CALL if is_by_model(run) else 1))
    if lanes:
        _allow_time(run, ceil(waiting / lanes) * ROW_S)
        yield from take_rows(run.pk, lanes)


def _allow_time(run: Run, seconds: int) -> None:
    """Move the limits of the state and of the run, if the rows take longer than these allow."""
    after = timedelta(seconds=seconds)
    until = F("state_entered_at") + after / TIME_RUNS_OUT
    Run.objects.filter(pk=run.pk).update(
        state_deadline=Greatest("state_deadline", until),
        deadline=Greatest("deadline", until + timedelta(seconds=RUN_LIMIT_S / 2)),
    )


TAKE = """
UPDATE research_item AS item
SET status = 'running', started_at = clock_timestamp(), completed_at = NULL, error = '', error_code = '',
    retry_count = 0, version = run.snapshot_version + 1, updated_at = clock_timestamp()
FROM (
    SELECT id FROM research_item
    WHERE run_id = %(run)s AND status = 'pending' AND NOT is_held ORDER BY index LIMIT %(most)s
) AS next, research_run AS run
WHERE item.id = next.id AND run.id = %(run)s
RETURNING item.index, item.input
"""


def take_rows(run_id: UUID, most: int) -> list[StepDraft]:
    """Take as many of the waiting rows as there are, at most `most`, and return their steps in the order of the rows.

    Needs the run's row locked.
    """
    if not most:
        return []
    with connection.cursor() as cursor:
        cursor.execute(TAKE, {"run": run_id, "most": most})
        taken = sorted(cursor.fetchall())
    return [draft_row(index, name) for index, name in taken]


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
