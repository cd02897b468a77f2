"""Moving from state to state: what the run's row, its steps and its messages say afterwards."""

import re

import pytest

from research.db.tenancy import tenant_context
from research.engine.states import transitions
from research.engine.states.state_context import visit_key
from research.engine.states.transitions import (
    LostRace,
    advance,
    end,
    enter,
    force_cancel,
    lock_run,
    reconsider,
)
from research.models import AgentRole, Escalation, Outbox, Queue, Run, State, StepStatus
from research.runs.start_and_cancel import cancel_run
from tests.engine import toy
from tests.engine.rows import fresh, let_time_pass, sql, steps_of

PLAN = {"goal": "g", "subtopics": [{"name": "a", "queries": ["q"], "target_sources": 1}]}


def knocks(run: Run) -> list[tuple[str, str]]:
    with tenant_context(run.tenant_id):
        rows = Outbox.objects.filter(run=run).exclude(dedupe_key__endswith="/start")
        return sorted(rows.values_list("payload__queue", "dedupe_key"))


# --- entering ---


def test_a_state_that_is_entered_has_its_time_its_step_and_its_work(at):
    run = at(State.PLANNING)
    assert (run.state, run.version, run.attempt, run.step_count) == (State.PLANNING, 5, 0, 2)
    assert (run.state_deadline - run.state_entered_at).total_seconds() == 300
    assert (run.deadline - run.state_entered_at).total_seconds() == 3600
    assert run.started_at == run.state_entered_at
    visit, plan = steps_of(run).values()
    assert (visit.key, visit.handler, visit.queue) == ("5.planning", "state.planning", Queue.CONTROL)
    assert (visit.agent_role, visit.max_attempts, visit.input) == (AgentRole.PLANNER, 3, {})
    assert (visit.pending_children, visit.not_before, visit.step_index) == (1, None, 0)
    assert (plan.key, plan.parent_id, plan.step_index) == ("5.planning/plan", visit.pk, 1)


def test_entering_shows_on_the_page_at_once(start_toy, tenant):
    run = start_toy()
    with tenant_context(tenant.pk):
        enter(lock_run(run.pk), State.PLANNING, frozenset())
    entered = fresh(run)
    assert entered.snapshot_version == run.snapshot_version + 1
    assert entered.updated_at == entered.state_entered_at


def test_a_later_state_keeps_the_start_and_the_deadline_of_the_run(at, tenant):
    run = at(State.PLANNING)
    sql(run, "UPDATE research_run SET started_at = now() - interval '1 hour', deadline = now() WHERE id = %s")
    before = fresh(run)
    with tenant_context(tenant.pk):
        enter(lock_run(run.pk), State.READING, frozenset())
    after = fresh(run)
    assert (after.started_at, after.deadline) == (before.started_at, before.deadline)


def test_work_for_queues_that_the_caller_serves_is_not_announced(at, tenant):
    run = at(State.PLANNING)
    assert knocks(run) == []
    with tenant_context(tenant.pk):
        enter(lock_run(run.pk), State.COLLECTING, frozenset({Queue.CONTROL}))
    assert knocks(run) == [("agents", f"{run.pk}/agents/6.collecting")]


def test_a_state_without_work_is_ready_at_once(at, tenant):
    run = at(State.PLANNING)
    with tenant_context(tenant.pk):
        enter(lock_run(run.pk), State.READING, frozenset({Queue.AGENTS}))
    assert steps_of(run)["6.reading"].pending_children == 0
    assert knocks(run) == [("agents", f"{run.pk}/agents/6.reading")]


def test_a_state_that_the_recipe_does_not_use_gets_no_work(at, tenant, monkeypatch):
    monkeypatch.setattr(toy.ToyPipeline, "states", (State.PLANNING,))
    assert list(steps_of(at(State.COLLECTING))) == ["5.collecting"]


def test_work_that_began_early_is_waited_for_and_what_is_over_is_not(at, add_step, tenant):
    run = at(State.PLANNING)
    add_step(run, "reading/a")
    add_step(run, "reading/b", status="completed")
    add_step(run, "analyzing/c")
    with tenant_context(tenant.pk):
        enter(lock_run(run.pk), State.READING, frozenset())
    steps = steps_of(run)
    visit = steps["6.reading"]
    assert visit.pending_children == 1
    assert [key for key, step in steps.items() if step.parent_id == visit.pk] == ["reading/a"]


