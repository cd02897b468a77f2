"""The end of a row's step: its row says what came of it, it is tried again or not, and the next one is taken."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from uuid import UUID

from django.db.models import F, Q
from django.db.models.functions import Now

from research.engine.pipeline_registry import FailedStep, Following
from research.engine.states.step_failures import DEFINITIONS, FailureType
from research.models import Item, ItemStatus, Run
from research.models.schemas import StoredCell
from research.pipelines.table.items.table_row_lanes import count_items, take_rows, touch
from research.pipelines.table.items.table_row_steps import draft_row, draft_second_look
from research.pipelines.table.table_config import ITEM_RETRIES
from research.pipelines.table.table_step_names import TableStepName

TIME_IS_UP = "The table's time limit was reached before this row was processed."


@dataclass(frozen=True, slots=True)
class RowEnd:
    """A step of a row that is over. `failure`: code and words; empty for a row that is filled.

    `second_look`: the columns that are looked for once more.
    """

    run_id: UUID
    index: int
    name: str
    tries: int
    failure: tuple[str, str] = ("", "")
    second_look: tuple[str, ...] = ()

    @property
    def is_tried_again(self) -> bool:
        code = self.failure[0]
        return bool(code) and self.tries < ITEM_RETRIES and may_pass(code)


def follow_rows(ended: Sequence[RowEnd]) -> list[Following]:
    """Return what follows each row: another try, a second look, or the next row in its place.

    Needs the run's row locked; all rows are of one run.
    """
    if any(row.failure[0] for row in ended):
        run = Run.objects.get(pk=ended[0].run_id)
        for row in ended:
            _note_failure(run, row)
    places = sum(not row.is_tried_again and not row.second_look for row in ended)
    next_rows = iter(take_rows(ended[0].run_id, places))
    return [_follow_row(row) or Following(list(islice(next_rows, 1))) for row in ended]


def _follow_row(row: RowEnd) -> Following | None:
    if row.is_tried_again:
        return Following([draft_row(row.index, row.name, row.tries + 1)])
    if row.second_look:
        return Following([draft_second_look(row.index, row.name, row.tries, row.second_look)])
    return None


def follow_failed_rows(run: Run, failed: Sequence[FailedStep]) -> list[Following]:
    """Return what follows steps that have failed for good. Needs the run's row locked.

    A row whose second look has failed stays as it was filled.
    """
    ended = {
        step.key: RowEnd(
            run.pk,
            int(str(step.input["item"])),
            str(step.input["name"]),
            int(str(step.input["try"])),
            (step.code, step.message) if step.handler == TableStepName.FILL_ROW else ("", ""),
        )
        for step in failed
        if step.handler in (TableStepName.FILL_ROW, TableStepName.FILL_ROW_AGAIN)
    }
    following = dict(zip(ended, follow_rows(list(ended.values())) if ended else (), strict=True))
    return [following.get(step.key, Following()) for step in failed]


def _note_failure(run: Run, row: RowEnd) -> None:
    if row.is_tried_again:
        touch(run, Q(index=row.index), retry_count=F("retry_count") + 1)
    elif row.failure[0]:
        fail_rows(run, Q(index=row.index, status=ItemStatus.RUNNING), *row.failure)


def may_pass(code: str) -> bool:
    """Return True if a retry may succeed after a failure with this code."""
    return DEFINITIONS[code].type is not FailureType.HARD or code == "ATTEMPTS_SPENT"


def fail_rows(run: Run, which: Q, code: str, message: str) -> int:
    """Mark the rows as failed and return how many there are.

    Values that they have stay; cells still wanted have failed, and are wanted again when the rows are retried.
    """
    rows = list(Item.objects.filter(which, run=run))
    for row in rows:
        failed = {
            name: StoredCell(state="failed", reason=message).model_dump(mode="json") for name in row.wanted
        }
        row.result = {**(row.result or {}), **failed}
        row.status, row.error_code, row.error = ItemStatus.FAILED, code, message
        row.version = run.snapshot_version + 1
    Item.objects.bulk_update(rows, ["result", "status", "error_code", "error", "version"])
    Item.objects.filter(pk__in=[row.pk for row in rows]).update(completed_at=Now(), updated_at=Now())
    count_items(run.pk)
    return len(rows)


def fail_what_is_left(run_id: UUID) -> int:
    """Fail the unfinished rows, so that the run can go on, and return their number. Needs the run's row locked."""
    run = Run.objects.get(pk=run_id)
    unfinished = Q(status__in=[ItemStatus.PENDING, ItemStatus.RUNNING], is_held=False)
    return fail_rows(run, unfinished, "TIMEOUT", TIME_IS_UP)
