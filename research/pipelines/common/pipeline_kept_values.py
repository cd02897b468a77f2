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
        self._loading = threading.Lock()

    def get(
        self, keys: Iterable[Key], load: Callable[[Sequence[Key]], Mapping[Key, Value]]
    ) -> dict[Key, Value]:
        """Return the values of these keys; `load` gives those that are not kept, and leaves out unknown ones.

        One thread loads at a time, so that a long text that several steps need at once is loaded once. Who needs only
        what is kept does not wait for it.
        """
        wanted = list(dict.fromkeys(keys))
        values = self._use(wanted)
        if len(values) < len(wanted):
            with self._loading:
                values |= self._use(wanted)  # which another thread may have loaded meanwhile
                missing = [key for key in wanted if key not in values]
                loaded = load(missing) if missing else {}
                values |= {key: value for key, value in loaded.items() if value is not None}
                self._keep(values)
        return {key: values[key] for key in wanted if key in values}

    def forget(self, keys: Iterable[Key]) -> None:
        """Drop the values of these keys, where they are kept."""
        with self._lock:
            for key in keys:
                self._kept.pop(key, None)

    def _use(self, keys: Sequence[Key]) -> dict[Key, Value]:
        """Return those that are kept; the last used ones come last."""
        with self._lock:
            values = {key: self._kept.pop(key) for key in keys if key in self._kept}
            self._kept.update(values)
        return values

    def _keep(self, values: Mapping[Key, Value]) -> None:
        with self._lock:
            for key, value in values.items():
                self._kept.pop(key, None)
                self._kept[key] = value
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        room = self._most
        for key, value in reversed(list(self._kept.items())):
            room -= self._size(value)
            if room < 0:
                del self._kept[key]
