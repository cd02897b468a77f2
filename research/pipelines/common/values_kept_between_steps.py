"""Values that are costly to load, kept in this process for the next step that needs them."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class KeptValues(Generic[Key, Value]):
    """Keeps the values used last up to a total size. Usable in threads."""

    def __init__(self, most: int, size: Callable[[Value], int]) -> None:
        self._most, self._size = most, size
        self._kept: dict[Key, Value] = {}
        self._lock = threading.Lock()

    def get(
        self, keys: Iterable[Key], load: Callable[[Sequence[Key]], Mapping[Key, Value]]
    ) -> dict[Key, Value]:
        """Return the values of these keys; `load` gives those that are not kept, and leaves out unknown ones.

        Steps that need the same value at once wait for the first: a long text is loaded once.
        """
        wanted = list(dict.fromkeys(keys))
        with self._lock:
            missing = [key for key in wanted if key not in self._kept]
            loaded = load(missing) if missing else {}
            values = {
                key: value for key in wanted if (value := loaded.get(key, self._kept.get(key))) is not None
            }
            for key, value in values.items():  # the last used ones come last
                self._kept.pop(key, None)
                self._kept[key] = value
            self._forget_oldest()
        return values

    def _forget_oldest(self) -> None:
        room = self._most
        for key, value in reversed(list(self._kept.items())):
            room -= self._size(value)
            if room < 0:
                del self._kept[key]
