from __future__ import annotations

import pytest

from research.parsing.formats.parse_csv import read_csv
from research.parsing.parsed_document import BlockKind, ReadDocument


def read(text: str) -> ReadDocument:
    return read_csv(text.encode(), "items.csv")


def test_every_row_is_one_block_and_the_header_is_known() -> None:
    document = read("name,capital\nFrance,Paris\nJapan,Tokyo\n")
    assert document.text == "name | capital\nFrance | Paris\nJapan | Tokyo"
    assert [block.kind for block in document.blocks] == [BlockKind.TABLE] * 3
    assert document.tables[0].headers == ("name", "capital")


def test_quoted_cells_keep_delimiters_and_lose_line_ends() -> None:
    document = read('name,note\nFrance,"big, and\nold"\n')
    assert document.tables[0].rows == (("France", "big, and old"),)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter: str) -> None:
    document = read(f"name{delimiter}size\nFrance{delimiter}10\nJapan{delimiter}20\n")
    assert document.tables[0].rows == (("France", "10"), ("Japan", "20"))


def test_a_table_of_figures_has_no_header() -> None:
    assert read("1,2\n3,4\n").tables[0].headers == ()


def test_empty_cells_keep_their_place() -> None:
    document = read("a,b,c\nx,,z\n")
    assert document.text.endswith("x | | z")
    assert document.tables[0].rows == (("x", "", "z"),)


def test_a_cell_without_end_is_read() -> None:
    document = read("name,note\nx," + "y" * 200_000)
    assert document.tables[0].rows == (("x", "y" * 200_000),)


def test_a_file_beyond_the_limit_is_read_in_part_and_says_how_much() -> None:
    document = read("place,otters\n" + "".join(f"Tarn {n},{n}\n" for n in range(50_001)))
    assert document.tables[0].rows[-1] == ("Tarn 49999", "49999")
    assert document.notes == ("50,000 of 50,001 rows were read.",)


def test_a_file_within_the_limit_says_nothing() -> None:
    assert read("place,otters\nTarn,61\n").notes == ()


def test_a_row_of_mostly_nothing_is_written_without_its_gaps():
    assert read("a,b,c,d,e\n,,,,z\n").text.endswith("\nz")


def test_cells_that_keep_their_zeros_by_a_formula_are_read_as_shown() -> None:
    document = read('code,name\n="00123",Bolt\n="00456",Nut\n')
    assert document.tables[0].rows == (("00123", "Bolt"), ("00456", "Nut"))


def test_a_head_that_is_repeated_is_no_row() -> None:
    document = read("place,otters\nTarn,61\nplace,otters\nMere,7\n")
    assert document.tables[0].rows == (("Tarn", "61"), ("Mere", "7"))


def test_a_second_head_row_of_units_names_the_columns_and_notes_with_empty_cells_are_lines() -> None:
    lines = [
        "Rents by district;;;", ";;;", "District;Rent;Change;Homes", ";in €/m²;in %;count", "Ost;12,40;+3,1;1.234",
        "West;8,05;–0,4;56", "Aach;9,90;x;98", ";;;", "Source: Office, own figures; preliminary;;",
    ]  # fmt: skip
    document = read_csv("\n".join(lines).encode(), "a.csv")
    [table] = document.tables
    assert table.headers == ("District", "Rent in €/m²", "Change in %", "Homes count")
    assert table.rows[2] == ("Aach", "9,90", "x", "98")
    assert document.text.endswith("\n\nSource: Office, own figures; preliminary")


@pytest.mark.parametrize("estimate", ["2025e", "2025*", "2025 P", "2025"])
def test_years_with_the_mark_of_an_estimate_name_columns(estimate: str) -> None:
    [table] = read_csv(
        f"Revenue;;\nCompany;2024;{estimate}\nIver;12,4;13,0\nJarl;7,1;n/a\n".encode(), "r.csv"
    ).tables
    assert (table.caption, table.headers) == ("Revenue", ("Company", "2024", estimate))
