"""Fit the profile of verification to labelled claims, with the curve behind its threshold."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from citations.entailment.claim_alignment import align
from citations.entailment.support_probability import (
    SIGNS,
    Signals,
    SupportProfile,
    ThresholdPoint,
    Weights,
    signals,
)
from citations.entailment.verbatim_claims import find_verbatim
from citations.table_claims import find_tables
from citations.verification import SimilarityFunction
from research.evaluation.evaluation_logistic_regression import (
    Floats,
    compute_balanced_weights,
    cross_validated,
    fit,
)
from research.evaluation.evaluation_of_verification import ClaimCase

Kinds = npt.NDArray[np.str_]
THRESHOLDS = tuple(round(0.05 * step, 2) for step in range(1, 20))
PARTLY = 0.5  # of a claim's words
SAME_THING = 0.55
NEAR_BEST = 0.01  # balanced accuracy given up in order to let fewer false claims through


class LabelledClaim(ClaimCase):
    """A labelled claim. `source_dataset` balances kinds of data, `doc_id` keeps documents together."""

    source_dataset: str = ""
    doc_id: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A case that the weights decide, because the claim is not in the passage verbatim."""

    figures: Signals
    is_supported: bool
    kind: str
    group: str


def examples(cases: Iterable[LabelledClaim], similarity: SimilarityFunction | None) -> list[Example]:
    found = (_example(case, similarity) for case in cases)
    return [each for each in found if each is not None]


def _example(case: LabelledClaim, similarity: SimilarityFunction | None) -> Example | None:
    aligned = align(case.claim, case.evidence_text)
    if (
        aligned is None
        or find_tables(case.evidence_text)
        or find_verbatim(case.claim, case.evidence_text) is not None
    ):
        return None
    likeness = similarity(case.claim, case.evidence_text) if similarity is not None else None
    figures = signals(case.claim, case.evidence_text, aligned, likeness)
    return Example(figures, case.label == "supported", case.source_dataset, case.doc_id or case.id)


def curve(some: Sequence[Example]) -> list[ThresholdPoint]:
    """Return the cross-validated curve: no case is judged by weights fitted to its document."""
    figures, labels, importance, names = _arrays(some)
    signs = [SIGNS[name] for name in names]
    chances = cross_validated(figures, labels, importance, [each.group for each in some], signs)
    kinds = np.array([each.kind for each in some])
    return [_point(threshold, chances, labels, kinds) for threshold in THRESHOLDS]


def _point(threshold: float, chances: Floats, labels: Floats, kinds: Kinds) -> ThresholdPoint:
    called = chances >= threshold
    recall, false_support = (
        _mean_share(called[labels == label], kinds[labels == label]) for label in (1.0, 0.0)
    )
    return ThresholdPoint(threshold, recall, false_support)


def _mean_share(called: npt.NDArray[np.bool_], kinds: Kinds) -> float:
    """Return the share that is called supported, averaged over the kinds of data."""
    return round(float(np.mean([called[kinds == kind].mean() for kind in np.unique(kinds)])), 4)


def _arrays(some: Sequence[Example]) -> tuple[Floats, Floats, Floats, list[str]]:
    names = [name for name in SIGNS if getattr(some[0].figures, name) is not None]
    figures = np.array([[asdict(each.figures)[name] for name in names] for each in some], dtype=np.float64)
    labels = np.array([float(each.is_supported) for each in some])
    return figures, labels, compute_balanced_weights(labels, [each.kind for each in some]), names


def weights(some: Sequence[Example]) -> Weights:
    """Fit weights to all examples; features with zero weight are left out."""
    figures, labels, importance, names = _arrays(some)
    fitted = fit(figures, labels, importance, [SIGNS[name] for name in names])
    named = zip(names, fitted.weights, strict=True)
    return Weights(round(fitted.intercept, 4), {name: round(float(each), 4) for name, each in named if each})


def profile(cases: Sequence[LabelledClaim], similarity: SimilarityFunction) -> SupportProfile:
    """Fit a profile. The threshold is the strictest one close to the best balanced accuracy."""
    alike, plain = examples(cases, similarity), examples(cases, None)
    points = curve(alike)
    best = max(point.balanced_accuracy for point in points)
    near = [point.threshold for point in points if point.balanced_accuracy > best - NEAR_BEST]
    return SupportProfile(
        with_likeness=weights(alike),
        without_likeness=weights(plain),
        accurate=max(near),
        partly=PARTLY,
        same_thing=SAME_THING,
        cases=len(alike),
        documents=len({each.group for each in alike}),
        curve=tuple(points),
    )