def test_what_the_last_state_had_not_done_is_skipped(at, tenant, take):
    run = at(State.COLLECTING)
    held = {step.key: step for step in take(run, most=1)}
    with tenant_context(tenant.pk):
        enter(lock_run(run.pk), State.READING, frozenset())
    left = [step for key, step in steps_of(run).items() if key.startswith("5.")]
    assert len(left) == 4
    for step in left:
        assert (step.status, step.error_message) == (StepStatus.SKIPPED, "The run continued without it.")
        assert (step.lease_owner, step.lease_until, step.pending_children) == ("", None, 0)
        assert step.completed_at is not None
        assert step.fence == (2 if step.key in held else 1)


def test_a_state_that_waits_for_a_person_has_no_step(at, tenant, monkeypatch):
    toy.use(monkeypatch, State.HUMAN_REVIEW_PLAN)
    run = at(State.HUMAN_REVIEW_PLAN)
    assert (run.is_waiting, run.state_deadline, run.step_count) == (True, None, 0)
    assert steps_of(run) == {}


def test_time_that_a_person_took_is_added_to_the_deadline(at, tenant, monkeypatch):
    toy.use(monkeypatch, State.HUMAN_REVIEW_PLAN)
    run = at(State.HUMAN_REVIEW_PLAN)
    sql(run, "UPDATE research_run SET state_entered_at = now() - interval '1 day' WHERE id = %s")
    with tenant_context(tenant.pk):
        enter(lock_run(run.pk), State.COLLECTING, frozenset())
    assert 86_399 < (fresh(run).deadline - run.deadline).total_seconds() < 86_460


@pytest.mark.parametrize(
    ("was", "to", "revisions", "replans"),
    [
        (State.VERIFYING, State.SYNTHESIZING, 1, 0),
        (State.ANALYZING, State.SYNTHESIZING, 0, 0),
        (State.VERIFYING, State.EXPORTING, 0, 0),
        (State.COLLECTING, State.REPLANNING, 0, 1),
    ],
)
def test_returns_are_counted(was, to, revisions, replans, at, tenant):
    run = at(was)
    with tenant_context(tenant.pk):
        enter(lock_run(run.pk), to, frozenset())
    assert (fresh(run).revision_count, fresh(run).replan_count) == (revisions, replans)


def test_another_plan_makes_another_report_with_its_own_revisions(at, tenant):
    run = at(State.VERIFYING, revision_count=2)
    with tenant_context(tenant.pk):
        enter(lock_run(run.pk), State.REPLANNING, frozenset())
    assert (fresh(run).revision_count, fresh(run).replan_count) == (0, 1)


def test_a_run_that_moved_on_without_the_lock_is_not_moved_twice(at, tenant):
    run = at(State.PLANNING)
    for act in (lambda run: enter(run, State.READING, frozenset()), lambda run: end(run, State.COMPLETED)):
        with tenant_context(tenant.pk):
            stale = lock_run(run.pk)
            stale.version -= 1
            with pytest.raises(LostRace, match=re.escape(f"run {run.pk} is no longer planning in version 4")):
                act(stale)
    assert fresh(run).state == State.PLANNING


# --- leaving ---


def test_the_state_s_step_is_closed_as_the_run_leaves(at, leave):
    run = at(State.PLANNING, plan=PLAN)
    assert leave(run).state == State.COLLECTING
    visit = steps_of(run)["5.planning"]
    assert (visit.status, visit.error_code) == (StepStatus.COMPLETED, "")
    assert (visit.output["exit"], visit.output["to"]) == ("plan_is_approved", "collecting")
    assert (visit.lease_owner, visit.lease_until, visit.error_message) == ("", None, "")
    assert visit.completed_at is not None


def test_a_zombie_moves_no_run(at, take):
    run = at(State.READING)
    (step,) = take(run)
    sql(run, "UPDATE research_step SET fence = fence + 1 WHERE run_id = %s")
    advance(step, frozenset())
    assert (fresh(run).state, steps_of(run)["5.reading"].status) == (State.READING, StepStatus.RUNNING)


