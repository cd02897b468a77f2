"""Uploaded lists become CSV, or are refused in words."""

import io

import pytest
from openpyxl import Workbook

from research.management.command_table_options import table_of
from research.pipelines.table.decomposing.decompose_table_request_by_rules import decompose
from research.pipelines.table.decomposing.read_uploaded_table_files import MAX_FILE, FileRefused, as_csv


def workbook(*rows: list[object]) -> bytes:
    book = Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def test_a_workbook_is_read_by_the_reading_process():
    listed = as_csv("firms.xlsx", workbook(["Company", "CEO"], ["Acme, Inc", None], ['The "X"', None]))
    assert (listed.text, listed.note) == ('Company,CEO\n"Acme, Inc",\n"The ""X""",\n', "")
    assert decompose("", "", [listed.text]).items == ("Acme, Inc", 'The "X"')


def test_of_a_workbook_the_longest_sheet_is_taken_and_the_others_are_named():
    book = Workbook()
    book.worksheets[0].title = "Read me"
    book.worksheets[0].append(["Made by the atlas office"])
    lands = book.create_sheet("Lands")
    for row in (["Land", "Capital"], ["Norway", None], ["Chile", None]):
        lands.append(row)
    book.create_sheet("Empty")
    data = io.BytesIO()
    book.save(data)
    listed = as_csv("lands.xlsx", data.getvalue())
    assert decompose("", "", [listed.text]).items == ("Norway", "Chile")
    assert listed.note == "The longest sheet of the workbook is used, “Lands”; left out: Read me."


def test_characters_of_other_sets_are_read():
    listed = as_csv("liste.csv", "Stadt;Fläche\nKöln;405\nDüsseldorf;217\n".encode("latin-1"))
    assert listed.text.startswith("Stadt;Fläche\nKöln")


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.csv", b"", "is empty"),
        ("a.xlsx", b"PK\x03\x04junk", "damaged"),
        ("a.xlsx", b"plain", "has the extension XLSX, but its content is something else"),
        ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(100), "binary data"),
        ("a.xlsx", workbook(), "has no sheet with rows|contains no text"),
        ("a.csv", b"x" * (MAX_FILE + 1), "a list may have 5 MB"),
    ],
)
def test_what_holds_no_table_is_refused(name, data, why):
    with pytest.raises(FileRefused, match=why):
        as_csv(name, data)


def test_columns_of_the_command_line_need_no_question():
    options = {"field": ["population", "cost (CHF)"], "items": "", "item": ["Velm"], "column": "", "template": "",
               "find_rows": ""}  # fmt: skip
    asked = table_of("", options)
    assert (asked.prompt, asked.items) == ("Population, cost (CHF)", ["Velm"])
