"""The other columns of the table that the items came from: they are not asked for, and come back beside the answers."""

from collections.abc import Collection

from research.pipelines.table.decomposing.decompose_table_request_by_rules import choose_column
from research.pipelines.table.decomposing.guess_table_column_types import field_of
from research.pipelines.table.decomposing.read_pasted_table_rows import read_grid
from research.pipelines.table.decomposing.table_request_decomposition import (
    MAX_BESIDE,
    NOTHING_BESIDE,
    Beside,
)

MAX_VALUE = 500  # characters; more is a text, and no code or number of somebody's own


def beside_of(text: str, column: str, asked: Collection[str]) -> Beside:
    """`asked` are the names of the fields, whose columns are filled instead."""
    grid = read_grid(text) if text.strip() else None
    if grid is None:
        return NOTHING_BESIDE
    chosen = choose_column(grid, column)
    taken = [
        index
        for index, header in enumerate(grid.headers)
        if index != chosen and any(grid.column(index)) and _name(header) not in asked
    ][:MAX_BESIDE]
    rows: dict[str, tuple[str, ...]] = {}
    for row in grid.rows:
        rows.setdefault(" ".join(row[chosen].split()), tuple(row[index][:MAX_VALUE] for index in taken))
    return Beside(tuple(grid.headers[index] for index in taken), rows) if taken else NOTHING_BESIDE


def _name(header: str) -> str:
    found = field_of(header)
    return found.name if found else ""
