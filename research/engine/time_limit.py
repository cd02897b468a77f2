"""A limit on one execution of a step that is done in the main thread of a process of its own."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class StepTimeout(TimeoutError):
    """The work was broken off. Classified as TIMEOUT, and tried again as that says."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises TookTooLong inside the block when it lasts longer. Elsewhere than in the main thread: no limit.

    A call into C that does not come back is broken off when it does; parsers of documents run in children with
    limits of their own. SIGALRM, since Celery keeps SIGUSR1 for its own soft limit.
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
    raise StepTimeout("The step took longer than a step may take.")
