"""A helper thread of a CPU process, which computes while a step of the main thread waits for the database.

The processor is thus not idle while rows are read and stored. A step can be interrupted only in the main thread
(time_limit.py), so the helper executes only first attempts of steps whose handlers were fast a moment ago. The
thread and its connection live as long as the process.
"""

import threading
from collections.abc import Callable, Collection
from concurrent.futures import Future, wait
from types import TracebackType

from research.db.thread_pool import RowThreads
from research.engine.lease_timing import STEP_LIMIT_S
from research.engine.step_time_limit import StepTimeout, end_hanging_process, time_limit
from research.runtime.process_local import ProcessLocal

_thread = ProcessLocal(lambda: RowThreads(1, "helper"))

# Executes one group of steps of these handlers; False: there is none.
DoGroup = Callable[[Collection[str]], bool]


class HelperThread:
    """A context manager that waits for the helper's current group when it is left, and raises what the helper
    raised.
    """

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
            self.wait_until_idle()
        else:
            self._wait()

    def take_on(self, handlers: Collection[str]) -> None:
        """Execute steps of these handlers in the helper too, until there are none."""
        self._handlers.update(handlers)
        if self._work is not None and not self._work.done():
            return
        self.wait_until_idle()
        self._enough.clear()
        self._work = _thread.get().submit(self._go)

    def wait_until_idle(self) -> bool:
        """Wait until the helper is idle; return True if it had been at work since the last call."""
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
            end_hanging_process("helper_thread_hangs")

    def _go(self) -> None:
        while not self._enough.is_set() and self._do_group(frozenset(self._handlers)):
            pass
