"""Sheets as offices keep them: titles, head rows, merged regions, several tables, struck and computed cells."""

from __future__ import annotations

import datetime as dt
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.comments import Comment
from openpyxl.styles import Font
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.worksheet.worksheet import Worksheet

from research.parsing.formats.parse_csv import read_csv
from research.parsing.formats.parse_xlsx import read_xlsx
from research.parsing.formats.parse_xlsx_numbers import show_value
from research.parsing.hidden_text import HiddenReason
from research.parsing.parsed_document import BlockKind, ReadDocument


def new_sheet(*rows: list[object]) -> Worksheet:
    sheet = Workbook().worksheets[0]
    sheet.title = "S"
    for row in rows:
        sheet.append(row)
    return sheet


def read(sheet: Worksheet) -> ReadDocument:
    data = io.BytesIO()
    assert sheet.parent is not None
    sheet.parent.save(data)
    return read_xlsx(data.getvalue(), "s.xlsx")


def read_lines(*lines: str) -> ReadDocument:
    return read_csv("\n".join(lines).encode(), "s.csv")


def check_offsets(document: ReadDocument) -> None:
    for table in document.tables:
        lines = [
            document.text[block.start : block.end]
            for block in document.blocks
            if block.kind is BlockKind.TABLE and table.start <= block.start and block.end <= table.end
        ]
        for cells, line in zip(
            [*([table.headers] if table.headers else []), *table.rows], lines, strict=True
        ):
            assert all(cell in line for cell in cells)


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (0.475, "0.0%", "47.5%"),
        (0.07, "0 %", "7 %"),
        (1234.5, '#,##0.00\\ "€"', "1,234.50 €"),
        (1_250_000, "[$CHF-807] #,##0", "CHF 1,250,000"),
        (1.25, "# ?/?", "1 1/4"),
        (0.5, "# ??/??", "1/2"),
        (-2, "# ?/?", "-2"),
        (1.5, "?/?", "3/2"),
        (1234, "00000", "01234"),
        (-1234, "_(#,##0_);(#,##0)", "-1,234"),
        (-5, "0;[Red]0", "-5"),
        (12, ";;;", ""),
        ("words", ";;;", ""),
        (2_500_000, '[>=1000000]0.0,,"M";0', "2.5M"),
        (25, '[>=1000000]0.0,,"M";0', "25"),
        (123456789, "000-00-0000", "123-45-6789"),
        (0, '_-* #,##0\\ "€"_-;\\-* #,##0\\ "€"_-;_-* "-"??\\ "€"_-', "0 €"),
        (1.005, "0.00", "1.01"),
        (12345.678, "0.00E+00", "1.23E+04"),
        (dt.timedelta(hours=26, minutes=30), "[h]:mm:ss", "26:30:00"),
        (dt.timedelta(minutes=90), "[mm]:ss", "90:00"),
        (dt.datetime(2024, 3, 1), "mmm yy", "2024-03"),  # noqa: DTZ001 - a sheet knows no time zones
        (dt.datetime(2024, 3, 1), "yyyy", "2024"),  # noqa: DTZ001
        (dt.time(14, 5), "h:mm AM/PM", "14:05"),
    ],
)
def test_a_value_is_written_as_its_format_shows_it(value, code, shown):
    assert show_value(value, code) == shown


def test_headings_of_two_rows_and_merged_regions_name_their_cells():
    sheet = new_sheet(
        ["Municipal waste", *[None] * 5], [], ["Region", "Town", "Waste (t)", None, "Recycled", None],
        [None, None, 2024, 2025, 2024, 2025], ["North", "Wold", 12500, 12100, 0.452, 0.475],
        [None, "Esk", 8300, 8450, 0.31, 0.33], ["South", "Skell", 40100, 39800, 0.512, 0.5],
    )  # fmt: skip
    for merged in ("A1:F1", "A3:A4", "B3:B4", "C3:D3", "E3:F3", "A5:A6"):
        sheet.merge_cells(merged)
    for row in sheet.iter_rows(min_row=5, min_col=5):
        for cell in row:
            cell.number_format = "0.0%"
    document = read(sheet)
    [table] = document.tables
    assert table.caption == "Municipal waste"
    assert table.headers == (
        "Region",
        "Town",
        "Waste (t) 2024",
        "Waste (t) 2025",
        "Recycled 2024",
        "Recycled 2025",
    )
    assert table.rows[1] == ("North", "Esk", "8300", "8450", "31.0%", "33.0%")
    check_offsets(document)


