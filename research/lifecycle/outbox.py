"""Messages that must be sent because a transaction committed (spec: durability.md, Outbox).

The row is written in the transaction. Right after the commit the writer publishes it itself; if it dies
before that, or the broker is away, the relay does. A message is a knock on the door: late, doubled or lost,
it does no harm.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.db.models.functions import Now
from kombu.exceptions import OperationalError as BrokerError

from research.crash import Point, crash_point
from research.lifecycle.logs import logger
from research.models import Outbox, Queue
from research.models.base import new_id
from research.tenancy import current_tenant_id, tenant_context, tenant_ids

SERVE_RUN = "research.tasks.serve_run"
RUNNER_QUEUES = frozenset({Queue.CONTROL, Queue.AGENTS})
MOST_KNOCKS = 4  # messages for one CPU queue at once: each wakes one process
RELAY_BATCH = 100

log = logger(__name__)


def knock(run_id: UUID, ready: Iterable[str], occasion: str) -> None:
    """Ask workers to look at a run, once this transaction has committed.

    `ready` names the queue of each step that became ready. `occasion` tells this knock from every other of
    the run; the same one twice is one message.
    """
    queues = [Queue(queue) for queue in ready]
    rows = [_row(run_id, Queue.AGENTS, occasion)] if RUNNER_QUEUES & set(queues) else []
    for queue in sorted(set(queues) - RUNNER_QUEUES):
        count = min(queues.count(queue), MOST_KNOCKS)
        rows += [_row(run_id, queue, f"{occasion}.{number}") for number in range(count)]
    known = Outbox.objects.filter(dedupe_key__in=[row.dedupe_key for row in rows])
    said = set(known.values_list("dedupe_key", flat=True))
    if new := [row for row in rows if row.dedupe_key not in said]:
        Outbox.objects.bulk_create(new, ignore_conflicts=True)
        transaction.on_commit(partial(_publish_at_once, current_tenant_id(), new))


def hand_on(tenant_id: UUID, run_id: UUID, queue: Queue) -> None:
    """Ask for another worker to go on with a run that this one leaves unfinished."""
    with tenant_context(tenant_id):
        knock(run_id, [queue], f"hand_on.{new_id()}")


def _row(run_id: UUID, queue: Queue, occasion: str) -> Outbox:
    key = f"{run_id}/{queue}/{occasion}"
    return Outbox(run_id=run_id, topic=SERVE_RUN, payload={"queue": queue}, dedupe_key=key)


def _publish_at_once(tenant_id: UUID, rows: Sequence[Outbox]) -> None:
    """The fast path. What it does not manage is left to the relay."""
    sent = publish(rows)
    crash_point(Point.PUBLISHED_BEFORE_MARK)
    if sent:
        with tenant_context(tenant_id, is_durable=False):  # else it is sent twice, which does no harm
            _mark(sent)


def publish(rows: Sequence[Outbox]) -> list[UUID]:
    """Send messages until the broker refuses one. Returns the ids of those sent."""
    sent: list[UUID] = []
    for row in rows:
        queue = str(row.payload["queue"])
        arguments = {"tenant_id": str(row.tenant_id), "run_id": str(row.run_id), "queue": queue}
        try:
            current_app.send_task(row.topic, kwargs=arguments, queue=queue, retry=False)
        except (BrokerError, OSError) as error:
            log.warning("broker_away", error=type(error).__name__, waiting=len(rows) - len(sent))
            break
        sent.append(row.pk)
    return sent


def _mark(ids: Sequence[UUID]) -> None:
    Outbox.objects.filter(pk__in=ids, published_at=None).update(published_at=Now())


def relay() -> int:
    """Publish what no one has published yet, of every tenant; how many were sent. Safe at any time, and
    twice.
    """
    return sum(relay_tenant(tenant_id) for tenant_id in tenant_ids())


def relay_tenant(tenant_id: UUID) -> int:
    # The rows stay locked while the broker is spoken to, so that two relays share them. Nobody else waits
    # for these rows.
    with tenant_context(tenant_id):
        waiting = Outbox.objects.filter(published_at=None, run__isnull=False).order_by("created_at")
        rows = list(waiting.select_for_update(skip_locked=True, no_key=True, of=("self",))[:RELAY_BATCH])
        if rows:
            crash_point(Point.RELAY_BEFORE_PUBLISH)
            sent = publish(rows)
            _mark(sent)
            return len(sent)
        return 0
