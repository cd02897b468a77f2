"""Deliveries that wait, and deliveries that are sent again. Few imports, since pages use this module too."""

from uuid import UUID

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from research.db.tenancy import SweepTarget, tenant_context, tenants_with
from research.models import DeliveryState, WebhookDelivery
from research.pipelines.brief.queue_brief_delivery import ask_worker_to_deliver


def redeliver(delivery: WebhookDelivery) -> None:
    """Send a delivery again from its first try, whatever its state. Needs the tenant set."""
    WebhookDelivery.objects.filter(pk=delivery.pk).update(
        state=DeliveryState.WAITING, attempts=0, not_before=None, delivered_at=None, updated_at=Now()
    )
    ask_worker_to_deliver()


def send_waiting() -> int:
    """Send the due deliveries of every workspace; return the number of tries.

    Called by the sweep; may run concurrently.
    """
    waiting = [tenant_id for tenant_id in tenants_with(SweepTarget.DELIVERIES) if _is_waiting(tenant_id)]
    if not waiting:
        return 0
    from research.integrations.webhooks.send_webhooks import send_of_tenant

    return sum(map(send_of_tenant, waiting))


def _is_waiting(tenant_id: UUID) -> bool:
    with tenant_context(tenant_id):
        return due().exists()


def due() -> QuerySet[WebhookDelivery]:
    """Return the current tenant's deliveries that can be tried now."""
    is_due = Q(not_before=None) | Q(not_before__lte=Now())
    return WebhookDelivery.objects.filter(is_due, state=DeliveryState.WAITING)
