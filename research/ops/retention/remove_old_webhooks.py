"""Removes finished messages: deliveries that ended, events that came in, and tasks that were processed.

An old message that is sent again does no harm: its signature expires after five minutes, and a task yields one brief.
"""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import QuerySet
from django.db.models.functions import Now

from research.accounts.workspace_retention_periods import message_days
from research.db.tenancy import tenant_context, tenant_ids
from research.models import DeliveryState, TaskState, WatchedTask, WebhookDelivery, WebhookEvent
from research.runtime.logs import logger

log = logger(__name__)


@dataclass(frozen=True, slots=True)
class WebhookCleanup:
    """The number of rows removed, by kind."""

    deliveries: int = 0
    events: int = 0
    tasks: int = 0


def tidy_messages() -> WebhookCleanup:
    """Delete every tenant's messages that have been done for longer than the retention period. Idempotent."""
    done = WebhookCleanup()
    for tenant_id in tenant_ids():
        with tenant_context(tenant_id):
            cleanup = _tidy()
        done = WebhookCleanup(
            done.deliveries + cleanup.deliveries, done.events + cleanup.events, done.tasks + cleanup.tasks
        )
    if done != WebhookCleanup():
        log.info("messages_tidied", deliveries=done.deliveries, events=done.events, tasks=done.tasks)
    return done


def _tidy() -> WebhookCleanup:
    """Delete the current tenant's expired messages. Those still waiting are never removed."""
    sent, came, ended = select_expired_rows(message_days())
    return WebhookCleanup(sent.delete()[0], came.delete()[0], ended.delete()[0])


def select_expired_rows(
    days: int,
) -> tuple[QuerySet[WebhookDelivery], QuerySet[WebhookEvent], QuerySet[WatchedTask]]:
    """Return the deliveries, events and tasks that have been done for that many days."""
    old = Now() - timedelta(days=days)
    return (
        WebhookDelivery.objects.exclude(state=DeliveryState.WAITING).filter(updated_at__lt=old),
        WebhookEvent.objects.filter(created_at__lt=old),
        WatchedTask.objects.exclude(state=TaskState.WAITING).filter(updated_at__lt=old),
    )
