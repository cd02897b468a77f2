"""Finds tables of a page without relying on rules: rows whose text is aligned in columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from research.parsing.formats.pdf.parse_pdf_lines import PdfLine

_SAME_ROW = 0.35  # of the type size, between the baselines of one row at most
_SHORT = 30  # characters of a cell; all but one of a row's are short
_MIN_ROWS = 3
_MIN_CELLS = 7
_MAX_BETWEEN = 2  # rows of one piece between rows of several
_FURTHEST = 3.2  # times the type size, from row to row
_WRAPPED = 0.85  # of the distance of rows: lines of one cell stand closer
_LINE_PITCH = 1.5  # times the type size, from line to line of a cell at most
_ALIGNED = 3.0  # points
_FULL = 0.6  # of its column's width: a line that goes on in the next
_MAX_EMPTY = 0.45  # of a table's cells
_FEW_LETTERS = 24  # characters of a cell of a table without a head
_MAX_HEAD_ROWS = 3
_SAME_PLACE = 6.0  # points, between the edges of a table and of its second part
_LETTERS = re.compile(r"[^\W\d_]")
_FIGURE = re.compile(r"\W*(?:\d[\d.,:/ –-]*\d|\d)\W*(?:%|[^\W\d_]{1,3}\.?)?\W*")
_YEAR = re.compile(r"(?:19|20)\d\d[*†]?")
# A bullet, or the number of a list item or a section: its text stands apart from it, but not in a column.
_LABEL = re.compile(
    r"[^\w\s]{1,2}|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\(?[ivxlc]{1,5}[.)]|[A-Z]?\d+(?:\.\d+)+\.?|\[\d+\]|o|☒|☐"
)
_LEADERS = re.compile(r"\.{4,}|(?:\s\.){4,}|…{2,}|_{5,}")
_CONTINUED = re.compile(r"\b(?:continued|cont\.|fortsetzung|forts\.|suite)\b", re.I)

Cell = list[PdfLine]


@dataclass(slots=True)
class PdfTableRow:
    """A row with the lines of each of its cells, by column."""

    page: int  # index from 0
    cells: list[Cell]
    baseline: float

    def words(self, column: int) -> str:
        return " ".join(line.text for line in self.cells[column])


@dataclass(slots=True)
class PageTable:
    """Rows of cells; `head` are the rows that name the columns."""

    page: int  # index from 0
    head: list[PdfTableRow]
    body: list[PdfTableRow]
    pieces: list[PdfLine] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(" ".join(line.text for line in lines) for lines in self.name_lines)

    @property
    def name_lines(self) -> list[Cell]:
        return [
            [line for row in self.head for line in row.cells[place]]
            for place in range(len(self.body[0].cells))
        ]


def rows_of(pieces: Sequence[PdfLine]) -> list[list[PdfLine]]:
    """Return pieces at the same height as rows, from top to bottom, each from left to right."""
    rows: list[list[PdfLine]] = []
    for piece in sorted(pieces, key=lambda piece: -piece.baseline):
        if rows and rows[-1][0].baseline - piece.baseline <= _SAME_ROW * max(piece.size, rows[-1][0].size):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    for row in rows:
        row.sort(key=lambda piece: piece.left)
    return rows


def find_tables(pieces: Sequence[PdfLine]) -> Iterator[PageTable]:
    rows = rows_of([piece for piece in pieces if piece.segments and piece.segments[0].char_index is not None])
    group: list[list[PdfLine]] = []
    for row in [*rows, []]:
        if row and _goes_on(group, row):
            group.append(row)
            continue
        yield from _table(_trim(group), rows)
        group = [row] if _is_tabular(row) else []


def _goes_on(group: Sequence[Sequence[PdfLine]], row: Sequence[PdfLine]) -> bool:
    if not group:
        return False
    last = group[-1][0]
    if last.baseline - row[0].baseline > _FURTHEST * max(last.size, row[0].size):
        return False
    if _is_tabular(row):
        return True
    if len(row) == 1 and _is_under_a_cell(group, row[0]):
        return True
    single = [len(before) < 2 for before in group[-_MAX_BETWEEN:]]
    return len(row) == 1 and len(row[0].text) <= _SHORT and not (len(single) == _MAX_BETWEEN and all(single))


def _is_under_a_cell(group: Sequence[Sequence[PdfLine]], piece: PdfLine) -> bool:
    """Return True if a line continues a cell of the last row other than the first."""
    last = next((row for row in reversed(group) if len(row) > 1), [])
    is_close = group[-1][0].baseline - piece.baseline <= _LINE_PITCH * piece.size
    return is_close and any(abs(piece.left - cell.left) < _ALIGNED for cell in last[1:])


def _is_tabular(row: Sequence[PdfLine]) -> bool:
    if len(row) < 2 or any(_LEADERS.search(piece.text) for piece in row):
        return False
    if len(row) == 2 and _LABEL.fullmatch(row[0].text) and len(_LETTERS.findall(row[1].text)) > 12:
        return False
    return sum(len(piece.text) > _SHORT for piece in row) <= 1


def _trim(group: list[list[PdfLine]]) -> list[list[PdfLine]]:
    """Drop single pieces after the last row, except those that continue its cells."""
    while group and len(group[-1]) < 2:
        last, before = group[-1][0], group[-2] if len(group) > 1 else []
        if before and any(piece.left < last.right and last.left < piece.right for piece in before):
            closer = [
                a[0].baseline - b[0].baseline for a, b in zip(group, group[1:], strict=False) if len(b) > 1
            ]
            if closer and before[0].baseline - last.baseline < _WRAPPED * median(closer):
                break
        group.pop()
    return group


def _begin_at_bold(group: list[list[PdfLine]]) -> list[list[PdfLine]]:
    """Leave out what stands above a head in bold type: the end of prose whose words are set apart."""
    heads = [place for place, row in enumerate(group) if len(row) > 1 and all(piece.is_bold for piece in row)]
    is_head = len(heads) == 1 and not any(_FIGURE.fullmatch(piece.text) for piece in group[heads[0]])
    return group[heads[0] :] if is_head and heads[0] <= _MAX_HEAD_ROWS else group


def _table(group: list[list[PdfLine]], rows: Sequence[Sequence[PdfLine]]) -> Iterator[PageTable]:
    group = _begin_at_bold(group)
    full = [row for row in group if len(row) > 1]
    if len(full) < _MIN_ROWS and not (len(full) == 2 and min(map(len, full)) > 2):
        return
    if sum(map(len, full)) < _MIN_CELLS - 1:
        return
    columns = _columns(full)
    if len(columns) < 2:
        return
    spanners = _rows_above(group, rows, columns)
    made = [*(_build_spanning_row(row, columns) for row in spanners), *(_row(row, columns) for row in group)]
    crowded = sum(any(len(cell) > 1 for cell in row.cells) for row in made[len(spanners) :])
    if crowded > 0.25 * len(group):
        return
    joined = _join_wrapped(made[len(spanners) :], columns)
    head = _count_head(joined, columns=len(columns))
    _spread_names_of_groups(joined[:head], columns)
    _spread_centered_names(joined[:head], columns)
    used = [piece for row in [*(spanners if head else ()), *group] for piece in row]
    body = joined[head:]
    if not body or not _is_table(joined[:head], body):
        return
    yield PageTable(group[0][0].page, [*(made[: len(spanners)] if head else ()), *joined[:head]], body, used)


def _is_table(head: Sequence[PdfTableRow], body: Sequence[PdfTableRow]) -> bool:
    """Return False for an equation, a table of contents, a form's labels or terms with their definitions."""
    columns = range(len(body[0].cells))
    cells = [[row.words(column) for row in body] for column in columns]
    if sum(not words for column in cells for words in column) > _MAX_EMPTY * len(body) * len(columns):
        return False
    with_words = [
        column
        for column in cells
        if sum(len(_LETTERS.findall(words)) > 2 for words in column) >= len(body) / 2
    ]
    with_figures = [
        column
        for column in cells[1:]
        if sum(bool(_FIGURE.fullmatch(words)) for words in column) > len(body) / 2
    ]
    if (
        len(cells) == 2
        and with_figures
        and not any(row.words(1) and not _FIGURE.fullmatch(row.words(1)) for row in head)
    ):
        pages = [int(words) for words in (*(row.words(1) for row in head), *cells[1]) if words.isdecimal()]
        if pages == sorted(pages) and len(with_words) == 1:
            return False
    if head:
        return bool(with_words or with_figures)
    if len(cells) == 2 and sum(words.endswith(":") for words in cells[0]) >= len(body) / 2:
        return False
    filled = [words for column in cells for words in column if words]
    is_brief = sum(map(len, filled)) <= _FEW_LETTERS * len(filled)
    return bool(with_words) and is_brief and bool(with_figures or len(cells) > 2)


