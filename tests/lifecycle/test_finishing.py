"""Results, children, fan-in and failures, in one transaction or not at all."""

import threading
import time

import pytest
from django.db import connection

from research.lifecycle.failures import Failure
from research.lifecycle.finishing import Outcome, finish
from research.lifecycle.recipe import StepDraft, StepResult
from research.models import AgentRole, Outbox, Queue, Run, State, StepStatus
from research.tenancy import tenant_context
from tests.lifecycle.rows import fresh, let_leases_expire, sql, steps_of

ROLE = AgentRole.EXECUTOR


@pytest.fixture
def work(start_toy, take, add_step):
    """A parent that waits for two steps, which are claimed."""
    run = start_toy()
    take(run)
    parent = add_step(run, "1.x", pending_children=2, handler="toy.sum")
    for number in range(2):
        add_step(run, f"1.x/{number}", parent=parent)
    return run, take(run)


def test_a_result_is_stored_with_its_step(work):
    run, (first, _second) = work
    finish([Outcome(first, StepResult({"words": 3}, activity="Counting"))])
    row = steps_of(run)[first.key]
    assert (row.status, row.output, row.lease_until) == (StepStatus.COMPLETED, {"words": 3}, None)
    assert fresh(run).current_activity == "Counting"


def test_the_parent_is_ready_when_the_last_child_ends(work, take):
    run, (first, second) = work
    finish([Outcome(first, StepResult())])
    assert take(run) == []
    finish([Outcome(second, Failure("PAYWALL", "Members only."))])
    assert [step.key for step in take(run)] == ["1.x"]


def test_both_children_in_one_group_count_both(work, take):
    run, steps = work
    finish([Outcome(step, StepResult()) for step in steps])
    assert [step.key for step in take(run)] == ["1.x"]


def test_a_zombie_changes_nothing(work, take):
    run, (first, second) = work
    let_leases_expire(run)
    later = {step.key: step for step in take(run, owner="there")}

    def save():
        Run.objects.update(topic="written by a zombie")

    finish(
        [
            Outcome(
                first,
                StepResult({"who": "zombie"}, save=save, children=[StepDraft("more", "toy.part", ROLE)]),
            )
        ]
    )
    finish([Outcome(later[first.key], StepResult({"who": "successor"}))])
    rows = steps_of(run)
    assert rows[first.key].output == {"who": "successor"}
    assert rows["1.x"].pending_children == 1
    assert fresh(run).topic == "How many words?"
    assert "1.x/more" not in rows


def test_a_step_finished_twice_counts_once(work):
    run, (first, _second) = work
    outcome = Outcome(first, StepResult({"n": 1}))
    finish([outcome])
    finish([outcome])
    assert steps_of(run)["1.x"].pending_children == 1


def test_children_without_a_continuation_are_waited_for_by_the_parent(work):
    run, (first, _second) = work
    drafts = [StepDraft("a", "toy.part", ROLE), StepDraft("b", "toy.part", ROLE)]
    finish([Outcome(first, StepResult(children=drafts))])
    rows = steps_of(run)
    assert rows["1.x"].pending_children == 3
    assert {rows["1.x/a"].parent_id, rows["1.x/b"].parent_id} == {rows["1.x"].pk}


def test_a_continuation_waits_for_the_children(work, take):
    run, (first, second) = work
    drafts = [StepDraft("a", "toy.part", ROLE), StepDraft("b", "toy.part", ROLE)]
    finish([Outcome(first, StepResult(children=drafts, then=StepDraft("sum", "toy.sum", ROLE)))])
    children = take(run)
    assert [step.key for step in children] == ["1.x/a", "1.x/b"]
    finish([Outcome(step, StepResult()) for step in children])
    finish([Outcome(second, StepResult())])
    assert [step.key for step in take(run)] == ["1.x/sum"]


def test_a_key_that_exists_is_not_inserted_again(work):
    run, steps = work
    same = StepResult(children=[StepDraft("same", "toy.part", ROLE)])
    finish([Outcome(step, same) for step in steps])
    assert [key for key in steps_of(run) if key.endswith("same")] == ["1.x/same"]
    assert steps_of(run)["1.x"].pending_children == 1


