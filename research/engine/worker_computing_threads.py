"""Threads for computations of steps outside their event loop: parsing pages, embedding, looking quotes up."""

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from typing import TypeVar
from weakref import WeakKeyDictionary

from research.db.thread_pool import RowThreads
from research.engine.lease_timing import STEP_LIMIT_S
from research.engine.step_time_limit import end_hanging_process
from research.runtime.process_local import ProcessLocal

T = TypeVar("T")
THREADS = 2  # more would only wait for the interpreter, and for the child that parses

_threads = ProcessLocal(lambda: RowThreads(THREADS, "computing"))
# Each run has its own event loop. At most as many calls of a run as there are threads wait at a time, so that the first
# page of one run need not wait for the last one of another.
_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


async def in_computing_thread(act: Callable[[], T]) -> T:
    """Run `act` in one of the threads and return its result.

    A thread cannot be interrupted: if one takes longer than the time limit of steps, the process ends. Its leases then
    expire, and other processes execute its steps.
    """
    async with _turns.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(THREADS)):
        return await _threads.get().do(partial(_act_in_time, act))


def _act_in_time(act: Callable[[], T]) -> T:
    watch = threading.Timer(STEP_LIMIT_S, end_hanging_process, ["computing_thread_hangs"])
    watch.daemon = True
    watch.start()
    try:
        return act()
    finally:
        watch.cancel()
