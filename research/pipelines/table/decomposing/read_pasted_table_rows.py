"""Pasted text as rows of a table, or as a list of items."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

_DELIMITERS = "\t;|,"
_RULE = re.compile(r"^[\s|:+=-]{3,}$")  # beneath the header of a Markdown table
_BULLET = re.compile(r"^\s*(?:[-*•–—·]|\d{1,4}[.)]|\(\d{1,4}\)|[a-zA-Z][.)])\s+")
_FIGURE = re.compile(r"\d")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_OPENED = re.compile(r'(?:^|[\t;|,])\s*"')  # of what is left of a line without its quotes
_MAX_BROKEN = 50  # lines of one cell
_KNOWN = re.compile(
    r"(?:items?|inputs?|names?|titles?|compan(?:y|ies)|countr(?:y|ies)|products?|cit(?:y|ies)|notes?|types?|categor(?:y|ies)|"
    r"url|website|e-?mail|firma|land|stadt|adresse|bemerkung)$",
    re.IGNORECASE,
)
_WIDEST = 200  # columns
_MAX_ABOVE = 10  # lines
_EVEN = 0.9  # share of lines with as many marks as most have


@dataclass(frozen=True, slots=True)
class PastedTable:
    """Rows of one width beneath their headers; without headers the columns are numbered."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    above: int = 0  # lines above the headers that belong to no column: a sheet's title

    def column(self, index: int) -> tuple[str, ...]:
        return tuple(row[index] for row in self.rows)


def read_grid(text: str) -> PastedTable | None:
    """The table in a text, or None for a text that has none: lines that one mark parts evenly."""
    lines = [line for line in _whole(text.splitlines()) if line.strip() and not _RULE.match(line)]
    found = next(((mark, _above(lines, mark)) for mark in _DELIMITERS if _parts(lines, mark)), None)
    if found is None:
        return None
    mark, above = found
    lines = lines[above:]
    if mark == "|":
        lines = [line.strip().strip("|") for line in lines]
    try:
        rows = [
            [" ".join(cell.split()) for cell in row]
            for row in csv.reader(io.StringIO("\n".join(lines)), delimiter=mark)
        ]
    except csv.Error:
        return None
    width = max(map(len, rows))
    if (
        width > _WIDEST
    ):  # all rows get as many cells: one long line among many short ones would fill the memory
        return None
    even = [(*row, *[""] * (width - len(row))) for row in rows if any(row)]
    if _has_header(even, is_sure=mark in ",|"):
        even = _without_blank(even)
        names = (name or f"Column {number}" for number, name in enumerate(even[0], 1))
        return PastedTable(tuple(names), tuple(even[1:]), above)
    return PastedTable(tuple(f"Column {number}" for number in range(1, width + 1)), tuple(even), above)


def _whole(lines: Sequence[str]) -> Iterator[str]:
    """Lines with those put together that break within the quotes of a cell; where nothing closes them, none does."""
    at = 0
    while at < len(lines):
        end, line = at + 1, lines[at]
        while end < min(len(lines), at + _MAX_BROKEN) and _is_open(line):
            end, line = end + 1, f"{line} {lines[end]}"
        is_closed = end == at + 1 or not _is_open(line)
        yield line if is_closed else lines[at]
        at = end if is_closed else at + 1


def _is_open(line: str) -> bool:
    return _OPENED.search(_QUOTED.sub("", line)) is not None


