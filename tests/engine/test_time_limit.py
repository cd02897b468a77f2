"""A step that is done in a process of its own is broken off when it lasts too long."""

import signal
import threading

import pytest

from research.engine import run_step
from research.engine.cpu_worker import work_through
from research.engine.helper_thread import HelperThread
from research.engine.states.step_failures import failure_of
from research.engine.step_runner import serve
from research.engine.step_time_limit import StepTimeout, time_limit
from research.models import Queue, StepStatus
from tests.engine import toy
from tests.engine.rows import steps_of

SHORT_S = 0.02


def wait_for_ever() -> None:
    threading.Event().wait()


def test_what_lasts_too_long_is_broken_off():
    with pytest.raises(StepTimeout, match="exceeded its time limit"), time_limit(SHORT_S):
        wait_for_ever()


def test_what_is_done_in_time_is_left_alone_and_nothing_stays_behind():
    before = signal.getsignal(signal.SIGALRM)
    with time_limit(600):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getsignal(signal.SIGALRM) is before


def test_after_a_failure_nothing_stays_behind_either():
    with pytest.raises(KeyError), time_limit(600):
        raise KeyError
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_in_another_thread_there_is_no_limit_and_no_signal():
    done = []

    def work():
        with time_limit(SHORT_S):
            done.append(signal.getitimer(signal.ITIMER_REAL))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [(0, 0)]


def test_it_counts_as_a_time_out_that_is_tried_again():
    failure = failure_of(StepTimeout("The step exceeded its time limit."))
    assert (failure.code, failure.definition.retries) == ("TIMEOUT", 2)


@pytest.mark.django_db(transaction=True)
def test_a_cpu_step_that_hangs_is_tried_again_and_its_group_is_stored(start_toy, monkeypatch):
    monkeypatch.setattr(run_step, "STEP_LIMIT_S", 1)
    hung = []

    def hang(work):
        if not hung:
            hung.append(work.key)
            wait_for_ever()

    run = start_toy()
    serve(run.tenant_id, run.pk)
    toy.actions["read.beta.1"] = hang
    monkeypatch.setattr(HelperThread, "take_on", lambda *_: None)  # which nothing breaks off
    work_through(run.tenant_id, run.pk, Queue.READING)
    steps = [step for step in steps_of(run).values() if step.queue == Queue.READING]
    [late] = [step for step in steps if step.key == hung[0]]
    assert (late.status, late.error_code) == (StepStatus.RETRYING, "TIMEOUT")
    assert {step.status for step in steps if step is not late} == {StepStatus.COMPLETED}
