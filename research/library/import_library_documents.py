"""Imports many documents at once: while one is stored, the next are read and embedded.

Reading waits for its child process and embedding releases Python's lock, so two cores are busy: one thread reads
ahead, one embeds, and the caller's thread writes to the database. Each document is committed separately: a kill loses
only the documents in progress, which the next import reads again.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from uuid import UUID

from django.db import DataError, transaction

from research.db.tenancy import tenant_context
from research.library.duplicate_library_documents import KnownSignatures, Original
from research.library.library_folders import WEB
from research.library.prepare_library_documents import (
    Job,
    Preparation,
    PreparedDocument,
    Same,
    UnreadableDocument,
    prepare,
)
from research.library.retrieval.passage_embedding import (
    NOTHING,
    Embeddings,
    PassageVectors,
    library_embedder,
    load_known_vectors,
)
from research.library.store_library_documents import NewReading, store_failure, store_readings, store_same
from research.models import LibraryDocument
from research.runtime.logs import logger
from research.storage.keys.data_encryption_keys import at_hand

# Limits on texts in memory: a long PDF with its page maps takes about 10 MB.
DOCUMENTS_READ_AHEAD = 4
PASSAGES_EMBEDDED_AHEAD = 512
_NOT_STORABLE = UnreadableDocument("unreadable", "Its text could not be stored in the library.")

log = logger(__name__)


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """The outcome of one job: read (perhaps as a copy of another document), unchanged, or unreadable."""

    job: Job
    problem: UnreadableDocument | None = None
    original: Original | None = None
    is_same: bool = False
    chunks: int = 0


@dataclass(frozen=True, slots=True)
class _UnderWay:
    job: Job
    preparation: Preparation
    vectors: PassageVectors = NOTHING

    @property
    def passages(self) -> int:
        return len(self.preparation.passages) if isinstance(self.preparation, PreparedDocument) else 0


def read_all(
    tenant_id: UUID, jobs: Iterable[Job], embedded_at_most: int | None = None
) -> Iterator[JobOutcome]:
    """Read and store the documents, in order. Call it outside a transaction: each document has its own.

    Documents with more than `embedded_at_most` passages, if given, are stored without vectors, which workers add piece
    by piece (`reembed_library`): all at once would take longer than a task may.
    """
    with at_hand(tenant_id), _pool("read") as readers, _pool("embed") as embedder:
        embeddings = Embeddings(library_embedder(tenant_id=tenant_id), embedder)
        waiting: deque[_UnderWay] = deque()
        known: dict[str, KnownSignatures] = {}
        for job, preparation in _read_ahead(readers, tenant_id, jobs):
            waiting.append(_begin(tenant_id, embeddings, job, preparation, embedded_at_most))
            while sum(each.passages for each in waiting) > PASSAGES_EMBEDDED_AHEAD:
                yield _finish(tenant_id, waiting.popleft(), known)
        while waiting:
            yield _finish(tenant_id, waiting.popleft(), known)


@contextmanager
def _pool(name: str) -> Iterator[ThreadPoolExecutor]:
    """Open a pool of one thread. Tasks that have not started when the block ends are cancelled."""
    pool = ThreadPoolExecutor(1, thread_name_prefix=name)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _read_ahead(
    pool: ThreadPoolExecutor, tenant_id: UUID, jobs: Iterable[Job]
) -> Iterator[tuple[Job, Preparation]]:
    waiting: deque[tuple[Job, Future[Preparation]]] = deque()
    for job in jobs:
        waiting.append((job, pool.submit(prepare, tenant_id, job)))
        if len(waiting) > DOCUMENTS_READ_AHEAD:
            first, preparation = waiting.popleft()
            yield first, preparation.result()
    for job, preparation in waiting:
        yield job, preparation.result()


def _begin(
    tenant_id: UUID, embeddings: Embeddings, job: Job, preparation: Preparation, embedded_at_most: int | None
) -> _UnderWay:
    if not isinstance(preparation, PreparedDocument):
        return _UnderWay(job, preparation)
    if embedded_at_most is not None and len(preparation.passages) > embedded_at_most:
        return _UnderWay(job, preparation, PassageVectors(embeddings.embedder.model_id, {}, {}))
    with tenant_context(tenant_id):
        known = load_known_vectors(job.document_id, preparation.raw_sha256, embeddings.embedder.model_id)
    return _UnderWay(job, preparation, embeddings.request(preparation.passages, known))


def _finish(tenant_id: UUID, done: _UnderWay, known: dict[str, KnownSignatures]) -> JobOutcome:
    vectors = done.vectors.wait()  # before the transaction, to keep it short
    with tenant_context(tenant_id):
        try:
            with transaction.atomic():
                return _store(replace(done, vectors=vectors), known)
        except DataError as error:  # a document that can't be stored must not stop the others
            log.warning("document_not_storable", exc_info=error, document=str(done.job.document_id))
            known.clear()  # it may have the signature of what was rolled back
            return _store(replace(done, preparation=_NOT_STORABLE), known)


def _store(done: _UnderWay, known: dict[str, KnownSignatures]) -> JobOutcome:
    job, preparation = done.job, done.preparation
    row = LibraryDocument.objects.select_for_update().filter(pk=job.document_id).first()
    if row is None:
        return JobOutcome(
            job, UnreadableDocument("removed", "It was removed from the library while it was read.")
        )
    if isinstance(preparation, Same):
        store_same(row, job.file)
        return JobOutcome(job, is_same=True)
    if isinstance(preparation, UnreadableDocument):
        store_failure(row, job.file, preparation)
        return JobOutcome(job, preparation)
    if row.folder != WEB and row.folder not in known:
        known[row.folder] = KnownSignatures(row.folder)
    [original] = store_readings([NewReading(row, job.file, preparation, done.vectors)], known)
    return JobOutcome(job, original=original, chunks=done.passages)
