"""Learns the weights of readings from labelled claims.

The likelihood of a label is the softmax share of the readings that give it: no reading is ever marked as the right one.
It is maximized by gradient ascent with an L2 penalty.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
import numpy.typing as npt

from citations.table_claims.score_claim_readings import Ballot
from citations.table_claims.table_claim_weights import (
    LinkagePoint,
    TableCalibration,
    TableCurvePoint,
    TableFigures,
    TableProfile,
)

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

FOLDS = 5
PENALTY = 3.0
# Priors for kinds of claims of which labelled sets have few: a named yes-and-no column decides, and a figure that
# occurs nowhere speaks against support.
PRIOR: Mapping[str, float] = {
    "affirmation_holds": 1.5,
    "affirmation_fails": 1.5,
    "left_numbers_but_holds": -1.0,
}
_LINKAGES = (0.0, 0.2, 0.3, 0.34, 0.4, 0.45, 0.51, 0.55, 0.6, 0.67, 0.75)
_STRANGERS_LET_IN = 0.02  # share of claims that may count as being about a table of another document
_STEPS = 300
_RATE = 0.05
_CUTS = tuple(round(0.1 + 0.05 * step, 2) for step in range(17))


@dataclass(frozen=True, slots=True)
class CalibrationCase:
    """A labelled claim; cases of one document stay together in cross-validation."""

    ballot: Ballot
    is_carried: bool
    document: str


def calibrate(
    cases: Sequence[CalibrationCase], strangers: Sequence[Ballot] = (), *, penalty: float = PENALTY
) -> TableProfile:
    """Return weights from all cases, with the cut that is best on held-out documents. Needs cases of both labels.

    `strangers` are ballots of claims over tables of other documents; they set the least linkage.
    """
    linkage = tuple(_linkage(cases, strangers, at) for at in _LINKAGES)
    least = min((point.at for point in linkage if point.strange <= _STRANGERS_LET_IN), default=_LINKAGES[-1])
    chances = predict_out_of_fold(cases, penalty=penalty, least_linkage=least)
    labels = [case.is_carried for case in cases]
    points = tuple(TableCurvePoint(at, figures(chances, labels, at)) for at in _CUTS)
    # The highest of equally good cuts, which accepts the least.
    best = max(points, key=lambda point: (point.figures.balanced_accuracy, point.at))
    setting = TableCalibration(
        claims=len(cases),
        documents=len({case.document for case in cases}),
        folds=FOLDS,
        penalty=penalty,
        cross_validated=best.figures,
        false_support_at_half_recall=false_support_at(chances, labels, 0.5),
        curve=points,
        linkage=linkage,
    )
    return TableProfile(learn(cases, penalty=penalty), best.at, least, setting)


def _linkage(cases: Sequence[CalibrationCase], strangers: Sequence[Ballot], at: float) -> LinkagePoint:
    own = _share([case.ballot.linkage >= at for case in cases])
    return LinkagePoint(at, own, _share([each.linkage >= at for each in strangers]))


def predict_out_of_fold(
    cases: Sequence[CalibrationCase], *, penalty: float = PENALTY, least_linkage: float = 0.0
) -> list[float]:
    """Return the probability of each case by weights learned without its document, in order."""
    chances = [0.0] * len(cases)
    for fold in folds(cases):
        kept = set(fold)
        weights = learn([case for at, case in enumerate(cases) if at not in kept], penalty=penalty)
        for at in fold:
            chances[at] = cases[at].ballot.probability(weights, least_linkage)
    return chances


def folds(cases: Sequence[CalibrationCase], count: int = FOLDS) -> Iterator[list[int]]:
    """Yield indices of cases in `count` parts; documents are assigned in the order of their names."""
    deal = {name: place % count for place, name in enumerate(sorted({case.document for case in cases}))}
    for part in range(count):
        yield [at for at, case in enumerate(cases) if deal[case.document] == part]


def learn(cases: Sequence[CalibrationCase], *, penalty: float = PENALTY) -> dict[str, float]:
    """Learn the weight of each feature by Adam (Kingma & Ba 2015); deterministic."""
    names = sorted({name for case in cases for each in case.ballot.readings for name in each.features})
    data = _arrays(cases, {name: at for at, name in enumerate(names)})
    prior = np.array([PRIOR.get(name, 0.0) for name in names])
    weights, momentum, speed = prior, np.zeros(len(names)), np.zeros(len(names))
    for step in range(1, _STEPS + 1):
        slope = _gradient(weights, data) - penalty * (weights - prior)
        momentum = 0.9 * momentum + 0.1 * slope
        speed = 0.999 * speed + 0.001 * slope**2
        rate = _RATE * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
        weights = weights + rate * momentum / (np.sqrt(speed) + 1e-8)
    return {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)}


@dataclass(frozen=True, slots=True)
class _Data:
    """`matrix`: (readings, features); `owners`: the case of each reading; `agrees`: whether it gives the label."""

    matrix: Floats
    owners: Integers
    agrees: Flags
    cases: int


def _arrays(cases: Sequence[CalibrationCase], index: Mapping[str, int]) -> _Data:
    rows = [(at, case.is_carried, each) for at, case in enumerate(cases) for each in case.ballot.readings]
    matrix = np.zeros((len(rows), len(index)))
    for row, (_, _, reading) in enumerate(rows):
        for name, value in reading.features.items():
            matrix[row, index[name]] = value
    owners = np.array([at for at, _, _ in rows], dtype=np.int64)
    agrees = np.array([each.holds is label for _, label, each in rows], dtype=np.bool_)
    return _Data(matrix, owners, agrees, len(cases))


def _gradient(weights: Floats, data: _Data) -> Floats:
    """Compute the gradient of the log likelihood of the labels.

    It is the expected features given the label, minus those expected without it.
    """
    scores = data.matrix @ weights
    top = np.full(data.cases, -np.inf)
    np.maximum.at(top, data.owners, scores)
    raised = np.exp(scores - top[data.owners])
    every = np.bincount(data.owners, raised, data.cases)
    right = np.bincount(data.owners, raised * data.agrees, data.cases)
    shares = raised / every[data.owners]
    wanted = raised * data.agrees / np.maximum(right[data.owners], 1e-300)
    slope: Floats = data.matrix.T @ (wanted - shares)
    return slope


def figures(chances: Sequence[float], labels: Sequence[bool], cut: float) -> TableFigures:
    recall = _share([chance >= cut for chance, label in zip(chances, labels, strict=True) if label])
    false = _share([chance >= cut for chance, label in zip(chances, labels, strict=True) if not label])
    return TableFigures(recall, false, round((recall + 1 - false) / 2, 4))


def _share(flags: Sequence[bool]) -> float:
    """Return the share of True; 0 for none."""
    return round(sum(flags) / max(1, len(flags)), 4)


def false_support_at(chances: Sequence[float], labels: Sequence[bool], recall: float) -> float:
    """Return the share of false claims at or above the cut that keeps `recall` (0–1) of the true ones; 0 without
    any.
    """
    true = sorted((chance for chance, label in zip(chances, labels, strict=True) if label), reverse=True)
    if not true:
        return 0.0
    return figures(chances, labels, true[max(0, ceil(recall * len(true)) - 1)]).false_support
