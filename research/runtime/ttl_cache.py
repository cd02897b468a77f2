"""A cache whose values expire."""

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class TtlCache(Generic[K, V]):
    """Caches values by key for `for_s` seconds, in one process, from any thread."""

    def __init__(self, for_s: float) -> None:
        self._for_s = for_s
        self._values: dict[K, tuple[float, V]] = {}
        self._loading = threading.Lock()

    def get(self, key: K) -> V | None:
        since, value = self._values.get(key, (0.0, None))
        return None if time.monotonic() - since >= self._for_s else value

    def keep(self, key: K, value: V) -> V:
        self._values[key] = (time.monotonic(), value)
        return value

    def load(self, key: K, load: Callable[[], V]) -> V:
        """Return the cached value, or load it: once for all threads that ask meanwhile."""
        with self._loading:
            known = self.get(key)
            return self.keep(key, load()) if known is None else known

    def forget(self) -> None:
        """Forget all values, as after a restart."""
        self._values.clear()
