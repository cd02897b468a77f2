"""Work of the library that waits for a worker.

A message for documents to be read and pages to be fetched is sent when they are stored, and again by the sweep until
they are done. The sweep also sends messages for documents whose passages lack vectors of the library's model.

A message only wakes a worker: the rows hold the work.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now
from kombu.exceptions import OperationalError as BrokerError

from research.db.tenancy import SweepTarget, tenant_context, tenants_with
from research.library.library_folders import WEB, in_uploads
from research.models import DocumentStatus, LibraryChunk, LibraryDocument, Queue
from research.models.library_models import PAGE_PATH
from research.runtime.logs import logger

READ_UPLOADS = "research.tasks.read_uploads"
FETCH_PAGES = "research.tasks.fetch_pages"
EMBED_PASSAGES = "research.tasks.embed_passages"
ASK_AGAIN_AFTER = timedelta(seconds=60)  # longer than reading takes for most documents

IMPORT_ENDED_AFTER = timedelta(minutes=5)  # longer than the limit on reading one document, and on its vectors

_QUEUES = {FETCH_PAGES: Queue.AGENTS}  # so that a slow site blocks no reader
_UNREAD = Q(status__in=(DocumentStatus.PENDING, DocumentStatus.READING))
_UNFETCHED = Q(path__startswith=PAGE_PATH, raw_sha256="")

log = logger(__name__)


def select_waiting_uploads() -> QuerySet[LibraryDocument]:
    """Return the current tenant's documents that a worker has to read, oldest first.

    These are uploads that nobody has read yet, pages that were fetched, and whatever else is to be read again.
    Documents pending in an imported folder are left to the import, unless it was interrupted.
    """
    return LibraryDocument.objects.filter(_filter_unread()).order_by("created_at", "pk")


def select_waiting_pages() -> QuerySet[LibraryDocument]:
    """Return the current tenant's pages that are still to be fetched, oldest first."""
    return LibraryDocument.objects.filter(_filter_unfetched()).order_by("created_at", "pk")


def is_anything_waiting() -> bool:
    """Return True if the current tenant's library is about to change: a document waits to be read or fetched."""
    return LibraryDocument.objects.filter(_filter_unread() | _filter_unfetched()).exists()


def _filter_unread() -> Q:
    again = ~in_uploads() & Q(status=DocumentStatus.READING)
    return (in_uploads() & _UNREAD & ~_UNFETCHED) | again


def _filter_unfetched() -> Q:
    return in_uploads() & _UNREAD & _UNFETCHED


def select_documents_without_vectors() -> QuerySet[LibraryDocument]:
    """Return the current tenant's documents whose passages have no vectors, or vectors of another than the current
    model.

    The first passage of a document gets its vector together with the others or last, so only that one is checked.
    Saved pages keep the vectors of their reports.
    """
    from research.library.retrieval.passage_embedding import (
        library_model_id,  # imports the embedder, which few processes need
    )

    first = LibraryChunk.objects.filter(document=OuterRef("pk"), chunk_index=0)
    stale = first.exclude(embedding__isnull=False, embedding_model=library_model_id())
    return LibraryDocument.objects.filter(Exists(stale), status=DocumentStatus.READY).exclude(folder=WEB)


def request_reading(tenant_id: UUID) -> None:
    """Have the tenant's uploads read once this transaction has committed."""
    transaction.on_commit(partial(_send, tenant_id, READ_UPLOADS))


def go_on_reading(tenant_id: UUID) -> None:
    """Send the message of `request_reading` again from a worker whose time is up, so that it joins the end of the
    queue.
    """
    _send(tenant_id, READ_UPLOADS)


def go_on_embedding(tenant_id: UUID, documents: Sequence[UUID]) -> None:
    """Give up the claim on documents that are embedded in part, and wake a worker for the rest."""
    with tenant_context(tenant_id):
        LibraryDocument.objects.filter(pk__in=documents).update(updated_at=long_ago() - timedelta(seconds=1))
    _send(tenant_id, EMBED_PASSAGES)


def request_fetching(tenant_id: UUID) -> None:
    """Have the tenant's added pages fetched once this transaction has committed."""
    transaction.on_commit(partial(_send, tenant_id, FETCH_PAGES))


def long_ago() -> CombinedExpression:
    """Return the time before which a claim on a document counts as abandoned."""
    return Now() - ASK_AGAIN_AFTER


def ask_again() -> int:
    """Wake workers for work that has waited too long in all workspaces; return the number of workspaces.

    The sweep calls this.
    """
    from research.library.retrieval.passage_embedding import (
        library_model_id,  # imports the embedder, which few processes need
    )

    asked = 0
    for tenant_id in tenants_with(SweepTarget.DOCUMENTS, library_model_id()):
        with tenant_context(tenant_id):
            _resume_interrupted_imports()
            tasks = [
                task
                for task, waiting in _list_waiting()
                if waiting.filter(updated_at__lt=long_ago()).exists()
            ]
        for task in tasks:
            _send(tenant_id, task)
        asked += bool(tasks)
    return asked


def _resume_interrupted_imports() -> None:
    """Leave the rest of imports that ended before all was read, as by a kill, to the workers.

    An import stores one document after another; one that has stored nothing for so long is not running.
    """
    documents = LibraryDocument.objects.exclude(in_uploads()).exclude(folder=WEB)
    at_work = LibraryDocument.objects.filter(
        folder=OuterRef("folder"), updated_at__gte=Now() - IMPORT_ENDED_AFTER
    )
    left = documents.filter(~Exists(at_work), status=DocumentStatus.PENDING)
    left.update(status=DocumentStatus.READING)


def _list_waiting() -> Iterator[tuple[str, QuerySet[LibraryDocument]]]:
    yield READ_UPLOADS, select_waiting_uploads()
    yield FETCH_PAGES, select_waiting_pages()
    yield EMBED_PASSAGES, select_documents_without_vectors()


def _send(tenant_id: UUID, task: str) -> None:
    # An unread message expires when the sweep sends the next.
    args, expires = [str(tenant_id)], ASK_AGAIN_AFTER.total_seconds()
    try:
        queue = _QUEUES.get(task, Queue.READING)
        current_app.send_task(task, args=args, queue=queue, retry=False, expires=expires)
    except (BrokerError, OSError) as error:
        log.warning("broker_away", error=type(error).__name__)
