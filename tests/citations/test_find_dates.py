from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.dates.find_dates import Moment, Period, find_times, parse_iso


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2017", date(2017, 1, 1), date(2017, 12, 31)),
        ("2016-02", date(2016, 2, 1), date(2016, 2, 29)),
        ("2017-06-22", date(2017, 6, 22), date(2017, 6, 22)),
        ("2017-06-22T10:00:00Z", date(2017, 6, 22), date(2017, 6, 22)),
    ],
)
def test_an_iso_date_means_all_days_it_could_mean(text, first, last):
    assert parse_iso(text) == Period(first, last)


@pytest.mark.parametrize(
    "text", [None, "", "yesterday", "2017-13", "2017-00", "2017-02-30", "2017-02-00", "17"]
)
def test_anything_else_is_no_date(text):
    assert parse_iso(text) is None


def test_a_period_cannot_end_before_it_begins():
    with pytest.raises(ValueError, match="before it begins"):
        Period(date(2020, 1, 2), date(2020, 1, 1))


def test_a_period_lies_within_itself_and_what_is_longer():
    year, december = parse_iso("2020"), parse_iso("2020-12")
    assert year.within(year)
    assert december.within(year)
    assert not year.within(december)


def test_the_age_of_a_period_counts_from_its_first_day():
    assert parse_iso("2020").months_before(date(2021, 1, 1)) == pytest.approx(12.02, abs=0.01)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("on May 21, 2017 it rose", Moment(2017, 5, 21)),
        ("on 21 May 2017", Moment(2017, 5, 21)),
        ("the 3rd of June", Moment(None, 6, 3)),
        ("january 8, 1935", Moment(1935, 1, 8)),
        ("in Sept. 2020", Moment(2020, 9)),
        ("dated 2021-10", Moment(2021, 10)),
        ("on 2017-06-22.", Moment(2017, 6, 22)),
        ("since 2016, users", Moment(2016)),
        ("the 2014 census", Moment(2014)),
        ("RFC 2104 (2009)", Moment(2009)),
        ("in May", Moment(None, 5)),
    ],
)
def test_a_time_is_found_with_the_parts_that_are_named(text, moment):
    (found,) = find_times(text)
    assert (found.start, found.end) == (moment, None)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2010–2015", Moment(2010), Moment(2015)),
        ("from 2010 to 2015", Moment(2010), Moment(2015)),
        ("between 2001 and 2004", Moment(2001), Moment(2004)),
        ("the 1990s", Moment(1990), Moment(1999)),
        ("the 19th century", Moment(1801), Moment(1900)),
        ("Q3 2020", Moment(2020, 7), Moment(2020, 9)),
        ("the third quarter of 2020", Moment(2020, 7), Moment(2020, 9)),
    ],
)
def test_a_range_has_two_ends(text, start, end):
    (found,) = find_times(text)
    assert (found.start, found.end) == (start, end)


@pytest.mark.parametrize(
    "text",
    [
        "over 2000 users",
        "2000 iterations",
        "RFC 2104",
        "ISO 2022 is a code",
        "CVE-2017-1234",
        "rounds = 2048",
        "costs $2015",
        "1999.5 points",
        "they may 5 times",
        "it may be so",
        "SP 800-63B",
        "version 4.0.3",
        "The April report",
        "users can or may stay",
        "it weighed in 2000 kg",
    ],
)
def test_what_is_not_a_time_is_left_alone(text):
    assert find_times(text) == ()


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("It rose in July and August", ["July", "August"]),
        ("in 2016 cups were sold", ["2016"]),
        ("on 25/12/2024", ["25/12/2024"]),
        ("on December 31", ["December 31"]),
        ("last March they left", ["March"]),
    ],
)
def test_times_are_found_whole(text, times):
    assert [found.text for found in find_times(text)] == times


def test_two_dates_in_a_sentence_are_two_times():
    found = find_times("born 8 January 1935, died August 16, 1977")
    assert [each.start.year for each in found] == [1935, 1977]


@pytest.mark.parametrize(
    ("a", "b", "conflict"),
    [
        ("in 2017", "in 2018", True),
        ("in May 2017", "in 2017", False),
        ("on May 21", "on May 22", True),
        ("on May 21", "in 2017", False),
        ("May 2017", "June 2017", True),
        ("in 2012", "2010–2015", False),
        ("in 2016", "2010–2015", True),
    ],
)
def test_times_conflict_only_in_parts_that_both_name(a, b, conflict):
    (one,), (other,) = find_times(a), find_times(b)
    assert one.conflicts(other) is conflict
    assert other.conflicts(one) is conflict


def test_a_fuller_date_covers_a_part_of_it():
    assert Moment(2017, 5, 21).covers(Moment(2017, 5))
    assert not Moment(2017).covers(Moment(2017, 5))


def test_a_day_that_does_not_exist_has_no_period():
    assert Moment(2017, 2, 30).period is None


def test_a_moment_without_a_year_has_no_period():
    assert Moment(None, 5, 3).period is None


def test_a_range_backwards_has_no_period():
    (found,) = find_times("2015-2010")
    assert found.period is None


@given(st.text(max_size=120))
def test_any_text_is_searched(text):
    for found in find_times(text):
        assert found.span.cut(text) == found.text


@given(st.dates())
def test_every_written_date_is_read_back(day):
    if 1000 <= day.year < 2100:
        (found,) = find_times(f"It began on {day:%B} {day.day}, {day.year}.")
        assert found.start == Moment(day.year, day.month, day.day)


@given(st.dates(), st.dates())
def test_overlap_is_symmetric(a, b):
    one, other = Period(min(a, b), max(a, b)), Period(b, b)
    assert one.overlaps(other) == other.overlaps(one) is True


def test_two_digits_after_a_word_are_a_year_only_where_they_count_nothing():
    told = "It fell from 104 euros in 2023 to 91 euros in 2024."
    assert [each.text for each in find_times(told)] == ["2023", "2024"]
    assert [each.text for each in find_times("Sales of 2019 to 21, in short.")] == ["2019 to 21"]
    assert [each.text for each in find_times("Sales of 2019-21 in short.")] == ["2019-21"]


def test_a_date_may_begin_with_its_year():
    [found] = find_times("Released 2021 November 27.")
    assert (found.start.year, found.start.month, found.start.day) == (2021, 11, 27)
