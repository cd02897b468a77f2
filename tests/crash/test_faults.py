"""Faults other than a kill: servers away, forgotten or doubled messages, sleepers, wrong clocks, cut wires."""

import os
import signal
import time
from collections import Counter

import pytest
from redis import Redis

from research.db.tenancy import tenant_context
from research.models import Step
from tests.crash.rig import AGENTS, Rig
from tests.crash.stage import LONG, Stage, begun, completed
from tests.often import IS_FULL

pytestmark = [pytest.mark.crash, pytest.mark.usefixtures("passed")]
FLUSHES = 10 if IS_FULL else 3
AWAY_S = float(os.environ.get("CRASH_AWAY_S", "60")) if IS_FULL else 3


def test_the_broker_forgets_everything(made: Rig, stage: Stage) -> None:
    run = stage.start(made, **LONG)
    with Redis.from_url(made.world.broker_url) as broker:
        for _time in range(FLUSHES):
            assert made.wait_until(lambda: bool(broker.dbsize()) or stage.has_ended(run), 20)
            broker.flushall()
            made.sleep(0.2)
    completed(made, stage, run)


@pytest.mark.full
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


@pytest.mark.full
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


@pytest.mark.full
def test_a_deploy_in_mid_run_costs_no_attempt(made: Rig, stage: Stage) -> None:
    run = stage.start(made, **LONG)
    assert made.wait_until(lambda: begun(made, run) > 8, 30)
    for process in made.workers():
        process.signal(signal.SIGTERM)
    completed(made, stage, run)
    with tenant_context(stage.tenant_id):
        attempts = Counter(Step.objects.filter(run=run, status="completed").values_list("attempt", flat=True))
    assert attempts.keys() <= {1, 2}, attempts


@pytest.mark.full
def test_a_child_that_takes_all_memory_is_killed_and_its_step_done_again(made: Rig, stage: Stage) -> None:
    run = stage.start(made, bombs={"read.topic0.0": 2, "read.topic1.1": 1})
    completed(made, stage, run)


@pytest.mark.full
def test_a_step_that_kills_its_worker_each_time_fails_alone(made: Rig, stage: Stage) -> None:
    run = stage.start(made, bombs={"read.topic0.0": 99})
    stage.wait(made, run)
    with tenant_context(stage.tenant_id):
        steps = {step.key: step for step in Step.objects.filter(run=run, handler="crash.read")}
    spent = steps.pop("reading/read.topic0.0")
    assert (spent.status, spent.error_code, spent.attempt) == ("failed", "ATTEMPTS_SPENT", 4)
    assert {step.status for step in steps.values()} == {"completed"}