def test_a_state_without_an_open_exit_is_tried_again_after_a_pause(at, leave, take, monkeypatch):
    monkeypatch.setattr(transitions, "state_retry_delay_s", lambda retries: 100 * (retries + 1))
    run = at(State.PLANNING, attempt=1)
    paused = leave(run)
    assert (paused.state, paused.attempt, paused.state_deadline) == (State.RETRYING, 2, None)
    pause = steps_of(run)["6.retrying"]
    assert (pause.input, pause.agent_role) == ({"state": "planning"}, AgentRole.ORCHESTRATOR)
    assert 199 < (pause.not_before - paused.state_entered_at).total_seconds() < 201
    assert take(run) == []
    sql(run, "UPDATE research_step SET not_before = now() WHERE not_before IS NOT NULL AND run_id = %s")
    again = leave(run)
    assert (again.state, again.attempt, again.version) == (State.PLANNING, 2, 7)


def test_a_state_that_lacks_what_it_needs_goes_back_within_its_retries(at, leave, tenant):
    run = at(State.COLLECTING)  # without a plan
    for _ in range(5):
        paused = leave(run)
        pause = list(steps_of(run).values())[-1]
        assert (paused.state, paused.attempt, pause.input) == (State.RETRYING, 0, {"state": "planning"})
        sql(run, "UPDATE research_step SET not_before = now() WHERE not_before IS NOT NULL AND run_id = %s")
        assert leave(run).state == State.PLANNING
        with tenant_context(tenant.pk):
            enter(lock_run(run.pk), State.COLLECTING, frozenset(Queue))
    ended = leave(run)
    assert (ended.state, ended.failure_code) == (State.FAILED, "RETRIES_SPENT")
    last = [step for step in steps_of(run).values() if step.handler == "state.collecting"][-1]
    assert last.output == {
        "exit": "what_it_needs_is_missing",
        "to": "failed",
        "facts": {"attempt": 5, "retries": 5},
    }


def test_a_state_whose_tries_are_spent_ends_the_run_and_says_so(at, leave):
    ended = leave(at(State.READING, attempt=3))
    assert ended.state == State.ANALYZING  # nothing to read counts as read
    ended = leave(at(State.PLANNING, attempt=3))
    assert (ended.state, ended.failure_code) == (State.FAILED, "RETRIES_SPENT")
    assert ended.failure_message == "Retries are spent."


def test_without_an_exit_for_spent_tries_the_run_ends_too(at, leave, monkeypatch):
    monkeypatch.setattr(transitions, "exit_for", lambda *_: None)
    ended = leave(at(State.PLANNING, attempt=3))
    assert (ended.failure_code, ended.failure_message) == ("RETRIES_SPENT", "No attempts are left.")


def test_a_failed_step_is_the_reason_of_the_end(at, leave, add_step):
    run = at(State.PLANNING, attempt=3)
    failure = {"status": "failed", "error_code": "PAYWALL", "error_message": "Members only."}
    add_step(run, "5.planning/x", completed_at=run.started_at, **failure)
    ended = leave(run)
    assert (ended.failure_code, ended.failure_message) == ("PAYWALL", "Members only.")


def reason(run: Run, state: State) -> tuple[str, str]:
    """Return why the latest visit of the state ended, and where it led."""
    visits = [step for step in steps_of(run).values() if step.handler == f"state.{state}"]
    return visits[-1].output["exit"], visits[-1].output["to"]


def test_why_a_state_is_tried_again_is_kept_and_why_the_pause_ended(at, leave):
    run = at(State.PLANNING)
    leave(run)
    sql(run, "UPDATE research_step SET not_before = now() WHERE not_before IS NOT NULL AND run_id = %s")
    leave(run)
    assert steps_of(run)["5.planning"].output["exit"] == "no_exit_holds"
    assert reason(run, State.RETRYING) == ("the_pause_is_over", "planning")


@pytest.mark.parametrize(
    ("column", "exit_", "facts"),
    [
        ("deadline", "time_of_the_run_is_up", {"limit_s": 3600}),
        ("state_deadline", "time_of_the_state_is_up", {"limit_s": 300}),
    ],
)
def test_a_limit_is_kept_as_the_reason(column, exit_, facts, at):
    run = at(State.PLANNING)
    past = f"{column} = now() - interval '1 second', state_entered_at = now() - interval '1 hour'"
    sql(run, f"UPDATE research_run SET {past} WHERE id = %s")
    reconsider(run.tenant_id, run.pk)
    kept = {"exit": exit_, "to": "failed", "facts": facts}
    assert steps_of(run)["5.planning"].output == kept


