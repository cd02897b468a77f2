"""Log context: the piece of work to which a log line or a span belongs.

A page request has a trace of its own (W3C Trace Context: 32 hex digits), or the one in its header. The trace
of a run is its id, so that all processes that work on it use the same. The line `run_started` has both.
"""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from secrets import token_hex
from uuid import UUID

_GIVEN = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}")


@dataclass(frozen=True, slots=True)
class LogContext:
    """A log context; empty fields are unknown.

    `tenant` is hashed, because readers of logs need not know the workspace.
    """

    trace: str = ""
    caller: str = ""  # 16 hex digits: the caller's span
    run: str = ""
    step: str = ""
    tenant: str = ""


NOWHERE = LogContext()
_place: ContextVar[LogContext] = ContextVar("place", default=NOWHERE)


def place() -> LogContext:
    """Return the log context of the current task."""
    return _place.get()


@contextmanager
def at(here: LogContext) -> Iterator[None]:
    token = _place.set(here)
    try:
        yield
    finally:
        _place.reset(token)


def of_request(traceparent: str) -> LogContext:
    """Return the context of a request, from its header or with a new trace."""
    given = _GIVEN.fullmatch(traceparent.strip())
    if given is None or not int(given[1], 16) or not int(given[2], 16):
        return LogContext(trace=token_hex(16))
    return LogContext(trace=given[1], caller=given[2])


def of_step(tenant_id: UUID, run_id: UUID, step: str) -> LogContext:
    return LogContext(trace=run_id.hex, run=str(run_id), step=step, tenant=hash_tenant_id(tenant_id))


def hash_tenant_id(tenant_id: UUID | str) -> str:
    """Return a hash that is always the same for a workspace and does not reveal it."""
    return hashlib.sha256(f"tenant {tenant_id}".encode()).hexdigest()[:16]
