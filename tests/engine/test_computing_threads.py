"""Steps compute beside the event loop: whose turn it is, and a thread that does not return."""

import asyncio
import threading

from research.engine import worker_computing_threads
from research.engine.step_time_limit import HANGS
from research.engine.worker_computing_threads import THREADS, in_computing_thread


def test_the_result_comes_from_another_thread():
    assert asyncio.run(in_computing_thread(threading.get_ident)) != threading.get_ident()


def test_a_process_whose_thread_hangs_ends(monkeypatch):
    ended = threading.Event()
    statuses: list[int] = []

    def leave(status: int) -> None:
        statuses.append(status)
        ended.set()

    monkeypatch.setattr(worker_computing_threads, "STEP_LIMIT_S", 0.01)
    monkeypatch.setattr(step_time_limit.os, "_exit", leave)
    asyncio.run(in_computing_thread(lambda: ended.wait(20)))
    assert statuses == [HANGS]


def test_the_first_act_of_one_run_does_not_wait_for_all_of_another():
    """Runs have event loops of their own; the second asks while all threads are busy with the first."""
    busy, may_end, order = threading.Barrier(THREADS + 1), threading.Event(), list[str]()
    is_asked_once = threading.Event()

    def hold() -> None:
        busy.wait(20)
        may_end.wait(20)

    def compute_one_of_many() -> None:
        order.append("many")
        is_asked_once.wait(20)  # a thread that is quick gets no further than one that is not

    def compute() -> None:
        order.append("once")
        is_asked_once.set()

    async def compute_many() -> None:
        held = [in_computing_thread(hold) for _ in range(THREADS)]
        await asyncio.gather(*held, *(in_computing_thread(compute_one_of_many) for _ in range(20)))

    async def compute_once() -> None:
        asked = asyncio.ensure_future(in_computing_thread(compute))
        await asyncio.sleep(0)  # it is in the queue now
        may_end.set()
        await asked

    first = threading.Thread(target=asyncio.run, args=[compute_many()])
    first.start()
    busy.wait(20)
    asyncio.run(compute_once())
    first.join(20)
    assert order.index("once") <= THREADS