def _columns(full: Sequence[Sequence[PdfLine]]) -> list[tuple[float, float]]:
    """Return the columns of the rows that have most: positions where text is aligned."""
    usual = max(set(map(len, full)), key=lambda width: (sum(len(row) == width for row in full), width))
    spans = sorted((piece.left, piece.right) for row in full if len(row) >= usual for piece in row)
    columns: list[tuple[float, float]] = []
    for left, right in spans:
        if columns and left <= columns[-1][1]:
            columns[-1] = columns[-1][0], max(columns[-1][1], right)
        else:
            columns.append((left, right))
    return columns


def _row(row: Sequence[PdfLine], columns: Sequence[tuple[float, float]]) -> PdfTableRow:
    """Return a row's cells; text across several columns is in each of them."""
    cells: list[Cell] = [[] for _ in columns]
    for piece in row:
        over = [
            place
            for place, (left, right) in enumerate(columns)
            if min(right, piece.right) - max(left, piece.left)
            > 0.2 * min(right - left, piece.right - piece.left)
        ]
        if not over:
            middle = (piece.left + piece.right) / 2
            over = [min(range(len(columns)), key=lambda at: abs(sum(columns[at]) / 2 - middle))]
        for place in over:
            cells[place].append(piece)
    return PdfTableRow(row[0].page, cells, row[0].baseline)


