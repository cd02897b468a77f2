"""Planning anew: the cause that is kept with it, and when the owner may ask for it."""

import pytest

from research.db.tenancy import tenant_context
from research.engine.states.state_exit_reasons import WANTED
from research.engine.states.state_replanning import (
    INTERRUPTIBLE,
    TRIGGERS,
    Cause,
    can_replan,
    cause_of,
    record_replan_request,
)
from research.models import PlanTrigger, State
from tests.engine import toy
from tests.engine.rows import fresh, put_into, sql, steps_of


@pytest.fixture
def replans(monkeypatch):
    """The toy recipe plans anew."""
    toy.use(monkeypatch, State.REPLANNING)


def may(run):
    return can_replan(fresh(run))


def test_a_cause_is_kept_whole():
    cause = Cause(PlanTrigger.USER_FEEDBACK, State.READING, "Look at Asia too.", "ada")
    stored = cause.to_json()
    assert stored == {
        "trigger": "user_feedback",
        "was": "reading",
        "note": "Look at Asia too.",
        "by": "ada",
    }
    assert cause_of(stored) == cause


def test_a_cause_without_words_has_none():
    cause = cause_of({"trigger": "dimension_failure", "was": "collecting"})
    assert cause == Cause(PlanTrigger.DIMENSION_FAILURE, State.COLLECTING, "", "")
    assert cause.trigger is PlanTrigger.DIMENSION_FAILURE
    assert cause.was is State.COLLECTING


def test_what_a_person_wants_is_their_feedback():
    assert TRIGGERS[WANTED] == TRIGGERS["a_person_wants_another_plan"] == PlanTrigger.USER_FEEDBACK


@pytest.mark.parametrize("state", list(State))
def test_another_plan_can_be_asked_for_while_its_work_is_under_way(replans, start_toy, state):
    run = start_toy()
    if state is State.FAILED:
        sql(run, "UPDATE research_run SET failure_code = 'TIMEOUT' , state = 'failed' WHERE id = %s")
    assert may(put_into(run, state)) is (state in INTERRUPTIBLE)


@pytest.mark.parametrize(("so_far", "expected"), [(0, True), (1, True), (2, False), (3, False)])
def test_a_plan_is_made_anew_twice_at_most(replans, start_toy, so_far, expected):
    run = put_into(start_toy(), State.READING)
    sql(run, "UPDATE research_run SET replan_count = %s WHERE id = %s", so_far)
    assert may(run) is expected


def test_a_run_that_is_being_cancelled_gets_no_other_plan(replans, start_toy):
    run = put_into(start_toy(), State.READING)
    sql(run, "UPDATE research_run SET cancel_at = now() WHERE id = %s")
    assert not may(run)


def test_a_kind_that_does_not_plan_anew_is_not_asked_to(start_toy):
    assert not may(put_into(start_toy(), State.READING))


def test_the_owner_s_wish_is_kept_on_the_step_of_the_visit(start_toy, add_step, tenant):
    run = put_into(start_toy(), State.READING)
    sql(run, "UPDATE research_run SET replan_count = 1 WHERE id = %s")
    add_step(run, "5.reading", handler="state.reading")
    with tenant_context(tenant.pk):
        record_replan_request(fresh(run), "Look at Asia too.")
    assert steps_of(run)["5.reading"].output == {
        "exit": "the_owner_wants_another_plan",
        "to": "replanning",
        "facts": {"replans": 1, "note": "Look at Asia too."},
    }
