"""A run served in this process, from its start to its end."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection

from research.db.tenancy import tenant_context
from research.engine import cpu_worker, pipeline_registry, step_runner
from research.engine.cpu_worker import work_through
from research.engine.pipeline_registry import UnknownPipeline
from research.engine.states.transitions import reconsider
from research.engine.step_runner import RunnerLimits, StopReason, drive, run_for_message, serve
from research.models import Kind, Outbox, Queue, Run, Source, State, StepStatus
from research.runs.start_and_cancel import cancel_run, pause_run, resume_run, start_run
from research.tasks import serve_run
from tests.crash.invariants import find_violations
from tests.engine import toy
from tests.engine.rows import fresh, let_leases_expire, let_time_pass, sql, steps_of

pytestmark = pytest.mark.django_db(transaction=True)


def hold(run: Run, key: str) -> toy.Gate:
    toy.gates[key] = toy.Gate()
    return toy.gates[key]


def wait_until(holds, limit_s: float = 15) -> None:
    until = time.monotonic() + limit_s
    while not holds():
        assert time.monotonic() < until, "it did not happen"
        threading.Event().wait(0.02)


@pytest.fixture(autouse=True)
def not_stopping():
    yield
    step_runner.stopping.clear()


def test_a_run_goes_through_its_states_to_its_result(start_toy):
    run = start_toy()
    assert drive(run.tenant_id, run.pk) is State.COMPLETED
    ended = fresh(run)
    assert ended.outcome["summary"] == ["9 words in 6 parts"]
    assert ended.duration_seconds > 0
    assert find_violations(run.tenant_id) == {}


def test_the_step_log_tells_the_way(start_toy):
    run = start_toy()
    drive(run.tenant_id, run.pk)
    visits = [key for key in steps_of(run) if "/" not in key]
    assert visits == ["0.created", "1.planning", "2.collecting", "3.reading", "4.analyzing"]
    assert {step.status for step in steps_of(run).values()} == {StepStatus.COMPLETED}


def test_work_for_a_later_state_begins_early_and_is_waited_for(start_toy):
    run = start_toy()
    hold(run, "read.alpha.0")
    seen: list[str] = []
    toy.actions["fetch.gamma.1"] = lambda _work: toy.gates["gate"].wait(10)
    toy.gates["gate"] = toy.Gate()

    def note_state(_work):
        seen.append(fresh(run).state)
        toy.gates["gate"].set()

    toy.actions["read.beta.1"] = note_state
    with ThreadPoolExecutor(1) as pool:
        driven = pool.submit(drive, run.tenant_id, run.pk)
        wait_until(lambda: fresh(run).state == State.READING)
        toy.gates["read.alpha.0"].set()
        assert driven.result(20) is State.COMPLETED
    assert seen == [State.COLLECTING]


def test_a_failed_child_counts_as_finished_with_its_reason(start_toy):
    run = start_toy(fail={"part.0": ["PAYWALL"]})
    drive(run.tenant_id, run.pk)
    failed = steps_of(run)["4.analyzing/part.0"]
    assert (failed.status, failed.error_code) == (StepStatus.FAILED, "PAYWALL")
    assert find_violations(run.tenant_id) == {}


def test_a_transient_failure_is_tried_again(start_toy, monkeypatch):
    monkeypatch.setattr("research.engine.states.step_failures.longest_backoff_s", lambda *_: 0.01)
    run = start_toy(fail={"search.beta": ["TIMEOUT", "TIMEOUT"]})
    assert drive(run.tenant_id, run.pk) is State.COMPLETED
    step = steps_of(run)["2.collecting/search.beta"]
    assert (step.status, step.attempt) == (StepStatus.COMPLETED, 3)


def test_a_bug_in_a_handler_leaves_its_traceback_in_the_step(start_toy, monkeypatch):
    monkeypatch.setattr("research.engine.states.transitions.state_retry_delay_s", lambda _retries: 0.01)
    run = start_toy(fail={"plan": ["BUG"]})
    assert drive(run.tenant_id, run.pk) is State.FAILED
    step = steps_of(run)["1.planning/plan"]
    assert "ZeroDivisionError: a bug in the handler" in step.output["failures"][0]["traceback"]
    assert fresh(run).failure_code == "INTERNAL_ERROR"


def test_a_state_is_tried_again_until_its_retries_are_spent(start_toy, monkeypatch):
    monkeypatch.setattr("research.engine.states.transitions.state_retry_delay_s", lambda _retries: 0.01)
    run = start_toy(fail={"plan": ["NO_RESULTS"]})
    assert drive(run.tenant_id, run.pk) is State.FAILED
    assert [key for key in steps_of(run) if key.endswith(".planning")] == [
        "1.planning",
        "3.planning",
        "5.planning",
        "7.planning",
    ]
    assert fresh(run).failure_code == "NO_RESULTS"


def test_a_bug_in_the_recipe_ends_the_run_with_the_reason(start_toy, monkeypatch):
    monkeypatch.setattr(toy.ToyPipeline, "steps_for", lambda *_: 1 / 0)
    run = start_toy()
    assert drive(run.tenant_id, run.pk) is State.FAILED
    step = steps_of(run)["0.created"]
    assert "ZeroDivisionError" in step.output["failures"][0]["traceback"]


def test_a_handler_that_is_unknown_ends_the_run(start_toy, monkeypatch):
    run = start_toy()
    monkeypatch.setattr(toy.ToyPipeline, "handlers", {})
    assert drive(run.tenant_id, run.pk) is State.FAILED
    assert fresh(run).failure_code == "INVALID_REQUEST"


def test_two_runners_share_one_run(start_toy):
    run = start_toy(width=4)
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(drive, run.tenant_id, run.pk) for _runner in range(2)]
        assert {one.result(40) for one in both} == {State.COMPLETED}
    assert fresh(run).outcome["summary"] == ["30 words in 12 parts"]
    assert find_violations(run.tenant_id) == {}


def test_messages_may_come_late_and_twice(start_toy):
    run = start_toy()
    ids = {"tenant_id": str(run.tenant_id), "run_id": str(run.pk)}
    for _round in range(12):
        for queue in ("agents", "reading", "reading"):
            serve_run(**ids, queue=queue)
    assert fresh(run).state == State.COMPLETED
    serve_run(**ids, queue="agents")
    assert find_violations(run.tenant_id) == {}


def test_a_message_about_a_run_that_is_gone_does_nothing(start_toy):
    run = start_toy()
    serve_run(str(run.tenant_id), str(run.tenant_id), "agents")
    assert fresh(run).state == State.CREATED


def test_a_kind_without_a_recipe_cannot_be_driven(tenant, owner, monkeypatch):
    monkeypatch.setattr(pipeline_registry, "_recipes", {})
    monkeypatch.setattr(pipeline_registry, "_paths", {})
    with tenant_context(tenant.pk):
        run = start_run(owner=owner, kind=Kind.DIGEST, topic="What do people say?")
    with pytest.raises(UnknownPipeline):
        drive(tenant.pk, run.pk)


def test_a_runner_leaves_cpu_steps_to_others(start_toy):
    run = start_toy()
    assert serve(run.tenant_id, run.pk) is StopReason.IDLE
    reading = [step for step in steps_of(run).values() if step.queue == Queue.READING]
    assert {step.status for step in reading} == {StepStatus.PENDING}
    work_through(run.tenant_id, run.pk, Queue.READING)
    assert serve(run.tenant_id, run.pk) is StopReason.OVER


def test_short_cpu_steps_are_stored_together(start_toy, monkeypatch):
    stored: list[int] = []
    finish = cpu_worker.finish

    def finish_and_note(done, served):
        stored.append(len(done))
        finish(done, served)

    monkeypatch.setattr(cpu_worker, "finish", finish_and_note)
    run = start_toy(width=4)
    serve(run.tenant_id, run.pk)
    work_through(run.tenant_id, run.pk, Queue.READING)
    reading = [step for step in steps_of(run).values() if step.queue == Queue.READING]
    assert {step.status for step in reading} == {StepStatus.COMPLETED}
    assert sum(stored) == len(reading)
    assert max(stored) > 1


def test_long_cpu_steps_are_claimed_alone():
    assert cpu_worker.choose_group_size(1, 2.0) == 1
    assert cpu_worker.choose_group_size(4, 0.0) == cpu_worker.MAX_AT_ONCE
    assert cpu_worker.choose_group_size(2, 0.09) == 4


def test_a_runner_whose_time_is_up_hands_on(start_toy):
    run = start_toy()
    assert serve(run.tenant_id, run.pk, RunnerLimits(limit_s=0)) is StopReason.HANDED_ON


def test_a_second_message_wakes_the_runner_that_is_there(start_toy):
    run = start_toy()
    gate = hold(run, "2.collecting/search.alpha")
    with ThreadPoolExecutor(2) as pool:
        served = pool.submit(run_for_message, run.tenant_id, run.pk)
        while not gate.waited_for.wait(0.02):
            assert not served.done()
        assert pool.submit(run_for_message, run.tenant_id, run.pk).result(20) is StopReason.JOINED
        gate.set()
        assert served.result(30) is StopReason.IDLE
    assert run_for_message(run.tenant_id, run.pk) is StopReason.IDLE


def test_a_worker_that_is_told_to_end_gives_its_steps_back(start_toy, monkeypatch):
    run = start_toy()
    monkeypatch.setattr(step_runner, "SHUTDOWN_S", 0)
    gate = hold(run, "2.collecting/search.alpha")
    with ThreadPoolExecutor(1) as pool:
        served = pool.submit(serve, run.tenant_id, run.pk)
        while not gate.waited_for.wait(0.02):
            assert not served.done()
        step_runner.stopping.set()
        assert served.result(20) is StopReason.HANDED_ON
    step = steps_of(run)["2.collecting/search.alpha"]
    assert (step.status, step.attempt) == (StepStatus.PENDING, 0)


# --- the owner's wishes ---


def test_a_cancelled_run_keeps_what_it_has(start_toy):
    run = start_toy()

    def cancel(_work):
        with tenant_context(run.tenant_id):
            cancel_run(run.pk)

    toy.actions["read.alpha.0"] = cancel
    assert drive(run.tenant_id, run.pk) is State.CANCELLED
    with tenant_context(run.tenant_id):
        assert Source.objects.filter(run=run).exists()
    assert find_violations(run.tenant_id) == {}


def test_a_cancel_before_anything_happened_ends_the_run_at_once(start_toy):
    run = start_toy()
    with tenant_context(run.tenant_id):
        assert cancel_run(run.pk)
        assert not cancel_run(run.pk)
    assert fresh(run).state == State.CANCELLED


def test_a_step_that_does_not_end_cannot_hold_up_a_cancel(start_toy, monkeypatch):
    monkeypatch.setattr(step_runner, "CANCEL_GRACE_S", 0)
    monkeypatch.setattr(step_runner, "TICK_S", 0.05)
    run = start_toy()
    gate = hold(run, "2.collecting/search.alpha")
    with ThreadPoolExecutor(1) as pool:
        driven = pool.submit(drive, run.tenant_id, run.pk)
        assert gate.waited_for.wait(10)
        with tenant_context(run.tenant_id):
            cancel_run(run.pk)
        wait_until(lambda: fresh(run).state == State.CANCELLED)
        gate.set()
        assert driven.result(20) is State.CANCELLED
    assert steps_of(run)["2.collecting/search.alpha"].status == StepStatus.SKIPPED


def test_a_paused_run_waits_and_goes_on(start_toy):
    run = start_toy()

    def pause(_work):
        with tenant_context(run.tenant_id):
            pause_run(run.pk)

    toy.actions["1.planning/plan"] = pause
    assert drive(run.tenant_id, run.pk) is State.PLANNING
    assert steps_of(run)["1.planning"].status == StepStatus.PENDING
    toy.actions.clear()
    with tenant_context(run.tenant_id):
        assert resume_run(run.pk)
    assert drive(run.tenant_id, run.pk) is State.COMPLETED


def test_a_pause_counts_towards_no_limit(start_toy, tenant):
    run = start_toy()
    serve(run.tenant_id, run.pk, RunnerLimits(queues=frozenset({Queue.CONTROL})))
    before = fresh(run)
    with tenant_context(tenant.pk):
        pause_run(run.pk)
    sql(run, "UPDATE research_run SET paused_at = now() - interval '1 day' WHERE id = %s")
    with tenant_context(tenant.pk):
        resume_run(run.pk)
    after = fresh(run)
    assert 86_399 < (after.deadline - before.deadline).total_seconds() < 86_460
    assert 86_399 < (after.state_deadline - before.state_deadline).total_seconds() < 86_460


# --- limits ---


def test_a_state_that_takes_too_long_ends_the_run(start_toy):
    run = start_toy()
    serve(run.tenant_id, run.pk, RunnerLimits(queues=frozenset({Queue.CONTROL})))
    let_time_pass(run, 301)
    assert (
        serve(run.tenant_id, run.pk, RunnerLimits(queues=frozenset({Queue.CONTROL}), stays=True))
        is StopReason.OVER
    )
    ended = fresh(run)
    assert (ended.state, ended.failure_code) == (State.FAILED, "STATE_TIME_LIMIT")


def test_a_run_that_takes_too_long_ends(start_toy):
    run = start_toy()
    serve(run.tenant_id, run.pk, RunnerLimits(queues=frozenset({Queue.CONTROL})))
    sql(run, "UPDATE research_run SET deadline = now() WHERE id = %s")
    reconsider(run.tenant_id, run.pk)
    assert fresh(run).failure_code == "RUN_TIME_LIMIT"


def test_a_state_is_left_softly_when_its_time_runs_out(start_toy):
    run = start_toy(minimum=2)
    gate = hold(run, "search.gamma")

    def near_the_end(_work):
        let_time_pass(run, 1_700)

    toy.actions["fetch.beta.1"] = near_the_end
    with ThreadPoolExecutor(1) as pool:
        driven = pool.submit(drive, run.tenant_id, run.pk)
        wait_until(lambda: fresh(run).state not in (State.CREATED, State.PLANNING, State.COLLECTING))
        gate.set()
        assert driven.result(20) is State.COMPLETED
    assert steps_of(run)["2.collecting/search.gamma"].status == StepStatus.SKIPPED
    assert find_violations(run.tenant_id) == {}
    with tenant_context(run.tenant_id):  # nobody else was called for what this process does itself
        knocks = Outbox.objects.filter(topic="research.tasks.serve_run")
        assert [outbox.dedupe_key for outbox in knocks] == [f"{run.pk}/agents/start"]


# --- death ---


def test_a_step_that_kills_its_worker_again_and_again_fails(start_toy, take):
    run = start_toy()
    for _death in range(3):
        take(run)
        let_leases_expire(run)
    assert drive(run.tenant_id, run.pk) is State.FAILED
    assert steps_of(run)["0.created"].error_code == "ATTEMPTS_SPENT"


def test_another_runner_goes_on_where_one_died(start_toy, take):
    run = start_toy()
    serve(run.tenant_id, run.pk, RunnerLimits(queues=frozenset({Queue.CONTROL})))
    assert [step.key for step in take(run)] == ["1.planning/plan"]
    let_leases_expire(run)
    assert drive(run.tenant_id, run.pk) is State.COMPLETED
    assert steps_of(run)["1.planning/plan"].attempt == 2


def test_a_runner_leaves_its_writers_connection_to_the_next_and_no_other_open(start_toy):
    for _ in range(2):
        run = start_toy()
        drive(run.tenant_id, run.pk)
        for thread in threading.enumerate():
            if thread.name in ("handler", "heartbeat"):
                thread.join(10)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(0.1)")  # a server process outlives its connection by a moment
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            assert cursor.fetchone()[0] == 1


def test_a_writers_connection_that_broke_meanwhile_is_opened_anew(start_toy):
    before = start_toy()
    drive(before.tenant_id, before.pk)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    run = start_toy()
    assert drive(run.tenant_id, run.pk) == State.COMPLETED


# --- how a runner stays and leaves ---


def test_a_runner_waits_for_a_try_that_is_due_soon_and_for_no_other(start_toy):
    run = start_toy()
    due = "UPDATE research_step SET status = 'retrying', not_before = clock_timestamp() + interval"
    sql(run, f"{due} '1 hour' WHERE run_id = %s")
    assert serve(run.tenant_id, run.pk) is StopReason.IDLE
    sql(run, f"{due} '0.2 s' WHERE run_id = %s")
    assert serve(run.tenant_id, run.pk, RunnerLimits(longest_wait_s=0.01)) is StopReason.IDLE
    assert fresh(run).state == State.CREATED
    assert serve(run.tenant_id, run.pk) is StopReason.IDLE
    assert fresh(run).state == State.READING


def test_a_runner_leaves_a_paused_run_even_if_it_was_to_stay(start_toy, caplog):
    run = start_toy()
    with tenant_context(run.tenant_id):
        pause_run(run.pk)
    with caplog.at_level("INFO", "research.engine.step_runner"):
        assert serve(run.tenant_id, run.pk, RunnerLimits(stays=True)) is StopReason.WAITING
    assert caplog.messages[-1] == f"runner_left run='{run.pk}' ending='waiting'"


def test_a_runner_takes_no_more_at_once_than_it_can_do(start_toy, monkeypatch):
    monkeypatch.setattr(step_runner, "STEPS_AT_ONCE", 2)
    run = start_toy()
    gate = hold(run, "2.collecting/search.alpha")
    with ThreadPoolExecutor(1) as pool:
        driven = pool.submit(drive, run.tenant_id, run.pk)
        assert gate.waited_for.wait(20)
        assert sum(step.status == StepStatus.RUNNING for step in steps_of(run).values()) <= 2
        gate.set()
        assert driven.result(30) is State.COMPLETED


@pytest.mark.parametrize("key", ["1.planning/plan", "2.collecting/search.alpha"])
def test_a_step_that_takes_too_long_is_given_up_and_tried_again(start_toy, monkeypatch, key):
    monkeypatch.setattr(step_runner, "STEP_LIMIT_S", 0.3)
    monkeypatch.setattr(step_runner, "SHUTDOWN_S", 0.3)
    run = start_toy()
    gate = hold(run, key)
    with ThreadPoolExecutor(1) as pool:
        served = pool.submit(serve, run.tenant_id, run.pk, RunnerLimits(longest_wait_s=0))
        wait_until(lambda: key in steps_of(run) and steps_of(run)[key].status == StepStatus.RETRYING)
        assert steps_of(run)[key].error_code == "TIMEOUT"
        gate.set()
        served.result(30)


def test_a_database_that_is_away_ends_the_runner(start_toy, monkeypatch):
    run = start_toy()

    def fail_to_claim(*_arguments, **_names):
        raise OperationalError("the server closed the connection")

    monkeypatch.setattr(step_runner, "claim", fail_to_claim)
    with pytest.raises(step_runner.RunnerFailed, match="OperationalError: the server closed the connection"):
        serve(run.tenant_id, run.pk)
    with pytest.raises(step_runner.RunnerFailed):
        run_for_message(run.tenant_id, run.pk)
    monkeypatch.undo()
    assert run_for_message(run.tenant_id, run.pk) is StopReason.IDLE


def test_work_whose_lease_was_lost_is_stopped_and_stores_nothing(start_toy, monkeypatch, caplog):
    monkeypatch.setattr("research.engine.leases.HEARTBEAT_S", 0.02)
    run = start_toy()
    gate = hold(run, "1.planning/plan")
    with caplog.at_level("INFO", "research.engine.step_runner"), ThreadPoolExecutor(1) as pool:
        served = pool.submit(serve, run.tenant_id, run.pk)
        assert gate.waited_for.wait(20)
        sql(run, "UPDATE research_step SET fence = fence + 1 WHERE key = '1.planning/plan' AND run_id = %s")
        wait_until(lambda: "lease_lost" in caplog.text)
        wait_until(lambda: "runner_left" in caplog.text)  # while its work would still be waiting
        gate.set()  # the event loop waits for the threads of handlers before it ends
        assert served.result(20) is StopReason.IDLE
    step = steps_of(run)["1.planning/plan"]
    assert (step.status, step.output, fresh(run).plan) == (StepStatus.RUNNING, {}, None)
