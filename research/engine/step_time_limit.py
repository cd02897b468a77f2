"""Time limits: of a step in the main thread of a process of its own, and of threads, which cannot be interrupted."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from research.runtime.logs import logger

HANGS = 70  # exit status of a process in which a thread does not return (EX_SOFTWARE of sysexits.h)

log = logger(__name__)


class StepTimeout(TimeoutError):
    """The step was interrupted at its time limit. It is classified as TIMEOUT and retried accordingly."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise StepTimeout inside the block when it lasts longer. No limit applies outside the main thread.

    A call into C is interrupted only when it returns; parsers of documents run in children with limits of their own.
    SIGALRM, since Celery uses SIGUSR1 for its own soft limit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _raise)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _raise(_number: int, _frame: FrameType | None) -> None:
    raise StepTimeout("The step exceeded its time limit.")


def end_hanging_process(event: str) -> None:
    """Log the event and exit the process, because a thread cannot be interrupted. Others execute its steps."""
    log.warning(event)
    os._exit(HANGS)
