"""Threads for work on rows, on behalf of those who wait in an event loop. Each keeps its connection."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar

from django.conf import settings
from django.db import connection, connections

from research.runtime.process_local import ProcessLocal

T = TypeVar("T")
CHECKED_AFTER_S = 1.0  # idle
KEPT_WRITERS = 4  # of a process, while they are lent to nobody
ROW_THREADS = 8  # of a process, for what handlers read and weigh beside their event loop
_thread = threading.local()


class RowThreads:
    """Threads with open connections, for any event loop of the process: opening one costs more than most queries."""

    def __init__(self, count: int, name: str) -> None:
        self._count = count
        self._pool = ThreadPoolExecutor(count, thread_name_prefix=name)

    async def do(self, act: Callable[[], T]) -> T:
        """Once begun it is finished, even where nobody waits any more."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, _with_connection, act)

    def submit(self, act: Callable[[], T]) -> "Future[T]":
        """The same for who waits in no event loop."""
        return self._pool.submit(_with_connection, act)

    def close(self, *, waits: bool = True) -> None:
        """`waits`: until what was begun is done; else it is done all the same."""
        everyone = threading.Barrier(self._count)
        for _ in range(self._count):
            self._pool.submit(_close_connections, everyone)
        self._pool.shutdown(wait=waits)


def _with_connection(act: Callable[[], T]) -> T:
    """One that broke while it was idle is opened anew."""
    idle_s = time.monotonic() - getattr(_thread, "used_at", 0.0)
    if idle_s > CHECKED_AFTER_S and connection.connection is not None and not connection.is_usable():
        connection.close()
    try:
        return act()
    finally:
        _thread.used_at = time.monotonic()
        if settings.PLUMBLINE_DATABASE_POOL:
            connection.close()  # gives it back to the pool


def _close_connections(everyone: threading.Barrier) -> None:
    """Each thread its own: they wait for each other, so that none does it twice."""
    everyone.wait()
    connections.close_all()


# A new connection costs server and client some 15 ms, a statement less than one: so the threads are kept.
_rows = ProcessLocal(lambda: RowThreads(ROW_THREADS, "rows"))


def process_rows() -> RowThreads:
    """This process's own, for whoever has none."""
    return _rows.get()


class Writers:
    """Single threads, each lent to one at a time: for who needs one act after the other.

    Where something went wrong, an act may hang in the thread: it is lent to nobody after that.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[RowThreads] = []

    @contextmanager
    def borrow_thread(self) -> Iterator[RowThreads]:
        writer, is_well = self._acquire_thread(), False
        try:
            yield writer
            is_well = True
        finally:
            if not (is_well and self._try_return_thread(writer)):
                writer.close(waits=False)

    def _acquire_thread(self) -> RowThreads:
        with self._lock:
            return self._idle.pop() if self._idle else RowThreads(1, "writer")

    def _try_return_thread(self, writer: RowThreads) -> bool:
        with self._lock:
            is_kept = len(self._idle) < KEPT_WRITERS
            if is_kept:
                self._idle.append(writer)
            return is_kept


_writers = ProcessLocal(Writers)


def borrow_writer() -> AbstractContextManager[RowThreads]:
    """A thread of this process for acts in their order."""
    return _writers.get().borrow_thread()
