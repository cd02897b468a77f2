import pytest

from citations.dates.find_dates import Moment
from citations.table_claims.orderable_claim_columns import (
    Ground,
    day_number,
    is_rank,
    measures,
    sign_of,
    sort_value,
)
from tests.citations.table_claims.passages import LIDOS, PLACINGS, REGATTA, link_to_table, table


def find_measured_headers(claim, passage=LIDOS):
    """Headers of the columns that the first cue of a claim may be about."""
    found = link_to_table(claim, passage)
    return [found.table.headers[each.column] for each in measures(found, found.cues[0])]


@pytest.mark.parametrize(
    ("claim", "header"),
    [
        ("Sandhithe had the most visitors", "Visitors"),
        ("The visitors were most at Sandhithe", "Visitors"),
        ("the highest entry fee", "Entry fee"),
        ("Old Quay is the oldest", "Opened"),
        ("Old Quay opened earlier", "Opened"),
    ],
)
def test_the_column_is_named_or_follows_from_the_word(claim, header):
    assert find_measured_headers(claim)[0] == header


def test_without_a_name_the_only_column_that_can_be_ordered_is_meant():
    found = link_to_table("Ada has the most", "name | points\nAda | 7\nBo | 5")
    assert [each.ground for each in measures(found, found.cues[0])] == [Ground.ALONE]


def test_a_column_that_numbers_the_rows_is_not_meant():
    assert "race" not in find_measured_headers("the club had the most races", REGATTA)


def test_no_more_than_two_columns_are_tried():
    passage = "name | east pier | west pier | north pier\nAda | 1 | 2 | 3\nBo | 6 | 5 | 4"
    assert len(find_measured_headers("Ada has the most pier visits", passage)) == 2


@pytest.mark.parametrize(("header", "ranks"), [("rank", True), ("time", False), ("age", False)])
def test_a_column_of_places_is_a_rank(header, ranks):
    found = table(PLACINGS)
    assert is_rank(found, found.headers.index(header)) is ranks


@pytest.mark.parametrize(
    ("claim", "header", "sign"),
    [
        ("the best rank", "rank", -1),
        ("the lowest rank", "rank", 1),
        ("the oldest runner", "age", 1),
        ("the youngest runner", "age", -1),
        ("the highest age", "age", 1),
    ],
)
def test_the_best_rank_is_the_least_and_the_oldest_has_the_greatest_age(claim, header, sign):
    found = link_to_table(claim, PLACINGS)
    cue = found.cues[0]
    column = found.table.headers.index(header)
    assert sign_of(found.table, cue, found.tokens[cue.start].word, column) == sign


def test_clock_times_are_ordered():
    values = [sort_value(table(PLACINGS), row, 3) for row in range(4)]
    assert values == sorted(values)


def test_text_is_not_ordered():
    assert sort_value(table(PLACINGS), 0, 1) is None


def test_dates_are_ordered():
    days = [Moment(1999), Moment(1999, 5), Moment(1999, 5, 2), Moment(2000, 1, 1)]
    assert [day_number(each) for each in days] == sorted(day_number(each) for each in days)


def test_the_last_day_of_a_year_is_after_its_first():
    assert day_number(Moment(1999), last=True) > day_number(Moment(1999, 12, 30)) > day_number(Moment(1999))
