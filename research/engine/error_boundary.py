"""The one place that catches everything: what a handler does must not take the runner down."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from django.db import connection

from research.engine.states.failures import Failure, failure_of
from research.runtime.logs import logger

Outcome = TypeVar("Outcome")
log = logger(__name__)


def attempt(act: Callable[[], Outcome]) -> Outcome | Failure:
    """Call `act` and return its result, or the failure if it raised."""
    try:
        return act()
    except Exception as error:  # noqa: BLE001 - the code base's one catch-all: the failure becomes a row
        return log_failure(error)


def attempt_each(acts: Iterable[Callable[[], Outcome]]) -> Iterator[Outcome]:
    """Call each of `acts` as its result is requested and yield the results; a failed one does not stop the others."""
    for act in acts:
        outcome = attempt(act)
        if isinstance(outcome, Failure):
            drop_broken_connection()
        else:
            yield outcome


def drop_broken_connection() -> None:
    """After a failure: the next statement gets a connection that works. One in a transaction is left alone."""
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()


def log_failure(error: BaseException) -> Failure:
    """The failure, logged. A bug goes to the log with its traceback."""
    failure = failure_of(error)
    bug = error if failure.traceback else None
    log.warning("attempt_failed", code=failure.code, error=type(error).__name__, exc_info=bug)
    return failure
