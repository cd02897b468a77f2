"""Each kind of reading of claims about made-up tables, before any weighing."""

import pytest

from citations.table_claims.rules.claimed_cells import lookups
from citations.table_claims.rules.claimed_comparisons import comparisons
from citations.table_claims.rules.claimed_counts import counts
from citations.table_claims.rules.claimed_extremes import extremes, frequencies
from citations.table_claims.rules.claimed_quantifiers import find_quantifier_readings
from citations.table_claims.rules.claimed_totals import totals
from citations.table_claims.rules.claimed_yes_no import affirmations
from citations.table_claims.table_claim_readings import TableOperation
from tests.citations.table_claims.passages import LIDOS, PLACINGS, REGATTA, link_to_table


def answers(readings, operation):
    return [each.holds for each in readings if each.operation is operation]


# --- lookups ---


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Sandhithe opened in 1949", True),
        ("Sandhithe opened in 1954", False),
        ("The entry fee at Low Ferry was £2.50", True),
        ("The entry fee at Low Ferry was £3.50", False),
        ("Low Ferry and Sandhithe are in Werrow", True),
        ("Low Ferry and Northgate are in Werrow", False),
        ("Northgate opened in 1931 while Old Quay opened in 1927", True),
        ("Northgate opened in 1927 while Old Quay opened in 1931", False),
    ],
)
def test_a_lookup_holds_when_one_row_has_it_all(claim, holds):
    assert answers(lookups(link_to_table(claim)), TableOperation.LOOKUP)[0] is holds


@pytest.mark.parametrize(
    ("claim", "holds"), [("Millbank Pool is not in Werrow", True), ("Low Ferry isn't in Werrow", False)]
)
def test_a_denial_holds_when_no_row_has_it_all(claim, holds):
    assert answers(lookups(link_to_table(claim)), TableOperation.NEGATION) == [holds]


def test_a_lookup_says_what_the_row_has_instead():
    reading = next(lookups(link_to_table("Northgate had 15,656 visitors")))
    assert reading.reason == "row “Northgate”: Lido “Northgate”; Visitors “51,656” ≠ “15,656”"


def test_a_lookup_shows_the_cell_that_conflicts():
    reading = next(lookups(link_to_table("Northgate had 15,656 visitors")))
    assert "51,656" in {span.cut(LIDOS) for span in reading.spans}


def test_a_claim_that_mentions_nothing_has_no_lookup():
    assert list(lookups(link_to_table("It rained."))) == []


# --- yes and no ---


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Northgate is heated", True),
        ("Low Ferry is heated", False),
        ("Low Ferry is not heated", True),
        ("Northgate is not heated", False),
    ],
)
def test_a_yes_and_no_column_answers(claim, holds):
    assert answers(affirmations(link_to_table(claim)), TableOperation.AFFIRMATION) == [holds]


def test_a_yes_and_no_column_needs_a_row():
    assert list(affirmations(link_to_table("It is heated"))) == []


# --- extremes ---


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Sandhithe had the most visitors", True),
        ("Northgate had the most visitors", False),
        ("Northgate had the second highest number of visitors", True),
        ("The oldest lido is Old Quay", True),
        ("The oldest lido is Low Ferry", False),
        ("The lowest entry fee is at Low Ferry", True),
    ],
)
def test_an_extreme_is_found(claim, holds):
    assert answers(extremes(link_to_table(claim)), TableOperation.SUPERLATIVE)[0] is holds


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("64,900 is the highest number of visitors, with 12,475 being the lowest", True),
        ("64,900 is the highest number of visitors, with 38,210 being the lowest", False),
        ("Sandhithe had the most visitors, followed by Northgate", True),
        ("Sandhithe had the most visitors, followed by Old Quay", False),
    ],
)
def test_several_extremes_hold_together(claim, holds):
    found = next(each for each in extremes(link_to_table(claim)) if "several_extremes" in each.traits)
    assert found.holds is holds


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Ada Fenn had the best rank", True),
        ("Di Thorne had the lowest rank", True),
        ("Cy Marsh is the oldest", True),
    ],
)
def test_the_best_rank_is_the_first(claim, holds):
    assert answers(extremes(link_to_table(claim, PLACINGS)), TableOperation.SUPERLATIVE)[0] is holds


def test_an_extreme_may_be_among_some_rows_only():
    readings = extremes(link_to_table("Northgate had the most visitors in Aldermoor"))
    assert True in [each.holds for each in readings if "scope_said" in each.traits]


def test_at_least_is_no_extreme():
    assert list(extremes(link_to_table("Northgate had at least 10,000 visitors"))) == []


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("The most common county is Aldermoor", True),
        ("The most common county is Werrow", False),
        ("More lidos are in Aldermoor than in any other county", True),
    ],
)
def test_the_commonest_value_is_found(claim, holds):
    assert answers(frequencies(link_to_table(claim)), TableOperation.FREQUENCY) == [holds]


