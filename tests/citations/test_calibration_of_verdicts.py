"""Confidence against verdicts: bins, intervals and scores, by example and by property."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.credibility.confidence_calibration import BINS, ReviewedClaim, bin_of, calibration, wilson

judged = st.lists(st.builds(ReviewedClaim, st.floats(0, 1, allow_nan=False), st.booleans()), max_size=60)


@given(judged)
def test_every_verdict_is_in_the_bin_of_its_confidence(found):
    bins = calibration(found).bins
    assert len(bins) == BINS
    assert sum(one.n for one in bins) == len(found)
    assert sum(one.accepted for one in bins) == sum(one.accepted for one in found)
    for one in found:
        place = bins[bin_of(one.confidence)]
        assert place.low <= one.confidence
        assert one.confidence < place.high or place.high == 1


@given(judged)
def test_no_figure_leaves_its_scale_and_none_is_made_up(found):
    done = calibration(found)
    for figure in (done.expected_error, done.brier):
        assert (figure is None) == (not found)
        assert figure is None or 0 <= figure <= 1 + 1e-9
    for one in done.bins:
        assert (one.share is None) == (one.interval is None) == (one.n == 0)


@given(judged)
def test_the_order_of_verdicts_does_not_count(found):
    one, other = calibration(found), calibration(found[::-1])
    assert one.expected_error == pytest.approx(other.expected_error)
    assert one.brier == pytest.approx(other.brier)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_share_lies_in_its_interval_and_more_verdicts_make_it_narrower(counted):
    successes, n = counted
    low, high = wilson(successes, n)
    assert 0 <= low <= successes / n <= high <= 1
    twice = wilson(2 * successes, 2 * n)
    assert twice[1] - twice[0] < high - low


@given(st.lists(st.booleans(), min_size=1, max_size=30))
def test_who_knows_each_verdict_has_no_error(verdicts):
    done = calibration([ReviewedClaim(float(verdict), verdict) for verdict in verdicts])
    assert (done.expected_error, done.brier) == (0, 0)


def test_the_figures_of_a_small_example():
    found = (
        [ReviewedClaim(0.85, accepted=True)] * 3
        + [ReviewedClaim(0.85, accepted=False)]
        + [ReviewedClaim(0.2, accepted=False)]
    )
    done = calibration(found)
    assert (done.n, done.accepted) == (5, 3)
    assert done.expected_error == pytest.approx((4 * 0.1 + 1 * 0.2) / 5)
    assert done.brier == pytest.approx((3 * 0.15**2 + 0.85**2 + 0.2**2) / 5)
    assert [one.n for one in done.bins] == [0, 0, 1, 0, 0, 0, 0, 0, 4, 0]


@pytest.mark.parametrize(
    ("successes", "n", "interval"), [(0, 10, (0, 0.278)), (5, 10, (0.237, 0.763)), (10, 10, (0.722, 1))]
)
def test_the_interval_is_wilsons(successes, n, interval):
    assert wilson(successes, n) == pytest.approx(interval, abs=0.001)
