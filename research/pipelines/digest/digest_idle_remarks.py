"""Tell jokes, rants and small talk from remarks that help, by their meaning and words.

A ridge regression is fitted once per process to the remarks in `idle_remarks.txt` against the advice and the statements
of `safety/labelled_sentences.csv`, whose vectors `dangerous_meaning` needs as well. It reads English only, like the
embeddings.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from research.pipelines.digest.safety.digest_dangerous_meaning import (
    read_labelled_sentences,
    weigh_words,
    word_vectors,
)
from research.pipelines.digest.safety.judge_digest_safety import is_german
from research.pipelines.report.reading.report_note_vectors import embed_by_builtin

# Least score of an idle remark, where -1 is a helpful one and 1 an idle one. In a cross-validation it finds 69 % of the
# idle remarks and takes 1 % of the others for one.
IDLE = 0.0
RIDGE = 1.0
EVENNESS = 0.7  # 0: each remark counts the same; 1: the few idle ones count as much as the many others


def find_idle_remarks(sentences: Sequence[str]) -> list[bool]:
    """Return for each sentence True if it is a joke, a rant or small talk."""
    if not sentences:
        return []
    words, weights = _fit_model()
    scores = _vectors(sentences, words) @ weights
    return [
        bool(score > IDLE) and not is_german(sentence)
        for sentence, score in zip(sentences, scores, strict=True)
    ]


@cache
def _fit_model() -> tuple[Mapping[str, float], NDArray[np.float64]]:
    path = Path(__file__).parent / "idle_remarks.txt"
    idle = path.read_text(encoding="utf-8").splitlines()
    helpful = [row.sentence for row in read_labelled_sentences() if not is_german(row.sentence)]
    words = weigh_words([*idle, *helpful])
    shares = np.array([(len(helpful) / len(idle)) ** EVENNESS] * len(idle) + [1.0] * len(helpful))
    inputs = _vectors([*idle, *helpful], words) * np.sqrt(shares)[:, None]
    targets = np.array([1.0] * len(idle) + [-1.0] * len(helpful)) * np.sqrt(shares)
    return words, inputs.T @ np.linalg.solve(inputs @ inputs.T + RIDGE * np.eye(len(targets)), targets)


def _vectors(sentences: Sequence[str], words: Mapping[str, float]) -> NDArray[np.float64]:
    meanings = embed_by_builtin()(sentences).astype(np.float64)
    return np.hstack([meanings, word_vectors(sentences, words), np.ones((len(sentences), 1))])
