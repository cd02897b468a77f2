"""Lays tables out as grids: a spanning cell fills all its positions, and each column gets its full name.

A reader of a format lists the rows of a table as in the file (`GridRow`, `GridCell`); `build_grid` returns
the title, the column names and the rows below, as `TextBuilder.table` takes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# The limits of browsers: a wider or longer cell ends there. Beyond this total, covered cells are not repeated.
_WIDEST, _TALLEST = 1_000, 65_534
_MAX_REPEATED = 200_000
_MAX_REPEATED_LENGTH = 300  # characters: a longer text belongs to its first row
_MAX_HEAD_ROWS = 6


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell as in the file. `rows` is 0 if it spans the rest of its group."""

    text: str
    rows: int = 1
    columns: int = 1
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row of cells.

    `group` distinguishes head, bodies and foot, across which no cell spans; `before` is the number of empty
    columns at its start.
    """

    cells: Sequence[GridCell]
    is_header: bool = False
    group: int = 0
    before: int = 0


@dataclass(frozen=True, slots=True)
class TableGrid:
    """A table as it is read.

    `title` is the text above its head; a line across all columns is a row of one cell.
    """

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(slots=True)
class _Placed:
    """A cell with its first row and column, and the `width` and `height` that it covers."""

    cell: GridCell
    row: int
    column: int
    width: int
    height: int


def build_grid(rows: Sequence[GridRow]) -> TableGrid:
    placed = list(_place(rows))
    columns = {
        column: index for index, column in enumerate(sorted({placed_cell.column for placed_cell in placed}))
    }
    lines = _fill(placed, len(rows), columns)
    spanning = _find_spanning_lines(placed, len(rows), columns)
    kept = [index for index, line in enumerate(lines) if any(line)]
    titles = []
    while len(kept) > 1 and kept[0] in spanning and len(columns) > 1:
        titles.append(lines[kept.pop(0)][0])
    depth = _count_head_rows(rows, placed, kept, spanning)
    head, body = kept[:depth], kept[depth:]
    repeated = {tuple(lines[index]) for index in head} if depth else set()
    headers = _join_names([lines[index] for index in head if index not in spanning])
    repeated.add(headers)
    return TableGrid(
        " ".join(title for title in titles if title),
        headers,
        tuple(
            (lines[index][0],) if index in spanning else tuple(lines[index])
            for index in body
            if tuple(lines[index]) not in repeated
        ),
    )


def _place(rows: Sequence[GridRow]) -> Iterable[_Placed]:
    """Place each cell as browsers do: in the first columns that no cell from above covers."""
    open_cells: list[_Placed] = []  # that reach down into the next row
    occupied: list[tuple[int, int]] = []  # their columns and widths
    ends = {row.group: index + 1 for index, row in enumerate(rows)}
    first_end = 0  # where the first of them ends, so that long ones are not checked in each row
    for index, row in enumerate(rows):
        if first_end <= index:
            open_cells = [
                placed_cell for placed_cell in open_cells if placed_cell.row + placed_cell.height > index
            ]
            occupied = sorted((placed_cell.column, placed_cell.width) for placed_cell in open_cells)
            first_end = min(
                (placed_cell.row + placed_cell.height for placed_cell in open_cells), default=len(rows)
            )
        column, next_taken = row.before, 0
        for cell in row.cells:
            while next_taken < len(occupied) and occupied[next_taken][0] <= column:
                column = max(column, sum(occupied[next_taken]))
                next_taken += 1
            width = min(max(1, cell.columns), _WIDEST)
            height = cell.rows if 0 < cell.rows <= _TALLEST else _TALLEST if cell.rows == 0 else 1
            height = height if column < _WIDEST else 1
            placed_cell = _Placed(cell, index, column, width, min(height, ends[row.group] - index))
            yield placed_cell
            if placed_cell.height > 1:
                open_cells.append(placed_cell)
                first_end = index + 1  # `occupied` is out of date
            column += width


def _fill(placed: Sequence[_Placed], count: int, columns: dict[int, int]) -> list[list[str]]:
    """Return the rows with each text in all positions that its cell covers.

    Columns where no cell begins are left out.
    """
    starts = list(columns)
    lines: list[list[str]] = [[] for _ in range(count)]
    budget = _MAX_REPEATED
    for placed_cell in placed:
        first = columns[placed_cell.column]
        last = first + 1
        while last < len(starts) and starts[last] < placed_cell.column + placed_cell.width:
            last += 1
        area = (last - first) * placed_cell.height
        is_repeated = len(placed_cell.cell.text) <= _MAX_REPEATED_LENGTH and area <= budget
        budget -= area if is_repeated and area > 1 else 0
        for index in range(
            placed_cell.row, placed_cell.row + placed_cell.height if is_repeated else placed_cell.row + 1
        ):
            for column in range(first, last if is_repeated else first + 1):
                line = lines[index]
                line.extend([""] * (column + 1 - len(line)))
                line[column] = placed_cell.cell.text
    return lines


def _find_spanning_lines(placed: Sequence[_Placed], count: int, columns: dict[int, int]) -> set[int]:
    """Return the rows with a single cell: titles, group labels, remarks below the table."""
    by_row: dict[int, list[_Placed]] = {}
    for placed_cell in placed:
        for index in range(
            placed_cell.row, min(count, placed_cell.row + min(placed_cell.height, 2 * _MAX_HEAD_ROWS))
        ):
            by_row.setdefault(index, []).append(placed_cell)
    last = max(columns, default=0)
    return {
        index
        for index, cells in by_row.items()
        if last > 0
        and len([placed_cell for placed_cell in cells if placed_cell.cell.text]) == 1
        and cells[0].height == 1
        and cells[0].cell.text
        and (len(cells) == 1 or all(placed_cell.row == index for placed_cell in cells))
        and (cells[0].column + cells[0].width > last or len(cells) == 1)
        and cells[0].column == min(columns)
    }


def _count_head_rows(
    rows: Sequence[GridRow], placed: Sequence[_Placed], kept: Sequence[int], spanning: set[int]
) -> int:
    """Count the head rows: marked as such or with header cells only, and those that their cells span into."""

    def names_columns(index: int) -> bool:
        cells = rows[index].cells
        return rows[index].is_header or (bool(cells) and all(cell.is_header for cell in cells))

    depth = 0
    while depth < min(len(kept), _MAX_HEAD_ROWS) and (
        names_columns(kept[depth])
        and (depth == 0 or kept[depth] not in spanning or rows[kept[depth]].is_header)
    ):
        depth += 1
    if depth == len(kept) > 1 and not rows[kept[-1]].is_header:
        depth = 1  # if all cells are header cells, the mark means nothing
    head = set(kept[:depth])
    reached = max(
        (placed_cell.row + placed_cell.height for placed_cell in placed if placed_cell.row in head), default=0
    )
    while depth and depth < len(kept) - 1 and depth < _MAX_HEAD_ROWS and kept[depth] < reached:
        depth += 1
    return depth


def _join_names(lines: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the full name of each column: the texts of its head rows from the top, without repetitions."""
    width = max(map(len, lines), default=0)
    names = []
    for column in range(width):
        parts = [line[column] for line in lines if column < len(line) and line[column]]
        names.append(
            " ".join(part for index, part in enumerate(parts) if index == 0 or part != parts[index - 1])
        )
    return tuple(names)
