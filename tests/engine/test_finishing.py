"""Results, children, fan-in and failures, in one transaction or not at all."""

import threading
import time
from dataclasses import replace
from decimal import Decimal

import pytest
from django.db import connection

from research.db.tenancy import tenant_context
from research.engine.claim_and_finish_steps import StepOutcome, finish, finish_and_claim
from research.engine.outbox import RUNNER_QUEUES
from research.engine.pipeline_registry import Following, StepDraft, StepResult, StepUsage, register
from research.engine.run_step import SPENT
from research.engine.states.step_failures import Failure
from research.models import AgentRole, Outbox, Queue, Run, State, StepStatus
from tests.engine.rows import fresh, let_leases_expire, sql, steps_of
from tests.engine.toy import ToyPipeline

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
    finish([StepOutcome(first, StepResult({"words": 3}, activity="Counting"))])
    row = steps_of(run)[first.key]
    assert (row.status, row.output, row.lease_until) == (StepStatus.COMPLETED, {"words": 3}, None)
    assert fresh(run).current_activity == "Counting"


def test_the_parent_is_ready_when_the_last_child_ends(work, take):
    run, (first, second) = work
    finish([StepOutcome(first, StepResult())])
    assert take(run) == []
    finish([StepOutcome(second, Failure("PAYWALL", "Members only."))])
    assert [step.key for step in take(run)] == ["1.x"]


class FollowingPipeline(ToyPipeline):
    """The toy, in which another step takes the place of one that has failed for good."""

    def follow_failed(self, _run, failed):
        return [
            Following([StepDraft("instead", "toy.part", ROLE, input={"why": step.code})]) for step in failed
        ]


@pytest.fixture
def following():
    register(FollowingPipeline())
    yield
    register(ToyPipeline())


def test_what_follows_failed_steps_is_inserted_with_their_failures(work, take, following):
    run, (first, second) = work
    finish([StepOutcome(first, Failure("PAYWALL", "Members only.")), StepOutcome(second, StepResult())])
    [instead] = take(run)
    assert (instead.key, instead.input) == ("1.x/instead", {"why": "PAYWALL"})
    assert steps_of(run)["1.x"].pending_children == 1


def test_nothing_follows_a_failure_that_is_tried_again(work, take, following):
    run, (first, _second) = work
    finish([StepOutcome(first, Failure("NETWORK_ERROR", "Reset."))])
    assert steps_of(run)[first.key].status == StepStatus.RETRYING
    assert "1.x/instead" not in steps_of(run)


def test_steps_that_become_ready_are_claimed_with_the_end_of_others(work, take):
    run, steps = work
    has_more, claimed = finish_and_claim(
        [StepOutcome(step, StepResult()) for step in steps], RUNNER_QUEUES, "here", 5
    )
    assert ([step.key for step in claimed], has_more) == (["1.x"], False)
    row = steps_of(run)["1.x"]
    assert (row.status, row.lease_owner, row.fence) == (StepStatus.RUNNING, "here", claimed[0].fence)
    assert take(run) == []


@pytest.mark.parametrize(("most", "claims", "has_more"), [(0, 0, True), (2, 2, True), (9, 3, False)])
def test_as_many_are_claimed_as_there_is_room_for(work, most, claims, has_more):
    _run, (first, _second) = work
    children = [StepDraft(f"more.{number}", "toy.part", ROLE) for number in range(3)]
    done = StepOutcome(first, StepResult(children=children))
    found = finish_and_claim([done], RUNNER_QUEUES, "here", most)
    assert (found[0], len(found[1])) == (has_more, claims)


def test_nothing_is_claimed_with_outcomes_that_cannot_be_stored_together(work, take):
    run, (first, second) = work

    def save():
        raise ValueError("as requested")

    outcomes = [StepOutcome(first, StepResult(save=save)), StepOutcome(second, StepResult())]
    assert finish_and_claim(outcomes, RUNNER_QUEUES, "here", 5)[1] == []
    assert steps_of(run)[second.key].status == StepStatus.COMPLETED
    assert "1.x" in {step.key for step in take(run)}


def test_both_children_in_one_group_count_both(work, take):
    run, steps = work
    finish([StepOutcome(step, StepResult()) for step in steps])
    assert [step.key for step in take(run)] == ["1.x"]


