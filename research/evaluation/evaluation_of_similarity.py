"""`evaluate similarity`: classify pairs of claims, with two statements per JSON line in and a verdict with reasons
out.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict

from citations.claim_similarity import ComparedClaim, Gates, Similarity, compare, profile_for
from research.evaluation.labelled_cases import BadLine, Case, Prediction, read_cases
from research.parsing.vectors.embed_texts import Embedder, builtin_embedder

CONTRADICTION = "contradiction"
MERGED = ("duplicate", "corroboration")
_BATCH = 128  # pairs embedded at once


class PairCase(Case):
    a: str
    b: str


class GateFigures(BaseModel):
    """The six gates of a verdict, and two figures of the word-by-word comparison (all shares 0–1)."""

    model_config = ConfigDict(frozen=True)

    semantic: float
    entities: float
    numbers: str
    units: bool
    times: bool
    places: bool
    clash: float
    carried: float


class PairPrediction(Prediction):
    """A predicted verdict. `reasons` name the differences, the most important first."""

    gates: GateFigures
    warnings: tuple[str, ...]
    reasons: tuple[str, ...]


def run(lines: Iterable[str]) -> Iterator[str]:
    """Yield a prediction for each JSON line, in order. Raises BadLine after the predictions before the bad line."""
    for prediction in predict(read_cases(lines, PairCase), builtin_embedder()):
        yield prediction.model_dump_json()


def predict(cases: Iterable[PairCase], embedder: Embedder) -> Iterator[PairPrediction]:
    for batch, cosines in in_batches(cases, embedder):
        for case, cosine in zip(batch, cosines, strict=True):
            found = compare(
                ComparedClaim(case.a), ComparedClaim(case.b), cosine, profile_for(embedder.model_id)
            )
            yield _prediction(case, found)


AnyPair = TypeVar("AnyPair", bound=PairCase)


def in_batches(
    cases: Iterable[AnyPair], embedder: Embedder
) -> Iterator[tuple[Sequence[AnyPair], list[float]]]:
    """Yield batches of cases with the cosines of their pairs. The cases before a BadLine are yielded before it is
    raised.
    """
    waiting: list[AnyPair] = []
    try:
        for case in cases:
            waiting.append(case)
            if len(waiting) == _BATCH:
                yield waiting, cosines_of(waiting, embedder)
                waiting = []
    except BadLine:
        if waiting:
            yield waiting, cosines_of(waiting, embedder)
        raise
    if waiting:
        yield waiting, cosines_of(waiting, embedder)


def cosines_of(cases: Sequence[PairCase], embedder: Embedder) -> list[float]:
    first, second = embedder.embed([case.a for case in cases]), embedder.embed([case.b for case in cases])
    return [float(cosine) for cosine in np.sum(first * second, axis=1)]


def _prediction(case: PairCase, found: Similarity) -> PairPrediction:
    return PairPrediction(
        id=case.id,
        label=label_of(found),
        score=found.confidence,
        gates=_figures(found.gates),
        warnings=found.warnings,
        reasons=found.gates.reasons,
    )


def label_of(found: Similarity) -> str:
    """Return the verdict as a label of the labelled data, which has one for contradictions."""
    return CONTRADICTION if found.is_possible_contradiction else found.kind.value


def _figures(gates: Gates) -> GateFigures:
    return GateFigures(
        semantic=round(gates.semantic, 4),
        entities=round(gates.entities, 4),
        numbers=gates.numbers.value,
        units=gates.has_same_units,
        times=gates.times_overlap,
        places=gates.places_overlap,
        clash=round(gates.clash, 4),
        carried=round(gates.carried, 4),
    )
