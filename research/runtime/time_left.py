"""The time that the current step has left, for calls that must end before it does."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf

_ends_at: ContextVar[float] = ContextVar("ends_at", default=inf)
_retries_end_at: ContextVar[float] = ContextVar("retries_end_at", default=inf)


@contextmanager
def within(seconds: float, with_retries: float = inf) -> Iterator[None]:
    """Give the block, and the tasks that it starts, this much time; all of its retries together may have more."""
    now = time.monotonic()
    retries_end_at = min(_retries_end_at.get(), now + with_retries)
    ends_at = min(_ends_at.get(), retries_end_at, now + seconds)
    tokens = _ends_at.set(ends_at), _retries_end_at.set(retries_end_at)
    try:
        yield
    finally:
        _ends_at.reset(tokens[0])
        _retries_end_at.reset(tokens[1])


def seconds_left() -> float:
    """Return the seconds left, 0 or less when the time is up; infinity outside such a block."""
    return _ends_at.get() - time.monotonic()


def seconds_left_for_retries() -> float:
    """Return the seconds in which the block may still be repeated; infinity outside such a block."""
    return _retries_end_at.get() - time.monotonic()
