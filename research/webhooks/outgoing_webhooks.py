"""Queues briefs for the services that receive them, and records each attempt to send one.

A row is written in the transaction that ends the brief; a worker or the sweep sends it until it is accepted
(`send_webhooks`). Few imports, since pages use this module too.
"""

import json
from collections.abc import Mapping
from datetime import UTC
from functools import partial
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from research.db.tenancy import SweepTarget, current_tenant_id, tenant_context, tenants_with
from research.models import DeliveryState, Queue, Run, WebhookDelivery, WebhookEndpoint
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
    ask_worker()
    return True


def redeliver(delivery: WebhookDelivery) -> None:
    """Send a delivery again from its first try, whatever its state. Needs the tenant set."""
    WebhookDelivery.objects.filter(pk=delivery.pk).update(
        state=DeliveryState.WAITING, attempts=0, not_before=None, delivered_at=None, updated_at=Now()
    )
    ask_worker()


def ask_worker() -> None:
    """Ask a worker to send, once this transaction has committed. The sweep sends if that message is lost."""
    transaction.on_commit(partial(_send, current_tenant_id()))


def _send(tenant_id: UUID) -> None:
    try:
        current_app.send_task(SEND, args=[str(tenant_id)], queue=Queue.AGENTS, retry=False)
    except (BrokerError, OSError) as error:
        log.warning("broker_away", error=type(error).__name__)


def send_waiting() -> int:
    """Send the due deliveries of every workspace; return the number of tries.

    Called by the sweep; may run concurrently.
    """
    waiting = [tenant_id for tenant_id in tenants_with(SweepTarget.DELIVERIES) if _is_waiting(tenant_id)]
    if not waiting:
        return 0
    from research.webhooks.send_webhooks import send_of_tenant

    return sum(map(send_of_tenant, waiting))


def _is_waiting(tenant_id: UUID) -> bool:
    with tenant_context(tenant_id):
        return due().exists()


def due() -> QuerySet[WebhookDelivery]:
    """Return the current tenant's deliveries that can be tried now."""
    is_due = Q(not_before=None) | Q(not_before__lte=Now())
    return WebhookDelivery.objects.filter(is_due, state=DeliveryState.WAITING)
