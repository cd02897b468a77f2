"""Uploaded tables as text: CSV by its characters, XLSX by the reader in its walled process."""

import csv
import io
from collections.abc import Sequence
from pathlib import PurePath

from research.reading.document import ReadError, Table
from research.reading.media_types import XLSX
from research.reading.sniffing import decode, sniff

LARGEST_FILE = 5_000_000  # bytes


class FileRefused(ValueError):
    """A file that holds no table that can be read; str() is for the person who gave it."""


def as_csv(name: str, data: bytes) -> str:
    """The rows of an uploaded CSV, TSV, text or XLSX file as CSV; of a workbook its first sheet with rows.

    More rows than a table has are left for `by_rules.decompose` to tell of. Raises FileRefused.
    """
    name = PurePath(name).name
    if len(data) > LARGEST_FILE:
        raise FileRefused(
            f"“{name}” has {len(data) / 1e6:.1f} MB; a list may have {LARGEST_FILE // 10**6} MB."
        )
    try:
        if sniff(data, name) == XLSX:
            return _of_workbook(name, data)
        return decode(data, name).replace("\0", "")
    except ReadError as error:
        raise FileRefused(error.message) from error


def _of_workbook(name: str, data: bytes) -> str:
    from research.reading.child import read_in_child  # brings numpy, which the web process does without

    tables = read_in_child(data, name).document.tables
    if not tables:
        raise FileRefused(f"“{name}” has no sheet with rows.")
    return _written(tables[0])


def _written(table: Table) -> str:
    out = io.StringIO()
    rows: Sequence[Sequence[str]] = table.rows if not any(table.headers) else (table.headers, *table.rows)
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
