"""Uploaded tables as text: CSV by its characters, XLSX by the reader in its walled process."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from research.parsing.parsed_document import BlockKind, DocumentTable
from research.parsing.parsed_media_types import XLSX
from research.parsing.sniff_format import decode, sniff
from research.runtime.sandbox.sandbox_read_error import ReadError

MAX_FILE = 5_000_000  # bytes
MAX_NAMED = 5  # sheets in a sentence


class FileRefused(ValueError):
    """A file that holds no table that can be read; str() is for the person who gave it."""


@dataclass(frozen=True, slots=True)
class FileRows:
    """A file's rows as CSV. `note` tells the reader what of it they are, where it has more."""

    text: str
    note: str = ""


def as_csv(name: str, data: bytes) -> FileRows:
    """The rows of an uploaded CSV, TSV, text or XLSX file; of a workbook those of its longest sheet.

    More rows than a table has are left for `by_rules.decompose` to tell of. Raises FileRefused.
    """
    name = PurePath(name).name
    if len(data) > MAX_FILE:
        raise FileRefused(f"“{name}” has {len(data) / 1e6:.1f} MB; a list may have {MAX_FILE // 10**6} MB.")
    try:
        if sniff(data, name) == XLSX:
            return _of_workbook(name, data)
        return FileRows(decode(data, name).replace("\0", ""))
    except ReadError as error:
        raise FileRefused(error.message) from error


def _of_workbook(name: str, data: bytes) -> FileRows:
    from research.parsing.parsing_child import (
        read_for_a_page,  # brings numpy, which the web process does without
    )

    document = read_for_a_page(data, name).document
    tables = document.tables
    if not tables:
        raise FileRefused(f"“{name}” has no sheet with rows.")
    taken = max(range(len(tables)), key=lambda place: len(tables[place].rows))  # of equals the first
    names = [
        document.text[block.start : block.end] for block in document.blocks if block.kind is BlockKind.HEADING
    ]
    return FileRows(
        _format_csv(tables[taken]),
        _describe_omitted_sheets(names, taken) if len(names) == len(tables) else "",
    )


def _describe_omitted_sheets(sheets: Sequence[str], taken: int) -> str:
    others = [name for place, name in enumerate(sheets) if place != taken]
    if not others:
        return ""
    more = " …" if len(others) > MAX_NAMED else ""
    return (
        f"The longest sheet of the workbook is used, “{sheets[taken]}”; "
        f"left out: {', '.join(others[:MAX_NAMED])}{more}."
    )


def _format_csv(table: DocumentTable) -> str:
    out = io.StringIO()
    rows: Sequence[Sequence[str]] = table.rows if not any(table.headers) else (table.headers, *table.rows)
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
