"""Overhead is what a run takes beyond its limit, and its growth is told by one number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.evaluation.evaluation_overhead_growth import GrowthMeasurement, Latencies, exponent

sizes = st.lists(st.integers(1, 10_000), min_size=2, max_size=6, unique=True)


@given(sizes, st.floats(0.2, 3), st.floats(0.001, 100))
def test_a_power_of_the_size_has_its_exponent(sizes, power, factor):
    assert exponent((size, factor * size**power) for size in sizes) == pytest.approx(power, abs=1e-6)


@given(sizes, st.floats(0.2, 3), st.floats(0.1, 10))
def test_the_unit_of_time_does_not_matter(sizes, power, factor):
    points = [(size, size**power + 1) for size in sizes]
    assert exponent(points) == pytest.approx(exponent((x, factor * y) for x, y in points), abs=1e-6)


@pytest.mark.parametrize(
    "points", [[], [(20, 1.0)], [(20, 1.0), (20, 2.0)], [(20, 1.0), (50, 0.0)], [(20, -1), (50, 2)]]
)
def test_one_size_alone_says_nothing_of_growth(points):
    assert exponent(points) is None


def test_the_limits_are_those_of_the_table_of_what_must_be_reached():
    """20 and 200 sources with a call each and three besides; 200 and 500 items of two calls."""
    world = Latencies()
    assert [round(world.report_limit_s(sources + 3), 1) for sources in (20, 50, 200, 500)] == [
        4.6,
        4.6,
        7.6,
        13.6,
    ]
    assert [round(world.table_limit_s(2 * items), 1) for items in (200, 500)] == [8.6, 20.6]


def test_overhead_is_what_is_beyond_the_limit():
    one = GrowthMeasurement("report", 20, wall_s=6.9, calls=23, limit_s=4.6)
    assert one.overhead_s == pytest.approx(2.3)
    assert one.ratio == pytest.approx(1.5)
