"""Vectors of passages: computed in batches beside everything else, each text once."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.conf import settings
from django.db.models import Q

from research.library.prepare_documents import PreparedPassage
from research.llm.call_types import Payer
from research.llm.model_errors import ModelError
from research.llm.model_settings import embeddings_model_id
from research.models import LibraryChunk
from research.parsing.vectors.embedding import Embedder, MiniLmEmbedder, Vectors, builtin_embedder
from research.runtime.logs import logger

Vector = npt.NDArray[np.float32]
# Large enough that the threads rarely wait for the last text, small enough that the first document waits for little.
BATCH = 64
# Texts whose vectors are remembered while one folder is read: 1.5 kB each.
REMEMBERED = 40_000

log = logger(__name__)


def library_model_id() -> str:
    """Return the model id of `library_embedder`, which need not be loaded for it."""
    is_builtin = settings.PLUMBLINE_EMBEDDINGS == "builtin"
    return MiniLmEmbedder.model_id if is_builtin else embeddings_model_id()


def library_embedder(payer: Payer | None = None, tenant_id: UUID | None = None) -> Embedder:
    """The model of the library's passages and of every question that is compared with them.

    Where it is a server's, `embed` raises ModelError, and `payer` is whose budget it takes from, if
    any, and `tenant_id` whose words they are without one.
    """
    if settings.PLUMBLINE_EMBEDDINGS == "builtin":
        return builtin_embedder()
    from research.llm.embedding_client import (
        ServerEmbedder,  # the client is loaded only where a server is asked
    )

    return ServerEmbedder(payer, tenant_id)


@dataclass(frozen=True, slots=True)
class _Row:
    """A vector that is being computed: one row of a batch."""

    batch: Future[Vectors | None]
    index: int

    def wait(self) -> Vector | None:
        """None where a server gave none."""
        vectors = self.batch.result()
        return None if vectors is None else vectors[self.index]


@dataclass(slots=True)
class Embeddings:
    """Hands texts to `pool`: its one thread is enough, since the embedder works on several texts at once.

    A server that fails is asked no more: the passages wait for it in the tables (reembedding).
    """

    embedder: Embedder
    pool: Executor
    _rows: dict[str, _Row] = field(default_factory=dict)
    _has_failed: bool = False

    def request(self, passages: Sequence[PreparedPassage], known: Mapping[str, Vector]) -> "PassageVectors":
        """Begin with those texts that are neither in `known` (by text hash) nor asked for before."""
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
        self._rows |= {name: _Row(batch, index) for index, (name, _) in enumerate(items)}

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
    """The vectors of one document's passages, there or on their way."""

    model_id: str
    known: Mapping[str, Vector]
    rows: Mapping[str, _Row]

    def wait(self) -> "PassageVectors":
        """Wait for all vectors and return them; none if one failed, as a document gets its vectors together."""
        is_whole = all(row.wait() is not None for row in self.rows.values())
        return self if is_whole else PassageVectors(self.model_id, {}, {})

    def vector(self, text_hash: str) -> Vector | None:
        """The text's vector; waits for it. None for a text that was not asked for, or could not be had."""
        row = self.rows.get(text_hash)
        return row.wait() if row else self.known.get(text_hash)


NOTHING = PassageVectors("", {}, {})


def complete_vectors(
    embedder: Embedder, passages: Sequence[PreparedPassage], known: Mapping[str, Vector]
) -> PassageVectors:
    """Vectors of all these passages: those that are not `known` (by text hash) are computed here and now."""
    missing = {passage.text_hash: passage.text for passage in passages if passage.text_hash not in known}
    made = embedder.embed(list(missing.values())) if missing else ()
    return PassageVectors(embedder.model_id, {**known, **dict(zip(missing, made, strict=True))}, {})


def load_known_vectors(document_id: UUID, raw_sha256: str, model_id: str) -> dict[str, Vector]:
    """Vectors by text hash from what the document was before, and from documents of the same bytes."""
    same = Q(document_id=document_id) | Q(document__content__raw_sha256=raw_sha256)
    rows = LibraryChunk.objects.filter(same, embedding_model=model_id, embedding__isnull=False)
    return {
        name: np.asarray(vector, np.float32) for name, vector in rows.values_list("text_hash", "embedding")
    }
