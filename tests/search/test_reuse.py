"""Acquire or reuse: what is decided for a query from what was saved before."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.credibility.source_recency import RecencyBias
from research.search.search_or_reuse_pages import OLDEST, ReuseMode, SavedPageCounts, decide, is_fresh

YOUNG = SavedPageCounts(pages=3, fresh=3, youngest=timedelta(hours=1))
BALANCED = RecencyBias.BALANCED


def test_without_a_saved_page_the_web_is_searched():
    decided = decide(SavedPageCounts(), 1.0, BALANCED)
    assert (decided.decision, decided.reason) == (ReuseMode.BROWSE, "no saved page fits")
    assert decided.decision.searches
    assert not decided.decision.reuses


@pytest.mark.parametrize(("bias", "days"), [("recent", 1), ("balanced", 7), ("historical", 30)])
def test_pages_older_than_the_bias_allows_are_read_beside_a_search(bias, days):
    at_the_limit = SavedPageCounts(1, 1, timedelta(days=days))
    too_old = SavedPageCounts(1, 0, timedelta(days=days, seconds=1))
    assert decide(at_the_limit, 1.0, RecencyBias(bias)).decision is ReuseMode.REUSE
    decided = decide(too_old, 1.0, RecencyBias(bias))
    assert decided.decision is ReuseMode.BOTH
    assert f"older than {days} day" in decided.reason


@pytest.mark.parametrize(("coverage", "decision"), [(0.69, "both"), (0.7, "reuse"), (1.0, "reuse")])
def test_below_seven_tenths_of_the_subtopics_the_web_is_searched_too(coverage, decision):
    assert decide(YOUNG, coverage, BALANCED).decision == decision


def test_young_pages_that_cover_the_subtopics_are_enough():
    decided = decide(YOUNG, 0.8, BALANCED)
    assert not decided.decision.searches
    assert decided.reason == "3 saved pages fit, 3 of them young enough"


@given(
    st.integers(0, 20),
    st.none() | st.timedeltas(timedelta(0), timedelta(days=400)),
    st.floats(0, 1),
    st.sampled_from(RecencyBias),
)
def test_only_young_pages_that_cover_enough_ever_save_a_search(pages, youngest, coverage, bias):
    decided = decide(SavedPageCounts(pages, pages, youngest), coverage, bias)
    is_enough = pages > 0 and youngest is not None and is_fresh(youngest, bias) and coverage >= 0.7
    assert (decided.decision is ReuseMode.REUSE) is is_enough
    assert decided.decision.reuses is (pages > 0 and youngest is not None)
    assert decided.reason


def test_the_limits_are_those_of_the_specification():
    assert [OLDEST[bias].days for bias in RecencyBias] == [1, 7, 30]
