"""Points at which a test kills the process (docs/durability.md describes them).

With `CRASH_AT=name:n` in the environment, the process kills itself as `kill -9` does when it passes the point
for the n-th time. Without the variable a point costs one comparison.
"""

import os
import signal
import sys
from enum import StrEnum
from functools import cache
from itertools import count


class FaultPoint(StrEnum):
    """A point at which a test can kill the process."""

    RUN_BEFORE_COMMIT = "run_before_commit"
    RUN_AFTER_COMMIT = "run_after_commit"
    PUBLISHED_BEFORE_MARK = "published_before_mark"
    RECEIVED_BEFORE_CLAIM = "received_before_claim"
    AFTER_CLAIM = "after_claim"
    BEFORE_WRITE_AHEAD = "before_write_ahead"
    RESERVED_BEFORE_COMMIT = "reserved_before_commit"
    ANSWER_IN_FLIGHT = "answer_in_flight"
    ANSWERED_BEFORE_STORE = "answered_before_store"
    SETTLED_BEFORE_COMMIT = "settled_before_commit"
    STORED_BEFORE_FINISH = "stored_before_finish"
    WORKED_BEFORE_FINISH = "worked_before_finish"
    FINISH_BEFORE_COMMIT = "finish_before_commit"
    FINISH_AFTER_COMMIT = "finish_after_commit"
    FAN_OUT = "fan_out"
    FAN_IN = "fan_in"
    FAN_IN_BEFORE_OUTBOX = "fan_in_before_outbox"
    CHUNK_BATCH = "chunk_batch"
    OBJECT_BEFORE_ROW = "object_before_row"
    TRANSITION_BEFORE_COMMIT = "transition_before_commit"
    CANCEL_BEFORE_COMMIT = "cancel_before_commit"
    SWEPT_BEFORE_PUBLISH = "swept_before_publish"
    RELAY_BEFORE_PUBLISH = "relay_before_publish"
    ASKED_BEFORE_COMMIT = "asked_before_commit"
    DECIDED_BEFORE_COMMIT = "decided_before_commit"
    MAILED_BEFORE_MARK = "mailed_before_mark"
    SCHEDULED_BEFORE_COMMIT = "scheduled_before_commit"
    EXPORT_BEFORE_STORING = "export_before_storing"
    EXPORT_AFTER_STORING = "export_after_storing"
    WEBHOOK_AFTER_VERIFY = "webhook_after_verify"
    WEBHOOK_AFTER_INSERT = "webhook_after_insert"
    SENT_BEFORE_MARK = "sent_before_mark"
    HEARTBEAT = "heartbeat"  # kills only a thread: the process continues, and its leases expire


KILLED = "Killed at"  # beginning of the last line of output, which shows a test that the point was reached
_ENDS_ITS_THREAD_ALONE = frozenset({FaultPoint.HEARTBEAT})
_passed = count(1)


@cache
def _trap() -> tuple[FaultPoint | None, int]:
    """Return the point and count in the environment.

    Read at the first point that is passed: a forked process may have received the variable after its imports.
    """
    name, _, times = os.environ.get("CRASH_AT", "").partition(":")
    return (FaultPoint(name) if name else None), int(times or 1)


def crash_point(point: FaultPoint) -> None:
    """Kill the process here, if the environment says so."""
    target, times = _trap()
    if point is target and next(_passed) == times:
        os.write(2, f"{KILLED} {point}\n".encode())
        if point in _ENDS_ITS_THREAD_ALONE:
            sys.exit()
        os.kill(os.getpid(), signal.SIGKILL)
