"""Other words for a query that did not find enough."""

import pytest

from research.pipelines.report.collecting.reword_report_queries import broader, further_query

QUERY = "heat pump subsidy 2025"
TITLES = [
    "Boiler replacement and heat pump grants", "Grants for boiler replacement in 2025",
    "Boiler grants explained", "Gardening in spring",
]  # fmt: skip


def test_words_that_many_titles_share_are_added():
    assert further_query(QUERY, TITLES, 1) == f"{QUERY} boiler grants"


def test_a_further_round_adds_other_words():
    assert further_query(QUERY, TITLES, 2) == f"{QUERY} replacement"


def test_where_nothing_was_found_the_query_is_made_broader():
    assert further_query(QUERY, [], 1) == "heat pump subsidy"


@pytest.mark.parametrize("query", ["boilers", ""])
def test_what_cannot_be_said_otherwise_is_not(query):
    assert further_query(query, [], 1) is None


def test_years_and_figures_are_what_makes_a_query_narrow():
    assert broader("Django 5.2 release of April 2025") == "Django release April"
