"""Misspellings, short rows, results and dates of tables, on both sides of each limit."""

import pytest

from citations.dates.find_dates import Moment
from citations.table_claims.align_cited_table_cells import align_cells
from citations.table_claims.claim_misspellings import edits, is_misspelling
from citations.table_claims.claim_table import ColumnKind, kind_of_column
from citations.table_claims.orderable_claim_columns import day_number, measures
from citations.table_claims.rules.claimed_wins import outcome_columns
from citations.table_claims.table_claim_cells import read_cell
from citations.text.quote_span import Span
from tests.citations.table_claims.passages import link_to_table, table


@pytest.mark.parametrize(
    ("a", "b", "count"),
    [
        ("", "", 0),
        ("", "abc", 3),
        ("abc", "", 3),
        ("abc", "abd", 1),
        ("abc", "acb", 1),
        ("abc", "bac", 1),
        ("abc", "cab", 2),
        ("abcd", "badc", 2),
        ("kitten", "sitting", 3),
        ("ab", "ba", 1),
        ("ca", "abc", 3),
        ("abcdef", "abxdef", 1),
        ("abcdef", "abdef", 1),
    ],
)
def test_edits_are_counted(a, b, count):
    assert edits(a, b) == count


@pytest.mark.parametrize(
    ("a", "b", "is_slip"),
    [
        ("garden", "gardin", True),
        ("garde", "gardi", False),
        ("garden", "gardeni", True),
        ("garden", "garde", False),
        ("garden", "barden", False),
        ("garden", "garidn", False),
        ("gardeners", "gardanurs", False),
        ("gardenerss", "gardanurss", True),
        ("gardenerss", "gardanurssx", False),
        ("gardenerss", "gardenerssxx", True),
        ("gardenerss", "gardenerssxxx", False),
        ("garden", "garden", False),
    ],
)
def test_a_slip_is_one_edit_or_two_in_a_long_word(a, b, is_slip):
    assert is_misspelling(a, b) is is_misspelling(b, a) is is_slip


TEXT, DATE, NUMBER, EMPTY = ColumnKind.TEXT, ColumnKind.DATE, ColumnKind.NUMBER, ColumnKind.EMPTY


def cells(*texts):
    return [read_cell(text, Span(0, len(text))) for text in texts]


@pytest.mark.parametrize(
    ("texts", "kinds", "columns"),
    [
        (["a", "5"], [TEXT, NUMBER, NUMBER], (0, 1)),
        (["5"], [TEXT, NUMBER, NUMBER], (1,)),
        (["5", "a"], [TEXT, NUMBER, TEXT, NUMBER], (1, 2)),
        (["a", "b"], [NUMBER, TEXT, NUMBER, TEXT], (1, 3)),
        (["a", "b"], [NUMBER, NUMBER, NUMBER], (0, 1)),
        (["", "5"], [TEXT, EMPTY, NUMBER], (1, 2)),
        (["a", "5", "b"], [TEXT, DATE, TEXT], (0, 1, 2)),
    ],
)
def test_cells_of_a_short_row_stand_as_far_left_as_their_kinds_allow(texts, kinds, columns):
    assert align_cells(cells(*texts), kinds) == columns


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["5", "6", "7", "a", "b"], NUMBER),
        (["5", "6", "a", "b", "c"], TEXT),
        (["1990", "1991", "1992", "a", "b"], DATE),
        (["1990", "1991", "a", "b", "c"], TEXT),
        (["5", "-", "-", ""], NUMBER),
        (["-", ""], EMPTY),
        ([], EMPTY),
    ],
)
def test_a_column_is_of_the_kind_of_three_fifths_of_what_it_holds(texts, kind):
    assert kind_of_column(cells(*texts)) is kind


@pytest.mark.parametrize(
    ("results", "columns"),
    [
        ("w l w l w w w x y z", (1,)),
        ("w l w l w w x y z v", ()),
        ("w x", ()),
        ("w l", (1,)),
        ("w -", ()),
        ("w l -", (1,)),
    ],
)
def test_a_column_of_results_has_two_and_seven_tenths(results, columns):
    rows = "\n".join(f"{chr(97 + at)}x | {said}" for at, said in enumerate(results.split()))
    assert outcome_columns(table(f"name | said\n|---|---|\n{rows}")) == columns


@pytest.mark.parametrize(
    ("moment", "first", "last"),
    [
        (Moment(2000), 744_001, 744_372),
        (Moment(2000, 3), 744_063, 744_093),
        (Moment(2000, 3, 7), 744_069, 744_069),
        (Moment(None, 3, 7), 69, 69),
    ],
)
def test_days_are_numbered_by_months_of_31(moment, first, last):
    assert (day_number(moment), day_number(moment, last=True)) == (first, last)


PIERS = "name | east pier | west pier | rank\nAda | 7 | 2 | 1\nBo | 3 | 5 | 2\nCy | 9 | 4 | 3"


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        ("most a b c d e east pier", ["east pier column_after [6, 7]", "west pier column_after [7]"]),
        ("most a b c d e f east pier", ["east pier column_after [7, 8]"]),
        ("most a b c d e f g east pier", []),
        ("east pier a b c d e f g most", ["east pier column_before [0, 1]", "west pier column_before [1]"]),
        ("east pier a b c d e f g h most", ["west pier column_before [1]"]),
        ("most at Ada", ["west pier column_guessed []"]),
        ("most rank", ["rank column_after [1]"]),
        ("most pier", ["east pier column_after [1]", "west pier column_after [1]"]),
    ],
)
def test_a_column_is_looked_for_near_the_cue(claim, found):
    linked = link_to_table(claim, PIERS)
    told = [
        f"{linked.table.headers[each.column]} {each.ground.value} {sorted(each.positions)}"
        for each in measures(linked, linked.cues[0])
    ]
    assert told == found


@pytest.mark.parametrize(
    ("passage", "found"),
    [
        ("day | crowd\nmay 4 | 310\nmay 9 | 280", []),
        ("deck | crowd\ndeck 4 | 310\ndeck 9 | 280", [(1, 2)]),
        ("deck | crowd\nupper deck 4 | 310\nupper deck 9 | 280", []),
    ],
)
def test_a_lone_number_is_half_of_a_cell_that_is_no_date(passage, found):
    assert [(each.start, each.end) for each in link_to_table("The 4 were good", passage).mentions] == found
