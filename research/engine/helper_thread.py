"""A second lane in a process that computes: while a step waits for the database, or for the child that parses, another
computes.

A page is read in some 30 ms, of which the process computes for 15. A thread beside takes more of the same, in groups
of its own. It is not the main thread, where alone a step can be broken off (time_limit.py): so it takes only what was
short a moment ago, and nothing of which a process may have died before. The thread stays, with its connection.
"""

import os
import threading
from collections.abc import Callable, Collection
from concurrent.futures import Future, wait
from types import TracebackType

from research.db.thread_pool import RowThreads
from research.engine.lease_timing import STEP_LIMIT_S
from research.engine.time_limit import StepTimeout, time_limit
from research.runtime.logs import logger
from research.runtime.process_local import OfProcess

log = logger(__name__)
_lane = OfProcess(lambda: RowThreads(1, "second lane"))
HANGS = 70  # the status with which a process ends whose second lane does not (EX_SOFTWARE of sysexits.h)

# Does one group of steps of these handlers; False: there is none.
DoGroup = Callable[[Collection[str]], bool]


class HelperThread:
    """A context manager: whoever leaves it waits for the group in hand. What the lane raises is raised there."""

    def __init__(self, do_group: DoGroup) -> None:
        self._do_group = do_group
        self._handlers: set[str] = set()
        self._work: Future[None] | None = None
        self._enough = threading.Event()

    def __enter__(self) -> "HelperThread":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, *_rest: BaseException | TracebackType | None
    ) -> None:
        if kind is None:
            self.rest()
        else:
            self._wait()

    def help(self, handlers: Collection[str]) -> None:
        """Take steps of these handlers too, which are short, until there are none."""
        self._handlers.update(handlers)
        if self._work is not None and not self._work.done():
            return
        self.rest()
        self._enough.clear()
        self._work = _lane.get().submit(self._go)

    def rest(self) -> bool:
        """Return once the lane has nothing in hand: whether it had been at work since it was asked last."""
        self._wait()
        work, self._work = self._work, None
        if work is not None:
            work.result()
        return work is not None

    def _wait(self) -> None:
        self._enough.set()
        try:
            with time_limit(STEP_LIMIT_S):
                wait([self._work] if self._work else [])
        except StepTimeout:
            _end_process()

    def _go(self) -> None:
        while not self._enough.is_set() and self._do_group(frozenset(self._handlers)):
            pass


def _end_process() -> None:
    """A thread can't be broken off. Whoever takes its steps over does them one by one, in a main thread."""
    log.warning("second_lane_hangs")
    os._exit(HANGS)
