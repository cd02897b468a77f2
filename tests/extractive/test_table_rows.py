"""Rows of tables as statements: labelled by the names of their columns, or none."""

from research.extractive.candidate_sentences import Candidate, RankedChunk, Statements
from research.parsing.parse_document import read
from research.parsing.parse_sentences import sentences
from research.parsing.parsed_table_rows import TableNames


def statements(csv: str) -> list[Candidate]:
    document = read(csv.encode(), "otters.csv")
    tables = TableNames(document.text, document.blocks, document.tables)
    spans = sentences(document.text, document.blocks)
    whole = [RankedChunk(0, len(document.text), 1.0)]
    found = Statements("1", document.text, spans, document.media_type, tables).within(whole)
    assert all(document.text[item.start : item.end] == item.text for item in found)
    return [item for item in found if not item.flaw]


def test_a_row_is_shown_behind_the_names_of_its_columns():
    rows = statements("region,place,otters 2024,otters 2025\nNorth,Tarn,55,61\nNorth,Wold,83,-\n")
    assert [item.shown for item in rows] == [
        "Tarn – region: North; otters 2024: 55; otters 2025: 61",
        "Wold – region: North; otters 2024: 83",
    ]
    assert rows[0].text == "North | Tarn | 55 | 61"


def test_rows_without_names_are_no_statements():
    assert statements("41,52,63\n44,55,66\n47,58,69\n") == []


def test_a_short_row_is_a_statement():
    assert [item.shown for item in statements("well,depth\nEsk,7\nWold,9\n")] == [
        "Esk – depth: 7",
        "Wold – depth: 9",
    ]


def test_a_row_of_many_cells_is_several_statements_that_all_name_it():
    names = [f"month {letter}" for letter in "abcdefghijklm"]
    [*rows] = statements(",".join(["place", *names]) + "\nTarn," + ",".join("12345678901234"[:13]) + "\n")
    assert len(rows) == 2
    assert all(item.shown.startswith("Tarn – month") for item in rows)


def test_a_column_whose_name_ends_in_a_colon_has_one_colon():
    [row] = statements("place,otters:\nTarn,55\n")
    assert row.shown == "Tarn – otters: 55"


def test_a_letter_in_the_first_column_names_the_row():
    rows = statements("Spectral class,Colour\nO,Blue\nM,Red\n")
    assert [item.shown for item in rows] == ["O – Colour: Blue", "M – Colour: Red"]


def test_a_description_is_shown_without_a_label():
    rows = statements("function,description\nget_star,Star by its name\nget_moon,Moon by its planet\n")
    assert [item.shown for item in rows] == ["get_star – Star by its name", "get_moon – Moon by its planet"]


def test_a_sentence_of_a_cell_is_shown_with_the_name_and_the_short_values_of_its_row():
    rows = statements(
        "Variable,Default,Explanation\n"
        'LATCH_BELL,False,"If true, a bell is rung at each attempt. The bell of the latch is made of brass."\n'
    )
    assert [item.shown for item in rows] == [
        "LATCH_BELL (Default: False): If true, a bell is rung at each attempt. The bell of the latch is made of brass."
    ]


def test_the_number_of_a_requirement_is_not_put_before_it():
    [row] = statements(
        "Number,Level,Requirement\n6.3.1,1,The latch of the well is closed at night by its keeper.\n"
    )
    assert row.shown == "The latch of the well is closed at night by its keeper."
