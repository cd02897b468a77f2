"""XLSX: cells of their own type, tables with heads, and no text that is a formula."""

from dataclasses import replace
from datetime import date, datetime
from functools import cache
from io import BytesIO
from zipfile import ZipFile

import pytest
from openpyxl import load_workbook

from exports.document.document_tree import ColumnEntry
from exports.formats.export_formats import WRITERS, Format
from exports.formats.export_options import ExportOptions
from tests.exports.drafting import Draft
from tests.exports.generated import document
from tests.exports.hostile import FORMULAS
from tests.exports.office import by_libreoffice, schema_errors, write_document
from tests.exports.tabled import table_of, table_of_a_spreadsheet
from tests.often import IS_FULL

SHEETS = ["Claims", "Sources", "Evidence", "Warnings", "Run"]
# Each takes a start of the validator, seconds: those that hold most, unless all are wanted.
VALIDATED = ["hostile", "table_hostile", "findings"]
if IS_FULL:
    VALIDATED += ["empty", "table", "scripts"]


@cache
def write_xlsx(name: str) -> bytes:
    return write_document(Format.XLSX, name)


def open_xlsx(name: str):
    return load_workbook(BytesIO(write_xlsx(name)))


@pytest.mark.parametrize("name", VALIDATED)
def test_the_schema_objects_to_nothing(name, tmp_path):
    path = tmp_path / "report.xlsx"
    path.write_bytes(write_xlsx(name))
    assert schema_errors(path) == []


def test_a_report_has_its_sheets_and_a_table_run_its_table_first():
    assert open_xlsx("findings").sheetnames == SHEETS
    assert open_xlsx("table").sheetnames == ["Table", *SHEETS]


def test_every_sheet_has_a_table_a_fixed_head_and_filters():
    for sheet in open_xlsx("table"):
        if sheet.max_row > 1:
            [table] = sheet.tables.values()
            assert table.autoFilter is not None
        assert sheet.freeze_panes == "B2"


def test_no_two_heads_are_the_same_whatever_the_columns_are_called():
    titles = ("Area", "Area (7)", "Area")  # the third is column 7 of its sheet
    columns = tuple(ColumnEntry(f"c{number}", title, "string") for number, title in enumerate(titles))
    data = WRITERS[Format.XLSX].write(
        table_of(Draft("heads"), 2, columns), ExportOptions(), lambda _share: None
    )
    heads = [str(cell.value).casefold() for cell in load_workbook(BytesIO(data))["Table"][1]]
    assert len(set(heads)) == len(heads) == 9


def test_cells_are_of_their_own_type():
    claims, sources = open_xlsx("sixty_claims")["Claims"], open_xlsx("sixty_claims")["Sources"]
    claim, source = document("sixty_claims").claims[0], document("sixty_claims").sources[0]
    assert (claims["A2"].value, claims["D2"].value) == (claim.number, claim.attribution)
    assert (claims["G2"].value, claims["G2"].number_format) == (claim.confidence, "0%")
    assert claims["I2"].value is (claim.contradiction_status != "none")
    assert isinstance(sources["J2"].value, datetime | date)
    assert sources["G2"].hyperlink.target.startswith("https://")
    assert sources["B2"].value == source.title


def test_values_of_a_table_are_numbers_dates_and_links():
    table = document("table").table
    sheet = open_xlsx("table")["Table"]
    types = {column.type: 3 + 2 * place for place, column in enumerate(table.columns)}
    first = {kind: sheet.cell(2, column).value for kind, column in types.items()}
    assert isinstance(first["number"], int | float)
    assert isinstance(first["boolean"], bool)
    assert isinstance(first["date"], datetime | date)


def test_large_amounts_are_grouped_as_on_the_page_and_years_are_not():
    columns = (ColumnEntry("area", "Area", "number"), ColumnEntry("year", "Year", "number"))
    made = table_of(Draft("amounts"), 1, columns)
    assert made.table is not None
    [row] = made.table.rows
    cells = tuple(replace(row.cells[0], state="found", value=value) for value in (17_098_242.5, 1998.0))
    shown = replace(made, table=replace(made.table, rows=(replace(row, cells=cells),)))
    data = WRITERS[Format.XLSX].write(shown, ExportOptions(), lambda _share: None)
    sheet = load_workbook(BytesIO(data))["Table"]
    assert [(sheet.cell(2, at).value, sheet.cell(2, at).number_format) for at in (3, 5)] == [
        (17_098_242.5, "#,##0.0"),
        (1998, "General"),
    ]


