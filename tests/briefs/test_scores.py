"""The figures of a brief, by example and by property."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.credibility.credibility_brief_scores import (
    aggregate,
    claim_score,
    exits_early,
    is_evidence,
    quality,
)

shares = st.floats(0, 1, allow_nan=False)


@given(st.lists(shares, max_size=8), st.integers(0, 2), shares)
def test_no_claim_is_above_nine_tenths_without_three_authorities(relevances, authorities, limit):
    assert 0 <= claim_score(relevances, authorities=authorities, limit=limit) <= min(0.9, max(limit, 0))


@given(st.lists(shares, max_size=8), st.integers(0, 8), shares)
def test_no_claim_is_above_its_limit_or_one(relevances, authorities, limit):
    assert 0 <= claim_score(relevances, authorities=authorities, limit=limit) <= min(1.0, limit)


@given(st.lists(shares, min_size=1, max_size=3), st.integers(0, 3))
def test_another_authority_lowers_nothing(relevances, authorities):
    one, more = (claim_score(relevances, authorities=number) for number in (authorities, authorities + 1))
    assert one <= more


@pytest.mark.parametrize(
    ("relevances", "authorities", "score"),
    [
        ([], 3, 0.0),
        ([0.5], 0, 0.7),
        ([0.5], 1, 0.8),
        ([1, 1], 1, 0.9),
        ([1, 1, 1], 3, 1.0),
        ([0.4, 0.6], 0, 0.8),
    ],
)
def test_a_claims_score_is_the_specs(relevances, authorities, score):
    assert claim_score(relevances, authorities=authorities) == pytest.approx(score)


@pytest.mark.parametrize(
    ("relevance", "snippet", "counts"),
    [(0.31, "x" * 51, True), (0.3, "x" * 51, False), (0.9, "x" * 50, False), (0.9, " " * 60, False)],
)
def test_evidence_is_relevant_and_long_enough(relevance, snippet, counts):
    assert is_evidence(relevance, snippet) is counts


def test_an_unknown_confidence_is_no_low_one():
    assert [exits_early(one) for one in (None, 0.0, 0.29, 0.3)] == [False, True, True, False]


def test_a_briefs_confidence_is_the_mean_of_what_is_known():
    assert aggregate(0.8, [0.6, 0.8]) == 0.75
    assert aggregate(None, [0.6, 0.8]) == 0.7
    assert aggregate(0.5, []) == 0.5
    assert aggregate(None, []) is None


def test_quality_tells_what_is_wanted_from_what_is_there():
    found = quality([2, 1, 2], [True, True, False], [0.8, 0.9, 0.75])
    assert (found.evidence_ratio, found.has_evidence, found.is_actionable, found.has_edits) == (
        1.67,
        True,
        True,
        True,
    )
    poor = quality([1, 1], [False, True], [0.8])
    assert (poor.has_evidence, poor.is_actionable, poor.has_edits) == (False, False, False)
    assert quality([], []).has_edits
