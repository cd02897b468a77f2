"""Processes die at each named point, wherever a kill might lose something; nothing is lost, nothing done twice."""

import os
import time
from collections.abc import Callable

import pytest

from research.models import Run, State
from research.runtime.fault_injection import FaultPoint
from tests.crash import beside, invariants
from tests.crash.hooks import receiver_dies, sender_dies
from tests.crash.points import POINTS, SMOKE, NamedPoint, alone, dead_at
from tests.crash.results import Results
from tests.crash.rig import Process, Rig
from tests.crash.stage import Stage, new_key, send
from tests.crash.world import retry_query
from tests.often import IS_FULL

pytestmark = pytest.mark.crash
REPEATS = int(os.environ.get("CRASH_REPEATS", "10")) if IS_FULL else 1
# Passed only where a page is kept for the first time.
AT_NEW_PAGES = {FaultPoint.CHUNK_BATCH, FaultPoint.OBJECT_BEFORE_ROW}
TRIED = [one if one.point in SMOKE else pytest.param(one, marks=pytest.mark.full) for one in POINTS]


def test_without_a_kill_every_step_is_executed_once(live_rig: Rig, stage: Stage) -> None:
    run = stage.start(live_rig)
    stage.wait(live_rig, run)
    stage.assert_whole(live_rig, run)
    assert invariants.count_wasted_executions(live_rig.log, run) == 0
    assert invariants.unknown_calls(stage.tenant_id) == 0


@pytest.mark.parametrize("named", TRIED, ids=lambda one: one.point)
def test_a_run_survives_a_death_at(named: NamedPoint, live_rig: Rig, stage: Stage, results: Results) -> None:
    row = results.row("Named point", named.words)
    play = PLAYS.get(named.point, dies_in_a_run)
    for _time in range(REPEATS):
        row.wrong += 1  # until it is known to be whole
        row.kills += 1
        falls = live_rig.falls()
        recovery = play(named, live_rig, stage)
        assert live_rig.falls() > falls, "who had the trap died of something else"
        stage.assert_sound(live_rig)
        row.recoveries += [recovery] if recovery is not None else []
        row.wrong -= 1
    assert invariants.unknown_calls(stage.tenant_id) <= stage.may_be_unknown


def dies_in_a_run(named: NamedPoint, made: Rig, stage: Stage) -> float | None:
    """One worker has a trap; whoever supervises it starts it again without."""
    victim = made.process(named.who)
    victim.restart(named.crash_at)
    return run_through_crash(named, made, stage, victim)


def run_through_crash(named: NamedPoint, made: Rig, stage: Stage, victim: Process) -> float | None:
    """Start the run, wait for the death and for the end; seconds from the one to the run's next finished step."""
    edition = {"edition": f" {len(stage.runs)}"} if named.point in AT_NEW_PAGES else {}
    run = stage.start(made, **named.config, **edition)
    assert made.wait_until(lambda: not victim.is_trapped or stage.has_ended(run), 30)
    died_at = time.time()
    assert not victim.is_trapped, f"{named.crash_at} was never passed"
    stage.note_kill()
    stage.wait(made, run)
    stage.assert_whole(made, run)
    return stage.progress_after(run, died_at)


def thread_dies(named: NamedPoint, made: Rig, stage: Stage) -> float | None:
    """Only the process's heartbeat ends: its lease runs out in its hands, and its results are not stored."""
    victim = made.process(named.who)
    victim.restart(named.crash_at)
    victim.is_trapped = False  # the process goes on: it is not to be started again
    run = stage.start(made, **named.config)
    stage.wait(made, run)
    stage.assert_whole(made, run)
    victim.restart()
    return None


def starter_dies(named: NamedPoint, made: Rig, stage: Stage) -> float | None:
    """The user sends the form again: the run is there, or made now; never twice."""
    key = new_key()
    send(made, stage.tenant_id, key, {}, named.crash_at)
    died_at, was = time.time(), stage.find_run(key)
    assert (was is None) is (named.point is FaultPoint.RUN_BEFORE_COMMIT)
    send(made, stage.tenant_id, key, {})
    run = stage.find_run(key)
    assert run is not None
    assert was is None or run == was
    stage.wait(made, run)
    stage.assert_whole(made, run)
    return stage.progress_after(run, died_at)


def canceller_dies(named: NamedPoint, made: Rig, stage: Stage) -> float | None:
    """Nothing is cancelled then, and the user says it again."""
    run = stage.start(made, **named.config)
    made.web("cancel", stage.tenant_id, run.pk, crash_at=named.crash_at)
    assert retry_query(lambda: stage.fresh(run)).cancel_at is None
    made.web("cancel", stage.tenant_id, run.pk)
    stage.wait(made, run)
    assert stage.fresh(run).state == State.CANCELLED
    stage.note_kill()
    return None


def sweeper_dies(named: NamedPoint, made: Rig, stage: Stage) -> float | None:
    """A worker is gone with a step in its hands; who frees the step dies before telling anyone."""
    reading, victim = made.process("reading"), made.process(named.who)
    run = stage.start(made, **named.config)
    assert made.wait_until(lambda: is_executing(made, run, "read.topic0.0"), 30)
    victim.restart(named.crash_at)
    reading.is_wanted = False
    reading.end()
    assert made.wait_until(lambda: not victim.is_trapped, 30), f"{named.crash_at} was never passed"
    died_at, reading.is_wanted = time.time(), True
    stage.wait(made, run)
    stage.assert_whole(made, run)
    return stage.progress_after(run, died_at)


