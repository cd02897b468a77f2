"""Workbooks: what their sheets show."""

from __future__ import annotations

import io
from datetime import date, datetime

import pytest
from openpyxl import Workbook

from research.parsing.formats import parse_xlsx
from research.parsing.formats.parse_xlsx import read_xlsx
from research.parsing.parse_document import read as read_any
from research.parsing.parsed_document import BlockKind, ReadDocument
from research.parsing.parsed_media_types import XLSX
from research.runtime.sandbox.sandbox_read_error import ReadError

MORNING = datetime(2020, 1, 2, 9, 30)  # noqa: DTZ001 - a sheet knows no time zones


def save_book(book: Workbook) -> bytes:
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def book_of(*rows: list[object]) -> Workbook:
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Firms"
    for row in rows:
        sheet.append(row)
    return book


def read(book: Workbook) -> ReadDocument:
    return read_xlsx(save_book(book), "items.xlsx")


def test_a_sheet_is_a_table_under_its_name() -> None:
    document = read(book_of(["Company", "Staff"], ["Acme", 1200], ["Globex, Inc", None]))
    assert document.text == "Firms\n\nCompany | Staff\nAcme | 1200\nGlobex, Inc |"
    assert document.tables[0].headers == ("Company", "Staff")
    assert [block.kind for block in document.blocks] == [BlockKind.HEADING] + [BlockKind.TABLE] * 3


def test_values_are_written_as_they_mean() -> None:
    row: list[object] = [date(2020, 1, 2), MORNING, True, 0.1, 3.0, "=1+1", "a\nb"]
    [table] = read(book_of(row)).tables
    assert table.rows == (("2020-01-02", "2020-01-02 09:30", "yes", "0.1", "3", "", "a b"),)


def test_what_nobody_sees_is_not_in_the_text() -> None:
    book = book_of(["a", "b"], ["seen", "hidden column"], ["hidden row", "x"])
    sheet = book.worksheets[0]
    sheet.column_dimensions["B"].hidden = True
    sheet.row_dimensions[3].hidden = True
    hidden = book.create_sheet("Hidden sheet")
    hidden.append(["x"])
    hidden.sheet_state = "hidden"
    document = read(book)
    assert document.text == "Firms\n\na\nseen"
    [dropped] = document.dropped
    assert dropped.passages == 4
    assert dropped.excerpts == ("b", "hidden column", "hidden row x")


def test_characters_without_shape_are_told_and_gone() -> None:
    document = read(book_of(["Acme\U000e0041\U000e0042"]))
    assert document.tables[0].rows == (("Acme",),)
    assert document.dropped


def test_bytes_decide_what_is_a_workbook() -> None:
    data = save_book(book_of(["Company"], ["Acme"]))
    assert read_any(data, "items.bin").media_type == XLSX
    with pytest.raises(ReadError, match="its content is something else"):
        read_any(b"Company\nAcme\n", "items.xlsx")


def test_a_broken_workbook_is_refused_in_words() -> None:
    data = save_book(book_of(["Company"], ["Acme"]))
    with pytest.raises(ReadError, match="cannot be opened"):
        read_any(data[: len(data) // 2], "items.xlsx")
    with pytest.raises(ReadError, match="its archive cannot be opened"):
        read_xlsx(data.replace(b"xl/workbook.xml", b"xl/workboox.xml"), "items.xlsx")


def test_an_empty_workbook_holds_no_text() -> None:
    with pytest.raises(ReadError, match="contains no text"):
        read_any(save_book(Workbook()), "items.xlsx")


def test_sheets_beyond_the_limit_are_read_in_part_and_counted(monkeypatch) -> None:
    monkeypatch.setattr(parse_xlsx, "_MAX_ROWS", 3)
    book = book_of(["Town", "People"], ["Esk", 41], ["Wold", 52])
    rivers = book.create_sheet("Rivers")
    for row in (["River", "Length"], ["Ouse", 84], ["Tees", 137]):
        rivers.append(row)
    document = read(book)
    assert [table.rows for table in document.tables] == [(("Esk", "41"), ("Wold", "52"))]
    assert "Tees" not in document.text
    assert document.notes == ("3 of 6 rows were read.",)


def test_columns_beyond_the_limit_are_counted(monkeypatch) -> None:
    monkeypatch.setattr(parse_xlsx, "_MAX_COLUMNS", 2)
    document = read(book_of(["Town", "People", "Area"], ["Esk", 41, 7]))
    assert document.tables[0].headers == ("Town", "People")
    assert document.notes == ("2 of 3 columns were read.",)


def test_a_chart_sheet_without_its_drawing_does_not_keep_the_others_from_being_read() -> None:
    book = book_of(["Company", "Staff"], ["Acme", 1200])
    book.create_chartsheet("Growth")
    assert read(book).tables[0].rows == (("Acme", "1200"),)
