"""An object that a process makes once and keeps.

A forked one makes its own: threads and connections stay with the parent.
"""

import os
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class OfProcess(Generic[T]):
    """Made by `make` where it is first asked for, by one thread."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._kept: tuple[int, T] | None = None  # by which process

    def get(self) -> T:
        with self._lock:
            kept = self._own()
            if kept is None:
                kept = self._make()
                self._kept = (os.getpid(), kept)
            return kept

    def taken(self) -> T | None:
        """Remove and return the current object, for the caller to close; the next `get` makes a new one."""
        with self._lock:
            kept, self._kept = self._own(), None
            return kept

    def _own(self) -> T | None:
        return self._kept[1] if self._kept is not None and self._kept[0] == os.getpid() else None
