"""Tables drawn with characters: the grid and simple tables of reStructuredText, and columns aligned by blanks."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, zip_longest

from research.parsing.parsed_table_grid import GridCell, GridRow, TableGrid, build_grid

GRID_BORDER = re.compile(r"^\s*\+(?:[-=]+\+)+\s*$")
SIMPLE_BORDER = re.compile(r"^\s*=+(?:[ \t]+=+)+\s*$")
_ROW_ITEM = re.compile(r"([*+-] +|  +)- ?(.*)")
_BARS = re.compile(r"[-+|\s]+")
_UNDERLINE = re.compile(r"[\s-]+")

_GAP = re.compile(r"\S {2,}\S")
_RULE = re.compile(r"\s*[-=_─━+|]{2}[-=_─━+|\s]*")
_NO_ROW = re.compile(  # a drawn line, markup, code, a key with its value, an item
    r"[|+]|\.\.|:\w|>>>|[\w.\[\]\"'-]+ *= ?\S|\S+ +[-:=](?: |$)|(?:[-*+•‣]|\(?\w{1,3}[.)]) +\S"
)
_OF_CODE = re.compile(r"[{};=<>$#\\]|//|\w\(")
_FIGURE = re.compile(r"[^\w\s]{0,2}\s?\d[\d.,'’ %:/–-]*\S{0,4}|[-–—]|n/?a", re.IGNORECASE)
_MIN_ROWS = 3
_MAX_WORDS = 4  # of a cell on average, in tables without figures
_SAMPLE = 20  # lines
_LONGEST = 400  # characters of a row
_MAX_LABEL = 40  # characters of a line that names the rows below

# The first row and column of a cell among the characters of a drawing, and those of its end.
_Area = tuple[int, int, int, int]


def grid_table(lines: Sequence[str]) -> TableGrid:
    """Read a grid table: each cell is a rectangle of borders, which may cover several rows and columns."""
    width = max(map(len, lines))
    drawn = [line.rstrip().ljust(width) for line in lines]
    head_end = next((at for at, line in enumerate(drawn) if "=" in line and GRID_BORDER.match(line)), 0)
    drawn = [line.replace("=", "-") if GRID_BORDER.match(line) else line for line in drawn]
    areas = sorted(_find_cells(drawn))
    inside = "".join(
        line[left:right] for top, left, bottom, right in areas for line in drawn[top + 1 : bottom]
    )
    if len(_BARS.sub("", inside)) < len(_BARS.sub("", "".join(drawn))):
        return build_grid(list(_split_at_bars(lines, head_end)))
    tops = sorted({top for top, _, _, _ in areas})
    lefts = sorted({left for _, left, _, _ in areas})
    rows: list[list[GridCell]] = [[] for _ in tops]
    for top, left, bottom, right in areas:
        words = " ".join(line[left + 1 : right].strip() for line in drawn[top + 1 : bottom])
        rows[tops.index(top)].append(
            GridCell(
                words, sum(top <= each < bottom for each in tops), sum(left <= each < right for each in lefts)
            )
        )
    return build_grid([GridRow(cells, top < head_end) for top, cells in zip(tops, rows, strict=True)])


def _split_at_bars(lines: Sequence[str], head_end: int) -> Iterator[GridRow]:
    """Yield the rows of a table whose borders do not meet, as when its letters are of different widths."""
    at = 0
    for is_border, block in groupby(lines, lambda line: GRID_BORDER.match(line) is not None):
        pieces = [line.strip().strip("|").split("|") for line in block]
        if not is_border:
            texts = (" ".join(map(str.strip, cell)) for cell in zip_longest(*pieces, fillvalue=""))
            yield GridRow(list(map(GridCell, texts)), at < head_end)
        at += len(pieces)


def _find_cells(drawn: Sequence[str]) -> Iterator[_Area]:
    """Yield the smallest rectangle of borders that begins in each corner."""
    for top, line in enumerate(drawn):
        for left, character in enumerate(line):
            if character == "+" and (area := _find_cell(drawn, top, left)):
                yield area


def _find_cell(drawn: Sequence[str], top: int, left: int) -> _Area | None:
    for right in range(left + 1, len(drawn[top])):
        if drawn[top][right] not in "+-":
            break
        if drawn[top][right] != "+":
            continue
        for bottom in range(top + 1, len(drawn)):
            if drawn[bottom][left] not in "+|" or drawn[bottom][right] not in "+|":
                break
            edge = drawn[bottom][left : right + 1]
            if edge[0] == edge[-1] == "+" and not edge.strip("+-"):
                return top, left, bottom, right
    return None


def simple_table(lines: Sequence[str]) -> TableGrid:
    """Read a simple table; an empty first cell continues the row above."""
    columns = [match.start() for match in re.finditer(r"=+", lines[0])]
    borders = [index for index, line in enumerate(lines) if SIMPLE_BORDER.match(line)]
    head_end = borders[1] if len(borders) > 2 else 0
    rows: list[tuple[bool, list[str]]] = []
    for index, line in enumerate(lines):
        if index not in borders and line.strip() and not _UNDERLINE.fullmatch(line):
            cells, is_head = _slices(line, columns), index < head_end
            if rows and not cells[0] and rows[-1][0] == is_head:
                pairs = zip(rows[-1][1], cells, strict=True)
                rows[-1] = is_head, [" ".join(filter(None, pair)) for pair in pairs]
            else:
                rows.append((is_head, cells))
    return _with_head([cells for _, cells in rows], sum(is_head for is_head, _ in rows))


def begins_columns(lines: Sequence[str]) -> bool:
    """Return True if a table whose columns are aligned by blanks begins with the first line.

    Blanks in prose, in code or behind the mark of an item align nothing. Only the first lines are examined.
    """
    sample = [line for line in lines[:_SAMPLE] if not _RULE.fullmatch(line)]
    if (
        len(sample) < _MIN_ROWS
        or not _is_row(sample[0])
        or lines[0] != sample[0]
        and SIMPLE_BORDER.match(lines[0])
    ):
        return False
    return _is_tabular(_cut(*_find_columns(lines[:_SAMPLE])))


def aligned_table(lines: Sequence[str]) -> tuple[int, list[list[str]]]:
    """Return the number of lines of a table that begins here (`begins_columns`), and its cells by rows."""
    rows, taken = _find_columns(lines)
    return len(rows), _cut(rows, taken)


def read_figures(lines: Sequence[str]) -> list[list[str]]:
    """Return the cells by rows, if the lines are a table with names above columns of figures, without marks of code.

    A line above is its title. Empty for anything else: what is preformatted on a web page is code more often than not.
    """
    if _OF_CODE.search("\n".join(lines)):
        return []
    if len(lines) > _MIN_ROWS and not _GAP.search(lines[0]):
        rows = read_figures(lines[1:])
        return [[lines[0].strip(), *[""] * (len(rows[0]) - 1)], *rows] if rows else []
    if not lines or not begins_columns(lines):
        return []
    used, rows = aligned_table(lines)
    head, *body = rows
    has_figures = any(
        head[column]
        and not _FIGURE.fullmatch(head[column])
        and all(_FIGURE.fullmatch(row[column]) for row in body)
        for column in range(1, len(head))
    )
    return rows if used == len(lines) and has_figures else []


def _find_columns(lines: Sequence[str]) -> tuple[list[str], str]:
    """Return the lines of the table, and a line that has a letter in each place that one of them uses."""
    rows, taken, used = list[str](), "", 0
    for at, line in enumerate(lines):
        if _is_row(line):
            both = "".join(map(max, *_even(taken, line)))  # a blank comes before all letters
            if not _GAP.search(both):
                break
            taken, used = both, at + 1
        elif not (
            _RULE.fullmatch(line) or _is_label(line, lines[at + 1 : at + 2], taken) or at == 1 and not line
        ):
            break
        rows.append(line)
    return rows[:used], taken


def _even(first: str, second: str) -> tuple[str, str]:
    width = max(len(first), len(second))
    return first.ljust(width), second.ljust(width)


def _cut(rows: Sequence[str], taken: str) -> list[list[str]]:
    indent = len(taken) - len(taken.lstrip())
    columns = [0, *(gap.end() for gap in re.finditer(r" {2,}", taken) if gap.start() > indent)]
    return [_slices(row, columns) for row in rows if row.strip() and not _RULE.fullmatch(row)]


def _is_row(line: str) -> bool:
    return len(line) <= _LONGEST and _GAP.search(line) is not None and _NO_ROW.match(line.lstrip()) is None


def _is_label(line: str, following: Sequence[str], taken: str) -> bool:
    """Return True for a line in the first column that names the rows below it."""
    gap = _GAP.search(taken)
    is_short = gap is not None and 0 < len(line.rstrip()) < min(_MAX_LABEL, gap.end())
    return bool(line.strip()) and is_short and line.rstrip()[-1] not in ".!?" and any(map(_is_row, following))


def _is_tabular(cells: Sequence[Sequence[str]]) -> bool:
    """Return True for rows of figures, or of a few words each."""
    filled = [row for row in cells if sum(map(bool, row)) > 1]
    if len(filled) < _MIN_ROWS:
        return False
    has_figures = any(
        2 * sum(_FIGURE.fullmatch(cell) is not None for cell in column) >= len(column)
        for column in zip(*(row[1:] for row in filled[1:]), strict=True)
    )
    words = [len(cell.split()) for row in filled for cell in row if cell]
    has_sentences = 2 * sum(row[0].endswith((".", "!", "?")) for row in filled) > len(filled)
    return has_figures or sum(words) <= _MAX_WORDS * len(words) and not has_sentences


def csv_table(lines: Sequence[str], options: Mapping[str, str]) -> TableGrid | None:
    """Read the content of a directive "csv-table"; None if it is not CSV."""
    named = options.get("delim") or ","
    delimiter = {"tab": "\t", "space": " "}.get(named.lower(), named[0])
    try:
        above = _csv_rows([options.get("header", "")], ",")  # whatever separates the cells below
        rows = [*above, *_csv_rows(lines, delimiter)]
    except (csv.Error, ValueError):  # a field of 131 kB; a line break as the delimiter
        return None
    return _with_head(rows, len(above) + _head_rows(options))


def _csv_rows(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    ended = (f"{line}\n" for line in lines)
    return [row for row in csv.reader(ended, delimiter=delimiter, skipinitialspace=True) if any(row)]


def list_table(lines: Sequence[str], options: Mapping[str, str]) -> TableGrid | None:
    """Read the content of a directive "list-table": an item for each row, in it one for each cell.

    None if it has no such items.
    """
    rows: list[list[str]] = []
    for line in lines:
        item = _ROW_ITEM.match(line)
        if item and (item[1].strip() or rows):
            if item[1].strip():
                rows.append([])
            rows[-1].append(item[2])
        elif rows:
            rows[-1][-1] += f" {line.strip()}"
    return _with_head(rows, _head_rows(options)) if rows else None


def _head_rows(options: Mapping[str, str]) -> int:
    count = options.get("header-rows", "")
    return int(count) if count.isdecimal() else 0


def _with_head(rows: Sequence[Sequence[str]], count: int) -> TableGrid:
    return build_grid([GridRow(list(map(GridCell, row)), at < count) for at, row in enumerate(rows)])


def _slices(line: str, columns: Sequence[int]) -> list[str]:
    ends = [*columns[1:], max(len(line), columns[-1])]
    return [line[start:end].strip() for start, end in zip(columns, ends, strict=True)]
