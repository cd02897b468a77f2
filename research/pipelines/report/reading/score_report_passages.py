"""Score the passages of a page by how well they match the queries of the run."""

from collections.abc import Sequence
from functools import lru_cache
from threading import Lock

import numpy as np
import numpy.typing as npt

from research.extractive.question.parsed_question import analyse
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.report.report_queries import Query

BEST = 3  # passages that determine the relevance of their source
MAX_HITS = 20  # of a page
MEANING, WORDS = 0.7, 0.3  # shares of a passage's score
GUESSED = 0.5  # weight of the words in place of the meaning, if a passage has no vector
MAX_VECTORS = 200  # of a run's pages: each costs 20 ms of CPU and more, and nobody should wait for them

Vectors = npt.NDArray[np.float32]


def worth_vectors(texts: Sequence[str], queries: Sequence[Query], pages: int) -> list[int]:
    """Return the indices of the passages to embed if the run has `pages` pages: those with most of a query's words."""
    most = max(1, MAX_VECTORS // max(1, pages))
    shares = _shares(texts, queries)
    order = sorted(range(len(texts)), key=lambda index: (-float(shares[index].max()), index))
    return sorted(order[:most])


def score(
    texts: Sequence[str], vectors: Sequence[Vectors | None], queries: Sequence[Query]
) -> list[tuple[float, str]]:
    """Return for each passage its score and the subtopic of the query that it fits best.

    The score combines the cosine of its vector with the query's, and the share of the query's words that it has.
    Vectors have unit length.
    """
    if not texts:
        return []
    words = _shares(texts, queries)
    close = GUESSED * words
    for index, vector in enumerate(vectors):
        if vector is not None:
            close[index] = np.clip(_embed_queries(queries) @ vector, 0.0, 1.0)
    total = MEANING * close + WORDS * words
    best = total.argmax(axis=1)
    return [
        (round(float(total[row, column]), 6), queries[column].subtopic) for row, column in enumerate(best)
    ]


def relevance_of(scores: Sequence[float]) -> float | None:
    """Return the relevance of a source: the mean score of its best three passages. None without passages."""
    best = sorted(scores, reverse=True)[:BEST]
    return round(min(1.0, sum(best) / len(best)), 4) if best else None


# Sources of one run are read in parallel threads: one computes the query vectors, and the others wait for it.
_WORKING_OUT = Lock()


def _embed_queries(queries: Sequence[Query]) -> Vectors:
    with _WORKING_OUT:
        return _embed_texts(_words_of(queries))


def _extract_query_terms(queries: Sequence[Query]) -> tuple[tuple[str, ...], ...]:
    with _WORKING_OUT:
        return _extract_terms(_words_of(queries))


def _words_of(queries: Sequence[Query]) -> tuple[str, ...]:
    return tuple(query.text for query in queries)


@lru_cache(maxsize=32)
def _embed_texts(texts: tuple[str, ...]) -> Vectors:
    return np.asarray(builtin_embedder().embed(list(texts)), np.float32)


@lru_cache(maxsize=32)
def _extract_terms(texts: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(term.surface.casefold() for term in analyse(text).terms) for text in texts)


def _shares(texts: Sequence[str], queries: Sequence[Query]) -> npt.NDArray[np.float64]:
    """Return the shares of the queries' words that the texts have: (texts, queries), 0–1."""
    asked = _extract_query_terms(queries)
    rows = [[_share(terms, text.casefold()) for terms in asked] for text in texts]
    return np.array(rows, dtype=np.float64).reshape(len(texts), len(asked))


def _share(terms: Sequence[str], text: str) -> float:
    return sum(term in text for term in terms) / len(terms) if terms else 0.0
