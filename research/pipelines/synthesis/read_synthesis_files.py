"""Read tables of studies from common file formats.

CSV and TSV are detected by their characters; XLSX is read in the parser's sandboxed process, BibTeX and RIS by pybtex
and rispy. Unreadable files raise named errors.
"""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import PurePath

from research.parsing.parsed_media_types import XLSX
from research.parsing.sniff_format import decode, sniff
from research.pipelines.common.pipeline_input_errors import InputRefused
from research.pipelines.synthesis.synthesis_study_columns import StudyTable
from research.pipelines.synthesis.synthesis_study_rows import MAX_STUDIES
from research.runtime.sandbox.sandbox_read_error import ReadError

LARGEST = 5_000_000  # bytes
MAX_COLUMNS = 200
_BIBTEX, _RIS = re.compile(r"^\s*@\s*\w+\s*[{(]", re.MULTILINE), re.compile(r"^\s*TY {1,2}- ", re.MULTILINE)
_END_OF_RIS = re.compile(r"^[ \t]*ER {1,2}-", re.MULTILINE)
_BRACES = re.compile(r"[{}]")
_COMMANDS = re.compile(r"\\[A-Za-z]{1,20}\s?(?=\{)")  # of a style, before the words that it sets
_ESCAPED = re.compile(r"\\([$&%#_])")
RIS_FIELDS = {
    "title": "title", "primary_title": "title", "authors": "authors", "first_authors": "authors", "year": "year",
    "publication_year": "year", "date": "year", "doi": "doi", "journal_name": "journal", "secondary_title": "journal",
    "alternate_title3": "journal", "abstract": "abstract", "notes_abstract": "abstract", "urls": "url", "url": "url",
    "type_of_reference": "type",
}  # fmt: skip
BIB_FIELDS = (
    "title",
    "author",
    "year",
    "doi",
    "journal",
    "journaltitle",
    "abstract",
    "url",
    "note",
    "eprint",
)


def read_grid(name: str, data: bytes) -> StudyTable:
    """Read a file. Raises InputRefused: too_large, empty, unreadable, not_text, bad_bibtex, bad_ris, no_rows."""
    name = PurePath(name).name or "table.csv"
    if len(data) > LARGEST:
        raise InputRefused(
            "too_large", f"“{name}” has {len(data) / 1e6:.1f} MB; the limit is {LARGEST // 10**6} MB."
        )
    if not data.strip():
        raise InputRefused("empty", f"“{name}” is empty.")
    try:
        if sniff(data, name) == XLSX:
            return _workbook(name, data)
        text = decode(data, name)
    except ReadError as error:
        raise InputRefused("unreadable", error.message) from error
    return grid_of(name, text)


def grid_of(name: str, text: str) -> StudyTable:
    """Parse a text into a table of studies; its format follows from its name or its content. Raises InputRefused."""
    if "\0" in text or "\ufffd" in text[:2_000]:
        raise InputRefused("not_text", f"“{name}” is not a text.")
    suffix = PurePath(name).suffix.casefold()
    if suffix in (".bib", ".bibtex") or _BIBTEX.match(text.lstrip("\ufeff")):
        return _bibtex(name, text)
    if suffix == ".ris" or _RIS.match(text.lstrip("\ufeff")):
        return _ris(name, text)
    return _parse_delimited(name, text)


def _workbook(name: str, data: bytes) -> StudyTable:
    from research.parsing.parsing_child import (
        read_for_a_page,  # imports numpy, which the web process avoids
    )

    tables = [sheet for sheet in read_for_a_page(data, name).document.tables if sheet.rows]
    if not tables:
        raise InputRefused("no_rows", f"“{name}” has no sheet with rows.")
    table = tables[0]
    rows = table.rows if any(table.headers) else table.rows[1:]
    return _grid(name, table.headers if any(table.headers) else table.rows[0], rows)


