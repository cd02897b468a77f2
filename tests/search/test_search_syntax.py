"""Queries and filters in the words of search engines."""

from datetime import date

import pytest

from research.search.providers.search_syntax import LONGEST, MAX_SITES, range_of, with_sites
from research.search.search_protocol import Filters, SearchType

TODAY = date(2024, 6, 15)


def filters(**sites: list[str]) -> Filters:
    return Filters(SearchType.WEB, **{name: frozenset(each) for name, each in sites.items()})


@pytest.mark.parametrize(
    ("sites", "asked"),
    [
        ({}, "heat"),
        ({"excluded_domains": ["b.example", "a.example"]}, "heat -site:a.example -site:b.example"),
        ({"allowed_domains": ["a.example"]}, "heat site:a.example"),
        ({"allowed_domains": ["b.example", "a.example"]}, "heat (site:a.example OR site:b.example)"),
        ({"allowed_domains": ["a.example"], "excluded_domains": ["b.example"]}, "heat site:a.example"),
        ({"allowed_domains": [f"{n}.example" for n in range(MAX_SITES + 1)]}, "heat"),
    ],
)
def test_sites_are_operators(sites, asked):
    assert with_sites("heat", filters(**sites)) == asked


def test_of_many_unwanted_sites_a_few_are_told():
    asked = with_sites("heat", filters(excluded_domains=[f"{n}.example" for n in range(30)]))
    assert asked.count("-site:") == MAX_SITES


def test_the_words_of_a_long_query_stay_and_operators_that_do_not_fit_go():
    query = "x" * (LONGEST - 20)
    asked = with_sites(query, filters(excluded_domains=["a.example", "much-longer-than-the-others.example"]))
    assert asked == f"{query} -site:a.example"


@pytest.mark.parametrize(
    ("first", "word"),
    [
        (date(2024, 6, 14), "day"), (date(2024, 6, 8), "week"), (date(2024, 5, 15), "month"),
        (date(2023, 6, 15), "year"),
        (date(2023, 6, 13), ""), (date(2024, 7, 1), "day"), (None, ""),
    ],
)  # fmt: skip
def test_a_range_is_the_narrowest_that_holds_the_first_day(first, word):
    assert range_of(Filters(SearchType.WEB, first), TODAY) == word
