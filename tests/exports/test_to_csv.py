"""The CSV file: rows, types, and no cell that a spreadsheet computes."""

import csv
import shutil
import subprocess
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.formats.export_options import ExportOptions
from exports.formats.export_spreadsheet_cells import neutral
from exports.formats.to_csv import write
from tests.exports import hostile
from tests.exports.drafting import Draft
from tests.exports.generated import NAMES, document
from tests.exports.reading.from_csv import rows_of
from tests.exports.spreadsheet_readers import unescape_formula
from tests.exports.tabled import table_of_a_spreadsheet

OFFICE = shutil.which("soffice")
# Of the filter's options the thirteenth has formulas computed.
AS_UTF8 = "--infilter=CSV:44,34,76,1,,0,false,true,false,false,false,0,true"
CONVERT = ("--headless", AS_UTF8, "--convert-to", "xlsx:Calc MS Excel 2007 XML")


def write_csv(name: str) -> bytes:
    return write(document(name), ExportOptions(), lambda _share: None)


def test_it_begins_with_the_mark_that_spreadsheets_know_it_by():
    assert write_csv("one_claim").startswith(b"\xef\xbb\xbfclaim,section,row,column,text,attribution,")


@pytest.mark.parametrize("name", NAMES)
def test_every_line_has_as_many_cells_as_the_first(name):
    text = write_csv(name).decode("utf-8-sig")
    lines = list(csv.reader(StringIO(text, newline=""), strict=True))
    assert {len(line) for line in lines} == {len(lines[0])}
    assert text.endswith("\r\n")


def test_words_that_are_cited_stand_in_a_row_with_their_source():
    [row] = rows_of(write_csv("one_claim"))
    assert (row["text"], row["quote"], row["title"]) == (
        "Oil fell by 30 percent.",
        "Oil fell by 30 percent.",
        "Report 1 on heat pumps",
    )
    assert (row["retrieved"], row["published"]) == ("2026-11-02", "2024-06")


def test_what_one_claim_cites_twice_in_one_source_has_two_rows():
    quotes = [row["quote"] for row in rows_of(write_csv("many_citations")) if row["source"] == "1"]
    assert quotes == ["Nine of eleven sites stayed above two.", "It says so twice."]


def test_a_claim_that_nothing_stands_on_is_not_lost():
    assert [row["claim"] for row in rows_of(write_csv("unknown_works")) if not row["source"]] == ["3"]


def test_of_a_table_every_item_has_a_row_and_every_field_its_evidence():
    rows = rows_of(write_csv("table"))
    assert [row["item"] for row in rows[:2]] == ["Company 1", "Company 2"]
    assert (len(rows), rows[0]["founded"], rows[0]["founded.claim"]) == (40, "1901.0", "1")
    assert rows[0]["founded.quotes"] == "Founded: 1901.0"
    assert {row["founded.reason"] for row in rows if not row["founded"]} == {
        "No source gives it.",
        "The page did not answer.",
    }


def test_the_other_columns_of_a_spreadsheet_come_back_beside_its_items():
    made = table_of_a_spreadsheet(Draft("own"))
    rows = rows_of(write(made, ExportOptions(), lambda _share: None))
    assert [(row["item"], row["given.No."], row["given.Code"], row["given.Founded"]) for row in rows] == [
        ("Company 1", "1", "007", "'=1+1"),
        ("Company 2", "2", "008", ""),
        ("Company 3", "", "", ""),
    ]


def test_a_negative_figure_stays_a_figure():
    assert {row["change"] for row in rows_of(write_csv("table")) if row["change"]} == {"-4.5"}


def test_a_table_with_claims_beside_it_loses_none_of_them():
    rows = rows_of(write_csv("table_and_prose"))
    assert {row["section"] for row in rows} == {"Summary", "Acme", "Globex", "Initech"}


@pytest.mark.parametrize("text", hostile.FORMULAS)
def test_what_looks_like_a_formula_is_marked_as_text(text):
    assert neutral(text).startswith("'")


@pytest.mark.parametrize("text", ["Oil fell.", "", "’tis", "12 percent", "a = b", "Größe"])
def test_other_words_stay_as_they_are(text):
    assert neutral(text) == text


@given(
    st.text(alphabet=st.one_of(st.sampled_from("'=+-@ \t\r\"{(|%a1＝"), st.characters(categories=["L", "N"])))
)
def test_every_text_can_be_had_back_and_none_begins_like_a_formula(text):
    kept = neutral(text)
    assert unescape_formula(kept) == text
    assert kept.lstrip(' "({')[:1] not in tuple("=+-@＝\t\r")


@pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed: .ci/install")
def test_libreoffice_computes_nothing_of_it(tmp_path):
    """It is told to compute what looks like a formula, and does so with a file that is not ours."""
    files = {
        "claims": write_csv("hostile"),
        "items": write_csv("table_hostile"),
        "control": b"text\r\n=1+1\r\n",
    }
    books = open_in_libreoffice(files, tmp_path)
    assert {name: len(formulas_of(book)) for name, book in books.items()} == {
        "claims": 0,
        "items": 0,
        "control": 1,
    }
    texts = {str(cell.value).removeprefix("'") for row in books["items"].active.iter_rows() for cell in row}
    assert {"=1+1", "+SUM(A1:A9)", "@SUM(A1)"} <= texts


def formulas_of(book: openpyxl.Workbook) -> list[str]:
    return [cell.coordinate for row in book.active.iter_rows() for cell in row if cell.data_type == "f"]


def open_in_libreoffice(files: Mapping[str, bytes], folder: Path) -> dict[str, openpyxl.Workbook]:
    for name, data in files.items():
        (folder / f"{name}.csv").write_bytes(data)
    profile = f"-env:UserInstallation=file://{folder}/profile"
    paths = [str(folder / f"{name}.csv") for name in files]
    command = [OFFICE, profile, *CONVERT, "--outdir", str(folder), *paths]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return {name: openpyxl.load_workbook(folder / f"{name}.xlsx") for name in files}
