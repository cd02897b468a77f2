"""A table whose processes are killed while one in ten of its steps fails: no row is lost, none is filled twice."""

import random

import pytest

from citations.models import Claim
from research.accounts.people import ensure_local_account
from research.db.tenancy import tenant_context
from research.library.import_library_folder import import_folder
from research.models import Item, Run, Step
from research.pipelines.table.table_step_names import TableStepName
from research.runtime.fault_injection import FaultPoint
from tests.crash.invariants import find_violations
from tests.forking import start_fork_server
from tests.often import IS_FULL
from tests.tables.conftest import PAGES
from tests.tables.rows import begin, now

pytestmark = pytest.mark.crash
EVERY = (
    FaultPoint.AFTER_CLAIM,
    FaultPoint.WORKED_BEFORE_FINISH,
    FaultPoint.FINISH_BEFORE_COMMIT,
    FaultPoint.FAN_OUT,
    FaultPoint.FAN_IN_BEFORE_OUTBOX,
    FaultPoint.TRANSITION_BEFORE_COMMIT,
)
POINTS = EVERY if IS_FULL else EVERY[2:5]
ROWS, MAX_STARTS, SEED = 24, 14, 7
NAMES = ("Arden", "Brightsea", "Calder")
SERVING = "tests.tables.serving"


def test_no_row_is_lost_or_filled_twice_whoever_dies(child_environment: dict[str, str], tmp_path) -> None:
    account = ensure_local_account()
    for name, text in PAGES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    library = import_folder(account.tenant_id, tmp_path).folder
    inputs = [NAMES[number] if number < 3 else f"Land {number}" for number in range(ROWS)]
    run, chance = begin(account, library, *inputs, reviews="never", concurrency=5), random.Random(SEED)
    order = (f"{SERVING}:main", str(run.tenant_id), str(run.pk), str(SEED))
    killed = 0
    with start_fork_server(child_environment, SERVING) as fork:
        for start in range(MAX_STARTS):
            place = f"{POINTS[start % len(POINTS)]}:{chance.randint(1, 6)}" if start < len(POINTS) else ""
            killed += fork(*order, CRASH_AT=place) == -9
            if now(run).is_finished:
                break
    assert killed >= len(POINTS) - 2  # a point may lie behind the end
    check(run)


def check(run: Run) -> None:
    run = now(run)
    assert run.state == "completed"
    with tenant_context(run.tenant_id):
        rows = list(Item.objects.filter(run=run).order_by("index"))
        claims = Claim.objects.filter(run=run)
        assert [row.index for row in rows] == list(range(ROWS))
        assert {row.status for row in rows} <= {"completed", "failed"}
        assert all(row.error for row in rows if row.status == "failed")
        found = [cell["number"] for row in rows for cell in (row.result or {}).values() if cell["number"]]
        assert sorted(claims.values_list("number", flat=True)) == sorted(found)
        filled = Step.objects.filter(run=run, handler=TableStepName.FILL_ROW, status="completed")
        agents = list(filled.values_list("input__item", flat=True))
        assert sorted(agents) == sorted(row.index for row in rows if row.status == "completed")
        assert (run.items_completed, run.items_failed) == (len(agents), ROWS - len(agents))
    assert find_violations(run.tenant_id) == {}