def _build_spanning_row(row: Sequence[PdfLine], columns: Sequence[tuple[float, float]]) -> PdfTableRow:
    """Return a row of column names, each in the columns over which it is centered."""
    cells: list[Cell] = [[] for _ in columns]
    ranges = [(first, last) for first in range(1, len(columns)) for last in range(first, len(columns))]
    for piece in row:
        middle = (piece.left + piece.right) / 2
        over = [
            (first, last)
            for first, last in ranges
            if columns[first][0] < piece.right and piece.left < columns[last][1]
        ] or ranges
        first, last = min(over, key=lambda at: abs((columns[at[0]][0] + columns[at[1]][1]) / 2 - middle))
        for place in range(first, last + 1):
            cells[place].append(piece)
    return PdfTableRow(row[0].page, cells, row[0].baseline)


def _spread_centered_names(head: Sequence[PdfTableRow], columns: Sequence[tuple[float, float]]) -> None:
    """Put a name into all columns over which it is centered, if these have names of their own below it."""
    for number, row in enumerate(head):
        below = [
            [line for later in head[number + 1 :] for line in later.cells[at]] for at in range(len(columns))
        ]
        widths = [
            (min([left, *(line.left for line in names)]), max([right, *(line.right for line in names)]))
            for (left, right), names in zip(columns, below, strict=True)
        ]
        for place, cell in enumerate(row.cells):
            if len(cell) == 1:
                is_free = [
                    bool(names) and (at == place or not row.cells[at]) for at, names in enumerate(below)
                ]
                first, last = _find_centered_range(cell[0], place, widths, is_free)
                row.cells[first : last + 1] = [list(cell) for _ in range(first, last + 1)]


def _find_centered_range(
    piece: PdfLine, place: int, widths: Sequence[tuple[float, float]], is_free: Sequence[bool]
) -> tuple[int, int]:
    """Return the first and last of the free columns around `place` over which a piece is centered, else `place`."""
    middle = (piece.left + piece.right) / 2
    distances = {
        (first, last): abs((widths[first][0] + widths[last][1]) / 2 - middle)
        for first in range(place + 1)
        for last in range(place, len(widths))
        if all(is_free[first : last + 1])
    }
    nearest = min(distances, key=lambda at: distances[at], default=(place, place))
    return nearest if distances.get(nearest, 0.0) <= _ALIGNED else (place, place)


def _spread_names_of_groups(head: Sequence[PdfTableRow], columns: Sequence[tuple[float, float]]) -> None:
    """Put the names of groups into all of their columns: "Rural | Urban" above "Men | Women" twice.

    Only names that repeat below them tell groups: the first of two lines of a name stands over one column as well.
    """
    for number, row in enumerate(head[:-1]):
        below = [
            " ".join(later.words(place) for later in head[number + 1 :]).strip()
            for place in range(len(columns))
        ]
        pieces = list({id(piece): piece for cell in row.cells[1:] for piece in cell}.values())
        count, rest = divmod(len(columns) - 1, max(1, len(pieces)))
        group = below[1 : count + 1]
        if (
            len(pieces) < 2
            or rest
            or count < 2
            or below[1:] != group * len(pieces)
            or len(set(group)) < count
        ):
            continue
        starts = range(1, len(columns), count)
        extents = [(columns[first][0], columns[first + count - 1][1]) for first in starts]
        if all(
            left <= (piece.left + piece.right) / 2 <= right
            for piece, (left, right) in zip(pieces, extents, strict=True)
        ):
            row.cells[1:] = [[piece] for piece in pieces for _ in range(count)]