def test_a_cancelled_run_ends_at_its_next_exit(at, take, tenant):
    run = at(State.READING)
    (step,) = take(run)
    with tenant_context(tenant.pk):
        cancel_run(run.pk)
    assert fresh(run).state == State.READING
    advance(step, frozenset())
    assert fresh(run).state == State.CANCELLED


def test_a_bug_at_an_exit_ends_the_run_with_its_traceback_in_the_step(at, leave, monkeypatch):
    monkeypatch.setattr(toy.ToyPipeline, "policy", lambda *_: 1 / 0)
    run = at(State.READING)
    ended = leave(run)
    assert (ended.state, ended.failure_code) == (State.FAILED, "INTERNAL_ERROR")
    visit = steps_of(run)["5.reading"]
    assert (visit.status, visit.error_code) == (StepStatus.FAILED, "INTERNAL_ERROR")
    assert visit.error_message == ended.failure_message != ""
    (failure,) = visit.output["failures"]
    assert failure["attempt"] == 1
    assert "ZeroDivisionError" in failure["traceback"]


# --- looking again ---


def test_the_exits_are_looked_at_again_when_somebody_decided(at, tenant, monkeypatch):
    toy.use(monkeypatch, State.HUMAN_REVIEW_PLAN)
    run = at(State.HUMAN_REVIEW_PLAN)
    reconsider(run.tenant_id, run.pk)
    assert fresh(run).state == State.HUMAN_REVIEW_PLAN
    asked = {"rule": "plan_clarification", "priority": "high", "type": "blocking", "fallback": "fail"}
    with tenant_context(tenant.pk):
        Escalation.objects.create(
            run=run,
            visit=visit_key(run),
            state=run.state,
            status="approved",
            deadline=run.started_at,
            required_action="?",
            **asked,
        )
    reconsider(run.tenant_id, run.pk)
    assert fresh(run).state == State.COLLECTING
    assert knocks(run) == [("agents", f"{run.pk}/agents/6.collecting")]


def test_a_run_that_waits_for_a_person_has_no_limit(at, monkeypatch):
    toy.use(monkeypatch, State.HUMAN_REVIEW_PLAN)
    run = at(State.HUMAN_REVIEW_PLAN)
    sql(run, "UPDATE research_run SET deadline = now() - interval '1 day' WHERE id = %s")
    reconsider(run.tenant_id, run.pk)
    assert fresh(run).state == State.HUMAN_REVIEW_PLAN


def test_a_run_at_its_own_limit_says_so(at):
    run = at(State.PLANNING)
    sql(run, "UPDATE research_run SET deadline = now() - interval '1 second' WHERE id = %s")
    reconsider(run.tenant_id, run.pk)
    ended = fresh(run)
    assert (ended.state, ended.failure_code) == (State.FAILED, "RUN_TIME_LIMIT")
    assert ended.failure_message == "The run exceeded its time limit."


def test_a_state_at_its_limit_says_so(at):
    run = at(State.PLANNING)
    let_time_pass(run, 300)
    reconsider(run.tenant_id, run.pk)
    assert fresh(run).failure_code == "STATE_TIME_LIMIT"
    assert fresh(run).failure_message == "Planning exceeded its time limit (300 s)."


def test_a_look_at_work_that_goes_on_changes_nothing(at):
    run = at(State.PLANNING)
    reconsider(run.tenant_id, run.pk)
    assert fresh(run).version == run.version
    assert steps_of(run)["5.planning"].status == StepStatus.PENDING


@pytest.mark.parametrize("state", [State.CREATED, State.RETRYING])
def test_states_that_only_their_step_may_leave_stay(state, at):
    run = at(state)
    reconsider(run.tenant_id, run.pk)
    assert fresh(run).state == state


