"""The end of an item: its row says what came of it, it is tried again or not, and the next one is taken."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, Q
from django.db.models.functions import Now

from research.db.sql_batcher import read_batch
from research.engine.batch_save import BatchSave
from research.engine.pipeline_registry import ChildStep, Following, JsonObject, StepResult, StepWork
from research.engine.states.step_failures import DEFINITIONS, FailureType
from research.models import Item, ItemStatus, Run, StepStatus
from research.models.schemas import StoredCell
from research.pipelines.table.items.table_item_lanes import count_items, item_steps, next_items, touch
from research.pipelines.table.items.table_item_steps import begins_in_library
from research.pipelines.table.items.table_items import statuses_and_configs
from research.pipelines.table.table_config import ITEM_RETRIES

LEFT_OPEN = "It was not filled, for an unknown reason."
TIME_IS_UP = "The table's time limit was reached before this row was processed."


@dataclass(frozen=True, slots=True)
class ItemOutcome:
    """An item's try that is over. `failure`: code and words; empty for one that is filled."""

    run_id: UUID
    index: int
    tries: int
    failure: tuple[str, str]
    in_library: bool

    @property
    def is_again(self) -> bool:
        code = self.failure[0]
        return bool(code) and self.tries < ITEM_RETRIES and may_pass(code)


async def end_item(work: StepWork) -> StepResult:
    """End a try of an item: it has failed unless the step that fills the cells has stored them."""
    index, tries = int(str(work.input["item"])), int(str(work.input["try"]))

    failure, in_library = await read_batch(work.tenant_id, _read_outcomes, work)
    ended = ItemOutcome(work.run_id, index, tries, failure, in_library)
    code, message = failure
    output: JsonObject = {"code": code, "message": message, "again": ended.is_again} if code else {}
    return StepResult(output, follow=BatchSave(follow_ended, ended))


def _read_outcomes(works: Sequence[StepWork]) -> list[tuple[tuple[str, str], bool]]:
    """Return for each step the failure of its item, and whether items begin in the library. Needs the tenant set."""
    return [
        (
            failure_of(work.children_here()) if status == ItemStatus.RUNNING else ("", ""),
            begins_in_library(config),
        )
        for work, (status, config) in zip(works, statuses_and_configs(works), strict=True)
    ]


def follow_ended(ended: Sequence[ItemOutcome]) -> list[Following]:
    """Retry each item or start the next one in its place. Needs the run's row locked; all items are of one run."""
    run_id, in_library = ended[0].run_id, ended[0].in_library
    if any(outcome.failure[0] for outcome in ended):
        run = Run.objects.get(pk=run_id)
        for outcome in ended:
            _note_failure(run, outcome)
    again = {outcome.index: outcome for outcome in ended if outcome.is_again}
    taken = iter(next_items(run_id, in_library=in_library, opens=[0] * (len(ended) - len(again))))
    return [
        item_steps(outcome.index, outcome.tries + 1, in_library=in_library)
        if outcome.index in again
        else next(taken, Following())
        for outcome in ended
    ]


def _note_failure(run: Run, outcome: ItemOutcome) -> None:
    if outcome.is_again:
        touch(run, Q(index=outcome.index), retry_count=F("retry_count") + 1)
    elif outcome.failure[0]:
        fail_rows(run, Q(index=outcome.index, status=ItemStatus.RUNNING), *outcome.failure)


def failure_of(children: Sequence[ChildStep]) -> tuple[str, str]:
    """Return the code and message of the last step that failed."""
    failed = [child for child in children if child.status == StepStatus.FAILED]
    if not failed:
        return "INTERNAL_ERROR", LEFT_OPEN
    return failed[-1].error_code, failed[-1].error_message


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
