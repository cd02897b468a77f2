"""What goes wrong without a kill: servers away, forgotten or doubled messages, sleepers, wrong clocks, cut wires."""

import os
import signal
import time
from collections import Counter

import pytest
from redis import Redis

from research.models import Step
from research.tenancy import tenant_context
from tests.crash import invariants
from tests.crash.proxy import wire_to
from tests.crash.rig import AGENTS, LEASE_S, READING, Rig, rig, start_workers
from tests.crash.stage import IS_FULL, Stage
from tests.crash.world import World

pytestmark = [pytest.mark.crash, pytest.mark.usefixtures("passed")]
FLUSHES = 10 if IS_FULL else 3
AWAY_S = float(os.environ.get("CRASH_AWAY_S", "60")) if IS_FULL else 3
FULL_ONLY = pytest.mark.skipif(not IS_FULL, reason="make crash tries it")
LONG = {"subtopics": 3, "width": 6, "work_s": 0.15}
TEN_MINUTES = 600.0


def completed(made: Rig, stage: Stage, run, limit_s: float = 90) -> None:
    stage.wait(made, run, limit_s)
    stage.assert_whole(made, run)


def test_the_broker_forgets_everything(made: Rig, stage: Stage) -> None:
    run = stage.start(made, **LONG)
    with Redis.from_url(made.world.broker_url) as broker:
        for _time in range(FLUSHES):
            assert made.wait_until(lambda: bool(broker.dbsize()) or stage.has_ended(run), 20)
            broker.flushall()
            made.sleep(0.2)
    completed(made, stage, run)


def test_the_broker_is_away_and_a_run_is_started_meanwhile(made: Rig, stage: Stage) -> None:
    before = stage.start(made, **LONG)
    made.sleep(0.5)
    made.world.kill_valkey()
    meanwhile = stage.start(made)
    made.sleep(AWAY_S)
    made.world.start(made.world.valkey)
    completed(made, stage, before)
    completed(made, stage, meanwhile)


def test_the_database_is_away(made: Rig, stage: Stage) -> None:
    run = stage.start(made, **LONG)
    made.sleep(0.5)
    made.world.kill_postgres()
    time.sleep(AWAY_S)
    made.world.start(made.world.postgres)
    completed(made, stage, run)


def test_a_worker_that_sleeps_through_its_leases_writes_nothing(made: Rig, stage: Stage) -> None:
    zombie = made.process("agents")
    run = stage.start(made, **LONG, slow={"topic0.0": 1.0})
    assert made.wait_until(lambda: begun(made, run) > 5, 30)
    zombie.signal(signal.SIGSTOP)
    successor = made.add_worker("successor", AGENTS)
    successor.start()
    stage.wait(made, run)
    zombie.signal(signal.SIGCONT)
    made.sleep(1)  # for what the zombie still had in hand
    completed(made, stage, run)
    successor.is_wanted = False
    successor.end()


def begun(made: Rig, run) -> int:
    return sum(one.run_id == str(run.pk) for one in invariants.executions(made.log))


@FULL_ONLY
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


@FULL_ONLY
def test_each_message_comes_three_times_and_out_of_order(world: World, stage: Stage, tmp_path) -> None:
    with rig(world, tmp_path) as made:
        for name, options in (("agents", AGENTS), ("reading", READING)):
            made.add_worker(name, options, triples=True).start()
        run = stage.start(made, **LONG)
        completed(made, stage, run)
        assert invariants.wasted(made.log, run) == 0


@FULL_ONLY
@pytest.mark.parametrize("how", ["cut", "hang"])
def test_the_wire_between_workers_and_database_is(how: str, world: World, stage: Stage, tmp_path) -> None:
    with wire_to(world.sockets, tmp_path / "wire") as wire, rig(world, tmp_path, sockets=wire.front) as made:
        start_workers(made)
        run = stage.start(made, **LONG)
        assert made.wait_until(lambda: begun(made, run) > 5, 30)
        (wire.cut if how == "cut" else wire.hang)()
        time.sleep(2 * LEASE_S)
        (wire.mend if how == "cut" else wire.flow)()
        completed(made, stage, run)


@FULL_ONLY
def test_a_deploy_in_mid_run_costs_no_attempt(made: Rig, stage: Stage) -> None:
    run = stage.start(made, **LONG)
    assert made.wait_until(lambda: begun(made, run) > 8, 30)
    for process in made.workers():
        process.signal(signal.SIGTERM)
    completed(made, stage, run)
    with tenant_context(stage.tenant_id):
        attempts = Counter(Step.objects.filter(run=run, status="completed").values_list("attempt", flat=True))
    assert attempts.keys() <= {1, 2}, attempts


@FULL_ONLY
def test_a_child_that_takes_all_memory_is_killed_and_its_step_done_again(made: Rig, stage: Stage) -> None:
    run = stage.start(made, bombs={"read.topic0.0": 2, "read.topic1.1": 1})
    completed(made, stage, run)


@FULL_ONLY
def test_a_step_that_kills_its_worker_each_time_fails_alone(made: Rig, stage: Stage) -> None:
    run = stage.start(made, bombs={"read.topic0.0": 99})
    stage.wait(made, run)
    with tenant_context(stage.tenant_id):
        steps = {step.key: step for step in Step.objects.filter(run=run, handler="crash.read")}
    spent = steps.pop("reading/read.topic0.0")
    assert (spent.status, spent.error_code, spent.attempt) == ("failed", "ATTEMPTS_SPENT", 4)
    assert {step.status for step in steps.values()} == {"completed"}


@FULL_ONLY
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
        completed(made, stage, run, 240)
        assert invariants.unknown_calls(stage.tenant_id) == 0
