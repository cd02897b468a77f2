"""The time left: a range from what earlier runs took, which never says less than the truth allows."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.runs.run_time_left import Course, RunPosition, StateVisit, TimeLeft, time_left

STATES = ("planning", "collecting", "reading", "verifying")


def course(*seconds: float, sources: int = 10) -> Course:
    return Course(tuple(StateVisit(*one) for one in zip(STATES, seconds, strict=True)), sources)


USUAL = [course(5, 20, 300, 60), course(6, 22, 320, 70), course(5, 18, 280, 50), course(5, 20, 310, 65)]
IN_READING = RunPosition(
    before=(StateVisit("planning", 5), StateVisit("collecting", 20)), state="reading", seconds=100
)


def test_from_fewer_than_three_earlier_runs_nothing_is_told():
    assert time_left(IN_READING, USUAL[:2]) is None
    assert time_left(IN_READING, USUAL[:3]) is not None


def test_runs_that_never_were_in_this_state_tell_nothing_about_it():
    assert time_left(replace(IN_READING, state="citing"), USUAL) is None


def test_what_usually_follows_lies_within():
    found = time_left(IN_READING, USUAL)
    assert found is not None
    assert found.low_s < 200 + 60 < found.high_s
    assert found.minutes == (2, 8)


def test_a_run_that_is_slower_so_far_is_told_more():
    slow = replace(IN_READING, before=(StateVisit("planning", 20), StateVisit("collecting", 80)))
    usual, slower = time_left(IN_READING, USUAL), time_left(slow, USUAL)
    assert usual
    assert slower
    assert slower.high_s > 1.4 * usual.high_s


def test_a_run_with_more_sources_is_told_more():
    usual, larger = (time_left(replace(IN_READING, sources=n), USUAL) for n in (10, 40))
    assert usual
    assert larger
    assert larger.high_s > 1.4 * usual.high_s


def test_the_pace_of_the_present_state_counts_once_some_of_it_is_done():
    """A tenth done in 100 seconds: the rest will take far longer than it did for others."""
    early = replace(IN_READING, parts_done=2, parts=20)
    known = replace(IN_READING, parts_done=3, parts=30)
    assert time_left(early, USUAL) == time_left(IN_READING, USUAL)
    found = time_left(known, USUAL)
    assert found
    assert found.high_s > 900


def test_the_second_visit_of_a_state_is_compared_with_the_second():
    visits = [*USUAL[0].visits, StateVisit("reading", 10), StateVisit("verifying", 10)]
    revised = [Course(tuple(visits), 10)] * 3
    again = RunPosition(before=USUAL[0].visits, state="reading", seconds=1)
    found = time_left(again, revised)
    assert found
    assert found.high_s < 60


def test_what_lasts_longer_than_ever_is_still_told_as_going_on():
    found = time_left(replace(IN_READING, seconds=2_000), USUAL)
    assert found
    assert found.low_s > 0


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [(0, 1, (0, 1)), (0, 60, (0, 1)), (10, 61, (0, 2)), (60, 119, (1, 2)), (250, 610, (4, 11))],
)
def test_minutes_are_rounded_outwards_and_never_fall_below_one(low, high, shown):
    assert TimeLeft(low, high).minutes == shown


def test_what_was_shown_holds_or_does_not():
    assert [TimeLeft(130, 200).holds(s) for s in (119, 120, 240, 241)] == [False, True, True, False]


@given(
    st.lists(st.lists(st.floats(0, 5_000), min_size=4, max_size=4), min_size=3, max_size=25),
    st.floats(0, 5_000),
    st.integers(0, 40),
    st.integers(0, 200),
)
def test_whatever_was_the_range_is_a_range(earlier, seconds, done, sources):
    now = replace(IN_READING, seconds=seconds, parts_done=done, parts=40, sources=sources)
    found = time_left(now, [course(*one) for one in earlier])
    assert found is not None
    assert 0 <= found.low_s <= found.high_s
    assert found.minutes[0] < found.minutes[1]
