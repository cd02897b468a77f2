"""Threads of a process for what a step computes beside its event loop: reading pages, embedding, looking quotes up."""

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from typing import TypeVar
from weakref import WeakKeyDictionary

from research.db.thread_pool import RowThreads
from research.engine.lease_timing import STEP_LIMIT_S
from research.engine.time_limit import end_hanging_process
from research.runtime.process_local import ProcessLocal

T = TypeVar("T")
THREADS = 2  # more would only wait for the interpreter, and for the child that parses

_threads = ProcessLocal(lambda: RowThreads(THREADS, "computing"))
# Each run has an event loop of its own. No more acts of a run wait for a thread at a time than there are threads, so
# that the first page of one run does not come after the last of another.
_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


async def in_computing_thread(act: Callable[[], T]) -> T:
    """Run `act` in one of the threads and return its result.

    A thread cannot be interrupted: where one takes longer than any step may, the process ends. Its leases expire, and
    others execute its steps.
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
