"""A step of a row that is killed, whenever that is, asks no model and no site a second time."""

from collections import Counter

import pytest

from research.accounts.people import ensure_local_account
from research.db.tenancy import tenant_context
from research.management.bench_stub_site import environment_of
from research.models import Item, ModelCall, Source, Step
from research.pipelines.table.start_table import start_table
from research.pipelines.table.table_columns import FieldType, TableField
from research.pipelines.table.table_step_names import TableStepName
from research.runtime.fault_injection import FaultPoint
from tests.crash.invariants import find_violations
from tests.fakes.stub_world import StubWorld
from tests.forking import start_fork_server
from tests.tables.rows import now

pytestmark = pytest.mark.crash
SERVING = "tests.tables.serving"
CAPACITY = TableField(name="capacity", type=FieldType.NUMBER)  # pages of the world say it
READ = f"{FaultPoint.CHUNK_BATCH}:1"  # the page is fetched and read
ANSWERED = f"{FaultPoint.STORED_BEFORE_FINISH}:1"  # the next call is answered
ENDED = f"{FaultPoint.WORKED_BEFORE_FINISH}:2"  # the row is filled: after the plan


@pytest.mark.parametrize("kills", [(READ, ANSWERED), (ANSWERED, ANSWERED), (ENDED,)])
def test_a_killed_row_pays_no_call_and_fetches_no_page_twice(
    child_environment: dict[str, str], kills: tuple[str, ...]
) -> None:
    account = ensure_local_account()
    config = {"sources": "web", "pages_per_item": 1, "reviews": "never", "insights": "computed"}
    with tenant_context(account.tenant_id):
        run = start_table(
            owner=account.user, prompt="Capacity", inputs=["item 0"], fields=[CAPACITY], config=config
        )
    order = (f"{SERVING}:serve_without_faults", str(run.tenant_id), str(run.pk))
    with StubWorld() as world:
        environment = {**child_environment, **environment_of(world.address)}
        with start_fork_server(environment, SERVING) as fork:
            assert [fork(*order, CRASH_AT=place) for place in kills] == [-9] * len(kills)
            assert fork(*order) == 0
        asked = Counter(world.asked)
    assert now(run).state == "completed"
    assert (asked["/v1/chat/completions"], asked["page"]) == (2, 1)
    with tenant_context(run.tenant_id):
        calls = ModelCall.objects.filter(run=run).order_by("created_at")
        assert list(calls.values_list("purpose", "status")) == [("fill", "stored"), ("check", "stored")]
        assert Source.objects.filter(run=run, status="processed").count() == 1
        assert Item.objects.get(run=run).status == "completed"
        step = Step.objects.get(run=run, handler=TableStepName.FILL_ROW)
        assert (step.status, step.attempt) == ("completed", len(kills) + 1)
    assert find_violations(run.tenant_id) == {}
