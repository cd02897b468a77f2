"""Threads for work on rows, on behalf of those who wait in an event loop. Each keeps its connection."""

import asyncio
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.conf import settings
from django.db import connection, connections

T = TypeVar("T")
CHECKED_AFTER_S = 1.0  # idle
ROW_THREADS = 8  # of a process, for what handlers read and weigh beside their event loop
_thread = threading.local()


class RowThreads:
    """For any event loop of the process. Opening a connection anew costs more than most of what is done with it."""

    def __init__(self, count: int, name: str) -> None:
        self._count = count
        self._pool = ThreadPoolExecutor(count, thread_name_prefix=name)

    async def do(self, act: Callable[[], T]) -> T:
        """Once begun it is finished, even where nobody waits any more."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, _with_connection, act)

    def close(self) -> None:
        everyone = threading.Barrier(self._count)
        for _ in range(self._count):
            self._pool.submit(_close_connections, everyone)
        self._pool.shutdown()


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


_making = threading.Lock()
_rows: RowThreads | None = None
_rows_of = 0


def process_rows() -> RowThreads:
    """This process's own, for whoever has none; a forked process makes its own.

    A new connection costs server and client some 15 ms, a statement less than one: so they are kept.
    """
    global _rows, _rows_of
    with _making:
        if _rows is None or _rows_of != os.getpid():
            _rows, _rows_of = RowThreads(ROW_THREADS, "rows"), os.getpid()
        return _rows
