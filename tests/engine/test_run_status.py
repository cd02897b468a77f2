"""A worker that finds nothing to claim learns the state of the run."""

from uuid import uuid4

import pytest

from research.engine.states.run_status import situation_of
from research.models import State
from tests.engine.rows import sql


@pytest.fixture
def run(start_toy):
    run = start_toy()
    times = "state_entered_at = now(), state_deadline = now() + interval '100 s', deadline = now() + interval '1 h'"
    sql(run, f"UPDATE research_run SET state = 'planning', {times} WHERE id = %s")
    return run


def get_situation(run):
    return situation_of(run.tenant_id, run.pk)


def test_a_run_under_way(run):
    found = get_situation(run)
    assert (found.state, found.is_over, found.is_waiting, found.is_cancelled) == (
        State.PLANNING,
        False,
        False,
        False,
    )
    assert (found.cancelled_for_s, found.time_runs_out, found.due_in_s) == (0, False, None)


def test_a_run_that_is_gone_has_no_situation(run):
    assert situation_of(run.tenant_id, uuid4()) is None


@pytest.mark.parametrize("state", ["completed", "failed", "cancelled"])
def test_a_run_that_has_ended_is_over(run, state):
    code = "REJECTED" if state == "failed" else ""
    sql(run, f"UPDATE research_run SET state = '{state}', failure_code = '{code}' WHERE id = %s")
    assert get_situation(run).is_over


@pytest.mark.parametrize("change", ["state = 'human_review_plan'", "paused_at = now()"])
def test_no_worker_can_do_anything_while_a_person_thinks(run, change):
    sql(run, f"UPDATE research_run SET {change} WHERE id = %s")
    assert get_situation(run).is_waiting


def test_how_long_ago_a_run_was_cancelled(run):
    sql(run, "UPDATE research_run SET cancel_at = now() - interval '10 s' WHERE id = %s")
    assert get_situation(run).is_cancelled
    assert 10 <= get_situation(run).cancelled_for_s < 60


@pytest.mark.parametrize(("passed", "runs_out"), [(80, False), (91, True), (101, True)])
def test_the_exits_are_looked_at_from_nine_tenths_of_a_state_s_time_on(run, passed, runs_out):
    sql(
        run,
        f"UPDATE research_run SET state_entered_at = now() - interval '{passed} s', "
        f"state_deadline = now() + interval '{100 - passed} s' WHERE id = %s",
    )
    assert get_situation(run).time_runs_out is runs_out


def test_the_run_s_own_limit_counts_too(run):
    sql(run, "UPDATE research_run SET deadline = now() WHERE id = %s")
    assert get_situation(run).time_runs_out


def test_the_next_try_is_the_one_that_is_due_first(run, add_step):
    for seconds in (300, 100, -10):
        add_try(run, add_step, seconds)
    assert 0 < get_situation(run).due_in_s <= 100


def test_a_try_that_fell_due_since_its_worker_looked_for_work_is_due_now(run, add_step):
    """Else the worker would leave, and the try wait for the sweeper."""
    for seconds in (300, 0):
        add_try(run, add_step, seconds)
    assert get_situation(run).due_in_s == 0


def add_try(run, add_step, seconds):
    """A step that is due so many seconds from now."""
    step = add_step(run, f"later.{seconds}", status="retrying")
    due = f"not_before = clock_timestamp() + interval '{seconds} s'"
    sql(run, f"UPDATE research_step SET {due} WHERE id = '{step.pk}' AND run_id = %s")