@pytest.mark.parametrize(
    "column", ["paused_at = now(), deadline = now()", "state = 'completed', deadline = now()"]
)
def test_a_paused_or_finished_run_is_not_looked_at(column, at):
    run = at(State.PLANNING)
    sql(run, f"UPDATE research_run SET {column} WHERE id = %s")
    reconsider(run.tenant_id, run.pk)
    assert fresh(run).version == run.version


def test_a_cancelled_run_ends_when_nobody_works_on_it(at, take):
    run = at(State.READING)
    take(run)
    sql(run, "UPDATE research_run SET cancel_at = now() WHERE id = %s")
    reconsider(run.tenant_id, run.pk)
    assert fresh(run).state == State.READING
    sql(run, "UPDATE research_step SET lease_until = now() - interval '1 second' WHERE run_id = %s")
    reconsider(run.tenant_id, run.pk)
    assert fresh(run).state == State.CANCELLED


def test_only_a_cancelled_run_is_cancelled_by_force(at, take):
    run = at(State.READING)
    take(run)
    force_cancel(run.tenant_id, run.pk)
    assert fresh(run).state == State.READING
    sql(run, "UPDATE research_run SET cancel_at = now() WHERE id = %s")
    force_cancel(run.tenant_id, run.pk)
    force_cancel(run.tenant_id, run.pk)
    assert (fresh(run).state, fresh(run).version) == (State.CANCELLED, run.version + 1)


@pytest.mark.parametrize("act", [reconsider, force_cancel])
def test_a_run_that_is_gone_is_left_alone(act, at):
    run = at(State.PLANNING)
    act(run.tenant_id, run.tenant_id)
    assert fresh(run).version == run.version


# --- the end ---


def test_a_run_that_ends_keeps_its_reason_and_its_time(at, tenant, take):
    run = at(State.COLLECTING, estimated_seconds_remaining=60)
    sql(run, "UPDATE research_run SET started_at = now() - interval '100 seconds' WHERE id = %s")
    take(run)
    with tenant_context(tenant.pk):
        end(lock_run(run.pk), State.FAILED, "REJECTED", "The owner said no.")
    ended = fresh(run)
    assert (ended.state, ended.version) == (State.FAILED, run.version + 1)
    assert (ended.failure_code, ended.failure_message) == ("REJECTED", "The owner said no.")
    assert 100 <= ended.duration_seconds < 160
    assert ended.completed_at == ended.state_entered_at == ended.updated_at > run.state_entered_at
    assert (ended.state_deadline, ended.estimated_seconds_remaining) == (None, None)
    assert ended.snapshot_version == run.snapshot_version + 1
    assert {step.error_message for step in steps_of(run).values()} == {"The owner said no."}
    assert {step.fence for step in steps_of(run).values()} == {1, 2}


def test_what_a_run_that_ends_well_had_not_done_is_skipped(at, tenant):
    run = at(State.COLLECTING)
    with tenant_context(tenant.pk):
        ended = lock_run(run.pk)
        end(ended, State.COMPLETED)
        assert (ended.state, ended.version) == (State.COMPLETED, run.version + 1)
    steps = steps_of(run).values()
    assert {(step.status, step.error_message) for step in steps} == {("skipped", "The run had ended.")}


def test_a_run_that_never_began_lasted_from_its_making(start_toy, tenant):
    run = start_toy()
    sql(run, "UPDATE research_run SET created_at = now() - interval '100 seconds' WHERE id = %s")
    with tenant_context(tenant.pk):
        end(lock_run(run.pk), State.CANCELLED)
    assert 100 <= fresh(run).duration_seconds < 160


def test_an_end_that_an_exit_leads_to_has_its_code_and_its_words(at, leave, monkeypatch):
    ended = leave(at(State.COLLECTING, attempt=5))
    assert (ended.state, ended.failure_code) == (State.FAILED, "INSUFFICIENT_SOURCES")
    assert ended.failure_message == "There is no source."


def test_the_log_tells_why_a_run_moved_and_how_it_ended(at, leave, caplog):
    run = at(State.COLLECTING, attempt=5)
    caplog.clear()
    with caplog.at_level("INFO", "research.engine.states.transitions"):
        leave(run)
    assert caplog.messages == [
        f"exit run='{run.pk}' state='collecting' because='there_is_no_source' to='failed'",
        f"run_ended run='{run.pk}' was='collecting' state='failed' code='INSUFFICIENT_SOURCES'",
    ]