def test_a_zombie_changes_nothing(work, take):
    run, (first, second) = work
    let_leases_expire(run)
    later = {step.key: step for step in take(run, owner="there")}

    def save():
        Run.objects.update(topic="written by a zombie")

    finish(
        [
            StepOutcome(
                first,
                StepResult({"who": "zombie"}, save=save, children=[StepDraft("more", "toy.part", ROLE)]),
            )
        ]
    )
    finish([StepOutcome(later[first.key], StepResult({"who": "successor"}))])
    rows = steps_of(run)
    assert rows[first.key].output == {"who": "successor"}
    assert rows["1.x"].pending_children == 1
    assert fresh(run).topic == "How many words?"
    assert "1.x/more" not in rows


def test_a_step_finished_twice_counts_once(work):
    run, (first, _second) = work
    outcome = StepOutcome(first, StepResult({"n": 1}))
    finish([outcome])
    finish([outcome])
    assert steps_of(run)["1.x"].pending_children == 1


def test_children_without_a_continuation_are_waited_for_by_the_parent(work):
    run, (first, _second) = work
    drafts = [StepDraft("a", "toy.part", ROLE), StepDraft("b", "toy.part", ROLE)]
    finish([StepOutcome(first, StepResult(children=drafts))])
    rows = steps_of(run)
    assert rows["1.x"].pending_children == 3
    assert {rows["1.x/a"].parent_id, rows["1.x/b"].parent_id} == {rows["1.x"].pk}


def test_a_continuation_waits_for_the_children(work, take):
    run, (first, second) = work
    drafts = [StepDraft("a", "toy.part", ROLE), StepDraft("b", "toy.part", ROLE)]
    finish([StepOutcome(first, StepResult(children=drafts, then=StepDraft("sum", "toy.sum", ROLE)))])
    children = take(run)
    assert [step.key for step in children] == ["1.x/a", "1.x/b"]
    finish([StepOutcome(step, StepResult()) for step in children])
    finish([StepOutcome(second, StepResult())])
    assert [step.key for step in take(run)] == ["1.x/sum"]


def test_a_key_that_exists_is_not_inserted_again(work):
    run, steps = work
    same = StepResult(children=[StepDraft("same", "toy.part", ROLE)])
    finish([StepOutcome(step, same) for step in steps])
    assert [key for key in steps_of(run) if key.endswith("same")] == ["1.x/same"]
    assert steps_of(run)["1.x"].pending_children == 1


def test_a_result_that_cannot_be_saved_fails_its_step_alone(work):
    run, (first, second) = work

    def save():
        raise ZeroDivisionError("a bug in save")

    finish([StepOutcome(first, StepResult(save=save)), StepOutcome(second, StepResult({"n": 2}))])
    rows = steps_of(run)
    assert (rows[first.key].status, rows[first.key].error_code) == (StepStatus.FAILED, "INTERNAL_ERROR")
    assert "ZeroDivisionError: a bug in save" in rows[first.key].output["failures"][0]["traceback"]
    assert rows[second.key].status == StepStatus.COMPLETED


def test_output_that_the_database_refuses_is_a_failure_of_its_step(work):
    run, (first, _second) = work
    finish([StepOutcome(first, StepResult({"text": "a NUL \x00"}))])
    assert steps_of(run)[first.key].error_code == "INVALID_OUTPUT"


def test_a_failure_with_retries_left_comes_back_later(work):
    run, (first, _second) = work
    finish([StepOutcome(first, Failure("LLM_RATE_LIMIT", "Slow down.", retry_after_s=60))])
    rows = steps_of(run)
    row = rows[first.key]
    assert (row.status, row.error_code) == (StepStatus.RETRYING, "LLM_RATE_LIMIT")
    assert (row.not_before - row.updated_at).total_seconds() > 59
    assert rows["1.x"].pending_children == 2


def test_what_failed_before_is_kept_beside_what_a_later_try_came_to(work, take):
    run, (first, _second) = work
    finish([StepOutcome(first, Failure("LLM_OUTPUT_TOO_LONG", "No end."))])
    [again] = [step for step in take(run) if step.key == first.key]
    finish([StepOutcome(again, StepResult({"words": 3}))])
    row = steps_of(run)[first.key]
    assert (row.status, row.output["words"], row.error_code) == (StepStatus.COMPLETED, 3, "")
    assert [(one["attempt"], one["code"]) for one in row.output["failures"]] == [(1, "LLM_OUTPUT_TOO_LONG")]


def test_orderly_failures_do_not_use_up_the_executions_that_a_crash_may_take(work):
    run, (first, _second) = work
    finish([StepOutcome(first, Failure("LLM_RATE_LIMIT", "Slow down."))])
    assert steps_of(run)[first.key].max_attempts == 4


