"""Values that are asked for now and then, and kept in between."""

import time
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class TtlCache(Generic[K, V]):
    """Values by their key, each for `for_s` seconds: after that a change counts. Of one process, in any thread."""

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
        """As after a restart."""
        self._values.clear()
