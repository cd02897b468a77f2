"""The crash smoke of CI: named points and random kills, on real worker processes.

`make crash` (PLUMBLINE_CRASH=full) does the same ten times over, with 200 random kills; CRASH_SEED varies
them.
"""

import os
import random
import signal
import subprocess
import sys
import time
from functools import partial
from itertools import zip_longest

import pytest
from django.conf import settings
from redis import Redis

from research.crash import Point
from research.models import Run, State
from research.runs import start_run
from research.tenancy import create_tenant, tenant_context
from tests.crash.invariants import broken, recovery_s, repeated_after_completion, wasted
from tests.crash.rig import AGENTS, Rig, rig

pytestmark = pytest.mark.crash
IS_FULL = os.environ.get("PLUMBLINE_CRASH") == "full"
REPEATS, ROUNDS = (10, 20) if IS_FULL else (1, 1)
KILLS = 10  # in each round
SEED = int(os.environ.get("CRASH_SEED", "7"))
RESULT = ["30 words in 12 parts"]
ENDED = {State.COMPLETED, State.FAILED, State.CANCELLED}
# Where each worker dies, and the how-manieth time that it passes there. One of each a run, as far as they go.
AGENTS_DIE_AT = [
    (Point.RECEIVED_BEFORE_CLAIM, 1),
    (Point.AFTER_CLAIM, 2),
    (Point.WORKED_BEFORE_FINISH, 2),
    (Point.FINISH_BEFORE_COMMIT, 2),
    (Point.FAN_OUT, 1),
    (Point.FAN_IN_BEFORE_OUTBOX, 3),
    (Point.PUBLISHED_BEFORE_MARK, 1),
    (Point.TRANSITION_BEFORE_COMMIT, 2),
]
READING_DIES_AT = [
    (Point.AFTER_CLAIM, 1),
    (Point.WORKED_BEFORE_FINISH, 2),
    (Point.FAN_IN, 2),
    (Point.FINISH_AFTER_COMMIT, 1),
]


@pytest.fixture
def tenant(transactional_db, valkey, django_user_model):
    django_user_model.objects.create_user("ada")
    return create_tenant("Toys")


@pytest.fixture
def start(tenant, django_user_model):
    """Start a toy run of about forty steps, from this process, which stands for the web."""

    def begin(**config: object) -> Run:
        with tenant_context(tenant.pk):
            owner = django_user_model.objects.get()
            return start_run(
                owner=owner, kind="technical", topic="How many words?", config={"width": 4, **config}
            )

    return begin


def state_of(run: Run) -> State:
    with tenant_context(run.tenant_id):
        run.refresh_from_db()
    return State(run.state)


def has_ended(run: Run) -> bool:
    return state_of(run) in ENDED


def assert_as_if_nothing_had_happened(made: Rig, run: Run) -> None:
    assert (state_of(run), run.outcome.get("summary"), run.failure_message) == (State.COMPLETED, RESULT, "")
    assert broken(run) == {}
    assert repeated_after_completion(made.log, run) == []


def test_without_a_kill_every_step_is_executed_once(start, child_environment, tmp_path):
    with rig(tmp_path, child_environment) as made:
        run = start()
        assert made.wait_until(lambda: has_ended(run), 40)
        assert_as_if_nothing_had_happened(made, run)
        assert wasted(made.log, run) == 0


def test_a_run_survives_workers_killed_at_each_named_point(start, child_environment, tmp_path):
    deaths = list(zip_longest(AGENTS_DIE_AT, READING_DIES_AT)) * REPEATS
    with rig(tmp_path, child_environment) as made:
        for traps in deaths:
            for worker, trap in zip(made.workers, traps, strict=True):
                if trap is not None:
                    worker.restart(f"{trap[0]}:{trap[1]}")
            run = start()
            assert made.wait_until(partial(has_ended, run), 60), f"{traps}: {state_of(run)}"
            assert not any(worker.is_trapped for worker in made.workers), f"{traps}: a point was never passed"
            assert_as_if_nothing_had_happened(made, run)
    print(f"\n{sum(trap is not None for traps in deaths for trap in traps)} deaths at named points")


def test_a_run_whose_starter_dies_before_the_commit_never_was(tenant, child_environment):
    start_elsewhere(tenant, child_environment, Point.RUN_BEFORE_COMMIT)
    with tenant_context(tenant.pk):
        assert not Run.objects.exists()


def test_a_run_whose_starter_dies_after_the_commit_is_relayed(tenant, child_environment, tmp_path):
    start_elsewhere(tenant, child_environment, Point.RUN_AFTER_COMMIT)
    with tenant_context(tenant.pk):
        run = Run.objects.get()
    with rig(tmp_path, child_environment) as made:
        assert made.wait_until(lambda: has_ended(run), 40)
        assert_as_if_nothing_had_happened(made, run)


def start_elsewhere(tenant, environment, point: Point) -> None:
    command = [sys.executable, "-m", "tests.crash.starter", "start", str(tenant.pk), "key"]
    died = subprocess.run(command, env={**environment, "CRASH_AT": point}, cwd=settings.BASE_DIR, check=False)
    assert died.returncode == -9


def test_runs_survive_random_kills(start, child_environment, tmp_path, settings):
    settings.PLUMBLINE_LIMITS = {**settings.PLUMBLINE_LIMITS, "runs": (10 * KILLS,)}  # all are one person's
    chance = random.Random(SEED)
    recoveries: list[float] = []
    with rig(tmp_path, child_environment) as made:
        for _round in range(ROUNDS):
            made.killed_at.clear()
            runs = kill_at_random(made, start, chance)
            assert made.wait_until(lambda: all(map(has_ended, runs)), 120)  # noqa: B023 - called at once
            for run in runs:
                assert_as_if_nothing_had_happened(made, run)
            recoveries += recovery_s(runs, made.killed_at)
    worst = sorted(recoveries)[int(0.95 * len(recoveries)) :]
    print(f"\n{ROUNDS * KILLS} kills; from kill to the next finished step, p95 and above: {worst} s")


def kill_at_random(made: Rig, start, chance: random.Random) -> list[Run]:
    """Start a run after each kill, so that there is always one under way."""
    runs = [start(work_s=0.05)]
    for _kill in range(KILLS):
        until = time.monotonic() + chance.uniform(0.5, 2.5)
        made.wait_until(lambda: time.monotonic() > until, 5)  # noqa: B023 - called at once
        made.kill_one(chance)
        runs.append(start(work_s=0.05))
    return runs


def test_a_run_survives_a_broker_that_forgets_everything(start, valkey, child_environment, tmp_path):
    with rig(tmp_path, child_environment) as made, Redis.from_url(valkey) as broker:
        run = start(work_s=0.05)
        for _time in range(3):
            assert made.wait_until(lambda: bool(broker.dbsize()) or has_ended(run), 20)
            broker.flushall()
        assert made.wait_until(partial(has_ended, run), 60)
        assert_as_if_nothing_had_happened(made, run)


def test_a_worker_that_sleeps_through_its_leases_writes_nothing(start, child_environment, tmp_path):
    with rig(tmp_path, child_environment) as made:
        zombie = made.worker("agents")
        run = start(work_s=0.3)
        assert made.wait_until(lambda: made.log.exists(), 30)
        os.kill(zombie.pid, signal.SIGSTOP)
        successor = made.add("successor", AGENTS)
        successor.start()
        assert made.wait_until(partial(has_ended, run), 60)
        os.kill(zombie.pid, signal.SIGCONT)
        time.sleep(1)  # for what the zombie still had in hand
        assert_as_if_nothing_had_happened(made, run)
