"""Tables drawn with characters: the grid and simple tables of reStructuredText."""

from __future__ import annotations

import re
from collections.abc import Sequence

GRID_BORDER = re.compile(r"^\s*\+(?:[-=]+\+)+\s*$")
SIMPLE_BORDER = re.compile(r"^\s*=+(?:[ \t]+=+)+\s*$")

Rows = list[list[str]]


def grid_table(lines: Sequence[str]) -> tuple[list[str], Rows]:
    """Return the headers (empty if there are none) and rows of a grid table, cells as single lines."""
    edges = sorted({place for line in lines if GRID_BORDER.match(line) for place in _places(line, "+")})
    headers: list[str] = []
    rows: Rows = []
    open_row: list[list[str]] = []
    for line in lines:
        if GRID_BORDER.match(line):
            rows.extend([[" ".join(cell) for cell in zip_cells(open_row)]] if open_row else [])
            open_row = []
            if "=" in line and rows:
                headers, rows = rows[-1], rows[:-1]
        else:
            open_row.append(_cut_at(line, edges))
    return headers, rows


def simple_table(lines: Sequence[str]) -> tuple[list[str], Rows]:
    """Return the headers and rows of a simple table; an empty first cell continues the row above."""
    columns = [match.start() for match in re.finditer(r"=+", lines[0])]
    borders = [index for index, line in enumerate(lines) if SIMPLE_BORDER.match(line)]
    rows: Rows = []
    header_rows = 0
    for index, line in enumerate(lines):
        if index in borders:
            header_rows = len(rows) if len(borders) > 2 and index == borders[1] else header_rows
        elif line.strip() and not re.fullmatch(r"[\s-]+", line):
            _add_line(rows, _slices(line, columns), is_new=len(rows) <= header_rows)
    if header_rows:
        return rows[0], rows[header_rows:]
    return [], rows


def zip_cells(lines: Sequence[Sequence[str]]) -> Rows:
    """Transpose cell fragments from lines to cells."""
    width = max(map(len, lines), default=0)
    return [
        [line[column] for line in lines if column < len(line) and line[column]] for column in range(width)
    ]


def _add_line(rows: Rows, cells: list[str], *, is_new: bool) -> None:
    if rows and not cells[0] and not is_new:
        rows[-1] = [" ".join(filter(None, pair)) for pair in zip(rows[-1], cells, strict=True)]
    else:
        rows.append(cells)


def _places(line: str, mark: str) -> list[int]:
    return [index for index, character in enumerate(line) if character == mark]


def _cut_at(line: str, edges: Sequence[int]) -> list[str]:
    """Split at the bars on column edges; a bar elsewhere belongs to the cell."""
    bars = [edge for edge in edges if edge < len(line) and line[edge] in "|+"]
    return [line[left + 1 : right].strip(" -") for left, right in zip(bars, bars[1:], strict=False)]


def _slices(line: str, columns: Sequence[int]) -> list[str]:
    ends = [*columns[1:], max(len(line), columns[-1])]
    return [line[start:end].strip() for start, end in zip(columns, ends, strict=True)]
