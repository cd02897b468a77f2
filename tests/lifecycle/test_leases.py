"""The heartbeat, and what happens to work whose lease is lost."""

import threading

import pytest

from research.lifecycle import leases
from research.lifecycle.leases import Leases
from research.lifecycle.runner import drive
from research.models import State, StepStatus
from tests.lifecycle import toy
from tests.lifecycle.rows import let_leases_expire, sql, steps_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def quick_beats(monkeypatch):
    monkeypatch.setattr(leases, "HEARTBEAT_S", 0.02)


def test_leases_that_are_held_are_renewed(start_toy, take):
    run = start_toy()
    (step,) = take(run)
    with Leases(run.tenant_id) as held:
        held.hold(step)
        let_leases_expire(run)
        before = steps_of(run)["0.created"].lease_until
        for _look in range(500):
            if steps_of(run)["0.created"].lease_until > before:
                break
            threading.Event().wait(0.01)
        else:
            pytest.fail("the lease was not renewed")
    assert take(run) == []


def test_who_holds_a_lost_lease_is_told(start_toy, take):
    run = start_toy()
    (step,) = take(run)
    lost = threading.Event()
    with Leases(run.tenant_id, lambda _step_id: lost.set()) as held:
        held.hold(step)
        assert not held.is_stopped(step.id)
        sql(run, "UPDATE research_step SET fence = fence + 1 WHERE run_id = %s")
        assert lost.wait(10)
        assert held.is_stopped(step.id)


def test_a_handler_can_ask_whether_its_result_is_still_wanted(start_toy):
    run = start_toy()
    seen: list[bool] = []

    def lose_the_lease(work):
        seen.append(work.is_stopped())
        sql(run, "UPDATE research_step SET fence = fence + 1 WHERE key LIKE '%%search.alpha' AND run_id = %s")
        for _look in range(500):
            if work.is_stopped():
                break
            threading.Event().wait(0.01)
        seen.append(work.is_stopped())
        toy.actions.clear()
        sql(
            run,
            "UPDATE research_step SET lease_until = now() WHERE key LIKE '%%search.alpha' AND run_id = %s",
        )

    toy.actions["search.alpha"] = lose_the_lease
    assert drive(run.tenant_id, run.pk) is State.COMPLETED
    assert seen == [False, True]
    step = steps_of(run)["2.collecting/search.alpha"]
    assert (step.status, step.attempt) == (StepStatus.COMPLETED, 2)


def test_all_work_can_be_told_to_stop(start_toy, take):
    run = start_toy()
    (step,) = take(run)
    with Leases(run.tenant_id) as held:
        held.hold(step)
        held.stop_all()
        assert held.is_stopped(step.id)
        held.drop(step)
        assert held.is_stopped(step.id)
