"""Two threads of one process: what the second may take, and what becomes of what it meets."""

import threading
from collections import Counter
from dataclasses import dataclass, field

import pytest
from django.db import OperationalError

from research.engine import cpu_worker, helper_thread, step_time_limit
from research.engine.cpu_worker import work_through
from research.engine.helper_thread import HelperThread
from research.engine.pipeline_registry import StepWork
from research.engine.step_runner import StopReason, serve
from research.engine.step_time_limit import HANGS
from research.models import Queue, StepStatus
from tests.engine import toy
from tests.engine.rows import sql, steps_of

EVERY_FIFTH = "WHERE queue = 'reading' AND step_index %% 5 = 0 AND run_id = %s"
TRIED = f"UPDATE research_step SET attempt = 1 {EVERY_FIFTH}"
OTHERS = f"UPDATE research_step SET handler = 'toy.other' {EVERY_FIFTH}"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def to_read(start_toy):
    """A run of which 24 sources wait to be read."""
    run = start_toy(width=8)
    serve(run.tenant_id, run.pk)
    return run


@dataclass
class StepWatch:
    """Record which thread does which step. The first one waits with its second group until the helper has come."""

    waits: bool = True
    first: threading.Thread = field(default_factory=threading.current_thread)
    done: Counter[str] = field(default_factory=Counter)
    repeated: list[tuple[str, int]] = field(default_factory=list)  # thread, and how many steps were in hand
    in_hand: int = 0
    has_come: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def look(self, work: StepWork) -> None:
        thread = "first" if threading.current_thread() is self.first else "second"
        with self.lock:
            self.in_hand += 1
            if work.attempt > 1:
                self.repeated.append((thread, self.in_hand))
            is_begun = self.done["first"] > 0
        if thread == "second":
            self.has_come.set()
        elif self.waits and is_begun:
            assert self.has_come.wait(20)
        with self.lock:
            self.in_hand -= 1
            self.done[thread] += 1


def list_reading_steps(run):
    return [step for step in steps_of(run).values() if step.queue == Queue.READING]


def watch(*, waits=True):
    watched = StepWatch(waits)
    toy.actions[""] = watched.look
    return watched


def test_short_steps_are_taken_by_two_threads_each_once(to_read, monkeypatch):
    monkeypatch.setattr(cpu_worker, "choose_group_size", lambda *_: 2)
    watched = watch()
    assert work_through(to_read.tenant_id, to_read.pk, Queue.READING) is StopReason.IDLE
    assert watched.done["second"] > 0
    assert watched.done.total() == len(list_reading_steps(to_read)) == 24
    assert {(step.status, step.attempt) for step in list_reading_steps(to_read)} == {
        (StepStatus.COMPLETED, 1)
    }


def test_long_steps_have_no_company(to_read, monkeypatch):
    monkeypatch.setattr(cpu_worker, "choose_group_size", lambda *_: 1)
    watched = watch(waits=False)
    work_through(to_read.tenant_id, to_read.pk, Queue.READING)
    assert watched.done == {"first": 24}


def test_a_step_that_a_process_died_with_is_done_by_the_first_thread_alone(to_read, monkeypatch):
    sql(to_read, TRIED)
    monkeypatch.setattr(cpu_worker, "choose_group_size", lambda *_: 2)
    watched = watch(waits=False)
    work_through(to_read.tenant_id, to_read.pk, Queue.READING)
    assert set(watched.repeated) == {("first", 1)}
    assert {step.status for step in list_reading_steps(to_read)} == {StepStatus.COMPLETED}


def test_what_the_helper_thread_does_not_know_as_short_is_done_all_the_same(to_read, monkeypatch):
    sql(to_read, OTHERS)
    handlers = toy.ToyPipeline().handlers | {"toy.other": toy.read}
    monkeypatch.setattr(toy.ToyPipeline, "handlers", property(lambda _recipe: handlers))
    monkeypatch.setattr(cpu_worker, "choose_group_size", lambda *_: 2)
    watch(waits=False)
    assert work_through(to_read.tenant_id, to_read.pk, Queue.READING) is StopReason.IDLE
    assert {(step.status, step.attempt) for step in list_reading_steps(to_read)} == {
        (StepStatus.COMPLETED, 1)
    }


def test_what_the_helper_thread_meets_is_raised_by_the_worker(to_read, monkeypatch):
    first, claim = threading.current_thread(), cpu_worker.claim

    def fail_beside(*given, **named):
        if threading.current_thread() is not first:
            raise OperationalError("the server is gone")
        return claim(*given, **named)

    monkeypatch.setattr(cpu_worker, "choose_group_size", lambda *_: 2)
    monkeypatch.setattr(cpu_worker, "claim", fail_beside)
    with pytest.raises(OperationalError):
        work_through(to_read.tenant_id, to_read.pk, Queue.READING)


def test_what_the_first_thread_meets_ends_the_second_too():
    groups, comes = [], threading.Event()

    def do_group(_handlers):
        groups.append("another")
        comes.set()
        return True

    def meet():
        with HelperThread(do_group) as second:
            second.take_on({"toy.read"})
            assert comes.wait(20)
            raise OperationalError("the server is gone")

    with pytest.raises(OperationalError):
        meet()
    done = len(groups)
    helper_thread._thread.get().submit(lambda: None).result(20)  # it is free for the next turn
    assert len(groups) == done


def test_a_process_whose_helper_thread_hangs_ends(monkeypatch):
    begun, hangs, statuses = threading.Event(), threading.Event(), []

    def hang(_handlers):
        begun.set()
        return not hangs.wait(20)

    def end(status):
        statuses.append(status)
        hangs.set()

    monkeypatch.setattr(helper_thread, "STEP_LIMIT_S", 0.01)
    monkeypatch.setattr(step_time_limit.os, "_exit", end)
    with HelperThread(hang) as second:
        second.take_on({"toy.read"})
        assert begun.wait(20)
        second.wait_until_idle()
    assert statuses == [HANGS]
