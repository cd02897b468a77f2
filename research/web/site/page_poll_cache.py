"""Shares answers to polls among viewers, so that two hundred viewers of a run cost little more than one."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

KEPT = 64  # answers; the least recently used is dropped first


class SharedAnswers:
    """A cache of texts in this process. Requests wait for a text that is being made; thread-safe.

    A key must contain everything that the text depends on, above all its tenant.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._lock = Lock()  # protects the table; never held while a text is made
        self._answers: OrderedDict[Hashable, _CachedText] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], str]) -> str:
        """Return the result of `make` for the key, cached. Errors of `make` propagate and are not cached."""
        answer = self._answer(key)
        with answer.lock:
            if answer.text is None:
                answer.text = make()
            return answer.text

    def get_cached(self, key: Hashable) -> str | None:
        """Return the cached text for the key; None if it would have to be made or waited for."""
        with self._lock:
            answer = self._answers.get(key)
        return answer.text if answer else None

    def _answer(self, key: Hashable) -> "_CachedText":
        with self._lock:
            answer = self._answers.setdefault(key, _CachedText())
            self._answers.move_to_end(key)
            if len(self._answers) > self._kept:
                self._answers.popitem(last=False)
            return answer


class _CachedText:
    """A cached text; None until it is made."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.text: str | None = None
