"""A cache whose values expire."""

import time
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class TtlCache(Generic[K, V]):
    """Caches values by key for `for_s` seconds, in one process, from any thread."""

    def __init__(self, for_s: float) -> None:
        self._for_s = for_s
        self._values: dict[K, tuple[float, V]] = {}

    def get(self, key: K) -> V | None:
        since, value = self._values.get(key, (0.0, None))
        return None if time.monotonic() - since >= self._for_s else value

    def keep(self, key: K, value: V) -> V:
        self._values[key] = (time.monotonic(), value)
        return value

    def forget(self) -> None:
        """Forget all values, as after a restart."""
        self._values.clear()
