"""The time limit of an item counts the time for which somebody worked on it."""

from datetime import timedelta

import pytest
from django.db.models import F

from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.models import Item, Run, Step, StepStatus
from research.pipelines.table.items.table_items import OVERDUE
from research.pipelines.table.table_config import ITEM_LIMIT_S
from research.pipelines.table.table_step_names import TableStepName
from tests.pipelines.stepping import go_on, go_until
from tests.tables.rows import begin, statuses, values

HOURS = timedelta(hours=3)
TOO_LONG = timedelta(seconds=ITEM_LIMIT_S + 1)


@pytest.fixture
def searched(account: PersonalAccount, library: str) -> Run:
    """A table whose rows were looked for, and are not filled."""
    run = begin(account, library, "Arden", "Calder", reviews="never", concurrency=2)

    def is_searched(run: Run) -> bool:
        with tenant_context(run.tenant_id):
            done = Step.objects.filter(
                run=run, handler=TableStepName.SEARCH_LIBRARY, status=StepStatus.COMPLETED
            )
            return done.count() == 2

    return go_until(run, is_searched)


def overdue_items(run: Run) -> list[int]:
    """Return the items whose time was up, each of which is tried again."""
    with tenant_context(run.tenant_id):
        failed = Step.objects.filter(run=run, error_message=OVERDUE).order_by("step_index")
        return list(failed.values_list("input__item", flat=True))


def test_a_table_goes_on_after_its_machine_was_off(searched: Run) -> None:
    with tenant_context(searched.tenant_id):
        Item.objects.filter(run=searched).update(started_at=F("started_at") - HOURS)
        moved = {"started_at": F("started_at") - HOURS, "completed_at": F("completed_at") - HOURS}
        Step.objects.filter(run=searched).update(**moved)
    run = go_on(searched)
    assert (run.state, statuses(run)) == ("completed", ["completed", "completed"])
    assert overdue_items(run) == []
    assert values(run)["Arden"]["capital"] == "Port Arden"


def test_a_table_goes_whose_step_was_begun_before_its_machine_was_off(searched: Run) -> None:
    with tenant_context(searched.tenant_id):
        Item.objects.filter(run=searched).update(started_at=F("started_at") - HOURS)
        filling = Step.objects.filter(run=searched, handler=TableStepName.FIND_CELLS)
        filling.update(started_at=F("created_at") - HOURS, status=StepStatus.RETRYING, attempt=1)
        assert filling.exists()
    assert statuses(go_on(searched)) == ["completed", "completed"]
    assert overdue_items(searched) == []


def test_an_item_on_which_somebody_worked_for_too_long_ends(searched: Run) -> None:
    with tenant_context(searched.tenant_id):
        step = Step.objects.filter(run=searched, handler=TableStepName.SEARCH_LIBRARY, input__item=1)
        step.update(started_at=F("started_at") - TOO_LONG)
    go_on(searched)
    assert overdue_items(searched) == [1]


def test_work_at_the_same_time_counts_once(searched: Run) -> None:
    with tenant_context(searched.tenant_id):
        step = Step.objects.get(run=searched, handler=TableStepName.SEARCH_LIBRARY, input__item=0)
        Step.objects.filter(pk=step.pk).update(started_at=F("completed_at") - TOO_LONG * 0.6)
        step.refresh_from_db()
        step.pk, step.key, step.step_index = None, f"{step.key}.beside", 900
        step.save(force_insert=True)
    assert statuses(go_on(searched)) == ["completed", "completed"]
    assert overdue_items(searched) == []
