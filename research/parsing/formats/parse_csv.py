"""Reads CSV and TSV: each row is one block; titles above a table and notes below it are separate."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from research.parsing.clean_text import clean
from research.parsing.formats.hidden_characters import note_carriers
from research.parsing.formats.parse_xlsx_layout import NOTE_START, VisibleSheet, add_sheet
from research.parsing.frozen_text_builder import TextBuilder
from research.parsing.hidden_text import DroppedLog
from research.parsing.parsed_document import ReadDocument
from research.parsing.parsed_media_types import CSV
from research.parsing.partial_reading import describe_part
from research.parsing.sniff_format import decode_text, describe_charset
from research.runtime.sandbox.sandbox_read_error import MAX_BYTES, ReadError

_MAX_ROWS = 50_000  # beneath the head
_MAX_COLUMNS = 1_000
_DELIMITERS = "\t;|,"  # in order of preference: commas also occur in numbers and text
_SAMPLE = 200  # lines
_COMMA_IN_FIGURE = re.compile(r"\d,\d")

Row = list[str]


def read_csv(data: bytes, name: str) -> ReadDocument:
    (raw, charset), log = decode_text(data, name), DroppedLog()
    note_carriers(raw, log)
    text = clean(raw)
    delimiter, text = _take_declared_delimiter(text)
    delimiter = delimiter or _find_delimiter(text)
    try:
        rows = _parse(text, delimiter)
    except csv.Error as error:
        raise ReadError("unreadable", f"“{name}” is not a table of rows and columns: {error}.") from error
    filled = sum(any(row) for row in rows)
    if filled > _MAX_ROWS + 1:
        rows = list(_take_filled(rows, _MAX_ROWS + 1))
    width = max(map(len, rows), default=0)
    if width > _MAX_COLUMNS and width * len(rows) > _MAX_ROWS * 40:
        raise ReadError("too_large", f"“{name}” has {width:,} columns; the limit is {_MAX_COLUMNS:,}.")
    builder = TextBuilder()
    lines = list(_join_ragged_lines(rows, delimiter))
    width = max(map(len, lines), default=0)
    add_sheet(builder, VisibleSheet([[*row, *[""] * (width - len(row))] for row in lines]))
    heads = 1 if builder.tables and any(builder.tables[0].headers) else 0
    parts = describe_part(min(filled, _MAX_ROWS + 1) - heads, filled - heads, "rows")
    return ReadDocument(
        text=builder.text, media_type=CSV, blocks=tuple(builder.blocks), tables=tuple(builder.tables),
        notes=(*describe_charset(charset), *parts), dropped=log.entries,
    )  # fmt: skip


def _take_filled(rows: Sequence[Row], most: int) -> Iterator[Row]:
    """Yield the rows up to the last that may be read; empty ones do not count."""
    for row in rows:
        most -= any(row)
        if most < 0:
            return
        yield row


def _take_declared_delimiter(text: str) -> tuple[str, str]:
    """Return the delimiter declared by a first line "sep=;" for spreadsheets, and the remaining lines."""
    first, _, rest = text.partition("\n")
    declared = first.strip().strip('"')
    is_declared = declared[:4].lower() == "sep=" and len(declared) == 5
    if is_declared or first.lower().rstrip("\n") == "sep=\t":
        return (declared[4:] or "\t"), rest
    return "", text


def _find_delimiter(text: str) -> str:
    """Return the delimiter that splits most lines into the same number of cells.

    csv.Sniffer is not used, since it guesses letters for columns of prose.
    """
    sample = "\n".join(text.split("\n", _SAMPLE)[:_SAMPLE])
    times = {mark: _count_even_lines(sample, mark) for mark in _DELIMITERS}
    best = [mark for mark in _DELIMITERS if times[mark] == max(times.values())]
    in_figures = len(_COMMA_IN_FIGURE.findall(sample))
    return "," if "," in best and (len(best) == 1 or 2 * in_figures < sample.count(",")) else best[0]


def _count_even_lines(sample: str, mark: str) -> int:
    """Return the length of the longest run of lines that are split into the same number of cells."""
    try:
        widths = [len(row) for row in _parse(sample, mark)]
    except csv.Error:
        return 0
    return max((len(list(run)) for width, run in groupby(widths) if width > 1), default=0)


def _parse(text: str, delimiter: str) -> list[Row]:
    """Return the cells of each line.

    An unclosed quotation mark is part of the text and does not open a cell.
    """
    escape = "\\" if '\\"' in text and '\\""' not in text else None
    csv.field_size_limit(MAX_BYTES)

    def parse(*, is_strict: bool = False, quotes: bool = True) -> list[Row]:
        reader = csv.reader(
            io.StringIO(text), delimiter=delimiter, skipinitialspace=True, escapechar=escape, strict=is_strict,
            quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE,
        )  # fmt: skip
        return [_strip(row) for row in reader]

    try:
        return parse(is_strict=True)
    except csv.Error as error:
        return parse(quotes="end of data" not in str(error))


def _strip(row: Sequence[str]) -> Row:
    """Return the cells without blanks around them, and without the form that keeps zeros in a spreadsheet: ="00123"."""
    cells = map(str.strip, row)
    return [cell[2:-1] if cell.startswith('="') and cell.endswith('"') else cell for cell in cells]


def _join_ragged_lines(rows: Sequence[Row], delimiter: str) -> Iterator[Row]:
    """Yield the rows; lines above and below the table whose text contains the delimiter are joined again."""
    usual = Counter(len(row) for row in rows if any(row)).most_common(1)
    for is_filled, block in groupby(rows, any):
        if is_filled:
            yield from _join_in_block(list(block), delimiter, usual[0][0])
        else:
            yield []


def _is_padded_note(row: Row) -> bool:
    """Return True for a note that a spreadsheet saved with the empty cells behind it."""
    return not row[-1] and NOTE_START.match(row[0]) is not None and all(row[: len(list(filter(None, row)))])


def _join_in_block(block: Sequence[Row], delimiter: str, usual_of_all: int) -> Iterator[Row]:
    """Yield the rows of lines between empty ones.

    A single line belongs to the table if it has the usual width.
    """
    usual, times = Counter(map(len, block)).most_common(1)[0]
    is_row = usual == usual_of_all and not NOTE_START.match(block[0][0])
    has_table = usual > 1 and (times > 1 or is_row)
    table = [at for at, row in enumerate(block) if len(row) >= usual]
    for at, row in enumerate(block):
        is_outside = (
            not has_table or len(row) < usual and not table[0] < at < table[-1] or _is_padded_note(row)
        )
        if is_outside and len(filled := [cell for cell in row if cell]) > 1:
            yield [f"{delimiter.strip()} ".join(filled)]
        else:
            yield row
