"""Semantic similarity of a claim and a passage: the cosine of the claim with the passage's nearest sentence."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from citations.text.claim_words_and_stems import sentence_spans
from research.parsing.vectors.embed_texts import Embedder

_LEAST = 12  # characters of the shortest sentence that is embedded


class NearestSentence:
    """A `citations.verification.SimilarityFunction` that embeds each text once.

    Call `prepare` with many texts before comparing single pairs: the embedder uses all cores.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, npt.NDArray[np.float32]] = {}

    def __call__(self, claim: str, passage: str, /) -> float:
        sentences = _sentences(passage)
        if not sentences:
            return 0.0
        self.prepare([claim], [passage])
        nearest = max(float(self._vectors[sentence] @ self._vectors[claim]) for sentence in sentences)
        return max(0.0, min(1.0, nearest))

    def prepare(self, claims: Iterable[str], passages: Iterable[str]) -> None:
        wanted = dict.fromkeys(claims)
        for passage in passages:
            wanted |= dict.fromkeys(_sentences(passage))
        self._embed([text for text in wanted if text not in self._vectors])

    def _embed(self, texts: Sequence[str]) -> None:
        if texts:
            self._vectors.update(zip(texts, self._embedder.embed(texts), strict=True))


def _sentences(passage: str) -> list[str]:
    found = (span.cut(passage) for span in sentence_spans(passage))
    return [sentence for sentence in found if len(sentence) >= _LEAST]
