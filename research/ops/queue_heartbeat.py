"""Queue heartbeats: beat sends a message to each queue, and the worker that receives it, or any other, records the
time.

A running worker process may have stopped receiving messages (spec: durability.md), so its being up proves nothing.
The times are in the cache: if it is lost, the next heartbeat is at most 20 s away.
"""

import time

from django.core.cache import cache

from research.models import Queue

SILENT_AFTER_S = 60
KEPT_S = 86_400


def record_heartbeat(queue: Queue) -> None:
    """Record that a worker has received the queue's heartbeat or another of its messages."""
    cache.set(_key(queue), time.time(), KEPT_S)


def silence_s(queue: Queue) -> float | None:
    """Return the seconds since a worker last received a message of the queue; None if that was over a day ago."""
    sang_at = cache.get(_key(queue))
    return max(0.0, time.time() - float(str(sang_at))) if sang_at else None


def _key(queue: Queue) -> str:
    return f"canary:{queue.value}"
