"""A thread-safe wake-up signal that makes a runner look at the rows again.

A signal sent before the runner has closed is not lost; the sender of a later one learns that it has closed.
"""

import asyncio
import threading
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


class Wakeup:
    """A signal that any thread sets and one event loop waits for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._was_rung = False
        self._is_closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._event = asyncio.Event()

    def listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to listen; a signal from before is not lost."""
        with self._lock:
            self._loop = loop
            if self._was_rung:
                self._event.set()

    def wake_up(self) -> bool:
        """Signal the listener to look again; return False if it has closed and will not."""
        with self._lock:
            if self._is_closed:
                return False
            self._was_rung = True
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._event.set)
            return True

    def close(self) -> bool:
        """Close, and return True, unless a signal has come since the last wait."""
        with self._lock:
            self._is_closed = not self._was_rung
            self._was_rung = False
            self._event.clear()
            return self._is_closed

    def __enter__(self) -> "Wakeup":
        return self

    def __exit__(self, *_exception: object) -> None:
        self.shut()

    def shut(self) -> None:
        """Close even if there are signals, since their senders have already been answered."""
        with self._lock:
            self._is_closed = True

    async def wait(
        self, tasks: Iterable[asyncio.Task[T]], seconds: float
    ) -> tuple[set[asyncio.Task[T]], set[asyncio.Task[T]], bool]:
        """Wait until a task is done, a signal comes or the time is over; return the tasks that are done, the others,
        and True if a signal came.
        """
        ring = asyncio.create_task(self._event.wait())
        waited = set(tasks)
        await asyncio.wait({*waited, ring}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        ring.cancel()
        was_rung = self._hear()
        done = {task for task in waited if task.done()}
        return done, waited - done, was_rung

    def _hear(self) -> bool:
        """Clear the signal, and return True if there was one; the look at the rows that follows handles it."""
        with self._lock:
            was_rung, self._was_rung = self._was_rung, False
            self._event.clear()
            return was_rung
