"""Learning the weights of readings from labelled claims.

The likelihood of a label is the softmax share of the readings that give it, whichever they are: no reading is
ever marked as the right one. It is maximized by gradient ascent with an L2 penalty.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citations.tables.scoring import Weighed

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Case:
    """The readings of a claim with its label, and the document it belongs to (cases of one stay together)."""

    readings: tuple[Weighed, ...]
    is_carried: bool
    document: str


def learn(cases: Sequence[Case], *, penalty: float = 1.0, steps: int = 300) -> dict[str, float]:
    names = sorted({name for case in cases for each in case.readings for name in each.features})
    index = {name: at for at, name in enumerate(names)}
    matrix, owners, agrees = _arrays(cases, index)
    weights = np.zeros(len(names))
    momentum, speed = np.zeros(len(names)), np.zeros(len(names))
    for step in range(1, steps + 1):  # Adam (Kingma & Ba 2015)
        gradient = _gradient(weights, matrix, owners, agrees, len(cases)) - penalty * weights
        momentum = 0.9 * momentum + 0.1 * gradient
        speed = 0.999 * speed + 0.001 * gradient**2
        rate = 0.05 * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
        weights = weights + rate * momentum / (np.sqrt(speed) + 1e-8)
    return {name: round(float(weights[at]), 4) for name, at in index.items()}


def _arrays(
    cases: Sequence[Case], index: dict[str, int]
) -> tuple[Floats, npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """One row of features for each reading, the case it belongs to, and whether it gives the label."""
    rows = [(owner, case, each) for owner, case in enumerate(cases) for each in case.readings]
    matrix = np.zeros((len(rows), len(index)))
    for at, (_, _, each) in enumerate(rows):
        for name, value in each.features.items():
            matrix[at, index[name]] = value
    owners = np.array([owner for owner, _, _ in rows], dtype=np.int64)
    agrees = np.array([each.holds is case.is_carried for _, case, each in rows], dtype=np.bool_)
    return matrix, owners, agrees


def _gradient(
    weights: Floats, matrix: Floats, owners: npt.NDArray[np.int64], agrees: npt.NDArray[np.bool_], count: int
) -> Floats:
    scores = matrix @ weights
    top = np.full(count, -np.inf)
    np.maximum.at(top, owners, scores)
    raised = np.exp(scores - top[owners])
    every = np.bincount(owners, raised, count)
    right = np.bincount(owners, raised * agrees, count)
    share = raised / every[owners]
    wanted = raised * agrees / np.maximum(right[owners], 1e-300)
    gradient: Floats = matrix.T @ (wanted - share)
    return gradient


def folds(cases: Sequence[Case], count: int = 5) -> list[list[int]]:
    """Indices of cases in `count` parts of about one size; a document is in one part only."""
    documents = sorted({case.document for case in cases})
    part = {document: at % count for at, document in enumerate(documents)}
    return [
        [index for index, case in enumerate(cases) if part[case.document] == fold] for fold in range(count)
    ]
