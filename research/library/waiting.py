"""What waits for a worker: uploads to be read, asked for when they are stored, and again by the sweep until a worker
has read them; documents whose passages lack vectors of the library's model, asked for by the sweep.

As everywhere, the message is only a knock: the rows say what there is to read (spec: durability.md).
"""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now
from kombu.exceptions import OperationalError as BrokerError

from research.library.folders import UPLOADS, WEB
from research.lifecycle.logs import logger
from research.models import DocumentStatus, LibraryChunk, LibraryDocument, Queue
from research.tenancy import tenant_context, tenant_ids

READ_UPLOADS = "research.tasks.read_uploads"
EMBED_PASSAGES = "research.tasks.embed_passages"
ASK_AGAIN_AFTER = timedelta(seconds=60)  # longer than most documents take to be read

log = logger(__name__)


def waiting_uploads() -> QuerySet[LibraryDocument]:
    """The current tenant's uploads that nobody has read yet, oldest first."""
    unread = (DocumentStatus.PENDING, DocumentStatus.READING)
    return LibraryDocument.objects.filter(folder=UPLOADS, status__in=unread).order_by("created_at", "pk")


def waiting_for_vectors() -> QuerySet[LibraryDocument]:
    """The current tenant's documents whose passages have no vectors, or those of another model than the library's.

    A document's passages get theirs together, so the first one tells. Pages of the web keep those of their reports.
    """
    from research.library.embedding import library_model_id  # the embedder, which few processes need

    first = LibraryChunk.objects.filter(document=OuterRef("pk"), chunk_index=0)
    stale = first.exclude(embedding__isnull=False, embedding_model=library_model_id())
    return LibraryDocument.objects.filter(Exists(stale), status=DocumentStatus.READY).exclude(folder=WEB)


def ask_for_reading(tenant_id: UUID) -> None:
    """Have the tenant's uploads read once this transaction has committed."""
    transaction.on_commit(partial(_send, tenant_id, READ_UPLOADS))


def long_ago() -> CombinedExpression:
    """What was touched before is nobody's work by now."""
    return Now() - ASK_AGAIN_AFTER


def ask_again() -> int:
    """For the sweep: ask for what has waited too long, of every tenant. How many tenants were asked for."""
    asked = 0
    for tenant_id in tenant_ids():
        with tenant_context(tenant_id):
            tasks = [
                task for task, waiting in _waiting() if waiting.filter(updated_at__lt=long_ago()).exists()
            ]
        for task in tasks:
            _send(tenant_id, task)
        asked += bool(tasks)
    return asked


def _waiting() -> Iterator[tuple[str, QuerySet[LibraryDocument]]]:
    yield READ_UPLOADS, waiting_uploads()
    yield EMBED_PASSAGES, waiting_for_vectors()


def _send(tenant_id: UUID, task: str) -> None:
    args, expires = [str(tenant_id)], ASK_AGAIN_AFTER.total_seconds()  # by then the sweep has sent the next
    try:
        current_app.send_task(task, args=args, queue=Queue.READING, retry=False, expires=expires)
    except (BrokerError, OSError) as error:
        log.warning("broker_away", error=type(error).__name__)
