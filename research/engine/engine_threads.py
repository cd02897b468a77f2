"""Threads for blocking work that keep their database connections while they live and close them when they end."""

import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TypeVar

from django.db import connections

from research.engine.error_boundary import attempt
from research.engine.states.step_failures import Failure

T = TypeVar("T")
Job = Callable[[], None]


class ThreadPool:
    """A pool of at most `most` threads, started when they are needed. A context manager that does not wait when it is
    left.

    concurrent.futures calls nothing at the end of a thread, so that its threads would leave connections open.
    """

    def __init__(self, most: int, name: str) -> None:
        self._most = most
        self._name = name
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._idle = 0  # idle threads minus queued jobs
        self._lock = threading.Lock()

    def __enter__(self) -> "ThreadPool":
        return self

    def __exit__(self, *_exception: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Let each thread end after its current job, without waiting."""
        for _thread in self._threads:
            self._jobs.put(None)

    def submit(self, act: Callable[[], T | Failure]) -> "Future[T | Failure]":
        """Run `act` in one of the threads; the future holds its result, or a Failure if it raised."""
        future: Future[T | Failure] = Future()
        self._jobs.put(lambda: _fulfil(future, act))
        with self._lock:
            if self._idle <= 0 and len(self._threads) < self._most:
                thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._threads.append(thread)
                thread.start()
            else:
                self._idle -= 1
        return future

    def _work(self) -> None:
        try:
            while (job := self._jobs.get()) is not None:
                job()
                with self._lock:
                    self._idle += 1
        finally:
            connections.close_all()


_sharing = threading.Lock()
_users = 0
_shared: ThreadPool | None = None


@contextmanager
def share_threads(most: int) -> Iterator[ThreadPool]:
    """Yield the pool of threads that all runners of the process share, because database connections are scarce."""
    global _users, _shared
    with _sharing:
        _users += 1
        _shared = threads = _shared or ThreadPool(most, "handler")
    try:
        yield threads
    finally:
        with _sharing:
            _users -= 1
            if _users == 0:
                _shared = None
                threads.stop()


def _fulfil(future: "Future[T | Failure]", act: Callable[[], T | Failure]) -> None:
    if future.set_running_or_notify_cancel():
        future.set_result(attempt(act))
