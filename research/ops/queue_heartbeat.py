"""Queue heartbeats: beat sends a message to each queue, and the worker that takes it, or any other, records the time.

A worker whose process is up may have stopped taking messages (spec: durability.md), so its being up says nothing.
The times are in the cache: if it is lost, the next heartbeat is at most 20 s away.
"""

import time

from django.core.cache import cache

from research.models import Queue

SILENT_AFTER_S = 60
KEPT_S = 86_400


def record_heartbeat(queue: Queue) -> None:
    """Record that a worker took a message of the queue: its heartbeat, or another one."""
    cache.set(_key(queue), time.time(), KEPT_S)


def silence_s(queue: Queue) -> float | None:
    """Seconds since a worker last took a message of the queue; None: not within a day."""
    sang_at = cache.get(_key(queue))
    return max(0.0, time.time() - float(str(sang_at))) if sang_at else None


def _key(queue: Queue) -> str:
    return f"canary:{queue.value}"