def _without_blank(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Without columns that nothing stands in: a mark ends each line."""
    kept = [index for index in range(len(rows[0])) if any(row[index] for row in rows)]
    return [tuple(row[index] for index in kept) for row in rows]


def _parts(lines: Sequence[str], mark: str) -> bool:
    """Return True if the mark separates the columns: it occurs equally often in (nearly) every line beneath a title.

    Commas only below a header, since names have them; below a title a header of commas has to be a plain one.
    """
    above = _above(lines, mark)
    lines = lines[above:]
    counts = [_outside_quotes(line, mark) for line in lines]
    if len(lines) < 2:
        return False
    [(usual, times)] = Counter(counts).most_common(1)
    if not usual or times < _EVEN * len(lines):
        return False
    return mark != "," or counts[0] == usual and _is_header_of_commas(lines, is_sure=not above)


def _is_header_of_commas(lines: Sequence[str], *, is_sure: bool) -> bool:
    names = _cells(lines[0], ",")
    if not _looks_like_names(names) or sum(map(bool, names)) < 2 and names[0]:
        return False
    return is_sure or any(_KNOWN.match(name.strip()) for name in names)


def _above(lines: Sequence[str], mark: str) -> int:
    """Return the number of lines above the headers of a table: a title, and empty lines that a spreadsheet leaves."""
    usual = Counter(_outside_quotes(line, mark) for line in lines).most_common(1)[0][0] if lines else 0
    found = sum(1 for _ in takewhile(lambda line: _is_title(line, mark, usual), lines[:_MAX_ABOVE]))
    if not usual or found == len(lines):
        return 0
    header = lines[found].strip("| " if mark == "|" else "")
    return found if _looks_like_names(_cells(header, mark)) else 0


def _is_title(line: str, mark: str, usual: int) -> bool:
    """Fewer marks than a row has, or nothing but marks beside one text at most."""
    count = _outside_quotes(line, mark)
    if count < usual:
        return True
    return count == usual > 1 and sum(1 for cell in _cells(line, mark) if cell.strip()) <= 1


def _cells(line: str, mark: str) -> list[str]:
    """A mark within quotes parts nothing: a title may have a comma."""
    try:
        return next(csv.reader([line], delimiter=mark), [])
    except csv.Error:  # a cell of more than 131 072 characters, which is none
        return line.split(mark)


def _outside_quotes(line: str, mark: str) -> int:
    return _QUOTED.sub("", line).count(mark)


def _has_header(rows: Sequence[Sequence[str]], *, is_sure: bool) -> bool:
    """A first row of names that the rows beneath it do not look like: they have figures, gaps or repetitions."""
    if len(rows) < 2 or not _looks_like_names(rows[0]):
        return False
    return is_sure or any(_KNOWN.match(cell) for cell in rows[0]) or _differs(rows)


def _differs(rows: Sequence[Sequence[str]]) -> bool:
    columns = [[row[index] for row in rows[1:]] for index, name in enumerate(rows[0]) if name]
    return any(not all(column) or any(map(_FIGURE.search, column)) for column in columns)


def _looks_like_names(cells: Sequence[str]) -> bool:
    """Distinct short names without figures: what stands above columns. Numbers of rows before the first need none."""
    names = [cell.strip().strip('"') for cell in cells]
    while names and not names[-1]:  # a mark ends each line
        names.pop()
    names = names[1:] if len(names) > 1 and not names[0] else names
    are_plain = all(name and len(name) <= 60 and not re.fullmatch(r"[\d.,%\s-]+", name) for name in names)
    return bool(names) and are_plain and len({name.casefold() for name in names}) == len(names)


def read_list(text: str) -> list[str]:
    """The items of a list: its lines without bullets and numbers; of one line, what ";" or "," parts."""
    lines = [_item(line) for line in text.splitlines()]
    found = [line for line in lines if line]
    if len(found) == 1:
        mark = ";" if ";" in found[0] else ","
        found = list(_in_line(found[0], mark))
    return found


def _in_line(line: str, mark: str) -> Iterator[str]:
    pieces = [piece.strip() for piece in line.split(mark) if piece.strip()]
    for index, piece in enumerate(pieces):
        is_last = index == len(pieces) - 1 and index > 0
        plain = re.sub(r"^(?:and|und|or|oder)\s+", "", piece) if is_last else piece
        parts = (
            re.split(r"\s+(?:and|und)\s+", plain) if is_last and plain == piece and mark == "," else [plain]
        )
        yield from (part.strip(" .") for part in parts)


def _item(line: str) -> str:
    return " ".join(_BULLET.sub("", line).split()).rstrip(",;").strip('"“”„ ')
