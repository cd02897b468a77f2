"""Threads that keep their connection: lent to one at a time, and to nobody where something hangs in them."""

import threading
from contextlib import suppress

from research.db.thread_pool import KEPT_WRITERS, Writers

LIMIT_S = 20


def lend(writers: Writers):
    with writers.borrow_thread() as writer:
        return writer


def test_a_writer_is_lent_to_the_next_once_it_is_free():
    writers = Writers()
    with writers.borrow_thread() as first, writers.borrow_thread() as second:
        assert first is not second
    assert lend(writers) in (first, second)
    first.close()
    second.close()


def test_more_than_are_kept_are_closed_once_they_come_back():
    writers = Writers()
    taken = [writers.borrow_thread() for _ in range(KEPT_WRITERS + 1)]
    lent = [one.__enter__() for one in taken]
    for one in taken:
        one.__exit__(None, None, None)
    assert writers._idle == lent[:KEPT_WRITERS]
    for one in writers._idle:
        one.close()


def test_a_writer_in_which_something_hangs_is_lent_to_nobody():
    writers, hangs = Writers(), threading.Event()
    with suppress(RuntimeError), writers.borrow_thread() as first:
        stuck = first.submit(lambda: hangs.wait(LIMIT_S))
        raise RuntimeError
    with writers.borrow_thread() as second:
        assert second is not first
        assert second.submit(lambda: 7).result(LIMIT_S) == 7
    hangs.set()
    assert stuck.result(LIMIT_S)
    second.close()