def test_a_result_that_cannot_be_saved_fails_its_step_alone(work):
    run, (first, second) = work

    def save():
        raise ZeroDivisionError("a bug in save")

    finish([Outcome(first, StepResult(save=save)), Outcome(second, StepResult({"n": 2}))])
    rows = steps_of(run)
    assert (rows[first.key].status, rows[first.key].error_code) == (StepStatus.FAILED, "INTERNAL_ERROR")
    assert "ZeroDivisionError: a bug in save" in rows[first.key].output["failures"][0]["traceback"]
    assert rows[second.key].status == StepStatus.COMPLETED


def test_output_that_the_database_refuses_is_a_failure_of_its_step(work):
    run, (first, _second) = work
    finish([Outcome(first, StepResult({"text": "a NUL \x00"}))])
    assert steps_of(run)[first.key].error_code == "INVALID_OUTPUT"


def test_a_failure_with_retries_left_comes_back_later(work):
    run, (first, _second) = work
    finish([Outcome(first, Failure("LLM_RATE_LIMIT", "Slow down.", retry_after_s=60))])
    rows = steps_of(run)
    row = rows[first.key]
    assert (row.status, row.error_code) == (StepStatus.RETRYING, "LLM_RATE_LIMIT")
    assert (row.not_before - row.updated_at).total_seconds() > 59
    assert rows["1.x"].pending_children == 2


def test_what_failed_before_is_kept_beside_what_a_later_try_came_to(work, take):
    run, (first, _second) = work
    finish([Outcome(first, Failure("LLM_TRUNCATED", "Half an answer."))])
    [again] = [step for step in take(run) if step.key == first.key]
    finish([Outcome(again, StepResult({"words": 3}))])
    row = steps_of(run)[first.key]
    assert (row.status, row.output["words"], row.error_code) == (StepStatus.COMPLETED, 3, "")
    assert [(one["attempt"], one["code"]) for one in row.output["failures"]] == [(1, "LLM_TRUNCATED")]


def test_orderly_failures_do_not_use_up_the_executions_that_a_crash_may_take(work):
    run, (first, _second) = work
    finish([Outcome(first, Failure("LLM_RATE_LIMIT", "Slow down."))])
    assert steps_of(run)[first.key].max_attempts == 4


def test_a_failure_that_ends_the_run_does_so_at_once(work):
    run, (first, second) = work
    finish([Outcome(first, Failure("SECURITY_VIOLATION", "A source gave orders."))])
    ended = fresh(run)
    assert (ended.state, ended.failure_code) == (State.FAILED, "SECURITY_VIOLATION")
    finish([Outcome(second, StepResult({"n": 2}))])
    assert steps_of(run)[second.key].status == StepStatus.SKIPPED


def test_work_for_other_workers_is_announced_in_the_same_transaction(work, tenant):
    run, (first, _second) = work
    reading = [StepDraft(str(number), "toy.read", ROLE, Queue.READING) for number in range(9)]
    finish([Outcome(first, StepResult(children=[*reading, StepDraft("own", "toy.part", ROLE)]))])
    with tenant_context(tenant.pk):
        messages = Outbox.objects.exclude(dedupe_key__endswith="/start")
        topics = list(messages.values_list("topic", "payload__queue"))
    assert topics == [("research.tasks.serve_run", "reading")] * 4


def test_a_step_that_waited_in_its_group_began_when_its_work_did(work):
    run, (first, second) = work
    sql(run, "UPDATE research_step SET started_at = now() - interval '1 hour' WHERE run_id = %s")
    finish([Outcome(first, StepResult(), time.monotonic() - 60, 0.25), Outcome(second, StepResult())])
    rows = steps_of(run)
    row = rows[first.key]
    assert 60 <= (row.completed_at - row.started_at).total_seconds() < 90
    assert row.duration_ms == 250
    assert rows[second.key].duration_ms >= 3_600_000


@pytest.mark.django_db(transaction=True)
def test_the_last_two_children_may_end_at_the_same_moment(work, take):
    run, steps = work
    start = threading.Barrier(2)

    def end(step):
        start.wait(10)
        finish([Outcome(step, StepResult())])
        connection.close()

    threads = [threading.Thread(target=end, args=[step]) for step in steps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert [step.key for step in take(run)] == ["1.x"]
