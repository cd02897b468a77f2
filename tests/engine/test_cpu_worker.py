"""CPU steps, done one by one in this process."""

import threading

import pytest

from research.db.tenancy import tenant_context
from research.engine import claim_and_finish_steps, cpu_worker
from research.engine.cpu_worker import isolate_retried_step, work_through
from research.engine.helper_thread import HelperThread
from research.engine.step_runner import StopReason, serve
from research.models import Outbox, Queue, State, StepStatus
from tests.engine import toy
from tests.engine.rows import fresh, let_leases_expire, sql, steps_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def to_read(start_toy):
    """A run whose sources wait to be read."""
    run = start_toy()
    serve(run.tenant_id, run.pk)
    return run


@pytest.fixture
def one_thread(monkeypatch):
    """Work in one thread: with a second one, the order in which groups are stored is not certain."""
    monkeypatch.setattr(HelperThread, "take_on", lambda *_: None)


def list_reading_steps(run):
    return [step for step in steps_of(run).values() if step.queue == Queue.READING]


def test_all_steps_of_its_queue_are_done_and_their_state_is_passed(to_read):
    assert work_through(to_read.tenant_id, to_read.pk, Queue.READING) is StopReason.IDLE
    assert {step.status for step in list_reading_steps(to_read)} == {StepStatus.COMPLETED}
    assert steps_of(to_read)["3.reading"].status == StepStatus.COMPLETED
    assert fresh(to_read).state == State.ANALYZING
    after = [step for key, step in steps_of(to_read).items() if key.startswith("4.")]
    assert {step.status for step in after} == {StepStatus.PENDING}
    assert _queues_of_messages(to_read, "4.analyzing") == {Queue.AGENTS}


def _queues_of_messages(run, occasion):
    with tenant_context(run.tenant_id):
        messages = Outbox.objects.filter(run=run, dedupe_key__contains=f"/{occasion}")
        return {message.payload["queue"] for message in messages}


def test_a_state_that_cannot_be_passed_is_left_to_the_next_runner(to_read, monkeypatch):
    def fail(step, served):
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(claim_and_finish_steps, "pass_state", fail)
        work_through(to_read.tenant_id, to_read.pk, Queue.READING)
    assert {step.status for step in list_reading_steps(to_read)} == {StepStatus.COMPLETED}
    visit = steps_of(to_read)["3.reading"]
    assert (visit.status, visit.attempt) == (StepStatus.PENDING, 0)
    assert Queue.AGENTS in _queues_of_messages(to_read, "")
    serve(to_read.tenant_id, to_read.pk)
    assert steps_of(to_read)["3.reading"].status == StepStatus.COMPLETED


def test_a_worker_whose_time_is_up_takes_nothing(to_read):
    assert work_through(to_read.tenant_id, to_read.pk, Queue.READING, limit_s=0) is StopReason.HANDED_ON
    assert {step.attempt for step in list_reading_steps(to_read)} == {0}


def test_states_and_async_work_can_be_done_here_too(start_toy):
    run = start_toy()
    assert work_through(run.tenant_id, run.pk, Queue.CONTROL) is StopReason.IDLE
    assert fresh(run).state == State.PLANNING
    assert work_through(run.tenant_id, run.pk, Queue.AGENTS) is StopReason.IDLE
    assert steps_of(run)["1.planning/plan"].output == {"subtopics": 3}


def test_a_step_that_killed_its_worker_too_often_is_not_executed(to_read):
    sql(to_read, "UPDATE research_step SET attempt = 3 WHERE queue = 'reading' AND run_id = %s")
    executed = []
    toy.actions["0"] = executed.append
    work_through(to_read.tenant_id, to_read.pk, Queue.READING)
    assert {step.error_code for step in list_reading_steps(to_read)} == {"ATTEMPTS_SPENT"}
    assert executed == []


def test_a_handler_that_is_unknown_fails_its_step(to_read):
    sql(
        to_read,
        "UPDATE research_step SET handler = 'toy.gone' WHERE key LIKE '%%read.beta.0' AND run_id = %s",
    )
    work_through(to_read.tenant_id, to_read.pk, Queue.READING)
    step = steps_of(to_read)["reading/read.beta.0"]
    assert (step.error_code, step.error_message) == (
        "INVALID_REQUEST",
        "There is no handler for toy.gone.",
    )


def test_a_handler_sees_its_step_as_it_was_claimed(to_read):
    seen = []
    toy.actions["read.beta.1"] = seen.append
    work_through(to_read.tenant_id, to_read.pk, Queue.READING)
    (work,) = seen
    step = steps_of(to_read)["reading/read.beta.1"]
    assert (work.step_id, work.run_id, work.tenant_id) == (step.pk, to_read.pk, to_read.tenant_id)
    assert (work.key, work.handler, work.input) == (step.key, "toy.read", step.input)
    assert (work.attempt, work.fence) == (1, 1)
    assert work.is_stopped()  # its lease was dropped when it was stored


