"""Threads for blocking work."""

import threading
from concurrent.futures import wait

from django.db import connection

from research.engine.engine_threads import ThreadPool, share_threads
from research.engine.states.step_failures import Failure


def find_threads(name):
    return [thread for thread in threading.enumerate() if thread.name == name]


def end_of(name):
    for thread in find_threads(name):
        thread.join(10)
    return find_threads(name)


def test_work_comes_back_with_its_result():
    with ThreadPool(2, "t-result") as threads:
        assert threads.submit(lambda: 7).result(10) == 7
    assert end_of("t-result") == []


def test_what_is_raised_comes_back_as_a_failure():
    with ThreadPool(1, "t-failure") as threads:
        failure = threads.submit(lambda: 1 / 0).result(10)
    assert isinstance(failure, Failure)
    assert failure.code == "INTERNAL_ERROR"


def test_one_thread_does_one_thing_after_the_other():
    with ThreadPool(3, "t-idle") as threads:
        used = set()
        for _turn in range(5):
            used.add(threads.submit(threading.get_ident).result(10))
            while threads._idle < 1:  # it counts itself idle a moment after its result is there
                threading.Event().wait(0.001)
        assert len(used) == 1


def test_as_many_at_once_as_there_may_be_and_no_more():
    together = threading.Barrier(3)  # two of them, and this one
    gate = threading.Event()

    def hold():
        together.wait(10)
        return gate.wait(10)

    with ThreadPool(2, "t-many") as threads:
        first = [threads.submit(hold) for _job in range(2)]
        together.wait(10)
        third = threads.submit(lambda: "third")
        assert len(find_threads("t-many")) == 2
        assert not third.done()
        gate.set()
        assert third.result(10) == "third"
        wait(first, 10)
    assert end_of("t-many") == []


def test_work_that_was_given_up_is_not_begun():
    gate, done = threading.Event(), []
    with ThreadPool(1, "t-cancel") as threads:
        threads.submit(lambda: gate.wait(10))
        second = threads.submit(lambda: done.append(1))
        assert second.cancel()
        gate.set()
        assert threads.submit(lambda: "third").result(10) == "third"
    assert done == []


def test_threads_end_with_the_process_at_the_latest():
    with ThreadPool(1, "t-daemon") as threads:
        assert threads.submit(lambda: threading.current_thread().daemon).result(10)


def test_connections_are_closed_with_their_threads(transactional_db):
    kept = []

    def use():
        connection.ensure_connection()
        kept.append(connection.connection)

    with ThreadPool(1, "t-connection") as threads:
        assert threads.submit(use).result(10) is None
        assert not kept[0].closed
    end_of("t-connection")
    assert kept[0].closed


def test_all_runners_of_a_process_share_their_threads_and_the_last_ends_them():
    with share_threads(2) as first:
        with share_threads(2) as second:
            assert first is second
        assert first.submit(lambda: 1).result(10) == 1
    assert end_of("handler") == []
    with share_threads(2) as third:
        assert third is not first
