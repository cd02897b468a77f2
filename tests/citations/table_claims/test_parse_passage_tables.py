import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.table_claims import find_tables, parse_table
from citations.table_claims.claim_table import ColumnKind
from citations.table_claims.parse_cited_tables import MAX_CELLS, MAX_ROWS, MAX_TABLES
from tests.citations.table_claims.passages import LIDOS, REGATTA, table


def texts(found):
    return [[cell.text for cell in row] for row in found.rows]


def test_a_markdown_table_has_headers_and_rows():
    found = table("| a | b |\n|---|:-:|\n| 1 | x |\n| 2 | y |")
    assert found.headers == ("a", "b")
    assert texts(found) == [["1", "x"], ["2", "y"]]


def test_a_table_of_plain_pipes_needs_no_rule():
    assert table("a | b\nred | x").headers == ("a", "b")


def test_sentences_behind_labels_are_no_table():
    lines = (
        "official name | The official name of Norway is Kingdom of Norway.\ncapital | The capital is Oslo."
    )
    assert parse_table(lines) is None


def test_a_table_of_tabs_is_found():
    assert texts(table("name\tcolour\nash\tgrey\noak\tbrown")) == [["ash", "grey"], ["oak", "brown"]]


def test_the_line_before_is_the_title():
    assert table(REGATTA).title == "Aldern Rowing Club, season 2008"


def test_a_blank_line_may_stand_between():
    assert table(LIDOS).title == "Lidos of Lake Aldern, 2019"


@pytest.mark.parametrize("line", ["The lidos are listed below.", "They are these:", "a long line " * 20])
def test_a_sentence_before_a_table_is_no_title(line):
    assert table(f"{line}\na | b\nred | x").title == ""


def test_a_title_may_have_the_separator_in_it():
    found = table("Table: on | off\nlamp | watts | hours\nporch | 8 | 900\nhall | 5 | 700")
    assert (found.title, found.headers) == ("on | off", ("lamp", "watts", "hours"))


def test_a_table_without_a_title_has_none():
    assert table("a | b\nred | x").title == ""


def test_every_cell_knows_its_place_in_the_passage():
    found = table("Before.\n\n" + LIDOS)
    cells = [cell for row in found.rows for cell in row]
    assert all(cell.span.cut("Before.\n\n" + LIDOS) == cell.text for cell in cells)


def test_the_table_knows_its_place_in_the_passage():
    passage = "Before.\n\n" + LIDOS + "\nAfter."
    assert table(passage).span.cut(passage).startswith("| Lido")
    assert table(passage).span.cut(passage).endswith("no |")


def test_all_tables_of_a_passage_are_found():
    assert [each.headers[0] for each in find_tables(LIDOS + "\n\n" + REGATTA)] == ["Lido", "race"]


@pytest.mark.parametrize(
    "text", ["", "A sentence.", "a | b", "one\ntwo", "|", "|||\n", "\t\n\t\n", "\x00|\x00"]
)
def test_other_text_has_no_table(text):
    assert find_tables(text) == ()


def test_parse_gives_the_first_table_or_none():
    assert parse_table("nothing") is None
    assert parse_table("x\n" + REGATTA).headers[0] == "race"


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ("Lido", ColumnKind.TEXT),
        ("Opened", ColumnKind.DATE),
        ("Visitors", ColumnKind.NUMBER),
        ("Entry fee", ColumnKind.NUMBER),
    ],
)
def test_columns_have_kinds(column, kind):
    found = table(LIDOS)
    assert found.kinds[found.headers.index(column)] is kind


def test_a_number_like_a_year_among_other_numbers_is_a_number():
    assert table("gate | crowd\nn | 2248\ns | 1976\nw | 3154\ne | 12001").kinds[1] is ColumnKind.NUMBER


# --- rows that are not like the others ---


def test_a_long_row_loses_what_is_beyond_the_headers():
    assert texts(table("a | b\nred | x | more")) == [["red", "x"]]


def test_a_short_row_is_filled_up():
    assert texts(table("a | b | c\nred | x | y\nblue | z")) == [["red", "x", "y"], ["blue", "z", ""]]


def test_the_cells_of_a_short_row_stand_under_columns_of_their_kind():
    found = table(
        "name | born | town | score\nAda | 1990 | Hexley | 31\nBo | 1985 | Stane | 24\nCy | Dunlow | 45"
    )
    assert texts(found)[-1] == ["Cy", "", "Dunlow", "45"]


def test_a_first_line_like_the_rows_is_a_row_of_a_table_whose_headers_are_lost():
    found = table("Ada | 31 | 1.5\nBo | 24 | 2.5\nCy | 45 | 3.5")
    assert not found.is_whole
    assert len(found.rows) == 3


def test_years_as_headers_are_headers():
    found = table("town | 2004 | 2005\nHexley | 310 | 280\nStane | 455 | 120")
    assert found.is_whole
    assert found.headers[1:] == ("2004", "2005")


def test_a_rule_makes_any_first_line_the_headers():
    assert table("| 1 | 2 |\n|---|---|\n| 3 | 4 |\n| 5 | 6 |").headers == ("1", "2")


# --- limits ---


def test_a_huge_table_is_read_in_part_and_not_whole():
    found = table("n | v\n" + "\n".join(f"item {row} | {row}" for row in range(100_000)))
    assert len(found.rows) <= MAX_ROWS + 1
    assert not found.is_whole


def test_a_wide_table_has_no_more_cells_than_the_limit():
    line = " | ".join(map(str, range(1_000)))
    found = table("\n".join([" | ".join(["h"] * 1_000)] + [line] * 500))
    assert sum(map(len, found.rows)) <= MAX_CELLS


def test_no_more_tables_are_read_than_the_limit():
    assert len(find_tables("a | b\nc | d\n\n" * 200)) == MAX_TABLES


@given(st.text(alphabet="ab1 |\t\n-:2", max_size=200))
def test_any_text_is_read_and_rows_are_as_wide_as_the_headers(text):
    for found in find_tables(text):
        assert all(len(row) == len(found.headers) for row in found.rows)
        assert all(cell.span.cut(text) == cell.text for row in found.rows for cell in row)


@given(st.text())
def test_any_characters_are_read(text):
    assert isinstance(find_tables(text + " | \n" + text + "\t|"), tuple)