def _parse_delimited(name: str, text: str) -> StudyTable:
    first = text.lstrip("\ufeff\r\n ").partition("\n")[0]
    delimiter = max(",;\t|", key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise InputRefused("bad_csv", f"“{name}” can't be read as a table: {error}.") from error
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if len(rows) < 2:
        raise InputRefused("no_rows", f"“{name}” has no rows below its headers.")
    return _grid(name, rows[0], rows[1:])


def _bibtex(name: str, text: str) -> StudyTable:
    from pybtex.exceptions import PybtexError

    from research.pipelines.synthesis.read_study_bibtex import entries_of

    try:
        entries = entries_of(text)
    except (PybtexError, ValueError, RecursionError) as error:
        raise InputRefused("bad_bibtex", f"“{name}” can't be read as BibTeX: {error}.") from error
    if len(entries) > MAX_STUDIES:
        raise InputRefused(
            "too_many", f"“{name}” has {len(entries)} rows; the limit is {MAX_STUDIES} studies."
        )
    rows = []
    for entry in entries:
        fields = {key.casefold(): _plain(value) for key, value in entry.fields.items()}
        names = (_plain(str(person)) for person in entry.persons.get("author", ()))
        persons = "; ".join("et al." if name == "others" else name for name in names)
        rows.append(fields | {"author": persons, "type": entry.type})
    return _records(name, rows, (*BIB_FIELDS, "type"))


def _plain(text: str) -> str:
    r"""Replace LaTeX escapes by what they show: {\"u} is ü, \$ is $ and \textit{E. coli} is E. coli."""
    import latexcodec  # noqa: F401  # a dependency of pybtex; the import registers the codec

    with suppress(ValueError):  # a backslash that begins no command is kept
        text, _length = codecs.getdecoder("ulatex")(text)  # type: ignore[arg-type]  # a codec from text to text
    return _ESCAPED.sub(r"\1", _BRACES.sub("", _COMMANDS.sub("", text)))


def _ris(name: str, text: str) -> StudyTable:
    import rispy

    if not _END_OF_RIS.search(text):
        raise InputRefused("bad_ris", f"“{name}” can't be read as RIS: no record is closed (ER).")
    try:
        entries = rispy.loads(text.lstrip("\ufeff"))
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise InputRefused("bad_ris", f"“{name}” can't be read as RIS: {error}.") from error
    rows = []
    for entry in entries:
        row: dict[str, str] = {}
        for key, field in RIS_FIELDS.items():
            value = entry.get(key)
            words = "; ".join(map(str, value)) if isinstance(value, list) else str(value or "")
            if words and not row.get(field):
                row[field] = words
        rows.append(row)
    return _records(name, rows, tuple(dict.fromkeys(RIS_FIELDS.values())))


def _records(name: str, rows: Sequence[dict[str, str]], order: Sequence[str]) -> StudyTable:
    """Make a table with all columns that occur in any row."""
    headers = [field for field in order if any(row.get(field) for row in rows)]
    return _grid(name, headers, [[" ".join(row.get(field, "").split()) for field in headers] for row in rows])


def _grid(name: str, headers: Sequence[str], rows: Sequence[Sequence[str]]) -> StudyTable:
    """Make a table. Raises InputRefused: no_rows, too_many, too_wide, twice."""
    if not rows or not headers:
        raise InputRefused("no_rows", f"“{name}” holds no study.")
    if len(rows) > MAX_STUDIES:
        raise InputRefused("too_many", f"“{name}” has {len(rows)} rows; the limit is {MAX_STUDIES} studies.")
    if len(headers) > MAX_COLUMNS:
        raise InputRefused("too_wide", f"“{name}” has {len(headers)} columns; the limit is {MAX_COLUMNS}.")
    named = [header.strip() or f"column {place}" for place, header in enumerate(headers, 1)]
    if len(set(named)) < len(named):
        [(twice, _times)] = Counter(named).most_common(1)
        raise InputRefused("twice", f"“{name}” has two columns called “{twice}”.")
    return StudyTable(tuple(named), tuple(tuple(row) for row in rows))