# --- counts ---


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Three lidos are in Aldermoor", True),
        ("Four lidos are in Aldermoor", False),
        ("There are 5 lidos", True),
        ("At least two lidos are in Werrow", True),
        ("More than two lidos are in Werrow", False),
        ("Two lidos had more than 50,000 visitors", True),
        ("Three of the five lidos are in Aldermoor", True),
        ("Two of the five lidos are in Aldermoor", False),
    ],
)
def test_rows_are_counted(claim, holds):
    assert answers(counts(link_to_table(claim)), TableOperation.COUNT)[0] is holds


@pytest.mark.parametrize(
    ("claim", "holds"), [("won three times", True), ("lost once", False), ("lost twice", True)]
)
def test_times_are_counted(claim, holds):
    assert answers(counts(link_to_table(f"The club {claim}", REGATTA)), TableOperation.COUNT)[-1] is holds


def test_different_values_are_counted():
    readings = list(counts(link_to_table("They rowed against four different opponents", REGATTA)))
    assert [each.holds for each in readings if "count_values" in each.traits] == [True]


def test_each_of_a_list_is_counted():
    readings = counts(link_to_table("Dunlow and Werrow Rovers were met twice", REGATTA))
    assert [each.holds for each in readings if "count_each" in each.traits] == [True]


# --- comparisons ---


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Northgate had more visitors than Low Ferry", True),
        ("Low Ferry had more visitors than Northgate", False),
        ("Low Ferry had fewer visitors than Northgate", True),
        ("Sandhithe opened before Low Ferry", True),
        ("Sandhithe opened later than Low Ferry", False),
    ],
)
def test_two_rows_are_compared(claim, holds):
    assert answers(comparisons(link_to_table(claim)), TableOperation.COMPARISON)[0] is holds


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Northgate had 13,446 more visitors than Millbank Pool", True),
        ("Northgate had 13,446 fewer visitors than Millbank Pool", False),
        ("Sandhithe opened 13 years before Low Ferry", True),
        ("Sandhithe opened 12 years before Low Ferry", False),
    ],
)
def test_differences_are_computed(claim, holds):
    assert answers(comparisons(link_to_table(claim)), TableOperation.DIFFERENCE)[0] is holds


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("More lidos are in Aldermoor than in Werrow", True),
        ("Fewer lidos are in Aldermoor than in Werrow", False),
    ],
)
def test_two_groups_are_compared_in_number(claim, holds):
    readings = comparisons(link_to_table(claim))
    assert [each.holds for each in readings if "by_count" in each.traits] == [holds]


def test_as_many_is_the_same_number():
    readings = comparisons(link_to_table("The club won as many races as it lost", REGATTA))
    assert [each.holds for each in readings if "by_count" in each.traits] == [False]


def test_half_is_a_factor():
    passage = "name | games\nAda | 20\nBo | 10\nCy | 8"
    readings = list(comparisons(link_to_table("Bo played half as many games as Ada", passage)))
    assert answers(readings, TableOperation.DIFFERENCE)[0] is True


# --- quantifiers ---


@pytest.mark.parametrize(
    ("claim", "operation", "holds"),
    [
        ("Sandhithe is the only lido with more than 60,000 visitors", TableOperation.ONLY, True),
        ("Northgate is the only lido in Aldermoor", TableOperation.ONLY, False),
        ("The only lido with a fee of £5.00 is Sandhithe", TableOperation.ONLY, True),
        ("None of the lidos in Werrow opened before 1940", TableOperation.NONE, True),
        ("No lido in Werrow opened before 1960", TableOperation.NONE, False),
        ("There are no lidos", TableOperation.NONE, False),
    ],
)
def test_only_and_none_are_checked_over_all_rows(claim, operation, holds):
    assert answers(find_quantifier_readings(link_to_table(claim)), operation) == [holds]


@pytest.mark.parametrize(
    ("claim", "operation"),
    [
        ("All lidos in Werrow opened after 1940", TableOperation.ALL),
        ("Most of the lidos are in Aldermoor", TableOperation.MOST),
    ],
)
def test_all_and_most_are_checked(claim, operation):
    assert True in answers(find_quantifier_readings(link_to_table(claim)), operation)


def test_a_minority_is_not_most():
    assert answers(
        find_quantifier_readings(link_to_table("Most of the lidos are in Werrow")), TableOperation.MOST
    ) == [False]


# --- totals ---


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("The lidos had a total of 206,240 visitors", True),
        ("The lidos had a total of 206,241 visitors", False),
        ("The lidos in Werrow had a total of 77,375 visitors", True),
        ("The average entry fee is £3.70", True),
        ("The average entry fee is £4.70", False),
    ],
)
def test_sums_and_means_are_computed(claim, holds):
    assert answers(totals(link_to_table(claim)), TableOperation.TOTAL)[0] is holds
