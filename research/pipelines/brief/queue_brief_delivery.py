"""Queues the brief of a run for the service that receives it.

The row is written in the transaction that ends the brief; a worker or the sweep sends it until it is accepted
(`research.integrations.webhooks`).
"""

import json
from collections.abc import Mapping
from datetime import UTC
from functools import partial
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from research.db.tenancy import current_tenant_id
from research.models import Queue, Run, WebhookDelivery, WebhookEndpoint
from research.runtime.logs import logger

SEND = "research.tasks.send_deliveries"

log = logger(__name__)


def post_brief(run: Run, consumer: str, brief: Mapping[str, object]) -> bool:
    """Send a brief once this transaction has committed; return False if no service receives it.

    Another call for the same run refers to the same message. Needs the tenant set.
    """
    if not WebhookEndpoint.objects.filter(consumer=consumer, enabled=True).exists():
        return False
    body = {
        "type": "brief.ready",
        "timestamp": timezone.now().astimezone(UTC).isoformat(),
        "data": {"run_id": str(run.pk), "brief": brief},
    }
    row = WebhookDelivery(
        run=run,
        consumer=consumer,
        message_id=f"msg_{run.pk.hex}_{consumer}",
        body=json.dumps(body, ensure_ascii=False, separators=(",", ":")),
    )
    WebhookDelivery.objects.bulk_create([row], ignore_conflicts=True)
    ask_worker_to_deliver()
    return True


def ask_worker_to_deliver() -> None:
    """Ask a worker to send, once this transaction has committed. The sweep sends if that message is lost."""
    transaction.on_commit(partial(_send, current_tenant_id()))


def _send(tenant_id: UUID) -> None:
    try:
        current_app.send_task(SEND, args=[str(tenant_id)], queue=Queue.AGENTS, retry=False)
    except (BrokerError, OSError) as error:
        log.warning("broker_away", error=type(error).__name__)
