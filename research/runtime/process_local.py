"""An object that each process creates once, as threads and connections do not survive a fork."""

import os
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class ProcessLocal(Generic[T]):
    """Holds an object that `make` creates at first use, once in each process."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._kept: tuple[int, T] | None = None  # with the id of the process that created it

    def get(self) -> T:
        with self._lock:
            kept = self._own()
            if kept is None:
                kept = self._make()
                self._kept = (os.getpid(), kept)
            return kept

    def take(self) -> T | None:
        """Remove and return the current object, for the caller to close; the next `get` makes a new one."""
        with self._lock:
            kept, self._kept = self._own(), None
            return kept

    def _own(self) -> T | None:
        return self._kept[1] if self._kept is not None and self._kept[0] == os.getpid() else None
