"""Expected failures: their meaning, and when they are retried.

An expected failure is raised as `StepError` with a code of the table below. Other exceptions of a handler are
classified: network trouble is transient, data of a wrong shape is soft, anything else is a bug.
"""

import random
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from celery.exceptions import SoftTimeLimitExceeded
from django.core.exceptions import ValidationError as InvalidModel
from django.db import DataError, InterfaceError, OperationalError
from pydantic import ValidationError as InvalidShape

from research.llm.model_errors import ModelError
from research.storage.object_store import NO_ROOM, DiskFull, ForeignObject, ObjectDamaged, ObjectError


class FailureType(StrEnum):
    HARD = "hard"  # the same input fails again
    SOFT = "soft"  # another approach may work
    TRANSIENT = "transient"  # the same input may work later; soft, once its retries are spent


class Backoff(StrEnum):
    NONE = "none"
    CONSTANT = "constant"
    LINEAR = "linear"  # base × (failures so far)
    EXPONENTIAL = "exponential"  # base × 2^(failures before this one)


class Then(StrEnum):
    """The consequence when the retries are spent."""

    CONTINUE = "continue"  # the state's exits see a failed step
    FAIL_RUN = "fail_run"
    REDUCE_SCOPE = "reduce_scope"
    SKIP_SOURCE = "skip_source"
    REMOVE_UNVERIFIED = "remove_unverified"
    STRICT_MODE = "strict_mode"


@dataclass(frozen=True, slots=True)
class FailureDefinition:
    """One row of the table. `base_s` is in seconds."""

    type: FailureType
    retries: int = 0
    backoff: Backoff = Backoff.NONE
    base_s: float = 0
    then: Then = Then.CONTINUE
    tell_a_person: bool = False


HARD, SOFT, TRANSIENT = FailureType.HARD, FailureType.SOFT, FailureType.TRANSIENT
CONSTANT, LINEAR, EXPONENTIAL = Backoff.CONSTANT, Backoff.LINEAR, Backoff.EXPONENTIAL
Definition = FailureDefinition

DEFINITIONS: Mapping[str, FailureDefinition] = {
    "INVALID_REQUEST": Definition(HARD, then=Then.FAIL_RUN),
    "BUDGET_EXCEEDED_HARD": Definition(HARD, then=Then.FAIL_RUN, tell_a_person=True),
    "DATA_CORRUPTION": Definition(HARD, then=Then.FAIL_RUN, tell_a_person=True),
    "SECURITY_VIOLATION": Definition(HARD, then=Then.FAIL_RUN, tell_a_person=True),
    "INSUFFICIENT_SOURCES": Definition(SOFT, 3, CONSTANT, 5, Then.REDUCE_SCOPE),
    "EXTRACTION_FAILED": Definition(SOFT, 3, CONSTANT, 2, Then.SKIP_SOURCE),
    "VERIFICATION_FAILED": Definition(SOFT, 2, then=Then.REMOVE_UNVERIFIED, tell_a_person=True),
    "HALLUCINATION_DETECTED": Definition(SOFT, 2, then=Then.STRICT_MODE, tell_a_person=True),
    "LLM_RATE_LIMIT": Definition(TRANSIENT, 5, EXPONENTIAL, 10),
    "BROWSER_TIMEOUT": Definition(TRANSIENT, 3, EXPONENTIAL, 5),
    "DATABASE_ERROR": Definition(TRANSIENT, 3, EXPONENTIAL, 2),
    # nothing can be stored until somebody frees space, which takes minutes
    "DISK_FULL": Definition(TRANSIENT, 5, EXPONENTIAL, 10, Then.FAIL_RUN, tell_a_person=True),
    # models: research.llm.model_errors; a role whose retries are spent is replaced by its extractive implementation
    "LLM_TIMEOUT": Definition(TRANSIENT, 2, LINEAR, 2),
    "LLM_BUSY": Definition(TRANSIENT, 30, CONSTANT, 5),  # bounded by the time of the state
    "LLM_TOO_SLOW": Definition(SOFT),
    "LLM_GIVEN_UP": Definition(SOFT),
    "LLM_UNAVAILABLE": Definition(TRANSIENT, 3, EXPONENTIAL, 2),
    # their second attempt is the repair turn
    "LLM_INVALID_OUTPUT": Definition(SOFT),
    "LLM_TRUNCATED": Definition(SOFT),
    "LLM_OUTPUT_TOO_LONG": Definition(SOFT, 1),
    "LLM_EMPTY_ANSWER": Definition(SOFT),
    "LLM_ONLY_THOUGHT": Definition(SOFT),
    "LLM_REFUSED": Definition(SOFT),
    "LLM_CONTEXT_TOO_LONG": Definition(SOFT),
    "LLM_BAD_REQUEST": Definition(SOFT),
    "LLM_ACCESS_DENIED": Definition(SOFT, tell_a_person=True),
    "LLM_NOT_FOUND": Definition(SOFT, tell_a_person=True),
    "LLM_QUOTA_EXCEEDED": Definition(SOFT, tell_a_person=True),
    "LLM_NOT_CONFIGURED": Definition(SOFT),
    "LLM_WRONG_REGION": Definition(SOFT),
    "LLM_CALL_SUPERSEDED": Definition(TRANSIENT, 1, CONSTANT, 1),
    "BUDGET_EXCEEDED_TOKENS": Definition(SOFT),  # degrade: governance.md
    # tools
    "RATE_LIMITED": Definition(TRANSIENT, 3, EXPONENTIAL, 5),
    "TIMEOUT": Definition(TRANSIENT, 2, LINEAR, 2),
    "BLOCKED": Definition(TRANSIENT, 3, EXPONENTIAL, 5),
    "NO_RESULTS": Definition(SOFT),
    "INVALID_QUERY": Definition(SOFT),
    "PAGE_NOT_FOUND": Definition(SOFT),
    "PAYWALL": Definition(SOFT),
    "CAPTCHA": Definition(SOFT),
    "TOO_LARGE": Definition(SOFT),
    # a document that cannot be read stays unreadable: codes of research.parsing
    "UNREADABLE": Definition(SOFT),
    # of unknown exceptions
    "NETWORK_ERROR": Definition(TRANSIENT, 3, EXPONENTIAL, 2),
    "INVALID_OUTPUT": Definition(SOFT, 1),
    "INTERNAL_ERROR": Definition(HARD),
    # the engine's own
    "ATTEMPTS_SPENT": Definition(HARD),  # each execution killed its worker
    "LEASE_EXPIRED": Definition(TRANSIENT),  # its worker sent no heartbeat; claimed again at once
    "STATE_TIME_LIMIT": Definition(HARD, then=Then.FAIL_RUN),
    "RUN_TIME_LIMIT": Definition(HARD, then=Then.FAIL_RUN),
    "REJECTED": Definition(HARD, then=Then.FAIL_RUN),
    "RETRIES_SPENT": Definition(HARD, then=Then.FAIL_RUN),
    "ITEMS_FAILED": Definition(HARD, then=Then.FAIL_RUN),  # all rows of a table failed
}
FATAL_CODES = frozenset(code for code, definition in DEFINITIONS.items() if definition.then is Then.FAIL_RUN)


