"""Claims, leases, fences."""

import threading

import pytest
from django.db import connection

from research.db.tenancy import tenant_context
from research.engine.claim_and_finish_steps import claim, release, renew
from research.models import Queue, StepStatus
from research.runs.start_and_cancel import cancel_run, pause_run
from tests.engine.rows import let_leases_expire, sql, steps_of


def test_a_step_is_claimed_once(start_toy, take):
    run = start_toy()
    assert [step.key for step in take(run)] == ["0.created"]
    assert take(run) == []


def test_a_claim_counts_the_attempt_and_raises_the_fence(start_toy, take):
    run = start_toy()
    (step,) = take(run)
    assert (step.attempt, step.fence) == (1, 1)
    row = steps_of(run)["0.created"]
    assert (row.status, row.lease_owner) == (StepStatus.RUNNING, "here")
    assert row.lease_until is not None


def test_an_expired_lease_is_taken_over(start_toy, take):
    run = start_toy()
    take(run)
    let_leases_expire(run)
    (step,) = take(run, owner="there")
    assert (step.attempt, step.fence) == (2, 2)


def test_a_step_that_waits_for_children_is_not_claimed(start_toy, take, add_step):
    run = start_toy()
    add_step(run, "waits", pending_children=1)
    assert [step.key for step in take(run)] == ["0.created"]


def test_a_step_is_not_claimed_before_its_time(start_toy, take, add_step):
    run = start_toy()
    step = add_step(run, "later", status="retrying")
    sql(
        run,
        "UPDATE research_step SET not_before = now() + interval '1 hour' WHERE key = 'later' AND run_id = %s",
    )
    assert step.pk not in {one.id for one in take(run)}
    sql(run, "UPDATE research_step SET not_before = now() WHERE key = 'later' AND run_id = %s")
    assert [one.id for one in take(run)] == [step.pk]


def test_steps_come_oldest_first_and_no_more_than_wanted(start_toy, take, add_step):
    run = start_toy()
    for number in range(5):
        add_step(run, f"step.{number}")
    assert [step.key for step in take(run, most=3)] == ["0.created", "step.0", "step.1"]


def test_pages_are_fetched_when_nothing_else_is_ready(start_toy, take, add_step):
    run = start_toy()
    add_step(run, "fetch.0", tool_name="browse")
    add_step(run, "ask.0")
    assert [step.key for step in take(run, most=2)] == ["0.created", "ask.0"]
    assert [step.key for step in take(run)] == ["fetch.0"]


def test_a_paused_run_gives_no_steps(start_toy, take, tenant):
    run = start_toy()
    with tenant_context(tenant.pk):
        assert pause_run(run.pk)
    assert take(run) == []


def test_a_cancelled_run_gives_no_steps(start_toy, take, tenant, add_step):
    run = start_toy()
    take(run)
    add_step(run, "more")
    with tenant_context(tenant.pk):
        assert cancel_run(run.pk)
    assert take(run) == []


def test_renewing_moves_the_lease_on(start_toy, take):
    run = start_toy()
    (step,) = take(run)
    let_leases_expire(run)
    assert renew(run.tenant_id, {step.id: step.fence}) == frozenset()
    assert take(run) == []


def test_renewing_tells_which_leases_are_lost(start_toy, take):
    run = start_toy()
    (step,) = take(run)
    let_leases_expire(run)
    take(run, owner="there")
    assert renew(run.tenant_id, {step.id: step.fence}) == {step.id}


def test_a_released_step_is_as_if_it_had_never_been_taken(start_toy, take):
    run = start_toy()
    release(run.tenant_id, take(run))
    (again,) = take(run)
    assert again.attempt == 1


def test_the_fourth_claim_of_a_step_that_kills_its_workers_finds_it_spent(start_toy, take):
    run = start_toy()
    spent = []
    for _claim in range(4):
        (step,) = take(run)
        spent.append(step.is_spent)
        let_leases_expire(run)
    assert spent == [False, False, False, True]


@pytest.mark.django_db(transaction=True)
def test_of_many_claimers_at_once_each_step_has_one(start_toy, take, add_step):
    run = start_toy()
    for number in range(19):
        add_step(run, f"step.{number}")
    taken, start = [], threading.Barrier(8)

    def take_some():
        start.wait(10)
        while found := take(run, most=3):
            taken.extend(step.id for step in found)
        connection.close()

    threads = [threading.Thread(target=take_some) for _number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(taken) == len(set(taken)) == 20


def test_a_claim_tells_all_that_its_work_needs(start_toy, take, add_step):
    run = start_toy()
    take(run)
    failures = {"failures": [{"code": "TIMEOUT"}, {"code": "TIMEOUT"}]}
    row = add_step(
        run, "1.x/a", input={"n": [1]}, output=failures, queue="reading", max_attempts=5, attempt=2
    )
    (step,) = take(run)
    assert (step.id, step.tenant_id, step.run_id) == (row.pk, run.tenant_id, run.pk)
    assert (step.key, step.handler, step.queue) == ("1.x/a", "toy.part", "reading")
    assert (step.attempt, step.max_attempts, step.fence, step.failures) == (3, 5, 1, 2)
    assert (step.input, step.is_state, step.is_spent) == ({"n": [1]}, False, False)


def test_a_lease_lasts_ninety_seconds_from_its_claim_and_from_each_beat(start_toy, take):
    run = start_toy()
    (step,) = take(run)
    row = steps_of(run)["0.created"]
    assert (row.lease_until - row.started_at).total_seconds() == pytest.approx(90, abs=1)
    sql(run, "UPDATE research_step SET lease_until = now() - interval '1 hour' WHERE run_id = %s")
    renew(run.tenant_id, {step.id: step.fence})
    renewed = steps_of(run)["0.created"].lease_until
    assert 0 <= (renewed - row.lease_until).total_seconds() < 60


def test_only_the_queues_and_the_run_that_were_asked_for_are_claimed(start_toy, take, add_step, tenant):
    run, other = start_toy(), start_toy()
    add_step(run, "1.x/a", queue="reading")
    reading = claim(tenant.pk, run.pk, queues=[Queue.READING], owner="here", most=10)
    assert [step.key for step in reading] == ["1.x/a"]
    assert steps_of(other)["0.created"].attempt == 0


def test_a_finished_run_gives_no_steps(start_toy, take):
    run = start_toy()
    sql(run, "UPDATE research_run SET state = 'completed' WHERE id = %s")
    assert take(run) == []


def test_of_several_leases_only_the_lost_are_told(start_toy, take, add_step):
    run = start_toy()
    add_step(run, "more")
    kept, lost = take(run)
    sql(run, "UPDATE research_step SET fence = 9 WHERE key = 'more' AND run_id = %s")
    assert renew(run.tenant_id, {kept.id: kept.fence, lost.id: lost.fence}) == {lost.id}


def test_what_was_released_is_nobody_s_and_its_old_holder_writes_nothing(start_toy, take):
    run = start_toy()
    (step,) = take(run)
    release(run.tenant_id, [step])
    row = steps_of(run)["0.created"]
    assert (row.status, row.attempt, row.fence) == (StepStatus.PENDING, 0, 2)
    assert (row.lease_owner, row.lease_until) == ("", None)
    again = take(run)
    release(run.tenant_id, [step])  # the old lease: not ours any more
    assert steps_of(run)["0.created"].status == StepStatus.RUNNING
    assert again[0].fence == 3
