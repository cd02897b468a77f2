"""The threat to a reader's spreadsheet: cells of a source's text that are computed. None is, and each text is kept."""

from __future__ import annotations

import csv
import io
import zipfile
from functools import cache

import openpyxl

from exports.document.document_tree import Document
from exports.formats.export_formats import WRITERS, Format
from exports.formats.export_options import ExportOptions
from exports.formats.export_spreadsheet_cells import neutral
from tests.exports.drafting import Draft, prose
from tests.exports.spreadsheet_readers import unescape_formula
from tests.threats.formulas import FORMULAS, PLAIN

STARTS = tuple("=+-@＝＋－＠|%\t\r\n")


@cache
def report() -> Document:
    """Each formula as a claim, and as the title of a source."""
    draft = Draft("formulas")
    for number, text in enumerate(FORMULAS):
        draft.section(
            f"Part {number}", prose(draft.claim(text, draft.source(text), quote="Oil fell by 30 percent."))
        )
    return draft.document("=1+1")


def write_report(form: Format) -> bytes:
    return WRITERS[form].write(report(), ExportOptions(), lambda _share: None)


def pass_through_cell(text: str) -> str:
    """Return what a cell can hold of the text."""
    return unescape_formula(neutral(text))


def test_the_list_is_as_long_as_the_threat_model_asks() -> None:
    assert len(set(FORMULAS)) >= 100


def test_no_text_begins_like_a_formula_and_each_can_be_had_back() -> None:
    assert [
        text for text in FORMULAS if neutral(text).lstrip(' "({\u00a0\u3000\x0b').startswith(STARTS)
    ] == []
    assert [
        text for text in FORMULAS if pass_through_cell(text) != text.replace("\x0b", "").replace("\x00", "")
    ] == []
    assert [text for text in PLAIN if neutral(text) != text] == []


def test_no_cell_of_a_csv_file_is_a_formula() -> None:
    text = write_report(Format.CSV).decode("utf-8-sig")
    cells = [cell for row in csv.reader(io.StringIO(text, newline=""), strict=True) for cell in row]
    figures = {cell for cell in cells if _is_figure(cell)}
    assert [cell for cell in cells if cell not in figures and cell.lstrip(' "({').startswith(STARTS)] == []
    assert {pass_through_cell(text) for text in FORMULAS} <= {unescape_formula(cell) for cell in cells}


def test_no_cell_of_a_workbook_is_a_formula() -> None:
    book = openpyxl.load_workbook(io.BytesIO(write_report(Format.XLSX)))
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    assert [cell.coordinate for cell in cells if cell.data_type == "f"] == []
    said = {str(cell.value) for cell in cells}
    assert [
        text for text in FORMULAS if text.isprintable() and text.strip() not in {one.strip() for one in said}
    ] == []


def test_no_field_of_a_word_file_holds_a_sources_text() -> None:
    with zipfile.ZipFile(io.BytesIO(write_report(Format.DOCX))) as archive:
        document = archive.read("word/document.xml") + archive.read("word/footnotes.xml")
    fields = [part.partition(b"</w:instrText>")[0] for part in document.split(b"<w:instrText")[1:]]
    assert [field for field in fields if b"attacker" in field or b"DDE" in field or b"cmd" in field] == []


def _is_figure(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
