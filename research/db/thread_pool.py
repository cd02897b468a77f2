"""Threads for database work requested from event loops. Each thread keeps its connection."""

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
CHECKED_AFTER_S = 1.0  # of being idle
KEPT_WRITERS = 4  # in a process, while not borrowed
ROW_THREADS = 8  # in a process, for what handlers load and compute outside their event loop
_thread = threading.local()


class RowThreads:
    """A pool of threads with a database connection each, for any event loop of the process.

    Opening a connection takes longer than most of the work done on it, so connections are reused.
    """

    def __init__(self, count: int, name: str) -> None:
        self._count = count
        self._pool = ThreadPoolExecutor(count, thread_name_prefix=name)

    async def do(self, act: Callable[[], T]) -> T:
        """Run `act` in a thread and return its result.

        Once begun it is finished, even if the caller is cancelled.
        """
        return await asyncio.get_running_loop().run_in_executor(self._pool, _with_connection, act)

    def submit(self, act: Callable[[], T]) -> "Future[T]":
        """Run `act` in a thread, and return a future. For callers outside an event loop."""
        return self._pool.submit(_with_connection, act)

    def close(self, *, waits: bool = True) -> None:
        """Close the threads and their connections.

        Pending work is always finished; `waits` says whether to wait for it.
        """
        everyone = threading.Barrier(self._count)
        for _ in range(self._count):
            self._pool.submit(_close_connections, everyone)
        self._pool.shutdown(wait=waits)


def _with_connection(act: Callable[[], T]) -> T:
    """Run `act`, first replacing a connection that broke while it was idle."""
    idle_s = time.monotonic() - getattr(_thread, "used_at", 0.0)
    if idle_s > CHECKED_AFTER_S and connection.connection is not None and not connection.is_usable():
        connection.close()
    try:
        return act()
    finally:
        _thread.used_at = time.monotonic()
        if settings.PLUMBLINE_DATABASE_POOL:
            connection.close()  # returns it to the pool


def _close_connections(everyone: threading.Barrier) -> None:
    """Close this thread's connections.

    The threads wait for each other, so that each runs this exactly once.
    """
    everyone.wait()
    connections.close_all()


# A new connection costs server and client some 15 ms, a statement less than one; so the threads are kept.
_rows = ProcessLocal(lambda: RowThreads(ROW_THREADS, "rows"))


def process_rows() -> RowThreads:
    """Return the threads of this process, for callers without their own."""
    return _rows.get()


class Writers:
    """A pool of single threads, borrowed by callers whose operations must run one after another.

    A thread is not reused after an error, because an operation may still hang in it.
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
    """Borrow a thread of this process, for operations that must run in order."""
    return _writers.get().borrow_thread()
