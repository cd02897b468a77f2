"""The heartbeat, and what happens to work whose lease is lost."""

import threading
from dataclasses import replace

import pytest
from django.db import OperationalError
from django.utils.timezone import now

from research.engine import leases
from research.engine.claim_and_finish_steps import renew
from research.engine.leases import Leases
from research.engine.step_runner import drive
from research.engine.sweeper import sweep_tenant
from research.models import State, StepStatus
from tests.engine import toy
from tests.engine.rows import let_leases_expire, sql, steps_of

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


def test_only_what_is_held_is_wanted(start_toy, take, add_step):
    run = start_toy()
    add_step(run, "more")
    first, second = take(run)
    with Leases(run.tenant_id) as held:
        assert held.is_stopped(first.id)
        held.hold(first)
        held.hold(second)
        held.drop(first)
        assert (held.is_stopped(first.id), held.is_stopped(second.id)) == (True, False)
        held.drop(first)  # twice does nothing
        held.stop_all()
        held.drop(second)
        held.hold(second)
        assert not held.is_stopped(second.id)


def test_an_end_that_comes_late_leaves_the_later_claim_its_lease(start_toy, take):
    run = start_toy()
    (before,) = take(run)
    let_leases_expire(run)
    sweep_tenant(run.tenant_id)
    (again,) = take(run)
    assert (before.id, before.fence + 1) == (again.id, again.fence)
    with Leases(run.tenant_id) as held:
        held.hold(before)
        held.hold(again)
        held.drop(before)
        assert not held.is_stopped(again.id)
        held.drop(again)
        assert held.is_stopped(again.id)


def test_what_was_dropped_is_not_lost(start_toy, take):
    run = start_toy()
    (step,) = take(run)
    lost = []
    with Leases(run.tenant_id, lost.append) as held:
        held.hold(step)
        held.drop(step)
        held._lose(step.id, step.fence)
    assert lost == []


def test_a_beat_that_ends_late_leaves_the_later_claim_its_lease(start_toy, take, monkeypatch):
    monkeypatch.setattr(leases, "HEARTBEAT_S", 3600)
    run = start_toy()
    (before,) = take(run)
    again = replace(before, fence=before.fence + 1)
    lost = []
    with Leases(run.tenant_id, lost.append) as held:

        def renew_too_late(_tenant_id, asked):
            held.drop(before)
            held.hold(again)
            return frozenset(asked)

        held.hold(before)
        monkeypatch.setattr(leases, "renew", renew_too_late)
        held._renew()
        assert not held.is_stopped(again.id)
    assert lost == []


def test_a_lease_is_lost_once_and_the_log_says_which(start_toy, take, caplog):
    run = start_toy()
    (step,) = take(run)
    lost, told = [], threading.Event()

    def on_lost(step_id):
        lost.append(step_id)
        told.set()

    sql(run, "UPDATE research_step SET fence = fence + 1 WHERE run_id = %s")
    with Leases(run.tenant_id, on_lost) as held:
        held.hold(step)
        assert told.wait(10)
    assert lost == [step.id]
    assert f"lease_lost step='{step.id}'" in caplog.messages


def test_a_heartbeat_survives_a_database_that_is_away_for_a_beat(start_toy, take, monkeypatch, caplog):
    run = start_toy()
    (step,) = take(run)
    beats, again = [], threading.Event()

    def away_at_first(tenant_id, held):
        beats.append((tenant_id, held))
        if len(beats) == 1:
            raise OperationalError("gone")
        again.set()
        return renew(tenant_id, held)

    monkeypatch.setattr(leases, "renew", away_at_first)
    with Leases(run.tenant_id) as kept:
        kept.hold(step)
        assert again.wait(10)
        assert not kept.is_stopped(step.id)
    assert beats[0] == (run.tenant_id, {step.id: step.fence})
    assert "heartbeat_failed error='OperationalError'" in caplog.messages


def test_the_heart_stops_with_the_work_and_leaves_no_connection(start_toy):
    run = start_toy()
    with Leases(run.tenant_id):
        (beating,) = [one for one in threading.enumerate() if one.name == "heartbeat"]
        assert beating.daemon
    assert not beating.is_alive()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_heart_that_stopped_beats_again_for_the_next_step(start_toy, take, monkeypatch):
    run = start_toy()
    stopped = threading.Event()

    def stop_once(_point):
        if not stopped.is_set():
            stopped.set()
            raise SystemExit

    monkeypatch.setattr(leases, "crash_point", stop_once)
    (step,) = take(run)
    with Leases(run.tenant_id) as held:
        assert stopped.wait(10)
        held._thread.join(10)
        held.hold(step)
        let_leases_expire(run)
        for _look in range(500):
            if is_renewed(run):
                break
            threading.Event().wait(0.01)
        else:
            pytest.fail("the lease was not renewed")


def is_renewed(run):
    return steps_of(run)["0.created"].lease_until > now()


def test_a_lease_that_was_not_renewed_in_time_has_lapsed(start_toy, take, monkeypatch):
    run = start_toy()
    (step,) = take(run)
    held = Leases(run.tenant_id)
    assert held.has_lapsed(step.id)
    monkeypatch.setattr(leases.time, "monotonic", lambda: 100.0)
    monkeypatch.setattr(held, "_thread", threading.current_thread())
    held.hold(replace(step, asked_at=100.0))  # not from when it was held: a process may sleep in between
    for moment, lapsed in [(100.0, False), (100.0 + leases.LEASE_S, False), (100.1 + leases.LEASE_S, True)]:
        monkeypatch.setattr(leases.time, "monotonic", lambda moment=moment: moment)
        assert held.has_lapsed(step.id) is lapsed
    held.drop(step)
    assert held.has_lapsed(step.id)


def test_a_beat_counts_from_when_it_began_and_only_for_what_it_renewed(
    start_toy, take, add_step, monkeypatch
):
    run = start_toy()
    add_step(run, "more")
    kept, lost = take(run)
    held, moment = Leases(run.tenant_id), 100.0

    def slow(_tenant_id, _held):
        nonlocal moment
        moment += 50
        return frozenset({lost.id})

    monkeypatch.setattr(leases, "renew", slow)
    monkeypatch.setattr(leases.time, "monotonic", lambda: moment)
    monkeypatch.setattr(held, "_thread", threading.current_thread())
    for step in (kept, lost):
        held.hold(step)
    moment = 180.0
    held._renew()
    assert held.has_lapsed(lost.id)
    moment = 180.0 + leases.LEASE_S
    assert not held.has_lapsed(kept.id)
    moment += 0.1
    assert held.has_lapsed(kept.id)