def test_a_lease_is_in_this_process_s_name_while_its_step_is_done(to_read):
    held = []

    def look(work):
        step = steps_of(to_read)[work.key]
        held.append((step.status, step.lease_owner.split("|")[1] != "", work.is_stopped()))

    toy.actions["read.beta.1"] = look
    work_through(to_read.tenant_id, to_read.pk, Queue.READING)
    assert held == [(StepStatus.RUNNING, True, False)]


def test_a_step_that_takes_long_keeps_its_lease(to_read, monkeypatch):
    monkeypatch.setattr("research.engine.leases.HEARTBEAT_S", 0.02)
    kept = []

    def wait_for_a_beat(work):
        claimed = steps_of(to_read)[work.key].lease_until
        for _look in range(500):
            if steps_of(to_read)[work.key].lease_until > claimed:
                break
            threading.Event().wait(0.01)
        kept.append(steps_of(to_read)[work.key].lease_until > claimed)

    toy.actions["read.beta.1"] = wait_for_a_beat
    work_through(to_read.tenant_id, to_read.pk, Queue.READING)
    assert kept == [True]


def test_what_is_done_does_not_wait_long_for_the_rest_of_its_group(to_read, monkeypatch, one_thread):
    stored = []
    finish = cpu_worker.finish
    monkeypatch.setattr(
        cpu_worker, "finish", lambda done, served: (stored.append(len(done)), finish(done, served))
    )
    monkeypatch.setattr(cpu_worker, "choose_group_size", lambda *_: 3)
    monkeypatch.setattr(cpu_worker, "GROUP_S", 0)
    work_through(to_read.tenant_id, to_read.pk, Queue.READING)
    assert stored == [1] * 6


def test_a_group_is_stored_whole_when_its_last_step_is_done(to_read, monkeypatch, one_thread):
    stored = []
    finish = cpu_worker.finish
    monkeypatch.setattr(
        cpu_worker, "finish", lambda done, served: (stored.append(len(done)), finish(done, served))
    )
    monkeypatch.setattr(cpu_worker, "choose_group_size", lambda *_: 3)
    monkeypatch.setattr(cpu_worker, "GROUP_S", 600)
    work_through(to_read.tenant_id, to_read.pk, Queue.READING)
    assert stored == [1, 3, 2]


def test_a_step_of_a_group_began_when_the_one_before_was_done(to_read, monkeypatch, one_thread):
    monkeypatch.setattr(cpu_worker, "choose_group_size", lambda *_: 8)
    monkeypatch.setattr(cpu_worker, "GROUP_S", 600)
    work_through(to_read.tenant_id, to_read.pk, Queue.READING)
    steps = sorted(list_reading_steps(to_read), key=lambda step: step.step_index)
    began = [step.started_at for step in steps]
    assert began == sorted(set(began))
    group = steps[1:]
    worked = sum(step.duration_ms for step in group) / 1000
    assert worked <= (group[-1].completed_at - group[0].started_at).total_seconds() + 0.01


def test_a_zombie_s_group_is_dropped(to_read):
    def take_away(_work):
        toy.actions.clear()
        let_leases_expire(to_read)
        sql(to_read, "UPDATE research_step SET fence = fence + 1 WHERE queue = 'reading' AND run_id = %s")

    toy.actions["read.alpha.0"] = take_away
    work_through(to_read.tenant_id, to_read.pk, Queue.READING)
    step = steps_of(to_read)["reading/read.alpha.0"]
    assert (step.status, step.attempt) == (StepStatus.COMPLETED, 2)


@pytest.mark.parametrize(
    ("steps", "seconds", "most"),
    [(1, 0.2, 1), (1, 0.1, 2), (1, 0.05, 4), (3, 0.15, 4), (8, 1.6, 1), (1, 9, 1)],
)
def test_a_group_holds_a_fifth_of_a_second_of_work(steps, seconds, most):
    assert cpu_worker.choose_group_size(steps, seconds) == most


def test_steps_that_a_process_died_with_are_done_one_by_one(to_read, take):
    sql(to_read, "UPDATE research_step SET attempt = 1 WHERE queue = 'reading' AND run_id = %s")
    claimed = take(to_read)
    assert len(claimed) > 1
    (kept,) = isolate_retried_step(claimed)
    rows = {step.pk: step for step in list_reading_steps(to_read)}
    assert (rows.pop(kept.id).status, kept.attempt) == (StepStatus.RUNNING, 2)
    assert {(step.status, step.attempt) for step in rows.values()} == {(StepStatus.PENDING, 1)}


def test_steps_that_nobody_died_with_stay_together(to_read, take):
    claimed = take(to_read)
    assert len(claimed) > 1
    assert isolate_retried_step(claimed) == claimed


def test_steps_are_all_done_though_a_process_died_with_them(to_read):
    sql(to_read, "UPDATE research_step SET attempt = 3 WHERE queue = 'reading' AND run_id = %s")
    sql(to_read, "UPDATE research_step SET max_attempts = 4 WHERE queue = 'reading' AND run_id = %s")
    work_through(to_read.tenant_id, to_read.pk, Queue.READING)
    assert {(step.status, step.attempt) for step in list_reading_steps(to_read)} == {
        (StepStatus.COMPLETED, 4)
    }
