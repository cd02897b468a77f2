"""The passages of web pages that fit the run's queries: scored where a page is read, stored with that step."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

import numpy as np
import numpy.typing as npt
from pydantic import TypeAdapter

from research.agents.extractive.question import analyse
from research.models import Run, Step, StepStatus
from research.models.schemas import Plan
from research.reading.vectors.embedding import builtin_embedder
from research.retrieval import Hit

EXTRACT = "report.extract"
MOST_HITS = 20  # of a page
MEANING, WORDS = 0.7, 0.3  # shares of a passage's score
GUESSED = 0.5  # what its words are worth in place of its meaning, where a passage has no vector
MOST_VECTORS = 200  # of a run's pages: each costs 20 ms of CPU and more, and nobody should wait for them

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PageHit:
    """A passage that fits a query of the plan. `score` 0–1, of the query that it fits best."""

    chunk: UUID
    document: UUID
    start: int
    end: int
    score: float
    subtopic: str

    @property
    def hit(self) -> Hit:
        return Hit(self.chunk, self.document, self.start, self.end, self.score)


@dataclass(frozen=True, slots=True)
class Query:
    """Words that were looked for, and what for."""

    text: str
    subtopic: str


_HITS = TypeAdapter(list[PageHit])


def stored_hits(hits: Sequence[PageHit]) -> list[dict[str, str | int | float]]:
    dumped: list[dict[str, str | int | float]] = _HITS.dump_python(list(hits), mode="json")
    return dumped


def read_pages(run_id: UUID) -> list[list[PageHit]]:
    """The hits of each page that the run has read, in the order in which they were asked for. Needs the tenant set."""
    done = Step.objects.filter(run_id=run_id, handler=EXTRACT, status=StepStatus.COMPLETED)
    outputs = done.order_by("step_index").values_list("output", flat=True)
    return [_HITS.validate_python(output.get("hits", [])) for output in outputs]


def queries_of(run: Run) -> tuple[Query, ...]:
    """Those of the plan, and the question itself, which counts for its first subtopic."""
    subtopics = Plan.model_validate(run.plan).subtopics
    planned = [Query(text, one.name) for one in subtopics for text in one.queries]
    return tuple(dict.fromkeys([*planned, Query(run.topic, subtopics[0].name)]))


def worth_vectors(texts: Sequence[str], queries: Sequence[Query], pages: int) -> list[int]:
    """Which passages of a page get vectors when the run has so many: those with most of a query's words."""
    most = max(1, MOST_VECTORS // max(1, pages))
    shares = _shares(texts, queries)
    order = sorted(range(len(texts)), key=lambda index: (-float(shares[index].max()), index))
    return sorted(order[:most])


def score(
    texts: Sequence[str], vectors: Sequence[Vectors | None], queries: Sequence[Query]
) -> list[tuple[float, str]]:
    """For each passage its score and the subtopic of the query that it fits best.

    Its vector's cosine with the query's, and the share of the query's words that it has. Vectors have unit length.
    """
    if not texts:
        return []
    words = _shares(texts, queries)
    close = GUESSED * words
    for index, vector in enumerate(vectors):
        if vector is not None:
            close[index] = np.clip(_asked_vectors(_words_of(queries)) @ vector, 0.0, 1.0)
    total = MEANING * close + WORDS * words
    best = total.argmax(axis=1)
    return [
        (round(float(total[row, column]), 6), queries[column].subtopic) for row, column in enumerate(best)
    ]


def _words_of(queries: Sequence[Query]) -> tuple[str, ...]:
    return tuple(query.text for query in queries)


# Both are of one run, whose pages are read one after another.
@lru_cache(maxsize=32)
def _asked_vectors(texts: tuple[str, ...]) -> Vectors:
    return np.asarray(builtin_embedder().embed(list(texts)), np.float32)


@lru_cache(maxsize=32)
def _asked_terms(texts: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(term.surface.casefold() for term in analyse(text).terms) for text in texts)


def _shares(texts: Sequence[str], queries: Sequence[Query]) -> npt.NDArray[np.float64]:
    """(texts, queries), 0–1."""
    asked = _asked_terms(_words_of(queries))
    rows = [[_share(terms, text.casefold()) for terms in asked] for text in texts]
    return np.array(rows, dtype=np.float64).reshape(len(texts), len(asked))


def _share(terms: Sequence[str], text: str) -> float:
    return sum(term in text for term in terms) / len(terms) if terms else 0.0
