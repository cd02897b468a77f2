"""Vectors of passages: computed in batches beside everything else, each text once."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.db.models import Q

from research.library.preparing import Passage
from research.models import LibraryChunk
from research.reading.embedding import Embedder, Vectors, builtin_embedder

Vector = npt.NDArray[np.float32]
# Large enough that the threads rarely wait for the last text, small enough that the first document waits for little.
BATCH = 64
# Texts whose vectors are remembered while one folder is read: 1.5 kB each.
REMEMBERED = 40_000


def library_embedder() -> Embedder:
    """The model of the library's passages and of every question that is compared with them."""
    return builtin_embedder()


@dataclass(frozen=True, slots=True)
class _Row:
    """A vector that is being computed: one row of a batch."""

    batch: Future[Vectors]
    index: int

    def wait(self) -> Vector:
        row: Vector = self.batch.result()[self.index]
        return row


@dataclass(slots=True)
class Embeddings:
    """Hands texts to `pool`: its one thread is enough, since the embedder works on several texts at once."""

    embedder: Embedder
    pool: Executor
    _rows: dict[str, _Row] = field(default_factory=dict)

    def request(self, passages: Sequence[Passage], known: Mapping[str, Vector]) -> "Requested":
        """Begin with those texts that are neither in `known` (by text hash) nor asked for before."""
        if len(self._rows) > REMEMBERED:
            self._rows.clear()
        texts = {passage.text_hash: passage.text for passage in passages}
        new = [item for item in texts.items() if item[0] not in known and item[0] not in self._rows]
        for start in range(0, len(new), BATCH):
            self._submit(new[start : start + BATCH])
        rows = {name: self._rows[name] for name in texts if name not in known}
        return Requested(self.embedder.model_id, dict(known), rows)

    def _submit(self, items: Sequence[tuple[str, str]]) -> None:
        batch = self.pool.submit(self.embedder.embed, [text for _, text in items])
        self._rows |= {name: _Row(batch, index) for index, (name, _) in enumerate(items)}


@dataclass(frozen=True, slots=True)
class Requested:
    """The vectors of one document's passages, there or on their way."""

    model_id: str
    known: Mapping[str, Vector]
    rows: Mapping[str, _Row]

    def wait(self) -> None:
        """Return when all are there."""
        for row in self.rows.values():
            row.wait()

    def vector(self, text_hash: str) -> Vector | None:
        """The text's vector; waits for it. None for a text that was not asked for."""
        row = self.rows.get(text_hash)
        return row.wait() if row else self.known.get(text_hash)


NOTHING = Requested("", {}, {})


def known_vectors(document_id: UUID, raw_sha256: str, model_id: str) -> dict[str, Vector]:
    """Vectors by text hash from what the document was before, and from documents of the same bytes."""
    same = Q(document_id=document_id) | Q(document__content__raw_sha256=raw_sha256)
    rows = LibraryChunk.objects.filter(same, embedding_model=model_id, embedding__isnull=False)
    return {
        name: np.asarray(vector, np.float32) for name, vector in rows.values_list("text_hash", "embedding")
    }
