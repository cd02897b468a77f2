"""Finding the tables in a passage: pipe tables (Markdown or plain), tab-separated rows.

A table is a run of lines with the same separator, at least a line of headers and one row. The line before a
run that reads "Table: …", or a caption, is its title.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from citations.normalizing import Span
from citations.tables.cells import Cell, read_cell
from citations.tables.table import Table

MAX_ROWS = 2_000  # of one table; later rows are not read, and nothing is concluded about them
MAX_COLUMNS = 64
MAX_CELLS = 40_000
_RULE = re.compile(r"\s*\|?(?:\s*:?-{2,}:?\s*\|)*\s*:?-{2,}:?\s*\|?\s*")
_TITLE = re.compile(r"\s*(?:table|tab\.|caption)(?:\s*[\d.]+)?\s*[:.–-]\s*", re.IGNORECASE)
_MAX_TITLE = 200


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    start: int


@lru_cache(maxsize=256)
def find_tables(passage: str) -> tuple[Table, ...]:
    """All tables of a passage, in order; spans are offsets into the passage."""
    lines = tuple(_lines(passage))
    found = (_read(lines, start, end, separator) for start, end, separator in _runs(lines))
    return tuple(table for table in found if table is not None)


def parse_table(text: str) -> Table | None:
    """The first table of a text, or None."""
    return next(iter(find_tables(text)), None)


def _lines(passage: str) -> Iterator[_Line]:
    start = 0
    for line in passage.split("\n"):
        yield _Line(line, start)
        start += len(line) + 1


def _separator(line: str) -> str:
    if "|" in line:
        return "|"
    return "\t" if "\t" in line.strip() else ""


def _runs(lines: Sequence[_Line]) -> Iterator[tuple[int, int, str]]:
    """Half-open ranges of neighbouring lines with one separator."""
    start = 0
    while start < len(lines):
        separator = _separator(lines[start].text)
        end = start + 1
        while separator and end < len(lines) and _separator(lines[end].text) == separator:
            end += 1
        if separator and end - start > 1:
            yield start, end, separator
        start = end


def _read(lines: Sequence[_Line], start: int, end: int, separator: str) -> Table | None:
    body = [line for line in lines[start : min(end, start + MAX_ROWS + 2)] if not _RULE.fullmatch(line.text)]
    if len(body) < 2:
        return None
    headers = tuple(text for text, _ in _pieces(body[0], separator))[:MAX_COLUMNS]
    kept = body[1 : 1 + max(1, MAX_CELLS // max(1, len(headers)))]
    rows = tuple(_row(line, separator, len(headers)) for line in kept)
    last = lines[end - 1]
    span = Span(body[0].start, last.start + len(last.text))
    return Table(_title(lines, start), tuple(each.strip() for each in headers), rows, span)


def _pieces(line: _Line, separator: str) -> list[tuple[str, int]]:
    """The texts between separators with their offsets; a separator at either end of the line parts nothing."""
    text, start = line.text, line.start
    if (
        separator == "|"
        and text.lstrip().startswith("|")
        and text.rstrip().endswith("|")
        and text.strip() != "|"
    ):
        left = text.index("|") + 1
        text, start = text[left : text.rindex("|")], start + left
    found = []
    for piece in text.split(separator):
        found.append((piece, start))
        start += len(piece) + len(separator)
    return found


def _row(line: _Line, separator: str, width: int) -> tuple[Cell, ...]:
    """Exactly `width` cells: a short row is filled up with empty ones, of a long one the rest is dropped."""
    cells = [_cell(text, start) for text, start in _pieces(line, separator)[:width]]
    end = line.start + len(line.text)
    return tuple(cells + [read_cell("", Span(end, end))] * (width - len(cells)))


def _cell(text: str, start: int) -> Cell:
    left = start + len(text) - len(text.lstrip())
    inner = text.strip()
    return read_cell(inner, Span(left, left + len(inner)))


def _title(lines: Sequence[_Line], start: int) -> str:
    """The caption in the line before, leaving out one blank line; "" for none."""
    for line in (lines[start - 1], lines[start - 2]) if start > 1 else lines[:start]:
        if line.text.strip():
            return _TITLE.sub("", line.text, count=1).strip(" \t#*_")[:_MAX_TITLE]
    return ""
