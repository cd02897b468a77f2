"""Finds the tables in a passage: pipe tables (Markdown or plain) and tab-separated rows.

A table is a run of lines with the same separator, with at least a header line and one row. The line before a run that
reads "Table: …", or a caption, is its title.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from citations.table_claims.align_cited_table_cells import align_cells
from citations.table_claims.claim_table import ColumnKind, PassageTable, kind_of_cell, kind_of_column
from citations.table_claims.table_claim_cells import TableCell, read_cell
from citations.text.quote_span import Span

MAX_ROWS = 2_000  # rows of a table; later ones are not read, and the table counts as incomplete
MAX_COLUMNS = 64
MAX_CELLS = 10_000
MAX_TABLES = 40  # of one passage
_DASHES = re.compile(r":?-{2,}:?|:-:?|-:")
_SENTENCE = re.compile(r"[^\W\d_]\S*(?: \S+){3,}[.!?]")
_TITLE = re.compile(r"\s*(?:table|tab\.|caption)(?:\s*[\d.]+)?\s*[:.–-]\s*", re.IGNORECASE)
_MAX_TITLE = 200
_MAX_HEADING = 120  # characters of a title without a label
_SAMPLED = 20  # rows with which a line is compared to decide if it is one of them


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    start: int


@lru_cache(maxsize=256)
def find_tables(passage: str) -> tuple[PassageTable, ...]:
    """Return the tables of a passage, in order, at most MAX_TABLES; spans are offsets in the passage."""
    lines = tuple(_lines(passage))
    found = (_read_table(lines, start, end, separator) for start, end, separator in _runs(lines))
    return tuple(islice((table for table in found if table is not None), MAX_TABLES))


def parse_table(text: str) -> PassageTable | None:
    """Return the first table of a text, or None."""
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
    """Yield half-open ranges of neighbouring lines with one separator."""
    start = 0
    while start < len(lines):
        separator = _separator(lines[start].text)
        end = start + 1
        while separator and end < len(lines) and _separator(lines[end].text) == separator:
            end += 1
        if separator and end - start > 1:
            yield start, end, separator
        start = end


def _read_table(lines: Sequence[_Line], start: int, end: int, separator: str) -> PassageTable | None:
    if _is_title(lines, start, end, separator):
        start += 1
    body = [line for line in lines[start : min(end, start + MAX_ROWS + 2)] if not _is_rule(line.text)]
    if len(body) < 2:
        return None
    is_ruled = _is_rule(lines[start + 1].text)  # Markdown separates headers from rows
    headers = tuple(text.strip() for text, _ in _pieces(body[0], separator))[:MAX_COLUMNS]
    if not is_ruled and any(map(_SENTENCE.fullmatch, headers)):
        return None  # lists of labelled lines: no column has a heading
    width = len(headers)
    most = max(1, MAX_CELLS // width)
    cells = [_cells(line, separator, width) for line in body[: max(most, _SAMPLED) + 1]]
    first = 0 if not is_ruled and _is_row(cells[: _SAMPLED + 1], width) else 1
    kept = cells[first : first + most]
    last = lines[end - 1]
    return PassageTable(
        _title(lines, start),
        headers if first else ("",) * width,
        _rows(kept, width),
        Span(body[0].start, last.start + len(last.text)),
        is_whole=bool(first) and len(kept) + first == len(body) and end - start <= MAX_ROWS + 2,
    )


def _is_rule(line: str) -> bool:
    """True for the line under the headers of a Markdown table: "|---|:-:|"."""
    pieces = [piece.strip() for piece in line.strip().strip("|").split("|")]
    return "-" in line and all(_DASHES.fullmatch(piece) for piece in pieces)


def _is_title(lines: Sequence[_Line], start: int, end: int, separator: str) -> bool:
    """True if a caption contains the separator: "Table: on | off"."""
    if end - start < 3 or not _TITLE.match(lines[start].text[:_MAX_TITLE]):
        return False
    return len(_pieces(lines[start], separator)) < len(_pieces(lines[start + 1], separator))


def _is_row(lines: Sequence[Sequence[TableCell]], width: int) -> bool:
    """True if the line where headers are expected is like the rows below: the headers were cut off."""
    top, *rows = _rows(lines, width)
    kinds = [kind_of_column([row[column] for row in rows]) for column in range(width)]
    typed = [column for column, kind in enumerate(kinds) if kind in (ColumnKind.NUMBER, ColumnKind.DATE)]
    alike = sum(kind_of_cell(top[column]) is kinds[column] for column in typed)
    return bool(typed) and 2 * alike > len(typed)


def _cells(line: _Line, separator: str, width: int) -> tuple[TableCell, ...]:
    """Return the cells of a line in order; excess cells are dropped."""
    return tuple(_cell(*piece) for piece in _pieces(line, separator)[:width])


def _rows(lines: Sequence[Sequence[TableCell]], width: int) -> tuple[tuple[TableCell, ...], ...]:
    """Return rows of exactly `width` cells: short ones are filled up with empty cells."""
    full = [cells for cells in lines if len(cells) == width]
    if not full or len(full) == len(lines):
        return tuple(_fill_row(cells, range(len(cells)), width) for cells in lines)
    kinds = [kind_of_column([cells[column] for cells in full]) for column in range(width)]
    return tuple(_fill_row(cells, align_cells(cells, kinds), width) for cells in lines)


def _fill_row(cells: Sequence[TableCell], columns: Sequence[int], width: int) -> tuple[TableCell, ...]:
    end = cells[-1].span.end if cells else 0
    row = [read_cell("", Span(end, end))] * width
    for cell, column in zip(cells, columns, strict=True):
        row[column] = cell
    return tuple(row)


def _pieces(line: _Line, separator: str) -> list[tuple[str, int]]:
    """Return the texts between separators with their offsets; a separator at either end of the line is ignored."""
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


def _cell(text: str, start: int) -> TableCell:
    left = start + len(text) - len(text.lstrip())
    inner = text.strip()
    return read_cell(inner, Span(left, left + len(inner)))


def _title(lines: Sequence[_Line], start: int) -> str:
    """Return the caption in the line before, skipping one blank line; "" for none."""
    for line in (lines[start - 1], lines[start - 2]) if start > 1 else lines[:start]:
        if line.text.strip():
            written = line.text.strip()[:_MAX_TITLE]
            label = _TITLE.match(written)
            is_prose = label is None and (len(line.text) > _MAX_HEADING or written.endswith((".", ":", ";")))
            return "" if is_prose else written[label.end() if label else 0 :].strip(" \t#*_")
    return ""
