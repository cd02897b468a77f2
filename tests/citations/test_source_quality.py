"""Quality of a source: what its age costs, how its parts are weighed, what an unknown part does."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.credibility.source_authority import SourceType, authority_of, source_authority
from citations.credibility.source_quality import quality, recency_score
from citations.credibility.source_recency import STALE_MONTHS, RecencyBias
from citations.dates.find_dates import parse_iso

TODAY = date(2026, 11, 1)
BALANCED = RecencyBias.BALANCED
shares = st.none() | st.floats(0, 1)


@pytest.mark.parametrize("bias", list(RecencyBias))
def test_recency_is_halved_in_half_of_the_time_that_makes_a_source_stale(bias):
    months = STALE_MONTHS[bias] / 2
    year = TODAY.year - int(months // 12)
    month = TODAY.month - int(months % 12)
    assert recency_score(parse_iso(f"{year}-{month:02}-01"), TODAY, bias) == pytest.approx(0.5, abs=0.01)


def test_the_same_age_costs_more_where_recent_sources_are_wanted():
    old = parse_iso("2024-11-01")
    recent, balanced, historical = (recency_score(old, TODAY, bias) for bias in RecencyBias)
    assert recent < balanced < historical


def test_an_undated_source_has_no_recency_and_loses_nothing_by_it():
    assert recency_score(None, TODAY, BALANCED) is None
    whole = quality(authority=0.8, relevance=0.8, recency=None, bias=BALANCED)
    assert whole.score == pytest.approx(0.8)


def test_a_date_to_come_is_no_better_than_today():
    assert recency_score(parse_iso("2031"), TODAY, BALANCED) == 1


def test_authority_weighs_most_and_age_by_the_bias():
    parts = {
        part.name: part.weight for part in quality(authority=1, relevance=1, recency=1, bias=BALANCED).parts
    }
    assert parts == {"authority": 0.44, "relevance": 0.36, "recency": 0.2}


def test_nothing_known_is_no_quality():
    assert quality(authority=None, relevance=None, recency=None, bias=BALANCED).score is None


@given(shares, shares, shares, st.sampled_from(RecencyBias))
def test_a_quality_lies_between_its_least_and_its_greatest_part(authority, relevance, recency, bias):
    whole = quality(authority=authority, relevance=relevance, recency=recency, bias=bias)
    known = [part.value for part in whole.parts if part.value is not None]
    assert sum(part.weight for part in whole.parts) == pytest.approx(1)
    assert (whole.score is None) == (not known)
    assert not known or min(known) - 1e-4 <= whole.score <= max(known) + 1e-4


@given(
    st.integers(1, 5),
    st.sampled_from(SourceType),
    st.booleans(),
    st.sampled_from(["", "2026-10", "2026-03", "1999"]),
)
def test_an_authority_is_the_sum_of_its_parts_within_bounds(tier, kind, has_author, published):
    told = {"has_author": has_author, "published": parse_iso(published), "today": TODAY}
    parts = authority_of(tier, kind, **told)
    total = 0.5 + parts.tier + parts.source_type + parts.author + parts.recency
    assert parts.score == source_authority(tier, kind, **told) == pytest.approx(min(1, max(0, total)))
