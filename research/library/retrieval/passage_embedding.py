"""Computes the vectors of passages, in batches in a thread, each text once."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.conf import settings
from django.db.models import Q

from research.library.prepare_library_documents import PreparedPassage
from research.llm.call_types import Payer
from research.llm.model_errors import ModelError
from research.llm.model_settings import embeddings_model_id
from research.models import LibraryChunk
from research.parsing.vectors.embed_texts import Embedder, MiniLmEmbedder, Vectors, builtin_embedder
from research.runtime.logs import logger

Vector = npt.NDArray[np.float32]
# Large enough that the threads rarely wait for the last text, small enough that the first document waits little.
BATCH = 64
# Texts whose vectors are cached while a folder is read: 1.5 kB each.
REMEMBERED = 40_000

log = logger(__name__)


def library_model_id() -> str:
    """Return the model id of `library_embedder` without loading it."""
    is_builtin = settings.PLUMBLINE_EMBEDDINGS == "builtin"
    return MiniLmEmbedder.model_id if is_builtin else embeddings_model_id()


def library_embedder(payer: Payer | None = None, tenant_id: UUID | None = None) -> Embedder:
    """Return the embedder for the library's passages and the questions compared with them.

    With an embedding server, `embed` raises ModelError. The cost is charged to the budget of `payer`, if any;
    otherwise `tenant_id` is the workspace whose text is sent.
    """
    if settings.PLUMBLINE_EMBEDDINGS == "builtin":
        return builtin_embedder()
    from research.llm.embedding_client import (
        ServerEmbedder,  # the client is loaded only if a server is used
    )

    return ServerEmbedder(payer, tenant_id)


@dataclass(frozen=True, slots=True)
class _PendingVector:
    """A vector that is being computed: one row of a batch."""

    batch: Future[Vectors | None]
    index: int

    def wait(self) -> Vector | None:
        """Wait for the vector; None if the server returned none."""
        vectors = self.batch.result()
        return None if vectors is None else vectors[self.index]


@dataclass(slots=True)
class Embeddings:
    """Submits texts to `pool`, whose single thread suffices because the embedder processes several texts at once.

    After a failure the server is not called again: the passages are left to `reembed_library`.
    """

    embedder: Embedder
    pool: Executor
    _rows: dict[str, _PendingVector] = field(default_factory=dict)
    _has_failed: bool = False

    def request(self, passages: Sequence[PreparedPassage], known: Mapping[str, Vector]) -> "PassageVectors":
        """Start embedding the texts that are neither in `known` (by text hash) nor submitted before."""
        if len(self._rows) > REMEMBERED:
            self._rows.clear()
        texts = {passage.text_hash: passage.text for passage in passages}
        new = [item for item in texts.items() if item[0] not in known and item[0] not in self._rows]
        for start in range(0, len(new), BATCH):
            self._submit(new[start : start + BATCH])
        rows = {name: self._rows[name] for name in texts if name not in known}
        return PassageVectors(self.embedder.model_id, dict(known), rows)

    def _submit(self, items: Sequence[tuple[str, str]]) -> None:
        batch = self.pool.submit(self._embed, [text for _, text in items])
        self._rows |= {name: _PendingVector(batch, index) for index, (name, _) in enumerate(items)}

    def _embed(self, texts: Sequence[str]) -> Vectors | None:
        if self._has_failed:
            return None
        try:
            return self.embedder.embed(texts)
        except ModelError as error:
            self._has_failed = True
            log.warning("passages_wait_for_vectors", model=self.embedder.model_id, code=error.code.value)
            return None


@dataclass(frozen=True, slots=True)
class PassageVectors:
    """The vectors of a document's passages, some of which may still be computed."""

    model_id: str
    known: Mapping[str, Vector]
    rows: Mapping[str, _PendingVector]

    def wait(self) -> "PassageVectors":
        """Wait for all vectors; return none if one failed, because a document gets its vectors together."""
        is_whole = all(row.wait() is not None for row in self.rows.values())
        return self if is_whole else PassageVectors(self.model_id, {}, {})

    def vector(self, text_hash: str) -> Vector | None:
        """Return the text's vector, waiting for it; None if it was not submitted, or failed."""
        row = self.rows.get(text_hash)
        return row.wait() if row else self.known.get(text_hash)


NOTHING = PassageVectors("", {}, {})


def complete_vectors(
    embedder: Embedder, passages: Sequence[PreparedPassage], known: Mapping[str, Vector]
) -> PassageVectors:
    """Return vectors of all passages, computing those not in `known` (by text hash)."""
    missing = {passage.text_hash: passage.text for passage in passages if passage.text_hash not in known}
    made = embedder.embed(list(missing.values())) if missing else ()
    return PassageVectors(embedder.model_id, {**known, **dict(zip(missing, made, strict=True))}, {})


def load_known_vectors(document_id: UUID | None, raw_sha256: str, model_id: str) -> dict[str, Vector]:
    """Return vectors by text hash, from an earlier reading of the document and from documents with the same bytes."""
    same = Q(document_id=document_id) | Q(document__content__raw_sha256=raw_sha256)
    rows = LibraryChunk.objects.filter(same, embedding_model=model_id, embedding__isnull=False)
    return {
        name: np.asarray(vector, np.float32) for name, vector in rows.values_list("text_hash", "embedding")
    }
