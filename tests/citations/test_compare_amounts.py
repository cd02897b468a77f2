import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.find_quantities import Quantity, find_quantities
from citations.quantities.compare_amounts import Match, agree, compare_with_all, same_measure, states


def only(text: str) -> Quantity:
    (found,) = find_quantities(text)
    return found


@pytest.mark.parametrize(
    ("a", "b", "match"),
    [
        ("100 users", "109 users", Match.SAME),
        ("100 users", "120 users", Match.DIFFERENT),
        ("50 % of users", "52 % of users", Match.SAME),
        ("50 % of users", "54 % of users", Match.DIFFERENT),
        ("a profit of $100", "a profit of $108", Match.SAME),
        ("a profit of $100", "a profit of €100", Match.UNRELATED),
        ("a CAGR of 5.0 %", "a CAGR of 5.2 %", Match.DIFFERENT),
        ("over 500 users", "612 users", Match.SAME),
        ("over 500 users", "450 users", Match.DIFFERENT),
        ("up to 10 users", "8 users", Match.SAME),
        ("at least 8 characters", "at least 12 characters", Match.DIFFERENT),
        ("at least 8 characters", "up to 64 characters", Match.SAME),
        ("12 users", "12 servers", Match.UNRELATED),
        ("a length of 1 km", "a length of 1000 m", Match.SAME),
        ("72 characters", "72 bytes", Match.UNRELATED),
        ("15 MiB of memory", "19 MiB of memory", Match.DIFFERENT),
        ("the third album", "the fourth album", Match.DIFFERENT),
        ("10–15 users", "12 users", Match.SAME),
    ],
)
def test_two_reports_of_one_figure(a, b, match):
    assert agree(only(a), only(b)) is match


@pytest.mark.parametrize(
    ("pattern", "percent"),
    [
        ("{} % of users", 5),
        ("a rise of {} percentage points", 5),
        ("a profit of ${}", 10),
        ("{} users", 10),
        ("{} kg of salt", 10),
        ("a CAGR of {} %", 2),
    ],
)
def test_each_kind_has_its_tolerance_relative_to_the_larger(pattern, percent):
    larger, inside, outside = (only(pattern.format(each)) for each in (100, 100 - percent, 99.9 - percent))
    assert agree(larger, inside) is agree(inside, larger) is Match.SAME
    assert agree(larger, outside) is agree(outside, larger) is Match.DIFFERENT


@pytest.mark.parametrize(
    ("a", "b", "match"),
    [
        ("50 deaths per year", "50 deaths per month", Match.UNRELATED),
        ("50 deaths per year", "52 deaths a year", Match.SAME),
        ("50 deaths per 100,000 people", "80 deaths per 100,000 people", Match.DIFFERENT),
        ("50 deaths per year", "52 deaths", Match.SAME),
    ],
)
def test_rates_are_compared_with_rates_of_their_kind(a, b, match):
    one, other = find_quantities(a)[0], find_quantities(b)[0]
    assert agree(one, other) is match


@pytest.mark.parametrize(
    ("claim", "source", "match"),
    [
        ("12 % of users", "12.4 % of users", Match.SAME),
        ("12.4 % of users", "12 % of users", Match.DIFFERENT),
        ("12 % of users", "21 % of users", Match.DIFFERENT),
        ("100 users", "105 users", Match.DIFFERENT),
        ("about 100 users", "105 users", Match.SAME),
        ("310,000 users", "312,345 users", Match.SAME),
        ("over 500 users", "612 users", Match.SAME),
        ("612 users", "over 500 users", Match.DIFFERENT),
        ("12 characters", "at least 12 characters", Match.SAME),
        ("at least 8 characters", "at least 12 characters", Match.DIFFERENT),
        ("at most 12 characters", "at least 12 characters", Match.DIFFERENT),
        ("at least 12 characters", "12 characters", Match.SAME),
        ("at least 12 characters", "12–15 characters", Match.SAME),
        ("at most 15 characters", "12–15 characters", Match.SAME),
        ("at most 14 characters", "12–15 characters", Match.DIFFERENT),
        ("10–15 characters", "12 characters", Match.DIFFERENT),
        ("1 hour", "60 minutes", Match.SAME),
        ("$5 million", "€5 million", Match.UNRELATED),
        ("75 % of voters", "three quarters of voters", Match.SAME),
        ("six albums", "6 albums", Match.SAME),
        ("5 albums", "6 awards", Match.UNRELATED),
    ],
)
def test_a_source_carries_a_figure_or_not(claim, source, match):
    assert states(only(claim), only(source)) is match


@pytest.mark.parametrize(
    ("claim", "passage", "match", "text"),
    [
        ("12 servers", "It has 9 servers for 12 users.", Match.DIFFERENT, "9"),
        ("12 servers", "It has 9 servers, later 12 servers.", Match.SAME, "12"),
        ("12 servers", "It grew from 12 servers to 15 servers.", Match.SAME, "12"),
        ("12 servers", "It grew from 9 servers to 15 servers.", Match.DIFFERENT, "15"),
        ("12 servers", "It has 9 users.", Match.UNRELATED, None),
    ],
)
def test_figures_of_the_same_thing_and_of_now_come_first(claim, passage, match, text):
    found = compare_with_all(only(claim), find_quantities(passage))
    assert found.match is match
    assert (found.source and found.source.text) == text


def test_words_before_decide_where_no_noun_follows():
    a, b = only("The work factor is 310,000"), only("use a work factor of 600,000")
    assert same_measure(a, b)


AMOUNTS = st.builds(
    lambda bound, number, rest: only(f"{bound}{number}{rest}"),
    st.sampled_from(["", "over ", "up to ", "at least ", "about "]),
    st.integers(2, 10_000),
    st.sampled_from([" users", " %", " km of road", " users or more", " million users"]),
)


@given(AMOUNTS, AMOUNTS)
def test_agreement_is_symmetric(a, b):
    assert agree(a, b) is agree(b, a)


@given(AMOUNTS)
def test_every_figure_states_itself(a):
    assert states(a, a) is Match.SAME


@given(AMOUNTS, AMOUNTS)
def test_what_has_another_dimension_never_matches(a, b):
    if a.unit != b.unit:
        assert states(a, b) is agree(a, b) is Match.UNRELATED


def test_a_figure_that_does_not_say_of_what_goes_before_another_of_the_same_thing():
    sources = find_quantities("Of the 48 wells that were tested, 17 were over the limit.")
    found = compare_with_all(only("17 wells"), sources)
    assert (found.match, found.source) == (Match.SAME, sources[1])


def test_a_figure_of_another_thing_does_not():
    sources = find_quantities("There are 9 servers and 12 users.")
    assert compare_with_all(only("12 servers"), sources).match is Match.DIFFERENT