def test_the_other_columns_of_a_spreadsheet_come_back_beside_its_items():
    data = WRITERS[Format.XLSX].write(
        table_of_a_spreadsheet(Draft("own")), ExportOptions(), lambda _share: None
    )
    rows = [[cell.value for cell in row[:5]] for row in load_workbook(BytesIO(data))["Table"].iter_rows()]
    assert rows[0][:3] == ["#", "Item", "No."]
    assert rows[0][4].startswith("Founded")
    assert [row[1:] for row in rows[1:]] == [
        ["Company 1", 1, "007", "=1+1"],
        ["Company 2", 2, "008", None],
        ["Company 3", None, None, None],
    ]


@pytest.mark.parametrize("name", ["hostile", "table_hostile", "hostile_sources"])
def test_no_cell_is_a_formula(name):
    cells = [cell for sheet in open_xlsx(name) for row in sheet.iter_rows() for cell in row]
    assert [cell.coordinate for cell in cells if cell.data_type == "f"] == []
    with ZipFile(BytesIO(write_xlsx(name))) as archive:
        sheets = [archive.read(one) for one in archive.namelist() if one.startswith("xl/worksheets/sheet")]
    assert not any(b"<f>" in one or b"<f " in one for one in sheets)


def test_what_looks_like_a_formula_is_kept_word_for_word():
    texts = {cell.value for row in open_xlsx("hostile")["Claims"].iter_rows() for cell in row}
    said = {claim.text for claim in document("hostile").claims}
    wanted = {text for text in FORMULAS if text in said and text.isprintable()}
    assert wanted
    assert wanted - texts == set()


def test_libreoffice_computes_nothing(tmp_path):
    path = tmp_path / "report.xlsx"
    path.write_bytes(write_xlsx("table_hostile"))
    back = load_workbook(by_libreoffice(path, "xlsx"))
    cells = [cell for sheet in back for row in sheet.iter_rows() for cell in row if cell.data_type == "f"]
    assert {cell.value for cell in cells} <= {"=TRUE()", "=FALSE()"}  # how it writes yes and no


def test_the_same_report_gives_the_same_bytes():
    assert write_document(Format.XLSX, "findings") == write_xlsx("findings")


def test_what_is_not_wanted_is_left_out():
    spare = load_workbook(
        BytesIO(write_document(Format.XLSX, "findings", ExportOptions(include_appendix=False)))
    )
    heads = [cell.value for cell in spare["Evidence"][1]]
    assert "Before the quote" not in heads
    assert "Quote" in heads


def test_a_sheet_is_printed_as_wide_as_the_paper_with_its_head_on_each_page():
    for sheet in open_xlsx("table"):
        assert sheet.page_setup.orientation == "landscape"
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert (sheet.page_setup.fitToWidth or 1, sheet.page_setup.fitToHeight) == (1, 0)
        assert sheet.print_title_rows == "$1:$1"


def test_heads_that_are_longer_than_their_column_go_on_below():
    assert all(cell.alignment.wrap_text for sheet in open_xlsx("table") for cell in sheet[1])


def test_the_day_of_a_run_is_shown_as_one():
    [day] = [row[1] for row in open_xlsx("findings")["Run"].iter_rows() if row[0].value == "Date"]
    assert (day.is_date, day.number_format) == (True, "yyyy-mm-dd")


def test_rows_are_as_high_as_their_longest_text():
    sheet = open_xlsx("hostile")["Claims"]
    texts = {row[0].row: len(row[2].value) for row in sheet.iter_rows(min_row=2) if row[2].value}
    longest = max(texts, key=texts.__getitem__)
    assert texts[longest] > 70
    assert sheet.row_dimensions[longest].height >= 15 * (texts[longest] // 70)
