"""CSV and TSV: one row is one block, the header row is known, the table is kept whole."""

from __future__ import annotations

import csv
import io

from research.parsing.clean_text import clean
from research.parsing.formats.hidden_characters import note_carriers
from research.parsing.hidden_text import DroppedLog
from research.parsing.media_types import CSV
from research.parsing.parsed_document import ReadDocument
from research.parsing.sniff_format import decode
from research.parsing.text_builder import TextBuilder
from research.sandbox.read_error import ReadError

_MAX_ROWS = 50_000
_DELIMITERS = ",;\t|"


def read_csv(data: bytes, name: str) -> ReadDocument:
    raw, log = decode(data, name), DroppedLog()
    note_carriers(raw, log)
    text = clean(raw)
    try:
        rows = [
            row
            for row in csv.reader(io.StringIO(text), delimiter=_delimiter(text))
            if any(map(str.strip, row))
        ]
    except csv.Error as error:
        raise ReadError("unreadable", f"“{name}” is not a table of rows and columns: {error}.") from error
    if len(rows) > _MAX_ROWS:
        raise ReadError("too_large", f"“{name}” has {len(rows):,} rows; {_MAX_ROWS:,} can be read.")
    headers = rows[0] if _has_header(rows) else []
    builder = TextBuilder()
    builder.table(headers, rows[bool(headers) :])
    return ReadDocument(
        text=builder.text, media_type=CSV, blocks=tuple(builder.blocks), tables=tuple(builder.tables),
        dropped=log.entries,
    )  # fmt: skip


def _delimiter(text: str) -> str:
    """The mark that parts the first lines most often and evenly; csv.Sniffer guesses letters on prose
    columns.
    """
    lines = [line for line in text.split("\n", 20)[:20] if line.strip()]
    return max(
        _DELIMITERS,
        key=lambda mark: (min((line.count(mark) for line in lines), default=0), lines[0].count(mark)),
    )


def _has_header(rows: list[list[str]]) -> bool:
    """A first row of distinct, filled names without figures."""
    names = [cell.strip() for cell in rows[0]] if rows else []
    are_names = all(name and not name.replace(".", "").replace(",", "").isdigit() for name in names)
    return len(rows) > 1 and are_names and len(set(names)) == len(names)
