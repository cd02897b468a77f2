"""A report as a workbook: sheets with typed cells, each sheet a table. No text becomes a formula."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from io import BytesIO
from itertools import count
from math import ceil
from typing import Protocol

import xlsxwriter
from django.utils.translation import override

from exports.document.document_tree import Document
from exports.formats.excel.export_workbook_run_sheets import (
    run_sheet,
    section_sheets,
    steps_sheet,
    table_sheet,
)
from exports.formats.excel.export_workbook_sheets import Address, SheetColumn, Value, WorkbookSheet, sheets_of
from exports.formats.export_forbidden_characters import clean
from exports.formats.export_options import ExportOptions, Progress
from exports.labels.format_document_cells import GROUPED_FROM, decimals_of
from exports.paper.build_exported_paper import NO_TIME

MOST = 32_767  # characters in a cell, as defined by the format
# Points: the maximum of a row, by the format; characters that a filter's arrow covers.
LINE, MAX_LINES, ARROW = 15, 27, 3
MAX_OF_A_LINK = 2_000  # Excel allows 2,079 characters, some of which escaping may take up
HEAD, A4 = "head", 9
MAX_DECIMALS = 4  # displayed decimals of a large amount; the cell contains all of them
_LOOKS: dict[str, dict[str, object]] = {
    HEAD: {"text_wrap": True, "bold": True},
    "text": {"text_wrap": True},
    "whole": {"num_format": "0"},
    "number": {"num_format": "General"},
    "amount": {"num_format": "General"},
    **{f"amount{digits}": {"num_format": "#,##0" + "." * bool(digits) + "0" * digits} for digits in range(5)},
    "share": {"num_format": "0%"},
    "date": {"num_format": "yyyy-mm-dd", "align": "left"},
    "time": {"num_format": "yyyy-mm-dd hh:mm:ss", "align": "left"},
    "link": {"font_color": "#0B4F9E", "underline": 1},
}
_NEVER = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "nan_inf_to_errors": True,
}


class _Page(Protocol):
    """The methods of an XlsxWriter worksheet that are used here, since it has no types."""

    def write_string(self, row: int, column: int, text: str, look: object) -> object: ...
    def write_number(self, row: int, column: int, number: float, look: object) -> object: ...
    def write_boolean(self, row: int, column: int, value: bool, look: object) -> object: ...
    def write_datetime(self, row: int, column: int, when: date, look: object) -> object: ...
    def write_url(self, row: int, column: int, url: str, look: object, string: str) -> object: ...
    def set_column(self, first: int, last: int, width: int, look: object) -> object: ...
    def set_row(self, row: int, height: float) -> object: ...
    def freeze_panes(self, row: int, column: int) -> object: ...
    def set_landscape(self) -> object: ...
    def set_paper(self, kind: int) -> object: ...
    def fit_to_pages(self, across: int, down: int) -> object: ...
    def repeat_rows(self, first: int) -> object: ...
    def add_table(
        self, top: int, left: int, bottom: int, right: int, options: dict[str, object]
    ) -> object: ...


def write(document: Document, options: ExportOptions, tell: Progress) -> bytes:
    """Write the document as XLSX. Raises PandocError if the references cannot be formatted."""
    made = BytesIO()
    book = xlsxwriter.Workbook(made, _NEVER)
    book.set_properties(_properties(document))
    looks = {kind: book.add_format({"valign": "top", **look}) for kind, look in _LOOKS.items()}
    with override(options.language):
        sheets = _sheets(document, options)
    for number, sheet in enumerate(sheets, start=1):
        _write(book.add_worksheet(sheet.title[:31]), sheet, looks)
        tell(0.9 * number / len(sheets))
    book.close()
    tell(1.0)
    return made.getvalue()


def _sheets(document: Document, options: ExportOptions) -> Sequence[WorkbookSheet]:
    first = [table_sheet(document.table)] if document.table else [*section_sheets(document)]
    last = [steps_sheet(document.raw)] if document.raw else []
    return [*first, *sheets_of(document, options), run_sheet(document), *last]


def _properties(document: Document) -> dict[str, object]:
    created = (document.made_at or NO_TIME).astimezone(UTC).replace(tzinfo=None)
    return {"title": clean(document.title)[:255], "author": "Plumbline", "created": created}


def _write(page: _Page, sheet: WorkbookSheet, looks: dict[str, object]) -> None:
    for place, column in enumerate(sheet.columns):
        page.set_column(place, place, column.width, looks[column.kind])
    page.freeze_panes(1, 1)
    _lay_out(page)
    if not sheet.rows:  # a table must have a row
        for place, name in enumerate(_names(sheet.columns)):
            page.write_string(0, place, name, looks[HEAD])
        return
    heads = _names(sheet.columns)
    page.set_row(0, LINE * _lines(heads, sheet.columns, beside=ARROW))
    names = [{"header": name, "header_format": looks[HEAD]} for name in heads]
    shape: dict[str, object] = {
        "name": f"{sheet.key}_table",
        "columns": names,
        "style": "Table Style Light 1",
    }
    page.add_table(0, 0, len(sheet.rows), len(sheet.columns) - 1, shape)
    for row, values in enumerate(sheet.rows, start=1):
        if (lines := _lines(values, sheet.columns)) > 1:
            page.set_row(row, LINE * lines)
        for place, (column, value) in enumerate(zip(sheet.columns, values, strict=True)):
            _cell(page, row, place, value, looks[_kind(column, value)], looks)


def _lines(values: Sequence[Value], columns: Sequence[SheetColumn], beside: int = 0) -> int:
    """Estimate the lines of a row from its longest text; not every program computes row heights on opening."""
    texts = [
        (value, column.width) for value, column in zip(values, columns, strict=True) if isinstance(value, str)
    ]
    needed = (
        sum(max(1, ceil(len(line) / (width - beside))) for line in text.splitlines()) for text, width in texts
    )
    return min(MAX_LINES, max(needed, default=1))


def _lay_out(page: _Page) -> None:
    """Set up printing: landscape, fitted to the width of the paper, with the header row on each page."""
    page.set_landscape()
    page.set_paper(A4)
    page.fit_to_pages(1, 0)
    page.repeat_rows(0)


def _names(columns: Sequence[SheetColumn]) -> list[str]:
    """Return valid table headers, which are not empty and are unique regardless of case."""
    names: list[str] = []
    used: set[str] = set()
    for place, column in enumerate(columns, start=1):
        title = plain = " ".join(clean(column.title).split())[:200] or str(place)
        numbers = count(place)
        while title.casefold() in used:
            title = f"{plain} ({next(numbers)})"
        used.add(title.casefold())
        names.append(title)
    return names


def _kind(column: SheetColumn, value: Value) -> str:
    """Return the format of a value: a text in a column of numbers stays text, and a date in a column of texts a date.

    Amounts are grouped as on pages, where numbers that may be years are not.
    """
    if isinstance(value, str):
        return "text"
    if column.kind == "amount" and isinstance(value, int | float) and abs(value) >= GROUPED_FROM:
        return f"amount{min(decimals_of(value), MAX_DECIMALS)}"
    is_day = isinstance(value, date) and not isinstance(value, datetime) and column.kind != "time"
    return "date" if is_day else column.kind


def _cell(page: _Page, row: int, place: int, value: Value, look: object, looks: dict[str, object]) -> None:
    match value:
        case None | "":
            return
        case bool():
            page.write_boolean(row, place, value, look)
        case int() | float():
            page.write_number(row, place, value, look)
        case datetime():
            page.write_datetime(row, place, value.astimezone(UTC).replace(tzinfo=None), look)
        case date():
            page.write_datetime(row, place, value, look)
        case Address(url):
            _link(page, row, place, clean(url), look, looks)
        case str():
            page.write_string(row, place, clean(value)[:MOST], look)


def _link(page: _Page, row: int, place: int, url: str, look: object, looks: dict[str, object]) -> None:
    if len(url) > MAX_OF_A_LINK:
        page.write_string(row, place, url[:MOST], looks["text"])
    else:
        page.write_url(row, place, url, look, url)
