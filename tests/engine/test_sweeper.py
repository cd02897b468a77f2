"""The sweeper wakes the runs that nobody serves."""

import os

import pytest
from django.utils import timezone

from research.db.tenancy import create_tenant, tenant_context
from research.engine.step_runner import RunnerLimits, drive, serve
from research.engine.sweeper import LEADER_LOCK, Sweep, expire_leases, sweep, sweep_tenant
from research.models import Outbox, Queue, State, StepStatus
from research.runs.start_and_cancel import cancel_run, pause_run
from research.runtime import process_names
from tests.engine.rows import fresh, let_leases_expire, let_time_pass, sql, steps_of

LONG_AGO = (
    "UPDATE research_step SET created_at = now() - interval '1 hour', not_before = NULL WHERE run_id = %s"
)


def knocks(run):
    with tenant_context(run.tenant_id):
        return list(
            Outbox.objects.filter(run=run, dedupe_key__contains="sweep").values_list("topic", flat=True)
        )


def test_a_sweep_with_nothing_to_do_does_nothing(start_toy):
    run = start_toy()
    assert sweep_tenant(run.tenant_id) == Sweep()
    assert knocks(run) == []


def test_an_expired_lease_is_freed_and_announced(start_toy, take):
    run = start_toy()
    take(run)
    let_leases_expire(run)
    assert sweep_tenant(run.tenant_id) == Sweep(expired=1, woken=1)
    step = steps_of(run)["0.created"]
    assert (step.status, step.error_code, step.attempt) == (StepStatus.RETRYING, "LEASE_EXPIRED", 1)
    assert knocks(run) == ["research.tasks.serve_run"]


OFF_FOR_HOURS = """
UPDATE research_step SET lease_until = now() - interval '3 hours'
WHERE run_id = %s AND status = 'running' AND key = '0.created'
"""
LIMITS = """
UPDATE research_run SET state_entered_at = now() - interval '190 minutes', state_deadline = now() - interval '2 hours',
    deadline = now() - interval '1 hour' WHERE id = %s
"""


def minutes_left(run):
    run = fresh(run)
    return [
        round((until - timezone.now()).total_seconds() / 60) for until in (run.state_deadline, run.deadline)
    ]


def test_hours_in_which_nobody_worked_count_towards_no_time_limit(start_toy, take):
    run = start_toy()
    take(run)
    sql(run, OFF_FOR_HOURS)
    sql(run, LIMITS)
    sweep_tenant(run.tenant_id)
    assert minutes_left(run) == [60, 120]
    assert fresh(run).state == State.CREATED


def test_time_in_which_another_process_worked_on_the_run_counts(start_toy, take, add_step):
    run = start_toy()
    take(run)
    sql(run, OFF_FOR_HOURS)
    add_step(run, "other")
    take(run)
    sql(run, LIMITS)
    expire_leases(run.tenant_id)
    assert minutes_left(run) == [-120, -60]


def test_a_process_that_has_just_died_moves_no_limit(start_toy, take):
    run = start_toy()
    take(run, owner=process_names.owner_name().replace(f"|{os.getpid()}|", "|4194305|"))
    sql(run, LIMITS)
    assert expire_leases(run.tenant_id) == 1
    assert minutes_left(run) == [-120, -60]


def test_the_lease_of_a_process_that_is_gone_is_freed_at_once(start_toy, take):
    run = start_toy()
    take(run, owner=process_names.owner_name().replace(f"|{os.getpid()}|", "|4194305|"))
    assert sweep_tenant(run.tenant_id).expired == 1


def test_the_lease_of_a_live_process_is_left_alone(start_toy, take):
    run = start_toy()
    take(run, owner=process_names.owner_name())
    assert sweep_tenant(run.tenant_id) == Sweep()


def test_a_step_that_nobody_took_is_announced_again(start_toy):
    run = start_toy()
    sql(run, LONG_AGO)
    assert sweep_tenant(run.tenant_id).woken == 1
    assert knocks(run) == ["research.tasks.serve_run"]


def test_two_sweeps_announce_it_once(start_toy, monkeypatch):
    run = start_toy()
    sql(run, LONG_AGO)
    monkeypatch.setattr("research.engine.sweeper.REPUBLISH_AFTER_S", 3600)
    sql(run, "UPDATE research_step SET created_at = now() - interval '1 day' WHERE run_id = %s")
    sweep_tenant(run.tenant_id)
    sweep_tenant(run.tenant_id)
    assert len(knocks(run)) == 1


