"""Faults other than a kill, with other workers: wrong clocks, doubled messages, cut wires, a model that fails.

Each test has a rig of its own, and no other runs beside it: its workers would do the work.
"""

import signal
import time

import pytest

from research.db.tenancy import tenant_context
from research.models import Step
from tests.crash import invariants
from tests.crash.proxy import wire_to
from tests.crash.results import Results
from tests.crash.rig import AGENTS, LEASE_S, READING, rig, start_workers
from tests.crash.stage import LONG, Stage, count_begun_steps, wait_for_completion
from tests.crash.world import World

pytestmark = [pytest.mark.crash, pytest.mark.usefixtures("fault_row")]
TEN_MINUTES = 600.0


def test_workers_whose_clocks_are_ten_minutes_off(world: World, stage: Stage, tmp_path) -> None:
    with rig(world, tmp_path) as made:
        for name, options, clock_s in [
            ("ahead", AGENTS, TEN_MINUTES), ("behind", AGENTS, -TEN_MINUTES), ("reading", READING, TEN_MINUTES),
        ]:  # fmt: skip
            made.add_worker(name, options, clock_s=clock_s).start()
        began = time.time()
        run = stage.start(made, **LONG)
        stage.wait(made, run)
        stage.assert_whole(made, run, clocks_agree=False)
        with tenant_context(stage.tenant_id):
            rows = Step.objects.filter(run=run).values_list("started_at", "completed_at")
            times = [moment for row in rows for moment in row]
        assert all(began - 60 < moment.timestamp() < time.time() + 60 for moment in times if moment)


def test_each_message_comes_three_times_and_out_of_order(world: World, stage: Stage, tmp_path) -> None:
    with rig(world, tmp_path) as made:
        for name, options in (("agents", AGENTS), ("reading", READING)):
            made.add_worker(name, options, triples=True).start()
        run = stage.start(made, **LONG)
        wait_for_completion(made, stage, run)
        assert invariants.count_wasted_executions(made.log, run) == 0


@pytest.mark.parametrize("how", ["cut", "hang"])
def test_the_wire_between_workers_and_database_is(how: str, world: World, stage: Stage, tmp_path) -> None:
    with wire_to(world.sockets, tmp_path / "wire") as wire, rig(world, tmp_path, sockets=wire.front) as made:
        start_workers(made)
        run = stage.start(made, **LONG)
        assert made.wait_until(lambda: count_begun_steps(made, run) > 5, 30)
        (wire.cut if how == "cut" else wire.hang)()
        time.sleep(2 * LEASE_S)
        (wire.mend if how == "cut" else wire.flow)()
        wait_for_completion(made, stage, run)


@pytest.mark.parametrize(
    ("options", "environment"),
    [
        (("--latency", "2.5"), {"PLUMBLINE_MODEL_TIMEOUT_SECONDS": "3"}),
        (("--faults", "0.3"), {}),
    ],
    ids=["slow near its limit", "429, 500, half answers and broken connections"],
)
def test_a_model_that_is(options, environment, world: World, stage: Stage, tmp_path) -> None:
    with rig(world, tmp_path, *options, **environment) as made:
        start_workers(made)
        run = stage.start(made, subtopics=2, width=3)
        wait_for_completion(made, stage, run, 240)
        assert invariants.unknown_calls(stage.tenant_id) == 0


def test_a_lease_of_ninety_seconds_is_missed_in_time(
    world: World, stage: Stage, tmp_path, results: Results
) -> None:
    """As in earnest: whoever holds the steps neither works nor dies, as on a machine that nobody reaches."""
    row = results.row("Lease as in earnest", "90 s, its holder silent")
    with rig(world, tmp_path, lease_s=90) as made:
        start_workers(made)
        runs = [stage.start(made, slow={"/plan": 5}) for _number in range(3)]
        assert made.wait_until(lambda: all(count_begun_steps(made, run) for run in runs), 60)
        made.process("agents").signal(signal.SIGSTOP)
        silent_at = time.time()
        made.add_worker("successor", AGENTS).start()
        for run in runs:
            row.kills, row.wrong = row.kills + 1, row.wrong + 1
            stage.wait(made, run, 180)
        made.process("agents").signal(signal.SIGCONT)
        for run in runs:
            wait_for_completion(made, stage, run)
            row.recoveries += [found] if (found := stage.progress_after(run, silent_at)) is not None else []
            row.wrong -= 1
    assert max(row.recoveries) <= 120
