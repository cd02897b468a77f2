"""What a step computes beside its event loop, and the end of a process whose thread does not return."""

import asyncio
import threading

from research.engine import computing_threads
from research.engine.computing_threads import HANGS, in_computing_thread


def test_the_result_comes_from_another_thread():
    assert asyncio.run(in_computing_thread(threading.get_ident)) != threading.get_ident()


def test_a_process_whose_thread_hangs_ends(monkeypatch):
    ended = threading.Event()
    statuses: list[int] = []

    def leave(status: int) -> None:
        statuses.append(status)
        ended.set()

    monkeypatch.setattr(computing_threads, "STEP_LIMIT_S", 0.01)
    monkeypatch.setattr(computing_threads.os, "_exit", leave)
    asyncio.run(in_computing_thread(lambda: ended.wait(20)))
    assert statuses == [HANGS]