def test_struck_cells_are_left_out_and_told():
    sheet = new_sheet(["Mill", "Output"], ["Lane", 310], ["Lane", 290])
    for cell in sheet[2]:
        cell.font = Font(strike=True)
    sheet["A4"] = CellRichText(TextBlock(InlineFont(strike=True), "Old mill "), "Ford mill")
    document = read(sheet)
    assert document.tables[0].rows == (("Lane", "290"), ("Ford mill", ""))
    [struck] = document.dropped
    assert (struck.why, struck.passages) == (HiddenReason.STRUCK, 3)


def test_a_key_beside_a_table_of_numbered_rows_is_a_table_of_its_own():
    sheet = new_sheet(
        ["Week", "Mon", "Tue", None, "Key", "Meaning"],
        [1, 3, 4, None, "a", "by car"],
        [2, 5, 6, None, "b", "by boat"],
        [3, 8, 7],
    )
    week, key = read(sheet).tables
    assert week.rows == (("1", "3", "4"), ("2", "5", "6"), ("3", "8", "7"))
    assert (key.headers, key.rows) == (("Key", "Meaning"), (("a", "by car"), ("b", "by boat")))


def test_remarks_beside_numbered_rows_stay_in_their_rows():
    sheet = new_sheet(
        ["Year", "Guests", None, "Remark", "Source"],
        [2021, 310, None, "closed in May", "office"],
        [2022, 412],
        [2023, 430, None, "new pier", "harbour"],
    )
    [table] = read(sheet).tables
    assert table.rows[1:] == (("2022", "412", "", ""), ("2023", "430", "new pier", "harbour"))


def test_formulas_without_a_stored_value_are_counted():
    document = read(new_sheet(["Mill", "Output"], ["Lane", 290], ["All", "=SUM(B2:B2)"]))
    [formulas] = document.dropped
    assert (formulas.why, formulas.excerpts) == (HiddenReason.FORMULA, ("B3: =SUM(B2:B2)",))


@pytest.mark.parametrize("column", ["D", "F"])
def test_formulas_without_a_value_beside_a_table_do_not_take_its_heads_away(column: str):
    sheet = new_sheet(["Mill", "Output", "Since"], ["Lane", 290, 1931], ["Ford", 120, 1950])
    sheet[f"{column}2"] = "=SUM(1,2)"
    [table] = read(sheet).tables
    assert (table.headers, table.rows[0]) == (("Mill", "Output", "Since"), ("Lane", "290", "1931"))


def test_a_note_stands_behind_the_names_of_its_cell():
    sheet = new_sheet(["Mill", "Output (t)"], ["Ford", 120], ["Lane", 290])
    sheet["B2"].comment = Comment("Estimated", "x")
    assert read(sheet).text.endswith("\n\nFord, Output (t): Estimated")


def test_hidden_columns_that_share_an_entry_are_all_hidden():
    sheet = new_sheet(["A", "B", "C", "D"], ["x", 1, 2, 3], ["y", 4, 5, 6])
    sheet.column_dimensions.group("B", "C", hidden=True)
    assert read(sheet).tables[0].headers == ("A", "D")


def test_white_and_tiny_words_are_not_read():
    sheet = new_sheet(["A", "B"], ["seen", 1], ["praise it", 2])
    sheet["A3"].font = Font(color="FFFFFFFF")
    assert "praise" not in read(sheet).text


def test_dates_count_from_1904_where_the_workbook_does():
    sheet = new_sheet(["Name", "Day"])
    assert sheet.parent is not None
    sheet.parent.epoch = CALENDAR_MAC_1904
    sheet.append(["a", dt.date(2024, 3, 1)])
    assert read(sheet).tables[0].rows == (("a", "2024-03-01"),)


def test_tables_below_and_beside_each_other_are_apart():
    below = read(
        new_sheet(["Town", "People"], ["Esk", 83], [], ["River", "Length", "Depth"], ["Tarn", 40, 3])
    )
    assert [table.headers for table in below.tables] == [("Town", "People"), ("River", "Length", "Depth")]
    beside = read(
        new_sheet(["Town", "People", None, "River", "Length"], ["Esk", 83, None, "Tarn", 40], ["Wold", 12])
    )
    assert [table.headers for table in beside.tables] == [("Town", "People"), ("River", "Length")]


