"""Metrics of an installation across all workspaces: numbers only, not attributed to any of them.

The application's role sees one workspace at a time, so a function owned by the tables' owner counts
(`plumbline_figures`, migration 0021).
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

import redis
from django.conf import settings
from django.db import connection
from django.utils.translation import gettext_lazy as _

from research.models import Queue
from research.ops.queue_heartbeat import KEPT_S, silence_s

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

FRESH_S = 10.0  # more frequent requests get the cached metrics


@dataclass(frozen=True, slots=True)
class MetricDescription:
    """The description of a metric: what is counted, and what its label distinguishes."""

    text: "_StrPromise"
    label: str = ""


@dataclass(frozen=True, slots=True)
class MetricSample:
    name: str  # a key of MEANINGS
    label: str  # empty for a metric without parts
    value: float


MEANINGS: dict[str, MetricDescription] = {
    "workspaces": MetricDescription(_("Workspaces")),
    "runs": MetricDescription(_("Runs that have not ended"), "state"),
    "runs_paused": MetricDescription(_("Of these, paused by a person")),
    "runs_ended_hour": MetricDescription(_("Runs that ended within the last hour"), "state"),
    "run_failures_day": MetricDescription(_("Runs that failed within the last day"), "code"),
    "steps_ready": MetricDescription(_("Steps that could be worked on now"), "queue"),
    "steps_ready_oldest_seconds": MetricDescription(
        _("Seconds that the oldest of these has waited"), "queue"
    ),
    "steps_running": MetricDescription(_("Steps held by a worker"), "queue"),
    "leases_expired": MetricDescription(_("Steps whose worker missed its heartbeat")),
    "messages_unsent": MetricDescription(_("Messages to workers that are not sent yet")),
    "messages_unsent_oldest_seconds": MetricDescription(_("Seconds that the oldest of these has waited")),
    "questions_open": MetricDescription(_("Questions that wait for a person"), "priority"),
    "mail_unsent": MetricDescription(_("Mail that is not sent yet")),
    "model_calls_hour": MetricDescription(_("Calls of models within the last hour"), "status"),
    "model_failures_hour": MetricDescription(_("Calls of models that failed within the last hour"), "code"),
    "model_usd_hour": MetricDescription(
        _("US dollars that models cost within the last hour, as far as prices are known")
    ),
    "database_bytes": MetricDescription(_("Size of the database in bytes")),
    "database_connections": MetricDescription(_("Connections to the database")),
    "queue_messages": MetricDescription(_("Messages that no worker has taken yet"), "queue"),
    "queue_silence_seconds": MetricDescription(
        _("Seconds since a worker last answered on the queue, at most a day"), "queue"
    ),
}


class MetricsCache:
    """A cache that counts at most every ten seconds, whatever the number of requests."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._counted_at = float("-inf")
        self._counted: list[MetricSample] = []

    def latest(self) -> list[MetricSample]:
        """Return the metrics, without those of the queue if it is unreachable. Raises OperationalError without a
        database.
        """
        with self._lock:
            if time.monotonic() - self._counted_at > FRESH_S:
                self._counted = [*_of_database(), *_of_queues()]
                self._counted_at = time.monotonic()
            return self._counted

    def forget(self) -> None:
        """Invalidate the cache, so that the next request counts again."""
        with self._lock:
            self._counted_at = float("-inf")


def _of_database() -> Iterator[MetricSample]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, label, value FROM plumbline_figures()")
        for name, label, value in cursor.fetchall():
            yield MetricSample(name, label, value)


def _of_queues() -> Iterator[MetricSample]:
    broker = redis.Redis.from_url(settings.REDIS_LOCATION, socket_timeout=2)
    try:
        waiting = {queue: float(str(broker.llen(queue.value))) for queue in Queue}
    except redis.RedisError:
        return
    finally:
        broker.close()
    for queue, count in waiting.items():
        yield MetricSample("queue_messages", queue.value, count)
        silence = silence_s(queue)
        yield MetricSample("queue_silence_seconds", queue.value, KEPT_S if silence is None else silence)


figures = MetricsCache()
