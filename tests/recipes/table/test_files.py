"""Uploaded lists become CSV, or are refused in words."""

import io

import pytest
from openpyxl import Workbook

from research.recipes.table.decomposing.by_rules import decompose
from research.recipes.table.decomposing.files import LARGEST_FILE, FileRefused, as_csv


def workbook(*rows: list[object]) -> bytes:
    book = Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def test_a_workbook_is_read_by_the_reading_process():
    text = as_csv("firms.xlsx", workbook(["Company", "CEO"], ["Acme, Inc", None], ['The "X"', None]))
    assert text == 'Company,CEO\n"Acme, Inc",\n"The ""X""",\n'
    assert decompose("", "", [text]).items == ("Acme, Inc", 'The "X"')


def test_characters_of_other_sets_are_read():
    assert as_csv("liste.csv", "Stadt;Fläche\nKöln;405\nDüsseldorf;217\n".encode("latin-1")).startswith(
        "Stadt;Fläche\nKöln"
    )


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.csv", b"", "is empty"),
        ("a.xlsx", b"PK\x03\x04junk", "damaged"),
        ("a.xlsx", b"plain", "is named XLSX but does not hold one"),
        ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(100), "binary data"),
        ("a.xlsx", workbook(), "has no sheet with rows|holds no text"),
        ("a.csv", b"x" * (LARGEST_FILE + 1), "a list may have 5 MB"),
    ],
)
def test_what_holds_no_table_is_refused(name, data, why):
    with pytest.raises(FileRefused, match=why):
        as_csv(name, data)
