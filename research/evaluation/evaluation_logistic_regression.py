"""Logistic regression for profiles: few named features, constrained signs, and cross-validation by group.

Iteratively reweighted least squares (Hastie, Tibshirani, Friedman 2009, section 4.4.1) with a ridge penalty. A
feature that can only speak for a claim must not get a negative weight: if one does, it is left out and the rest is
fitted again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
FOLDS = 5
_ROUNDS = 50
_SETTLED = 1e-7


@dataclass(frozen=True, slots=True)
class LogisticModel:
    """`weights` (k) for the features as given, not standardized, and the intercept."""

    weights: Floats
    intercept: float

    def probabilities(self, figures: Floats) -> Floats:
        """Return (n,) probabilities for (n, k) features."""
        return sigmoid(figures @ self.weights + self.intercept)


def sigmoid(values: Floats) -> Floats:
    chance: Floats = 1 / (1 + np.exp(-np.clip(values, -60, 60)))
    return chance


def fit(
    figures: Floats, labels: Floats, importance: Floats, signs: Sequence[int], ridge: float = 1.0
) -> LogisticModel:
    """Fit (n, k) features to (n,) labels of 0 and 1; `signs` (k) are +1, -1, or 0 for either."""
    scale = figures.std(axis=0)
    usable = [index for index in range(figures.shape[1]) if scale[index] > 0]
    while True:
        columns = figures[:, usable] / scale[usable]
        found = _newton(np.c_[columns, np.ones(len(columns))], labels, importance, ridge)
        wrong = [(abs(found[at]), at) for at, index in enumerate(usable) if found[at] * signs[index] < 0]
        if not wrong:
            break
        del usable[max(wrong)[1]]
    weights = np.zeros(figures.shape[1])
    weights[usable] = found[:-1] / scale[usable]
    return LogisticModel(weights, float(found[-1]))


def _newton(columns: Floats, labels: Floats, importance: Floats, ridge: float) -> Floats:
    penalty = np.diag(np.r_[np.full(columns.shape[1] - 1, ridge), 1e-6])
    weights: Floats = np.zeros(columns.shape[1])
    for _ in range(_ROUNDS):
        chance = sigmoid(columns @ weights)
        slope = columns.T @ (importance * (chance - labels)) + penalty @ weights
        curvature = (columns.T * (importance * chance * (1 - chance))) @ columns + penalty
        step = np.linalg.solve(curvature, slope)
        weights -= step
        if np.abs(step).max() < _SETTLED:
            break
    return weights


def folds(groups: Sequence[str]) -> Iterator[tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]]:
    """Yield masks (training, held out); the cases of one group (a document) stay together."""
    place = np.array([crc32(group.encode()) % FOLDS for group in groups])
    for fold in range(FOLDS):
        if (place == fold).any() and (place != fold).any():
            yield place != fold, place == fold


def cross_validated(
    figures: Floats, labels: Floats, importance: Floats, groups: Sequence[str], signs: Sequence[int]
) -> Floats:
    """Return (n,) probabilities, each from a fit without the case's group."""
    found = np.full(len(labels), labels.mean())
    for training, held_out in folds(groups):
        fitted = fit(figures[training], labels[training], importance[training], signs)
        found[held_out] = fitted.probabilities(figures[held_out])
    return found


def compute_balanced_weights(labels: Floats, kinds: Sequence[str]) -> Floats:
    """Return weights under which every kind of data, and both labels within it, count equally; the mean is 1."""
    importance: Floats = np.zeros(len(labels))
    for kind in set(kinds):
        for label in (0.0, 1.0):
            members = (np.array(kinds) == kind) & (labels == label)
            if members.any():
                importance[members] = 1 / members.sum()
    importance *= len(labels) / importance.sum()
    return importance
