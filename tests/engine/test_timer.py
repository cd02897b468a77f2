"""The sweeper that every worker carries, for when beat is dead."""

import threading
import time

import pytest
from django.db import Error

from research.engine import sweeper_thread
from research.engine.sweeper_thread import SweepTimer
from research.models import StepStatus
from tests.engine.rows import let_leases_expire, steps_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sweeper(monkeypatch):
    """Sweeps every hundredth of a second until the test is over."""
    monkeypatch.setattr(sweeper_thread, "SWEEP_S", 0.01)
    sweeper = SweepTimer()
    yield sweeper
    monkeypatch.setattr(sweeper_thread, "SWEEP_S", 30)  # that its last sweep may take
    sweeper.stop()


def names():
    return [thread.name for thread in threading.enumerate()]


def test_it_frees_what_a_dead_worker_held_until_it_is_stopped(start_toy, take, sweeper):
    run = start_toy()
    take(run)
    let_leases_expire(run)
    sweeper.start()
    until = time.monotonic() + 15
    while steps_of(run)["0.created"].status == StepStatus.RUNNING:
        assert time.monotonic() < until, "nobody swept"
    assert names().count("sweeper") == 1


def test_once_stopped_it_is_gone(sweeper, monkeypatch):
    sweeper.start()
    monkeypatch.setattr(sweeper_thread, "SWEEP_S", 30)
    sweeper.stop()
    assert "sweeper" not in names()


@pytest.mark.parametrize("error", [Error("gone"), ValueError("a bug"), OSError("a store is away")])
def test_it_does_what_else_there_is_though_one_of_it_fails(sweeper, monkeypatch, caplog, error):
    swept, done = [], threading.Event()

    def sweep_in_vain():
        swept.append(threading.current_thread())
        raise error

    def do_the_last():
        if len(swept) > 1:  # it came again
            done.set()

    monkeypatch.setattr(sweeper_thread, "sweep", sweep_in_vain)
    monkeypatch.setattr(sweeper, "_also", (sweep_in_vain, do_the_last))
    sweeper.start()
    assert done.wait(15)
    assert {thread.name for thread in swept} == {"sweeper"}
    assert all(thread.daemon for thread in swept)  # a worker that ends does not wait for it
    assert all(line.startswith("attempt_failed") for line in caplog.messages)


def test_it_takes_what_else_there_is_to_do(tenant):
    done = []
    SweepTimer(lambda: done.append("mail"), lambda: done.append("schedules"))._sweep_once()
    assert done == ["mail", "schedules"]


def test_it_sends_what_no_one_has_sent(start_toy, monkeypatch):
    run = start_toy()
    relayed = []
    monkeypatch.setattr(sweeper_thread, "relay", lambda: relayed.append(run.pk))
    SweepTimer()._sweep_once()
    assert relayed == [run.pk]