def test_a_run_that_is_being_served_is_not_announced(start_toy, take, add_step):
    run = start_toy()
    take(run)
    add_step(run, "waits its turn", queue="control")
    sql(run, "UPDATE research_step SET created_at = now() - interval '1 hour' WHERE run_id = %s")
    assert sweep_tenant(run.tenant_id) == Sweep()


def test_a_paused_run_is_left_alone(start_toy, tenant):
    run = start_toy()
    sql(run, LONG_AGO)
    with tenant_context(tenant.pk):
        pause_run(run.pk)
    let_time_pass(run, 10_000)
    assert sweep_tenant(run.tenant_id) == Sweep()


@pytest.mark.django_db(transaction=True)
def test_a_run_that_cannot_be_looked_at_keeps_no_other_from_its_turn(start_toy, caplog):
    odd, other = start_toy(), start_toy()
    serve(odd.tenant_id, odd.pk, RunnerLimits(queues=frozenset({Queue.CONTROL})))
    sql(odd, """UPDATE research_run SET plan = '{"subtopics": 7}' WHERE id = %s""")
    let_time_pass(odd, 301)
    sql(other, LONG_AGO)
    assert sweep_tenant(odd.tenant_id).reconsidered == 0
    assert knocks(other) == ["research.tasks.serve_run"]
    assert any(line.startswith("attempt_failed") for line in caplog.messages)


@pytest.mark.django_db(transaction=True)
def test_a_tenant_that_cannot_be_swept_keeps_no_other_from_its_turn(start_toy, monkeypatch):
    run, swept = start_toy(), []

    def sweep_or_fail(tenant_id):
        swept.append(tenant_id)
        if len(swept) == 1:
            raise ValueError("of this tenant")
        return Sweep(woken=1)

    monkeypatch.setattr("research.engine.sweeper.tenants_with", lambda _what: [run.tenant_id] * 2)
    monkeypatch.setattr("research.engine.sweeper.sweep_tenant", sweep_or_fail)
    assert sweep() == Sweep(woken=1)


@pytest.mark.django_db(transaction=True)
def test_a_run_that_no_worker_serves_still_ends_at_its_limit(start_toy):
    run = start_toy()
    serve(run.tenant_id, run.pk, RunnerLimits(queues=frozenset({Queue.CONTROL})))
    let_time_pass(run, 301)
    sweep()
    assert (fresh(run).state, fresh(run).failure_code) == (State.FAILED, "STATE_TIME_LIMIT")


def test_a_cancelled_run_ends_though_a_step_is_stuck(start_toy, take, tenant):
    run = start_toy()
    take(run)
    with tenant_context(tenant.pk):
        cancel_run(run.pk)
    sweep_tenant(run.tenant_id)
    assert fresh(run).state == State.CREATED
    sql(run, "UPDATE research_run SET cancel_at = now() - interval '1 minute' WHERE id = %s")
    sweep_tenant(run.tenant_id)
    assert fresh(run).state == State.CANCELLED


def test_a_sweep_goes_through_all_tenants(start_toy, take):
    run = start_toy()
    take(run)
    let_leases_expire(run)
    create_tenant("Others")
    assert sweep() == Sweep(expired=1, woken=1)


@pytest.mark.django_db(transaction=True)
def test_one_process_sweeps_at_a_time(tenant):
    from django.db import connections

    other = connections["default"].copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LEADER_LOCK])
        assert sweep() is None
        cursor.execute("SELECT pg_advisory_unlock(%s)", [LEADER_LOCK])
    other.close()
    assert sweep() == Sweep()


@pytest.mark.django_db(transaction=True)
def test_a_run_goes_on_after_its_worker_died(start_toy, take):
    run = start_toy()
    take(run)
    let_leases_expire(run)
    sweep()
    assert drive(run.tenant_id, run.pk) is State.COMPLETED


def at_state(run, state, **seconds):
    """Put the run into a state that began and that ends so many seconds from now, the run's own limit too."""
    times = ", ".join(f"{column} = now() + interval '{value} s'" for column, value in seconds.items())
    sql(run, f"UPDATE research_run SET state = '{state}', {times} WHERE id = %s")


@pytest.mark.parametrize(
    ("state", "times", "is_looked_at"),
    [
        ("planning", {"state_entered_at": -89, "state_deadline": 11, "deadline": 100}, 0),
        ("planning", {"state_entered_at": -91, "state_deadline": 9, "deadline": 100}, 1),
        ("planning", {"state_entered_at": -1, "state_deadline": 99, "deadline": -1}, 1),
        ("human_review_plan", {"state_entered_at": -1}, 1),
        ("planning", {"state_entered_at": -1, "state_deadline": 99, "deadline": 1, "paused_at": 0}, 0),
        ("completed", {"state_entered_at": -91, "state_deadline": 9, "deadline": -1}, 0),
    ],
)
def test_runs_at_a_limit_or_before_a_person_are_looked_at(start_toy, state, times, is_looked_at):
    run = start_toy()
    at_state(run, state, **times)
    assert sweep_tenant(run.tenant_id).reconsidered == is_looked_at