def test_a_failure_that_ends_the_run_does_so_at_once(work):
    run, (first, second) = work
    finish([StepOutcome(first, Failure("SECURITY_VIOLATION", "A source gave orders."))])
    ended = fresh(run)
    assert (ended.state, ended.failure_code) == (State.FAILED, "SECURITY_VIOLATION")
    finish([StepOutcome(second, StepResult({"n": 2}))])
    assert steps_of(run)[second.key].status == StepStatus.SKIPPED


def test_work_for_other_workers_is_announced_in_the_same_transaction(work, tenant, settings):
    settings.PLUMBLINE_READING_PROCESSES = 2
    run, (first, _second) = work
    reading = [StepDraft(str(number), "toy.read", ROLE, Queue.READING) for number in range(9)]
    finish([StepOutcome(first, StepResult(children=[*reading, StepDraft("own", "toy.part", ROLE)]))])
    with tenant_context(tenant.pk):
        messages = Outbox.objects.exclude(dedupe_key__endswith="/start")
        topics = list(messages.values_list("topic", "payload__queue"))
    assert topics == [("research.tasks.serve_run", "reading")] * 2


def test_a_step_that_waited_in_its_group_began_when_its_work_did(work):
    run, (first, second) = work
    sql(run, "UPDATE research_step SET started_at = now() - interval '1 hour' WHERE run_id = %s")
    finish([StepOutcome(first, StepResult(), time.monotonic() - 60, 0.25), StepOutcome(second, StepResult())])
    rows = steps_of(run)
    row = rows[first.key]
    assert 60 <= (row.completed_at - row.started_at).total_seconds() < 90
    assert row.duration_ms == 250
    assert rows[second.key].duration_ms >= 3_600_000


def test_what_a_step_used_is_added_to_what_earlier_tries_did(work):
    run, (first, second) = work
    sql(
        run,
        "UPDATE research_step SET tokens_input = 1, tokens_output = 2, cost_credits = 3 WHERE run_id = %s",
    )
    used = StepUsage(tokens_input=10, tokens_output=20, cost_usd=Decimal("0.5"), cost_credits=Decimal(30))
    finish([StepOutcome(first, StepResult(usage=used)), StepOutcome(second, StepResult())])
    rows = steps_of(run)
    row = rows[first.key]
    assert (row.tokens_input, row.tokens_output, row.cost_usd, row.cost_credits) == (
        11,
        22,
        Decimal("0.5"),
        33,
    )
    assert rows[second.key].cost_usd is None


def test_a_step_that_is_done_has_let_go_of_its_lease_and_has_its_times(work):
    run, (first, second) = work
    finish([StepOutcome(first, StepResult()), StepOutcome(second, Failure("DATABASE_ERROR", "Gone."))])
    done, waits = steps_of(run)[first.key], steps_of(run)[second.key]
    assert (done.lease_owner, done.error_code, done.error_message, done.not_before) == ("", "", "", None)
    assert done.completed_at >= done.started_at
    assert (waits.lease_owner, waits.lease_until, waits.completed_at) == ("", None, None)
    assert (waits.error_message, waits.output["failures"][0]["message"]) == ("Gone.", "Gone.")


def test_a_failure_that_is_final_says_why(work):
    run, (first, _second) = work
    finish([StepOutcome(first, Failure("PAYWALL", "Members only."))])
    row = steps_of(run)[first.key]
    assert (row.status, row.error_code, row.error_message) == (StepStatus.FAILED, "PAYWALL", "Members only.")
    assert (row.not_before, row.max_attempts) == (None, 3)
    assert row.completed_at is not None


def test_retries_that_are_used_up_make_the_failure_final(work, take):
    run, (first, _second) = work
    for _try in range(2):
        finish([StepOutcome(first, Failure("LLM_OUTPUT_TOO_LONG", "No end."))])
        first = next((step for step in take(run) if step.key == first.key), first)
    row = steps_of(run)[first.key]
    assert (row.status, [one["attempt"] for one in row.output["failures"]]) == (StepStatus.FAILED, [1, 2])


def test_the_page_learns_of_each_group_and_keeps_the_last_word(work):
    run, (first, second) = work
    before = fresh(run).snapshot_version
    finish([StepOutcome(first, StepResult(activity="x" * 400)), StepOutcome(second, StepResult())])
    after = fresh(run)
    assert (after.snapshot_version, after.current_activity) == (before + 1, "x" * 300)


