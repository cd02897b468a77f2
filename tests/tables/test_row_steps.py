"""Steps of rows that end otherwise than by filling them, and steps that an earlier version has left behind."""

import pytest

from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.engine.claim_and_finish_steps import StepOutcome, finish
from research.engine.run_step import SPENT
from research.engine.states.step_failures import Failure
from research.models import Item, Run, State, Step
from research.pipelines.table.filling import fill_table_row
from research.pipelines.table.filling.fill_table_row import OVERDUE
from research.pipelines.table.table_step_names import RETIRED, TableStepName
from tests.pipelines.stepping import EVERYTHING, do, go_on, go_until, take
from tests.tables.rows import begin, fill_table, now, statuses, values


@pytest.fixture
def run(account: PersonalAccount, library: str) -> Run:
    """A table of two rows whose steps can be claimed."""
    return go_until(begin(account, library, "Arden", "Calder", reviews="never", concurrency=1), is_collecting)


def is_collecting(run: Run) -> bool:
    return run.state == State.COLLECTING


def keys(run: Run) -> list[str]:
    """Return the keys of the steps of rows, in their order."""
    with tenant_context(run.tenant_id):
        steps = Step.objects.filter(run=run, key__contains="/item.").order_by("step_index")
        return [key.partition("/")[2] for key in steps.values_list("key", flat=True)]


def item(run: Run, index: int = 0) -> Item:
    with tenant_context(run.tenant_id):
        return Item.objects.get(run=run, index=index)


def fail(run: Run, failure: Failure) -> str:
    """Let the next step fail for good; return its key."""
    step = take(run)
    assert step is not None
    finish([StepOutcome(step, failure)], EVERYTHING)
    return step.key.partition("/")[2]


def test_a_row_whose_workers_die_is_tried_twice_more_then_fails(run: Run) -> None:
    assert [fail(run, SPENT) for _ in range(3)] == ["item.0", "item.0.1", "item.0.2"]
    failed = item(run)
    assert (failed.status, failed.error_code, failed.error) == ("failed", SPENT.code, SPENT.message)
    assert failed.retry_count == 2
    ended = go_on(run)
    assert (ended.state, statuses(ended)) == ("completed", ["failed", "completed"])
    assert (ended.items_completed, ended.items_failed) == (1, 1)


def test_a_row_that_would_fail_again_is_not_tried_again(run: Run) -> None:
    fail(run, Failure("INTERNAL_ERROR", "An internal error."))
    assert (item(run).status, item(run).error) == ("failed", "An internal error.")
    assert keys(run) == ["item.0", "item.1"]


def test_a_row_that_is_filled_at_its_second_try_is_as_any(run: Run) -> None:
    fail(run, SPENT)
    assert item(run).retry_count == 1
    ended = go_on(run)
    assert statuses(ended) == ["completed"] * 2
    assert values(ended)["Arden"]["capital"] == "Port Arden"
    assert keys(run) == ["item.0", "item.0.1", "item.1"]


def test_a_row_whose_second_look_fails_stays_as_it_was_filled(account: PersonalAccount, library: str) -> None:
    run = begin(account, library, "Land of nobody", "Calder", reviews="never", concurrency=1)
    go_until(run, is_collecting)
    first = take(run)
    assert first is not None
    do(run, first)
    assert item(run).status == "completed"
    assert fail(run, SPENT) == "item.0/again"
    assert (item(run).status, item(run).error) == ("completed", "")
    assert keys(run) == ["item.0", "item.0/again", "item.1"]
    assert statuses(go_on(run)) == ["completed", "completed"]


def test_a_row_ends_whose_sources_are_not_found_in_time(
    account: PersonalAccount, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fill_table_row, "ITEM_LIMIT_S", 0)
    run = fill_table(account, begin(account, library, "Arden", reviews="never"))
    assert keys(run) == ["item.0", "item.0.1", "item.0.2"]
    assert (item(run).error_code, item(run).error) == ("TIMEOUT", OVERDUE)
    assert (run.state, run.failure_code) == ("failed", "TIMEOUT")


@pytest.mark.parametrize("handler", RETIRED)
def test_rows_are_filled_that_an_earlier_version_was_working_on(
    account: PersonalAccount, run: Run, handler: str
) -> None:
    with tenant_context(run.tenant_id):
        old = Step.objects.get(run=run, handler=TableStepName.FILL_ROW)
        old.handler, old.key, old.input = handler, f"{old.key}/old", {"item": 0, "name": "item.0"}
        old.save()
    fill_table(account, run)
    ended = now(run)
    assert (ended.state, statuses(ended)) == ("completed", ["completed", "completed"])
    assert values(ended)["Calder"]["capital"] == "Weir"
