"""Assigns the cells of a short row to columns.

Text extracted from a page often omits empty cells, so that a row has fewer cells than there are columns. The cells keep
their order and are placed so that most of them match the type of their column, as far left as that allows.
"""

from collections.abc import Sequence

from citations.table_claims.claim_table import ColumnKind, kind_of_cell
from citations.table_claims.table_claim_cells import TableCell


def align_cells(cells: Sequence[TableCell], kinds: Sequence[ColumnKind]) -> tuple[int, ...]:
    """Return the column of each cell, rising; there must be no more cells than columns."""
    if len(cells) > len(kinds):
        raise ValueError(f"{len(cells)} cells do not fit under {len(kinds)} columns")
    best = _best(cells, kinds)
    found: list[int] = []
    column = 0
    for index in range(len(cells)):
        while best[index][column] == best[index][column + 1] > _here(cells, kinds, best, index, column):
            column += 1
        found.append(column)
        column += 1
    return tuple(found)


def _here(
    cells: Sequence[TableCell],
    kinds: Sequence[ColumnKind],
    best: Sequence[Sequence[float]],
    index: int,
    column: int,
) -> float:
    """Return the value of the best alignment that puts the cell in this column."""
    return _fits(cells[index], kinds[column]) + best[index + 1][column + 1]


def _best(cells: Sequence[TableCell], kinds: Sequence[ColumnKind]) -> list[list[float]]:
    """Compute best[i][j]: the most matching cells, from the i-th on, with columns from the j-th on."""
    none = float("-inf")
    best = [[none] * (len(kinds) + 1) for _ in range(len(cells) + 1)]
    best[len(cells)] = [0.0] * (len(kinds) + 1)
    for index in range(len(cells) - 1, -1, -1):
        for column in range(len(kinds) - 1, -1, -1):
            here = _here(cells, kinds, best, index, column)
            best[index][column] = max(here, best[index][column + 1])
    return best


def _fits(cell: TableCell, kind: ColumnKind) -> float:
    return float(kind_of_cell(cell) is kind)
