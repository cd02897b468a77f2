from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.credibility import Author, Credibility, credibility
from citations.times import parse_iso

TODAY = date(2026, 7, 1)
BEST = {
    "tier": 1,
    "published": parse_iso("2026-06"),
    "today": TODAY,
    "author": Author.QUALIFIED,
    "references": 50,
    "words": 1000,
    "corroborating": 4,
}


def test_the_best_source_scores_ten():
    assert credibility(**BEST).score == 10


def test_a_source_of_which_nothing_is_known_scores_one():
    found = credibility(
        tier=5, published=None, today=TODAY, author=Author.UNKNOWN, references=0, words=0, corroborating=0
    )
    assert found.score == 1


@pytest.mark.parametrize(("tier", "points"), [(1, 2.0), (2, 1.5), (3, 1.0), (4, 0.5), (5, 0.0)])
def test_points_for_the_domain(tier, points):
    assert credibility(**BEST | {"tier": tier}).domain == points


@pytest.mark.parametrize(
    ("published", "points"), [("2026", 2.0), ("2024", 1.5), ("2022", 1.0), ("2001", 0.5), (None, 0.0)]
)
def test_points_for_recency(published, points):
    assert credibility(**BEST | {"published": parse_iso(published)}).recency == points


@pytest.mark.parametrize(("references", "points"), [(5, 2.0), (1, 1.0), (0, 0.0)])
def test_points_for_citation_density(references, points):
    assert credibility(**BEST | {"references": references}).citation_density == points


def test_a_source_under_six_may_not_stand_alone():
    assert Credibility(2, 2, 1.4, 0, 0).may_stand_alone is False
    assert Credibility(2, 2, 2, 0, 0).may_stand_alone is True


@given(st.integers(0, 9), st.sampled_from(Author), st.integers(0, 99), st.integers(0, 9999))
def test_the_score_lies_between_one_and_ten(corroborating, author, references, words):
    found = credibility(
        **BEST | {"corroborating": corroborating, "author": author, "references": references, "words": words}
    )
    assert 1 <= found.score <= 10
