"""The end of an item: its row says what came of it, it is tried again or not, and the next one is taken."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import F, Q
from django.db.models.functions import Now

from research.lifecycle.failures import DEFINITIONS, FailureType
from research.lifecycle.recipe import ChildStep, Following, JsonObject, StepResult, StepWork
from research.models import Item, ItemStatus, Run, StepStatus
from research.models.schemas import StoredCell
from research.recipes.table.config import ITEM_RETRIES
from research.recipes.table.items.lanes import (
    count_items,
    item_steps,
    next_item,
    touch,
    where_items_begin,
)
from research.tenancy import tenant_context

LEFT_OPEN = "It was not filled, and nothing says why."
TIME_IS_UP = "The time of the table was up before it was its turn."


def end_item(work: StepWork) -> StepResult:
    """Its cells are stored by the step that filled them; where none did, this is the end of a try."""
    index, tries = int(str(work.input["item"])), int(str(work.input["try"]))
    with tenant_context(work.tenant_id):
        running = Item.objects.filter(run_id=work.run_id, index=index, status=ItemStatus.RUNNING)
        is_filled = not running.exists()
        failure = ("", "") if is_filled else failure_of(work.children_here())
        in_library = where_items_begin(work)
    is_again = not is_filled and tries < ITEM_RETRIES and may_pass(failure[0])

    def follow() -> Following:
        if is_filled:
            return next_item(work.run_id, in_library=in_library)
        run = Run.objects.get(pk=work.run_id)
        if is_again:
            touch(run, Q(index=index), retry_count=F("retry_count") + 1)
            return item_steps(index, tries + 1, in_library=in_library)
        fail_rows(run, Q(index=index, status=ItemStatus.RUNNING), *failure)
        return next_item(work.run_id, in_library=in_library)

    output: JsonObject = {} if is_filled else {"code": failure[0], "message": failure[1], "again": is_again}
    return StepResult(output, follow=follow)


def failure_of(children: Sequence[ChildStep]) -> tuple[str, str]:
    """Code and words of the last step that failed."""
    failed = [one for one in children if one.status == StepStatus.FAILED]
    if not failed:
        return "INTERNAL_ERROR", LEFT_OPEN
    return failed[-1].error_code, failed[-1].error_message


def may_pass(code: str) -> bool:
    """Trying again may help."""
    return DEFINITIONS[code].type is not FailureType.HARD or code == "ATTEMPTS_SPENT"


def fail_rows(run: Run, which: Q, code: str, message: str) -> int:
    """How many. What they had stays; what they still wanted has failed, and is wanted when they are tried again."""
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
    """The run goes on without them: how many. Needs the run's row locked."""
    run = Run.objects.get(pk=run_id)
    unfinished = Q(status__in=[ItemStatus.PENDING, ItemStatus.RUNNING], is_held=False)
    return fail_rows(run, unfinished, "TIMEOUT", TIME_IS_UP)
