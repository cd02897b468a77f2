"""Catches whatever a handler raises, so that it cannot stop the runner. No other module of the engine catches
everything.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from django.db import connection

from research.engine.states.step_failures import Failure, failure_of
from research.runtime.catching import result_or_error
from research.runtime.logs import logger

Outcome = TypeVar("Outcome")
log = logger(__name__)


def attempt(act: Callable[[], Outcome]) -> Outcome | Failure:
    """Call `act` and return its result, or the failure if it raised."""
    outcome = result_or_error(act)
    return log_failure(outcome) if isinstance(outcome, Exception) else outcome


def attempt_each(acts: Iterable[Callable[[], Outcome]]) -> Iterator[Outcome]:
    """Call each of `acts` as its result is requested and yield the results; a failed one does not stop the others."""
    for act in acts:
        outcome = attempt(act)
        if isinstance(outcome, Failure):
            drop_broken_connection()
        else:
            yield outcome


def drop_broken_connection() -> None:
    """Close the connection after a failure if it is unusable and outside a transaction, so that the next statement
    opens another.
    """
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()


def log_failure(error: BaseException) -> Failure:
    """Log the error, with a traceback if it is a bug, and return it as a Failure."""
    failure = failure_of(error)
    bug = error if failure.traceback else None
    log.warning("attempt_failed", code=failure.code, error=type(error).__name__, exc_info=bug)
    return failure
