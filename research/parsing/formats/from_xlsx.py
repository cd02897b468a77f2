"""XLSX: each sheet that is seen as a table under its name. Values as they were saved; no formula is computed."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from openpyxl import load_workbook
from openpyxl.utils import get_column_letter
from openpyxl.utils.exceptions import InvalidFileException

from research.parsing.clean_text import clean
from research.parsing.formats.hidden_characters import note_carriers
from research.parsing.hidden_text import DroppedLog, HiddenReason
from research.parsing.media_types import XLSX
from research.parsing.parsed_document import ReadDocument
from research.parsing.text_builder import TextBuilder
from research.sandbox.read_error import ReadError

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_MAX_ROWS = 20_000  # of all sheets
_MAX_COLUMNS = 200
_BROKEN = (
    BadZipFile,
    InvalidFileException,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    IndexError,
    OSError,
    SyntaxError,
)


def read_xlsx(data: bytes, name: str) -> ReadDocument:
    try:
        book = load_workbook(io.BytesIO(data), data_only=True, keep_links=False)
    except _BROKEN as error:
        raise ReadError(
            "unreadable", f"“{name}” is damaged or was cut off: its archive cannot be opened."
        ) from error
    builder, log = TextBuilder(), DroppedLog()
    total = 0
    for sheet in book.worksheets:
        rows = list(_rows(sheet, log))
        total += len(rows)
        if total > _MAX_ROWS:
            raise ReadError("too_large", f"“{name}” has {total:,} rows; {_MAX_ROWS:,} can be read.")
        if rows:
            builder.heading(sheet.title, 1)
            builder.table(*_split_headers(rows))
    return ReadDocument(
        text=builder.text, media_type=XLSX, title=book.properties.title or "", author=book.properties.creator or "",
        blocks=tuple(builder.blocks), tables=tuple(builder.tables), dropped=log.entries,
    )  # fmt: skip


def _rows(sheet: Worksheet, log: DroppedLog) -> Iterator[list[str]]:
    """The filled rows as texts, all of one width; what is hidden (sheet, row, column) is noted and not there."""
    hidden = {key for key, one in sheet.column_dimensions.items() if one.hidden}
    is_seen = sheet.sheet_state == "visible"
    for number, row in enumerate(
        sheet.iter_rows(values_only=True, max_col=min(sheet.max_column, _MAX_COLUMNS)), 1
    ):
        cells = [_words(value, log) for value in row]
        if not is_seen or sheet.row_dimensions[number].hidden:
            log.note(HiddenReason.STYLE, " ".join(cells))
            continue
        seen = [get_column_letter(place) not in hidden for place in range(1, len(cells) + 1)]
        log.note(
            HiddenReason.STYLE,
            " ".join(cell for cell, is_shown in zip(cells, seen, strict=True) if not is_shown),
        )
        shown = [cell for cell, is_shown in zip(cells, seen, strict=True) if is_shown]
        if any(shown):
            yield shown


def _words(value: object, log: DroppedLog) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, float):
        return f"{value:.12g}" if abs(value) < 1e15 else str(value)
    note_carriers(str(value), log)
    return clean(str(value))


def _split_headers(rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Headers and the rest: a first row of distinct names without figures stands above the others."""
    first = rows[0]
    are_names = all(cell and not cell.replace(".", "").replace(",", "").isdigit() for cell in first)
    if len(rows) > 1 and are_names and len(set(first)) == len(first):
        return first, rows[1:]
    return [], rows
