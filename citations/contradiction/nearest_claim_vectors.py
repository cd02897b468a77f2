"""Nearest neighbours among unit vectors without considering all pairs.

Up to a few thousand vectors the search is exact. Beyond, vectors are assigned to about √n cells around centres (Lloyd
1982), and each is compared with those of the nearest cells (an inverted file, Sivic and Zisserman 2003): about n·√n
products. A neighbour across the border of far cells may be missed.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]  # (n, d), rows of unit length
Indices = npt.NDArray[np.intp]

_EXACT = 2_000
_PROBES = 4  # cells with whose members one cell's members are compared
_ROUNDS = 3  # iterations of moving the centres


def nearest(vectors: Vectors, count: int) -> list[list[tuple[int, float]]]:
    """Return for each row at most `count` others with their cosine, nearest first; ties in the order of rows."""
    neighbours: list[list[tuple[int, float]]] = [[] for _ in range(len(vectors))]
    for members, candidates in _searches(vectors):
        most = min(count, len(candidates) - 1)
        if most > 0:
            cosines = vectors[members] @ vectors[candidates].T
            cosines[members[:, None] == candidates[None, :]] = -2.0
            for place, row in zip(members, _best(cosines, most), strict=True):
                neighbours[place] = [(int(candidates[column]), cosine) for column, cosine in row]
    return neighbours


def _best(cosines: Vectors, most: int) -> Iterator[list[tuple[int, float]]]:
    """Yield the columns of the highest values of each row, with these."""
    top = np.sort(np.argpartition(-cosines, most - 1, axis=1)[:, :most], axis=1)
    values = np.take_along_axis(cosines, top, axis=1)
    order = np.argsort(-values, axis=1, kind="stable")
    columns, kept = np.take_along_axis(top, order, axis=1), np.take_along_axis(values, order, axis=1)
    for row, cosine in zip(columns.tolist(), kept.tolist(), strict=True):
        yield list(zip(row, cosine, strict=True))


def _searches(vectors: Vectors) -> list[tuple[Indices, Indices]]:
    """Return groups of rows, each with the rows that it is compared with."""
    if len(vectors) <= _EXACT:
        everything = np.arange(len(vectors))
        return [(everything, everything)] if len(vectors) else []
    centres, cell_of = _cells(vectors)
    members = [np.flatnonzero(cell_of == cell) for cell in range(len(centres))]
    around = np.argsort(-(centres @ centres.T), axis=1, kind="stable")[:, :_PROBES]
    return [
        (rows, np.sort(np.concatenate([members[each] for each in near])))
        for rows, near in zip(members, around, strict=True)
        if len(rows)
    ]


def _cells(vectors: Vectors) -> tuple[Vectors, Indices]:
    """Return centres of cells, and the cell of each row. Starts from evenly spaced rows, so the result is
    deterministic.
    """
    spread: Sequence[int] = np.linspace(0, len(vectors) - 1, int(len(vectors) ** 0.5)).astype(int).tolist()
    centres = vectors[spread]
    for _ in range(_ROUNDS):
        cell_of = np.argmax(vectors @ centres.T, axis=1)
        sums = np.zeros_like(centres)
        np.add.at(sums, cell_of, vectors)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centres = np.where(lengths > 0, sums / np.maximum(lengths, 1e-12), centres)
    return centres, np.argmax(vectors @ centres.T, axis=1)
