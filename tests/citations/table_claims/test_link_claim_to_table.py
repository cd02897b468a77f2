import pytest

from citations.table_claims.claim_mentions import MentionKind
from citations.table_claims.link_claim_to_table import link
from tests.citations.table_claims.passages import LIDOS, PLACINGS, REGATTA, link_to_table, table


def find_mentions(claim, passage=LIDOS):
    """Return the mentions, with the headers of the columns that they stand in."""
    found = link(claim, table(passage))
    return {
        claim[found.tokens[each.start].start : found.tokens[each.end - 1].end]: {
            found.table.headers[column] for column in each.columns
        }
        for each in found.mentions
    }


def test_words_are_linked_to_the_cells_they_stand_in():
    assert find_mentions("Sandhithe is in Werrow.") == {"Sandhithe": {"Lido"}, "Werrow": {"County"}}


def test_the_longest_stretch_is_one_mention():
    assert "Millbank Pool" in find_mentions("Entry to Millbank Pool is cheap.")


def test_a_part_of_a_name_is_enough():
    assert find_mentions("Thorne ran.", PLACINGS) == {"Thorne": {"runner"}}


def test_a_misspelt_name_is_linked():
    assert find_mentions("Sandhihte is in Werrow.")["Sandhihte"] == {"Lido"}


@pytest.mark.parametrize("said", ["17 March 2008", "March 17", "17/03/2008", "2008-03-17"])
def test_a_date_is_linked_however_it_is_written(said):
    found = link(f"The race on {said} was lost.", table(REGATTA))
    times = [each for each in found.mentions if each.kind is MentionKind.TIME]
    assert [set(each.rows) for each in times] == [{1}]


def test_a_month_is_linked_to_all_its_days():
    found = link("There was a race in April 2008.", table(REGATTA))
    assert {2, 3} in [set(each.rows) for each in found.mentions]


def test_a_span_of_years_is_linked_to_what_lies_in_it():
    found = link("Lidos opened from 1930 to 1950.", table(LIDOS))
    assert [set(each.rows) for each in found.mentions] == [{0, 2}]


def test_another_year_than_that_of_the_title_is_not_linked():
    passage = "Table: season 2008\ndate | crowd\nmarch 3 | 310\nmarch 17 | 280\n"
    assert not any(each.kind is MentionKind.TIME for each in link("in March 2011", table(passage)).mentions)


@pytest.mark.parametrize(
    ("claim", "header"),
    [
        ("the number of visitors", "Visitors"),
        ("people who visited", "Visitors"),
        ("the entry fees", "Entry fee"),
    ],
)
def test_a_column_is_named_in_any_form_of_its_words(claim, header):
    found = link(claim, table(LIDOS))
    assert header in {found.table.headers[each.column] for each in found.names}


def test_words_of_a_header_are_no_mention_of_a_cell():
    passage = "record | holder\nrecord time | Ada Fenn\nlongest swim | Bo Carrick\n"
    assert "record" not in find_mentions("the record is old", passage)


def test_a_lone_number_is_not_linked_to_a_part_of_a_cell():
    assert find_mentions("There were 6 of them.", "score | by\n6 - 2 , 4 - 1 | Ada\n3 - 1 , 1 - 0 | Bo") == {}


# --- what a question adds ---


def kinds(claim, passage=LIDOS):
    return [each.kind for each in link_to_table(claim, passage).mentions]


@pytest.mark.parametrize(
    ("claim", "rows"),
    [
        ("more than 50,000 visitors", {0, 2}),
        ("fewer than 38,210 visitors", {3}),
        ("at least 38,210 visitors", {0, 1, 2, 4}),
        ("at most 38,210 visitors", {1, 3}),
        ("no more than 38,210 visitors", {1, 3}),
        ("51,656 or more visitors", {0, 2}),
        ("opened after 1949", {1, 3}),
        ("opened since 1949", {1, 2, 3}),
        ("opened before 1931", {4}),
    ],
)
def test_a_bound_selects_the_rows_that_keep_it(claim, rows):
    (bound,) = [each for each in link_to_table(claim).mentions if each.kind is MentionKind.BOUND]
    assert set(bound.rows) == rows


@pytest.mark.parametrize(("word", "rows"), [("won", {0, 2, 4}), ("lost", {1, 5}), ("drew", {3})])
def test_results_select_the_races_that_ended_so(word, rows):
    (outcome,) = link_to_table(f"The club {word}.", REGATTA).mentions
    assert set(outcome.rows) == rows


def test_neighbours_of_one_column_are_a_list():
    (listed, _) = link_to_table("Low Ferry, Sandhithe and the Old Quay opened in 1962.").mentions
    assert [listed.kind, len(listed.members)] == [MentionKind.LIST, 3]


def test_a_figure_under_a_named_column_that_has_it_nowhere_is_a_mention_of_no_row():
    (_, figure) = link_to_table("Northgate had 15,656 visitors.").mentions
    assert not figure.rows


def test_a_sum_need_not_stand_in_a_cell():
    assert kinds("In total there were 206,240 visitors.") == []


def test_a_number_of_a_header_is_not_missing():
    passage = "golfer | top 10\nAda | 3\nBo | 1\n"
    assert kinds("Ada made the top 10 once", passage) == [MentionKind.TEXT]
