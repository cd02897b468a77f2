"""Computes passages' vectors with the library's current model; until then only their words find them.

A worker spends some seconds on it per message; the sweep sends the next (waiting_library_documents.py).
"""

from collections.abc import Sequence
from time import monotonic
from uuid import UUID

from django.db.models.functions import Now

from research.db.tenancy import tenant_context
from research.library.retrieval.passage_embedding import library_embedder
from research.library.waiting_library_documents import (
    go_on_embedding,
    long_ago,
    select_documents_without_vectors,
)
from research.llm.model_errors import ModelError, Trouble
from research.models import LibraryChunk, LibraryDocument
from research.parsing.vectors.embed_texts import Embedder
from research.runtime.logs import logger

WORK_S = 10.0  # per message, so that the worker's other tasks do not wait long
DOCUMENTS_AT_ONCE = 10
PASSAGES_AT_ONCE = 256
ROWS_AT_ONCE = 100
ABOUT_A_TEXT = frozenset({Trouble.BAD_REQUEST, Trouble.CONTEXT_TOO_LONG, Trouble.REFUSED})

log = logger(__name__)


def embed_waiting(tenant_id: UUID) -> int:
    """Embed waiting documents for some seconds, or until none is left; return the number of documents.

    Safe to repeat and to run in several workers: each claims documents that were not claimed within the last minute,
    so those whose server failed are retried after that.
    """
    done, until = 0, monotonic() + WORK_S
    try:
        while monotonic() < until and (documents := _take(tenant_id)):
            done += _renew(tenant_id, documents, until)
    except ModelError as error:
        log.warning("passages_wait_for_vectors", tenant=str(tenant_id), code=error.code.value)
    return done


def _take(tenant_id: UUID) -> list[UUID]:
    with tenant_context(tenant_id):
        waiting = (
            select_documents_without_vectors().filter(updated_at__lt=long_ago()).order_by("updated_at", "pk")
        )
        taken = waiting.select_for_update(skip_locked=True).values_list("pk", flat=True)
        documents = list(taken[:DOCUMENTS_AT_ONCE])
        LibraryDocument.objects.filter(pk__in=documents).update(updated_at=Now())
    return documents


def _renew(tenant_id: UUID, documents: Sequence[UUID], until: float) -> int:
    """Embed the documents and return how many have all vectors. When the time is up, the next message goes on.

    Raises ModelError if the error is not about their texts.
    """
    try:
        if not _embed(tenant_id, documents, until):
            go_on_embedding(tenant_id, documents)
            return 0
    except ModelError as error:
        if error.code not in ABOUT_A_TEXT:
            raise
        if len(documents) > 1:  # one text causes the error, so each document is tried alone
            return sum(_renew(tenant_id, [document], until) for document in documents)
        log.warning("document_without_vectors", document=str(documents[0]), code=error.code.value)
        return 0
    return len(documents)


def _embed(tenant_id: UUID, documents: Sequence[UUID], until: float) -> bool:
    """Embed the passages that lack a vector of the model; return False if the time was up before the last one.

    The first passage of a document comes last: it tells whether the document has all its vectors.
    """
    embedder = library_embedder(tenant_id=tenant_id)
    with tenant_context(tenant_id):
        lacking = LibraryChunk.objects.filter(document__in=documents).exclude(
            embedding__isnull=False, embedding_model=embedder.model_id
        )
        waiting = list(lacking.order_by("-chunk_index", "pk").values_list("pk", flat=True))
    for start in range(0, len(waiting), PASSAGES_AT_ONCE):
        if start and monotonic() >= until:
            return False
        _embed_passages(tenant_id, embedder, waiting[start : start + PASSAGES_AT_ONCE])
    return True


def _embed_passages(tenant_id: UUID, embedder: Embedder, ids: Sequence[UUID]) -> None:
    with tenant_context(tenant_id):
        passages = list(LibraryChunk.objects.filter(pk__in=ids).only("text", "text_hash").order_by("pk"))
    texts = {passage.text_hash: passage.text for passage in passages}
    vectors = dict(zip(texts, embedder.embed(list(texts.values())), strict=True))
    for passage in passages:
        passage.embedding_model, passage.embedding = embedder.model_id, vectors[passage.text_hash]
    with tenant_context(tenant_id):
        LibraryChunk.objects.bulk_update(passages, ["embedding_model", "embedding"], batch_size=ROWS_AT_ONCE)