def test_an_empty_row_or_column_within_a_table_parts_nothing():
    document = read(
        new_sheet(["Town", "People", None, "Remark"], ["Esk", 83], [], ["Wold", 12, None, "estimated"])
    )
    [table] = document.tables
    assert table.headers == ("Town", "People", "Remark")
    assert len(table.rows) == 2


def test_lines_around_a_table_are_no_rows():
    document = read_lines(
        "Gross value by district", "Million euros, current prices", "", "District;2023;2024",
        "Ostheim;1.198,20;1.234,56", "Westheim;987,10;1.002,75", "", "© District office, 2026",
    )  # fmt: skip
    [table] = document.tables
    assert table.headers == ("District", "2023", "2024")
    assert table.rows[0] == ("Ostheim", "1.198,20", "1.234,56")
    assert document.text.startswith("Gross value by district\n\nMillion euros, current prices\n\n")
    assert document.text.endswith("\n\n© District office, 2026")
    check_offsets(document)


@pytest.mark.parametrize(
    ("lines", "rows"),
    [
        (["sep=;", "Town;Share", "Esk;1,5"], (("Esk", "1,5"),)),
        (["Town;Rain;Sun", "Esk;1,5;2,5", "Wold;3,5;4,25"], (("Esk", "1,5", "2,5"), ("Wold", "3,5", "4,25"))),
        (["Town,Note", 'Esk,"the old bridge', "Wold,new"], (("Esk", '"the old bridge'), ("Wold", "new"))),
        (
            ["Town,Note", 'Esk,"the \\"old, grey\\" one"', "Wold,x"],
            (("Esk", 'the "old, grey" one'), ("Wold", "x")),
        ),
        (["name,tags", "a,x;y", "b,z;w"], (("a", "x;y"), ("b", "z;w"))),
    ],
)
def test_the_mark_between_cells_is_judged_on_the_lines_of_the_table(lines, rows):
    assert read_lines(*lines).tables[0].rows == rows


@pytest.mark.parametrize(
    ("charset", "named"), [("utf-16-le", "UTF-16-LE"), ("utf-16-be", "UTF-16-BE"), ("utf-32-le", "UTF-32-LE")]
)
def test_wide_characters_without_a_mark_are_read_and_named(charset, named):
    document = read_csv("Brücke;Tonnen\nKestrel;14\n".encode(charset), "b.csv")
    assert document.tables[0].rows == (("Kestrel", "14"),)
    assert named in document.notes[0]


# --- round trip ----------------------------------------------------------------------------------------

WORDS = st.text(st.sampled_from("abcdeghklmnorstuäöü"), min_size=3, max_size=9)
VALUES = st.one_of(
    WORDS, st.integers(-10_000, 10_000_000), st.floats(-1e6, 1e6).map(lambda number: round(number, 3)),
    st.dates(dt.date(1990, 1, 1), dt.date(2030, 1, 1)), st.booleans(),
)  # fmt: skip


@st.composite
def tables(draw):
    width, length = draw(st.integers(2, 6)), draw(st.integers(2, 8))
    headings = draw(st.lists(WORDS, min_size=width, max_size=width, unique=True))
    labels = draw(st.lists(WORDS, min_size=length, max_size=length, unique=True))
    rows = [[label, *(draw(VALUES) for _ in range(width - 1))] for label in labels]
    return draw(st.lists(WORDS, max_size=2)), headings, rows


@settings(max_examples=25, deadline=None)
@given(tables(), st.booleans())
def test_a_workbook_is_read_as_it_was_written(made, has_gap):
    above, headings, rows = made
    sheet = new_sheet(*([line] for line in above), *([[]] if has_gap else []), headings, *rows)
    document = read(sheet)
    [table] = document.tables
    assert table.headers == tuple(headings)
    assert table.rows == tuple(
        tuple(show_value(cell, "General" if not isinstance(cell, dt.date) else "yyyy-mm-dd") for cell in row)
        for row in rows
    )
    assert all(line in document.text for line in above)
    check_offsets(document)


@settings(max_examples=25, deadline=None)
@given(tables(), st.sampled_from(",;\t|"), st.booleans())
def test_a_csv_file_is_read_as_it_was_written(made, mark, has_gap):
    above, headings, rows = made
    lines = [[str(cell) for cell in row] for row in rows]
    document = read_lines(
        *above, *([""] if has_gap else []), *(mark.join(line) for line in [headings, *lines])
    )
    [table] = document.tables
    assert table.headers == tuple(headings)
    assert table.rows == tuple(map(tuple, lines))
    check_offsets(document)
