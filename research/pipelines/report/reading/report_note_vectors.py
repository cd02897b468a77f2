"""Vectors of admitted sentences: computed while models are still running, and looked up by the analysis."""

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt

from research.extractive.sentence_ranking import in_context
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.report.reading.admit_report_notes import AdmittedClaim

EMBEDDED = 120  # sentences of a run: those that rank lower by their words will not be quoted
REMEMBERED = 2_000  # texts, 3 MB

Vectors = npt.NDArray[np.float32]
Embed = Callable[[Sequence[str]], Vectors]


def with_vectors(admitted: Sequence[AdmittedClaim]) -> tuple[AdmittedClaim, ...]:
    texts = [in_context(claim.sentence) for claim in admitted]
    vectors: Iterable[Vectors] = builtin_embedder().embed(texts) if texts else ()
    return tuple(
        replace(admitted_claim, vector=_encode_vector(vector))
        for admitted_claim, vector in zip(admitted, vectors, strict=True)
    )


def build_cached_embed(admitted: Iterable[AdmittedClaim], embed: Embed) -> Embed:
    """Return `embed` that takes known vectors from the admitted claims."""
    known = {in_context(claim.sentence): claim.vector for claim in admitted if claim.vector}

    def embed_texts(texts: Sequence[str]) -> Vectors:
        new = list(dict.fromkeys(text for text in texts if text not in known))
        made: Mapping[str, Vectors] = dict(zip(new, embed(new) if new else (), strict=True))
        return np.stack([made[text] if text in made else _read(known[text]) for text in texts])

    return embed_texts


def remember_vectors(embed: Embed) -> Embed:
    """Return `embed` with a memory: what is chosen and compared was ranked before, and manuals repeat themselves."""
    remembered: dict[str, Vectors] = {}

    def act(texts: Sequence[str]) -> Vectors:
        known = {text: vector for text in texts if (vector := remembered.get(text)) is not None}
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known.update(zip(new, embed(new), strict=True))
        if len(remembered) > REMEMBERED:
            remembered.clear()
        remembered.update(known)
        return np.stack([known[text] for text in texts])

    return act


@cache
def embed_by_builtin() -> Embed:
    """Return the built-in embedder with a memory of this process.

    An analysis after a second look ranks mostly the sentences of the first.
    """
    return remember_vectors(lambda texts: builtin_embedder().embed(texts))


def _encode_vector(vector: Vectors) -> str:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()


def _read(written: str) -> Vectors:
    return np.frombuffer(base64.b64decode(written), dtype="<f4").astype(np.float32)
