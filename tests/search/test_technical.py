"""The ranking of technical results: what each fact about a result is worth, and that nothing passes 1."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.models import SourceType
from research.search.search_protocol import SearchHit, SearchType
from research.search.searched_source_kinds import search_types
from research.search.technical_search_ranking import technical_score, technically_ranked

TODAY = date(2024, 6, 15)
PLAIN = SearchHit("https://a.example/", "A page", "Words.")
HITS = st.builds(
    SearchHit,
    url=st.sampled_from(["https://a.example/", "https://b.example/"]),
    title=st.text(max_size=20),
    snippet=st.text(max_size=300),
    published=st.sampled_from(["", "2024", "2023-06", "2024-06-01", "1999"]),
    source_type=st.sampled_from(SourceType),
    stars=st.none() | st.integers(0, 9),
    has_code=st.booleans(),
)


def score(**facts: object) -> float:
    return technical_score(replace(PLAIN, **facts), (), TODAY)


@pytest.mark.parametrize(
    ("facts", "worth"),
    [
        ({}, 0.5), ({"source_type": SourceType.DOCUMENTATION}, 0.7), ({"published": "2024-06-01"}, 0.7),
        ({"snippet": "x" * 200}, 0.5), ({"snippet": "x" * 201}, 0.6), ({"has_code": True}, 0.6), ({"stars": 0}, 0.6),
        ({"title": "An example of use"}, 0.6), ({"snippet": "call run() first"}, 0.6), ({"title": "Exemplary"}, 0.5),
    ],
)  # fmt: skip
def test_each_fact_has_its_worth(facts, worth):
    assert score(**facts) == worth


def test_a_preferred_kind_is_worth_most():
    assert technical_score(replace(PLAIN, source_type=SourceType.CODE), [SourceType.CODE], TODAY) == 0.8


@pytest.mark.parametrize(
    ("published", "is_recent"),
    [
        ("2023-06-16", True), ("2023-06-15", False), ("2023-06", True), ("2023-05", False), ("2023", True),
        ("2022", False), ("", False), ("2024-06-15", True),
    ],
)  # fmt: skip
def test_twelve_months_are_counted_as_far_as_the_date_tells(published, is_recent):
    assert (score(published=published) == 0.7) is is_recent


@given(HITS, st.sets(st.sampled_from(SourceType)))
def test_a_score_lies_between_a_half_and_one(hit, preferred):
    assert 0.5 <= technical_score(hit, preferred, TODAY) <= 1


@given(st.lists(HITS, max_size=10))
def test_ranking_keeps_every_result_and_the_order_of_equals(hits):
    ranked = technically_ranked([(hit, 1.0) for hit in hits], (), TODAY)
    assert sorted(map(str, (hit for hit, _ in ranked))) == sorted(map(str, hits))
    scores = [score for _, score in ranked]
    assert scores == sorted(scores, reverse=True)
    for value in set(scores):
        own = [hit for hit in hits if technical_score(hit, (), TODAY) == value]
        assert [hit for hit, score in ranked if score == value] == own


@pytest.mark.parametrize(
    ("wanted", "types"),
    [
        ([], ["web", "academic"]), (["news"], ["news", "web"]), (["academic", "news"], ["academic", "news", "web"]),
        (["code", "documentation"], ["code", "web"]), (["government"], ["web"]),
    ],
)  # fmt: skip
def test_the_kinds_of_source_decide_where_is_searched(wanted, types):
    assert search_types([SourceType(one) for one in wanted]) == tuple(map(SearchType, types))