def _rows_above(
    group: Sequence[Sequence[PdfLine]],
    rows: Sequence[Sequence[PdfLine]],
    columns: Sequence[tuple[float, float]],
) -> list[Sequence[PdfLine]]:
    """Return a row of names over several columns, directly above the others."""
    place = next(number for number, row in enumerate(rows) if row and row[0] is group[0][0])
    if not place:
        return []
    above = rows[place - 1]
    first = group[0][0]
    if above[0].baseline - first.baseline > 2.2 * first.size or above[0].left < columns[0][1]:
        return []
    over = [
        piece
        for piece in above
        if len(piece.text) <= _SHORT and piece.right <= columns[-1][1] + 3 * first.size
    ]
    return [above] if len(over) == len(above) else []


def _join_wrapped(made: Sequence[PdfTableRow], columns: Sequence[tuple[float, float]]) -> list[PdfTableRow]:
    """Return the rows, with the lines of wrapped cells joined."""
    steps = [above.baseline - row.baseline for above, row in zip(made, made[1:], strict=False)]
    width = max(sum(map(bool, row.cells)) for row in made)
    whole = [step for step, row in zip(steps, made[1:], strict=True) if sum(map(bool, row.cells)) == width]
    usual = median(whole) if whole else 0.0
    joined = [PdfTableRow(made[0].page, [list(cell) for cell in made[0].cells], made[0].baseline)]
    for row, step in zip(made[1:], steps, strict=True):
        filled = [place for place, cell in enumerate(row.cells) if cell]
        above = [joined[-1].cells[place][-1] for place in filled if joined[-1].cells[place]]
        goes_on = (
            len(filled) < width
            and len(above) == len(filled)
            and (step < _WRAPPED * usual or (0 not in filled and _wraps(above, row, filled, columns, step)))
        )
        if goes_on:
            for place in filled:
                joined[-1].cells[place] += row.cells[place]
        else:
            joined.append(PdfTableRow(row.page, [list(cell) for cell in row.cells], row.baseline))
    return joined


def _wraps(
    above: Sequence[PdfLine],
    row: PdfTableRow,
    filled: Sequence[int],
    columns: Sequence[tuple[float, float]],
    step: float,
) -> bool:
    """Return True if a row without its first cell continues full lines above it."""
    if step > _LINE_PITCH * above[0].size:
        return False
    return all(
        line.right - columns[place][0] >= _FULL * (columns[place][1] - columns[place][0])
        or row.words(place)[0].islower()
        for line, place in zip(above, filled, strict=True)
    )


def _count_head(rows: Sequence[PdfTableRow], *, columns: int) -> int:
    """Return how many rows name the columns: in bold type above others, or in words above figures."""
    if len(rows) < 2:
        return 0
    bold = [all(line.is_bold for cell in row.cells for line in cell) for row in rows]
    count = next((place for place, is_bold in enumerate(bold) if not is_bold), 0)
    if 0 < count <= _MAX_HEAD_ROWS:
        return count
    figures = [
        column
        for column in range(columns)
        if sum(bool(_FIGURE.fullmatch(row.words(column))) for row in rows[1:]) > 0.6 * (len(rows) - 1)
    ]
    count = 0
    while (
        figures
        and count < min(_MAX_HEAD_ROWS, len(rows) - 1)
        and not any(_is_figure(rows, count, column) for column in figures)
    ):
        count += 1
    if count:
        return count
    first = [rows[0].words(column) for column in range(columns)]
    later = [row.words(column) for row in rows[1:] for column in range(columns)]
    are_names = all(first) and len(set(first)) == columns and not any(map(_FIGURE.fullmatch, first))
    is_mixed = any(_FIGURE.search(words) for words in later)
    return 1 if are_names and columns > 2 and is_mixed else 0


def _is_figure(rows: Sequence[PdfTableRow], place: int, column: int) -> bool:
    """Return True for a figure; a year above names or above other figures names its column."""
    words = rows[place].words(column)
    below = [row.words(column) for row in rows[place + 1 :]]
    is_name = _YEAR.fullmatch(words) and 2 * sum(bool(_YEAR.fullmatch(each)) for each in below) <= len(below)
    return not is_name and _FIGURE.fullmatch(words) is not None


def continues_table(table: PageTable, following: PageTable) -> bool:
    """Return True if a table continues in `following` at the top of the next page, with the same head or none."""
    if following.page != table.body[-1].page + 1 or len(following.body[0].cells) != len(table.body[0].cells):
        return False
    if following.head:
        return following.names == table.names
    (left, right), (next_left, next_right) = map(_edges, (table.pieces, following.pieces))
    return abs(left - next_left) < _SAME_PLACE and abs(right - next_right) < 4 * _SAME_PLACE


def _edges(pieces: Sequence[PdfLine]) -> tuple[float, float]:
    return min(piece.left for piece in pieces), max(piece.right for piece in pieces)


def is_continued(words: str) -> bool:
    return bool(_CONTINUED.search(words))