def is_executing(made: Rig, run: Run, key: str) -> bool:
    return any(
        execution.run_id == str(run.pk) and execution.key.endswith(key)
        for execution in invariants.executions(made.log)
    )


def asker_dies(named: NamedPoint, made: Rig, stage: Stage) -> float | None:
    """The question is there once, whoever asks it in the end; its answer lets the run go on."""
    victim = made.process(named.who)
    victim.restart(named.crash_at)
    run = stage.start(made, **named.config)
    assert made.wait_until(lambda: not victim.is_trapped, 30), f"{named.crash_at} was never passed"
    died_at = time.time()
    return answer_plan(made, stage, run, died_at)


def answer_plan(made: Rig, stage: Stage, run: Run, died_at: float) -> float | None:
    assert made.wait_until(lambda: stage.fresh(run).state == State.HUMAN_REVIEW_PLAN, 30)
    made.web("answer", stage.tenant_id, run.pk)
    stage.wait(made, run)
    stage.assert_whole(made, run)
    return stage.progress_after(run, died_at)


def decider_dies(named: NamedPoint, made: Rig, stage: Stage) -> float | None:
    """Nothing is decided then, and the reviewer says it again."""
    run = stage.start(made, **named.config)
    assert made.wait_until(lambda: stage.fresh(run).state == State.HUMAN_REVIEW_PLAN, 30)
    made.web("answer", stage.tenant_id, run.pk, crash_at=named.crash_at)
    died_at = time.time()
    assert beside.decisions(stage, run) == 0
    recovery = answer_plan(made, stage, run, died_at)
    assert beside.decisions(stage, run) == 1
    return recovery


def starter_of_schedules_dies(named: NamedPoint, made: Rig, stage: Stage) -> float | None:
    """The next process that looks starts what is due, once."""
    alone(named, made)
    schedule = beside.forgotten_schedule(stage)
    died_at = dead_at(named, made)
    assert made.wait_until(lambda: bool(beside.runs_of(stage, schedule)), 30)
    (run,) = beside.runs_of(stage, schedule)
    stage.wait(made, run)
    stage.assert_whole(made, run)
    assert beside.runs_of(stage, schedule) == [run]
    return stage.progress_after(run, died_at)


def postman_dies(named: NamedPoint, made: Rig, stage: Stage) -> float | None:
    """The mail that it sent goes out once more, under the same number, and no third time."""
    alone(named, made)
    ref = beside.post_mail(stage)
    dead_at(named, made)
    assert len(beside.copies(made, ref)) == 1
    beside.let_minutes_pass(stage, ref)
    assert made.wait_until(lambda: beside.is_sent(stage, ref), 30)
    first, second = beside.copies(made, ref)
    assert first == second
    return None


def maker_of_files_dies(named: NamedPoint, made: Rig, stage: Stage) -> float | None:
    """The next worker makes the file anew: it is there once, and whole."""
    run = stage.start(made)
    stage.wait(made, run)
    victim = made.process(named.who)
    victim.restart(named.crash_at)
    asked_for = beside.ask_for_file(stage, run)
    assert made.wait_until(lambda: not victim.is_trapped, 30), f"{named.crash_at} was never passed"
    died_at = time.time()
    assert made.wait_until(lambda: beside.file_is_whole(stage, asked_for), 30)
    return time.time() - died_at


def relay_dies(named: NamedPoint, made: Rig, stage: Stage) -> float | None:
    """Who started the run died before its message was sent; the relay takes it, and dies as well."""
    alone(named, made)
    key = new_key()
    send(made, stage.tenant_id, key, {}, FaultPoint.RUN_AFTER_COMMIT)
    run = stage.find_run(key)
    assert run is not None
    died_at = dead_at(named, made)
    stage.wait(made, run)
    stage.assert_whole(made, run)
    return stage.progress_after(run, died_at)


PLAYS: dict[FaultPoint, Callable[[NamedPoint, Rig, Stage], float | None]] = {
    FaultPoint.RUN_BEFORE_COMMIT: starter_dies,
    FaultPoint.RUN_AFTER_COMMIT: starter_dies,
    FaultPoint.CANCEL_BEFORE_COMMIT: canceller_dies,
    FaultPoint.SWEPT_BEFORE_PUBLISH: sweeper_dies,
    FaultPoint.RELAY_BEFORE_PUBLISH: relay_dies,
    FaultPoint.ASKED_BEFORE_COMMIT: asker_dies,
    FaultPoint.DECIDED_BEFORE_COMMIT: decider_dies,
    FaultPoint.SCHEDULED_BEFORE_COMMIT: starter_of_schedules_dies,
    FaultPoint.MAILED_BEFORE_MARK: postman_dies,
    FaultPoint.EXPORT_BEFORE_STORING: maker_of_files_dies,
    FaultPoint.EXPORT_AFTER_STORING: maker_of_files_dies,
    FaultPoint.WEBHOOK_AFTER_VERIFY: receiver_dies,
    FaultPoint.WEBHOOK_AFTER_INSERT: receiver_dies,
    FaultPoint.SENT_BEFORE_MARK: sender_dies,
    FaultPoint.HEARTBEAT: thread_dies,
}
