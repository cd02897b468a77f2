"""A process-local value belongs to one process: a forked one has nothing of it."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from research.runtime.process_local import ProcessLocal

TOGETHER = 4


@pytest.fixture
def process_local():
    return ProcessLocal(object)


def call_in_fork(act) -> bytes:
    """Return what `act` gives in a process that was forked from this one."""
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        os.write(writes, act())
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb") as answer:
        told = answer.read()
    os.waitpid(child, 0)
    return told


def test_it_is_made_once_however_many_ask_together():
    everyone, made = threading.Barrier(TOGETHER), []
    kept = ProcessLocal(lambda: made.append(len(made)) or object())

    def asks(_number: int) -> object:
        everyone.wait()
        return kept.get()

    with ThreadPoolExecutor(TOGETHER) as pool:
        assert len(set(pool.map(asks, range(TOGETHER)))) == 1
    assert made == [0]


def test_whoever_takes_it_leaves_none_and_the_next_gets_a_new_one(process_local):
    first = process_local.get()
    assert process_local.take() is first
    assert process_local.take() is None
    assert process_local.get() is not first


def test_a_forked_process_makes_its_own(process_local):
    first = process_local.get()
    assert call_in_fork(lambda: b"same" if process_local.get() is first else b"own") == b"own"
    assert process_local.get() is first


def test_a_forked_process_ends_nothing_of_its_parent(process_local):
    first = process_local.get()
    assert call_in_fork(lambda: b"nothing" if process_local.take() is None else b"the parents") == b"nothing"
    assert process_local.take() is first