def test_of_two_activities_the_later_is_shown_and_silence_changes_nothing(work, take):
    run, (first, second) = work
    finish(
        [StepOutcome(first, StepResult(activity="First")), StepOutcome(second, StepResult(activity="Then"))]
    )
    assert fresh(run).current_activity == "Then"
    finish([StepOutcome(take(run)[0], StepResult())])
    assert fresh(run).current_activity == "Then"


def test_a_failure_that_can_be_tried_again_does_not_end_the_run(work):
    run, (first, _second) = work
    sql(run, "UPDATE research_step SET handler = 'state.planning' WHERE key = '1.x/0' AND run_id = %s")
    ours = replace(first, handler="state.planning")
    finish([StepOutcome(ours, Failure("DATABASE_ERROR", "Gone."))])
    assert fresh(run).state == State.CREATED


def test_the_end_of_a_state_s_own_step_ends_the_run(work):
    run, (first, _second) = work
    finish([StepOutcome(replace(first, handler="state.planning"), SPENT)])
    ended = fresh(run)
    assert (ended.state, ended.failure_code, ended.failure_message) == (
        State.FAILED,
        SPENT.code,
        SPENT.message,
    )


def test_a_step_s_end_alone_does_not_end_the_run(work):
    run, (first, _second) = work
    finish([StepOutcome(first, SPENT)])
    assert fresh(run).state == State.CREATED


def test_the_last_step_under_way_ends_a_cancelled_run(work):
    run, (first, second) = work
    sql(run, "UPDATE research_run SET cancel_at = now() WHERE id = %s")
    sql(
        run,
        "UPDATE research_step SET status = 'completed', lease_until = NULL WHERE key = '0.created' AND run_id = %s",
    )
    finish([StepOutcome(first, StepResult())])
    assert fresh(run).state == State.CREATED
    finish([StepOutcome(second, StepResult())])
    assert fresh(run).state == State.CANCELLED


def test_results_of_a_run_that_is_gone_are_dropped(work):
    run, (first, _second) = work
    finish([StepOutcome(replace(first, run_id=run.tenant_id), StepResult({"n": 1}))])
    assert steps_of(run)[first.key].status == StepStatus.RUNNING


def test_steps_that_the_caller_does_not_serve_are_announced_once_they_wait_no_longer(work, tenant):
    run, steps = work
    with tenant_context(tenant.pk):
        Outbox.objects.all().delete()
    finish([StepOutcome(step, StepResult()) for step in steps], frozenset({Queue.READING}))
    with tenant_context(tenant.pk):
        (message,) = Outbox.objects.all()
    assert message.dedupe_key == f"{run.pk}/agents/{steps[0].id}.{steps[0].fence}"


def test_a_step_that_could_not_be_saved_lets_its_parent_go_on(work, tenant):
    run, steps = work
    sql(run, "UPDATE research_step SET queue = 'reading' WHERE key = '1.x' AND run_id = %s")

    def save():
        raise ZeroDivisionError("a bug in save")

    finish([StepOutcome(step, StepResult(save=save)) for step in steps])
    assert steps_of(run)["1.x"].pending_children == 0
    with tenant_context(tenant.pk):
        messages = Outbox.objects.filter(run=run).exclude(dedupe_key__endswith="/start")
        assert [message.payload for message in messages] == [{"queue": "reading"}]


@pytest.mark.django_db(transaction=True)
def test_the_last_two_children_may_end_at_the_same_moment(work, take):
    run, steps = work
    start = threading.Barrier(2)

    def end(step):
        start.wait(10)
        finish([StepOutcome(step, StepResult())])
        connection.close()

    threads = [threading.Thread(target=end, args=[step]) for step in steps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert [step.key for step in take(run)] == ["1.x"]


def test_several_ways_may_follow_a_step_each_with_one_that_waits_for_it_alone(work, take):
    run, (first, second) = work
    ways = [
        Following([StepDraft(f"way.{number}", "toy.part", ROLE)], StepDraft(f"end.{number}", "toy.sum", ROLE))
        for number in range(2)
    ]
    finish([StepOutcome(first, StepResult(follow=lambda: ways)), StepOutcome(second, StepResult())])
    rows = steps_of(run)
    assert [rows[f"1.x/end.{number}"].pending_children for number in range(2)] == [1, 1]
    assert [rows[f"1.x/way.{n}"].parent_id for n in range(2)] == [rows[f"1.x/end.{n}"].pk for n in range(2)]
    ready = take(run)
    assert [step.key for step in ready] == ["1.x/way.0", "1.x/way.1"]
    finish([StepOutcome(ready[1], StepResult())])
    assert [step.key for step in take(run)] == ["1.x/end.1"]
