"""Messages that must be sent because a transaction committed.

The row is written in the transaction. After the commit the writer publishes it; if the writer dies first, or the broker
is away, the relay does. A message only wakes workers: late, repeated or lost, it does no harm.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from uuid import UUID

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from kombu.exceptions import OperationalError as BrokerError

from research.db.bulk_sql import open_prepared_cursor, texts
from research.db.tenancy import SweepTarget, current_tenant_id, tenant_context, tenant_ids, tenants_with
from research.models import FINISHED, Outbox, Queue
from research.models.base_models import new_id
from research.runtime.fault_injection import FaultPoint, crash_point
from research.runtime.logs import logger

SERVE_RUN = "research.tasks.serve_run"
BUILD_KNOWLEDGE = "research.tasks.build_knowledge"
RUNNER_QUEUES = frozenset({Queue.CONTROL, Queue.AGENTS})
MAX_WAKEUPS = 4  # messages at once for a CPU queue: each wakes one process
RELAY_BATCH = 100
# How long a message is remembered; a process that starts later reads the run's rows anyway.
PUBLISHED_FOR = timedelta(days=1)

log = logger(__name__)


def enqueue(run_id: UUID, ready: Iterable[str], occasion: str) -> None:
    """Send messages that ask workers to look at a run, once this transaction has committed.

    `ready` names the queue of each step that became ready. `occasion` distinguishes the messages of a run: the same one
    twice is one message.
    """
    queues = [Queue(queue) for queue in ready]
    # A message that finds no work costs a process as much as a short step.
    most = min(MAX_WAKEUPS, settings.PLUMBLINE_READING_PROCESSES)
    rows = [_row(run_id, Queue.AGENTS, occasion)] if RUNNER_QUEUES & set(queues) else []
    for queue in sorted(set(queues) - RUNNER_QUEUES):
        count = min(queues.count(queue), most)
        rows += [_row(run_id, queue, f"{occasion}.{number}") for number in range(count)]
    if new := _insert_new_rows(rows):
        transaction.on_commit(partial(_publish_at_once, current_tenant_id(), new))


def enqueue_knowledge(run_id: UUID, occasion: str) -> None:
    """Ask a worker to add a run's claims to its workspace's knowledge graph, once this transaction has committed."""
    if new := _insert_new_rows([_row(run_id, Queue.READING, f"knowledge.{occasion}", BUILD_KNOWLEDGE)]):
        transaction.on_commit(partial(_publish_at_once, current_tenant_id(), new))


WRITE = """
INSERT INTO research_outbox (id, tenant_id, run_id, topic, payload, dedupe_key)
SELECT id, %(tenant)s, run_id, topic, jsonb_build_object('queue', queue), dedupe_key
FROM unnest(%(ids)s::uuid[], %(runs)s::uuid[], %(topics)s::text[], %(queues)s::text[], %(keys)s::text[])
    AS message(id, run_id, topic, queue, dedupe_key)
ON CONFLICT (tenant_id, dedupe_key) DO NOTHING
RETURNING id
"""


def _insert_new_rows(rows: Sequence[Outbox]) -> list[Outbox]:
    """Insert the rows that are not there yet, and return them."""
    if not rows:
        return []
    for row in rows:
        row.tenant_id = current_tenant_id()
    columns: Mapping[str, UUID | list[str] | list[UUID]] = {
        "tenant": current_tenant_id(),
        "ids": [row.pk for row in rows],
        "runs": [row.run_id for row in rows if row.run_id is not None],
        "topics": [row.topic for row in rows],
        "queues": [str(row.payload["queue"]) for row in rows],
        "keys": [row.dedupe_key for row in rows],
    }
    with open_prepared_cursor() as cursor:
        cursor.execute(WRITE, columns)
        new = {row[0] for row in cursor.fetchall()}
    return [row for row in rows if row.pk in new]


def requeue(tenant_id: UUID, run_id: UUID, queue: Queue) -> None:
    """Ask another worker to continue a run that this one leaves unfinished."""
    with tenant_context(tenant_id):
        enqueue(run_id, [queue], f"hand_on.{new_id()}")


def _row(run_id: UUID, queue: Queue, occasion: str, topic: str = SERVE_RUN) -> Outbox:
    key = f"{run_id}/{queue}/{occasion}"
    return Outbox(run_id=run_id, topic=topic, payload={"queue": queue}, dedupe_key=key)


def _publish_at_once(tenant_id: UUID, rows: Sequence[Outbox]) -> None:
    """Publish rows right after the commit. The relay sends what fails here."""
    sent = publish(rows)
    crash_point(FaultPoint.PUBLISHED_BEFORE_MARK)
    if sent:
        # Otherwise a message is sent twice, which does no harm.
        with tenant_context(tenant_id, is_durable=False):
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


MARK = """
UPDATE research_outbox SET published_at = statement_timestamp()
WHERE id = ANY(%(ids)s::uuid[]) AND published_at IS NULL
"""


def _mark(ids: Sequence[UUID]) -> None:
    with open_prepared_cursor() as cursor:
        cursor.execute(MARK, {"ids": texts(ids)})


def forget_published() -> int:
    """Delete the messages of every tenant's finished runs that were sent a day ago or earlier; return their number.

    For the periodic cleanup.
    """
    done = 0
    for tenant_id in tenant_ids():
        with tenant_context(tenant_id):
            old = Outbox.objects.filter(published_at__lt=Now() - PUBLISHED_FOR, run__state__in=FINISHED)
            done += old.delete()[0]
    return done


def relay() -> int:
    """Publish the messages of every workspace that were not sent yet; return their number. Safe to repeat at any
    time.
    """
    return sum(relay_tenant(tenant_id) for tenant_id in tenants_with(SweepTarget.MESSAGES))


def relay_tenant(tenant_id: UUID) -> int:
    # The rows stay locked while the broker is contacted, so that two relays divide them. Nothing else waits for these
    # rows.
    with tenant_context(tenant_id):
        waiting = Outbox.objects.filter(published_at=None, run__isnull=False).order_by("created_at")
        rows = list(waiting.select_for_update(skip_locked=True, no_key=True, of=("self",))[:RELAY_BATCH])
        if rows:
            crash_point(FaultPoint.RELAY_BEFORE_PUBLISH)
            sent = publish(rows)
            _mark(sent)
            return len(sent)
        return 0
