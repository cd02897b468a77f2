"""Uploads that wait to be read: asked for when they are stored, and again by the sweep until a worker has read them.

As everywhere, the message is only a knock: the rows say what there is to read (spec: durability.md).
"""

from datetime import timedelta
from functools import partial
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from kombu.exceptions import OperationalError as BrokerError

from research.library.folders import UPLOADS
from research.lifecycle.logs import logger
from research.models import DocumentStatus, LibraryDocument, Queue
from research.tenancy import tenant_context, tenant_ids

READ_UPLOADS = "research.tasks.read_uploads"
ASK_AGAIN_AFTER = timedelta(seconds=60)  # longer than most documents take to be read

log = logger(__name__)


def waiting_uploads() -> QuerySet[LibraryDocument]:
    """The current tenant's uploads that nobody has read yet, oldest first."""
    unread = (DocumentStatus.PENDING, DocumentStatus.READING)
    return LibraryDocument.objects.filter(folder=UPLOADS, status__in=unread).order_by("created_at", "pk")


def ask_for_reading(tenant_id: UUID) -> None:
    """Have the tenant's uploads read once this transaction has committed."""
    transaction.on_commit(partial(_send, tenant_id))


def ask_again() -> int:
    """For the sweep: ask for what has waited too long, of every tenant. How many tenants were asked for."""
    asked = 0
    for tenant_id in tenant_ids():
        with tenant_context(tenant_id):
            is_waiting = waiting_uploads().filter(updated_at__lt=Now() - ASK_AGAIN_AFTER).exists()
        if is_waiting:
            asked += 1
            _send(tenant_id)
    return asked


def _send(tenant_id: UUID) -> None:
    try:
        current_app.send_task(READ_UPLOADS, args=[str(tenant_id)], queue=Queue.READING, retry=False)
    except (BrokerError, OSError) as error:
        log.warning("broker_away", error=type(error).__name__)
