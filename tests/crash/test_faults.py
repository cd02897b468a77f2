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
from tests.crash.stage import LONG, Stage, count_begun_steps, wait_for_completion
from tests.often import IS_FULL

pytestmark = [pytest.mark.crash, pytest.mark.usefixtures("fault_row")]
FLUSHES = 10 if IS_FULL else 3
AWAY_S = float(os.environ.get("CRASH_AWAY_S", "60")) if IS_FULL else 3


def test_the_broker_forgets_everything(live_rig: Rig, stage: Stage) -> None:
    run = stage.start(live_rig, **LONG)
    with Redis.from_url(live_rig.world.broker_url) as broker:
        for _time in range(FLUSHES):
            assert live_rig.wait_until(lambda: bool(broker.dbsize()) or stage.has_ended(run), 20)
            broker.flushall()
            live_rig.sleep(0.2)
    wait_for_completion(live_rig, stage, run)


@pytest.mark.full
def test_the_broker_is_away_and_a_run_is_started_meanwhile(live_rig: Rig, stage: Stage) -> None:
    before = stage.start(live_rig, **LONG)
    live_rig.sleep(0.5)
    live_rig.world.kill_valkey()
    meanwhile = stage.start(live_rig)
    live_rig.sleep(AWAY_S)
    live_rig.world.start(live_rig.world.valkey)
    wait_for_completion(live_rig, stage, before)
    wait_for_completion(live_rig, stage, meanwhile)


def test_the_database_is_away(live_rig: Rig, stage: Stage) -> None:
    run = stage.start(live_rig, **LONG)
    live_rig.sleep(0.5)
    live_rig.world.kill_postgres()
    time.sleep(AWAY_S)
    live_rig.world.start(live_rig.world.postgres)
    wait_for_completion(live_rig, stage, run)


@pytest.mark.full
def test_a_worker_that_sleeps_through_its_leases_writes_nothing(live_rig: Rig, stage: Stage) -> None:
    zombie = live_rig.process("agents")
    run = stage.start(live_rig, **LONG, slow={"topic0.0": 1.0})
    assert live_rig.wait_until(lambda: count_begun_steps(live_rig, run) > 5, 30)
    zombie.signal(signal.SIGSTOP)
    successor = live_rig.add_worker("successor", AGENTS)
    successor.start()
    stage.wait(live_rig, run)
    zombie.signal(signal.SIGCONT)
    live_rig.sleep(1)  # for what the zombie still had in hand
    wait_for_completion(live_rig, stage, run)
    successor.is_wanted = False
    successor.end()


@pytest.mark.full
def test_a_deploy_in_mid_run_costs_no_attempt(live_rig: Rig, stage: Stage) -> None:
    run = stage.start(live_rig, **LONG)
    assert live_rig.wait_until(lambda: count_begun_steps(live_rig, run) > 8, 30)
    for process in live_rig.workers():
        process.signal(signal.SIGTERM)
    wait_for_completion(live_rig, stage, run)
    with tenant_context(stage.tenant_id):
        attempts = Counter(Step.objects.filter(run=run, status="completed").values_list("attempt", flat=True))
    assert attempts.keys() <= {1, 2}, attempts


@pytest.mark.full
def test_a_child_that_takes_all_memory_is_killed_and_its_step_done_again(live_rig: Rig, stage: Stage) -> None:
    run = stage.start(live_rig, bombs={"read.topic0.0": 2, "read.topic1.1": 1})
    wait_for_completion(live_rig, stage, run)


@pytest.mark.full
def test_a_step_that_kills_its_worker_each_time_fails_alone(live_rig: Rig, stage: Stage) -> None:
    run = stage.start(live_rig, bombs={"read.topic0.0": 99})
    stage.wait(live_rig, run)
    with tenant_context(stage.tenant_id):
        steps = {step.key: step for step in Step.objects.filter(run=run, handler="crash.read")}
    spent = steps.pop("reading/read.topic0.0")
    assert (spent.status, spent.error_code, spent.attempt) == ("failed", "ATTEMPTS_SPENT", 4)
    assert {step.status for step in steps.values()} == {"completed"}
