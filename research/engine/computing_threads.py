"""Threads of a process for what a step computes beside its event loop: reading pages, embedding, looking quotes up."""

import os
import threading
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from research.db.thread_pool import RowThreads
from research.engine.lease_timing import STEP_LIMIT_S
from research.runtime.logs import logger
from research.runtime.process_local import ProcessLocal

T = TypeVar("T")
THREADS = 2  # more would only wait for the interpreter, and for the child that parses
HANGS = 70  # exit status of a process in which such a thread does not return (EX_SOFTWARE of sysexits.h)

log = logger(__name__)
_threads = ProcessLocal(lambda: RowThreads(THREADS, "computing"))


async def in_computing_thread(act: Callable[[], T]) -> T:
    """Run `act` in one of the threads and return its result.

    A thread cannot be interrupted: where one takes longer than any step may, the process ends. Its leases expire, and
    others execute its steps.
    """
    return await _threads.get().do(partial(_act_in_time, act))


def _act_in_time(act: Callable[[], T]) -> T:
    watch = threading.Timer(STEP_LIMIT_S, _end_process)
    watch.daemon = True
    watch.start()
    try:
        return act()
    finally:
        watch.cancel()


def _end_process() -> None:
    log.warning("computing_thread_hangs")
    os._exit(HANGS)