def test_a_step_is_announced_again_only_after_a_while(start_toy):
    run = start_toy()
    sql(run, "UPDATE research_step SET created_at = clock_timestamp() - interval '29 s' WHERE run_id = %s")
    assert sweep_tenant(run.tenant_id).woken == 0
    sql(run, "UPDATE research_step SET created_at = clock_timestamp() - interval '31 s' WHERE run_id = %s")
    assert sweep_tenant(run.tenant_id).woken == 1


def test_a_try_that_is_due_is_announced_at_once_and_no_sooner(start_toy):
    run = start_toy()
    due = "UPDATE research_step SET status = 'retrying', not_before = clock_timestamp()"
    sql(run, f"{due} + interval '1 minute' WHERE run_id = %s")
    assert sweep_tenant(run.tenant_id).woken == 0
    sql(run, f"{due} WHERE run_id = %s")
    assert sweep_tenant(run.tenant_id).woken == 1


def test_steps_that_wait_for_others_are_not_announced(start_toy):
    run = start_toy()
    sql(run, LONG_AGO)
    sql(run, "UPDATE research_step SET pending_children = 1 WHERE run_id = %s")
    assert sweep_tenant(run.tenant_id) == Sweep()


def test_each_queue_that_nobody_serves_is_announced(start_toy, add_step, take, settings):
    settings.PLUMBLINE_READING_PROCESSES = 2
    run = start_toy()
    for number in range(6):
        add_step(run, f"read.{number}", queue="reading")
    sql(run, LONG_AGO)
    assert sweep_tenant(run.tenant_id).woken == 2
    with tenant_context(run.tenant_id):
        rows = Outbox.objects.filter(run=run, dedupe_key__contains="sweep")
        assert sorted(rows.values_list("payload__queue", flat=True)) == ["agents", "reading", "reading"]


def test_what_was_found_is_added_up_over_the_tenants(start_toy, take, caplog):
    run = start_toy()
    take(run)
    let_leases_expire(run)
    caplog.clear()
    with caplog.at_level("INFO", "research.engine.sweeper"):
        sweep()
    assert caplog.messages == ["swept expired=1 woken=1 reconsidered=0 released=0 forgotten=0 unanswered=0"]
    assert Sweep(1, 2, 3, 4, 5) + Sweep(10, 20, 30, 40, 50) == Sweep(11, 22, 33, 44, 55)


def test_runs_that_wait_for_people_fill_no_log(start_toy, caplog):
    at_state(start_toy(), "human_review_plan", state_entered_at=-1)
    caplog.clear()
    with caplog.at_level("INFO", "research.engine.sweeper"):
        assert sweep() == Sweep(reconsidered=1)
    assert caplog.messages == []


def test_a_freed_step_says_what_became_of_its_worker(start_toy, take):
    run = start_toy()
    take(run)
    let_leases_expire(run)
    sweep_tenant(run.tenant_id)
    step = steps_of(run)["0.created"]
    assert (step.lease_owner, step.lease_until, step.fence) == ("", None, 1)
    assert step.error_message == "Whoever did it stopped giving signs of life."
    assert step.not_before is not None


def test_what_the_money_and_the_answers_of_dead_calls_came_to_is_counted(start_toy, monkeypatch):
    run = start_toy()
    monkeypatch.setattr("research.engine.sweeper.release_dead", lambda *_: 2)
    monkeypatch.setattr("research.engine.sweeper.forget_late_answers", lambda: 3)
    assert sweep_tenant(run.tenant_id) == Sweep(released=2, forgotten=3)


@pytest.mark.django_db(transaction=True)
def test_the_lead_is_given_back(tenant):
    from django.db import connections

    assert sweep() == Sweep()
    other = connections["default"].copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [LEADER_LOCK])
        assert cursor.fetchone() == (True,)
    other.close()


@pytest.mark.parametrize(("ago_s", "is_forced"), [(9, False), (11, True)])
def test_a_cancel_is_forced_after_twice_the_grace(start_toy, take, ago_s, is_forced):
    run = start_toy()
    take(run)
    sql(run, f"UPDATE research_run SET cancel_at = clock_timestamp() - interval '{ago_s} s' WHERE id = %s")
    assert sweep_tenant(run.tenant_id).reconsidered == 1
    assert fresh(run).is_finished is is_forced