class StepError(Exception):
    """An expected failure of a step. `message` is shown to the reader.

    `retry_after_s` is the least time to wait, if the other side named one. `retryable=False` forbids the retries that
    the code's definition allows. Raises ValueError for a code that the table does not have.
    """

    def __init__(
        self, code: str, message: str, *, retryable: bool = True, retry_after_s: float | None = None
    ) -> None:
        if code not in DEFINITIONS:
            raise ValueError(f"unknown failure code {code}")
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable
        self.retry_after_s = retry_after_s


@dataclass(frozen=True, slots=True)
class Failure:
    """The failure of an execution of a step."""

    code: str
    message: str
    retryable: bool = True
    retry_after_s: float | None = None
    traceback: str = ""  # of a bug only

    @property
    def definition(self) -> FailureDefinition:
        return DEFINITIONS[self.code]

    def record(self, attempt: int, retry_in_s: float | None = None) -> dict[str, str | int | float | None]:
        """Return the failure as it is stored in the step's `failures`. `retry_in_s` None: it was the last attempt."""
        return {
            "attempt": attempt,
            "code": self.code,
            "message": self.message,
            "traceback": self.traceback,
            "retry_in_s": None if retry_in_s is None else round(retry_in_s, 2),
        }

    @property
    def is_fatal(self) -> bool:
        """True if the failure ends the run whatever else the run has."""
        return self.definition.then is Then.FAIL_RUN


_OBJECT_CODES: Mapping[type[ObjectError], str] = {
    DiskFull: "DISK_FULL",
    ObjectDamaged: "DATA_CORRUPTION",
    ForeignObject: "SECURITY_VIOLATION",
}


def failure_of(error: BaseException) -> Failure:
    """Classify an exception that a handler raised."""
    if isinstance(error, StepError):
        return Failure(error.code, error.message, error.retryable, error.retry_after_s)
    if isinstance(error, ModelError):
        return Failure(error.code.value, error.message, error.is_retryable, error.retry_after_s)
    for kind, code in _OBJECT_CODES.items():
        if isinstance(error, kind):
            return Failure(code, str(error))
    code = _code_of(error)
    if code == "INTERNAL_ERROR":
        trace = "".join(traceback.format_exception(error))
        return Failure(
            code, "An internal error stopped this step; the server's log has the details.", traceback=trace
        )
    return Failure(code, f"{type(error).__name__}: {error}"[:1000])


def _code_of(error: BaseException) -> str:
    match error:
        case OperationalError() | InterfaceError():
            return "DATABASE_ERROR"
        case TimeoutError() | SoftTimeLimitExceeded():
            return "TIMEOUT"
        case ConnectionError():
            return "NETWORK_ERROR"
        case OSError() if error.errno in NO_ROOM:
            return "DISK_FULL"
        case InvalidShape() | InvalidModel() | DataError():
            return "INVALID_OUTPUT"
        case _:
            return "INTERNAL_ERROR"


_chance = random.SystemRandom()


def retry_delay_s(failure: Failure, failures_before: int) -> float | None:
    """Return the seconds until the next attempt, with full jitter (uniform in [0, backoff)); None: no more attempts.

    `failures_before` counts the step's earlier failures. A time that the other side named is waited in full.
    """
    definition = failure.definition
    if not failure.retryable or failures_before >= definition.retries:
        return None
    jittered = _chance.uniform(0, longest_backoff_s(definition, failures_before))
    return (failure.retry_after_s or 0) + jittered


def longest_backoff_s(definition: FailureDefinition, failures_before: int) -> float:
    match definition.backoff:
        case Backoff.NONE:
            return 0
        case Backoff.CONSTANT:
            return definition.base_s
        case Backoff.LINEAR:
            return definition.base_s * (failures_before + 1)
        case Backoff.EXPONENTIAL:
            return float(definition.base_s * 2**failures_before)


STATE_RETRY_BASE_S = 1


def state_retry_delay_s(retries_before: int) -> float:
    """Return the seconds until a state is tried again: exponential, with full jitter."""
    return _chance.uniform(0, float(STATE_RETRY_BASE_S * 2**retries_before))
