from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.dates.find_dates import Moment, Period, TimeMention, TimeRole, find_times


def only(text: str) -> TimeMention:
    (found,) = find_times(text)
    return found


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("am 3. Mai 2020", Moment(2020, 5, 3)),
        ("le 1er janvier 2020", Moment(2020, 1, 1)),
        ("im März 2020", Moment(2020, 3)),
        ("depuis août 2019", Moment(2019, 8)),
        ("on 13/04/2024", Moment(2024, 4, 13)),
        ("on 04/13/2024", Moment(2024, 4, 13)),
        ("am 3.4.2024", Moment(2024, 4, 3)),
        ("on 05/05/2024", Moment(2024, 5, 5)),
        ("on 2024/04/03", Moment(2024, 4, 3)),
        ("in 44 BC", Moment(-44)),
        ("AD 79", Moment(79)),
        ("in 79 AD", Moment(79)),
        ("at 2017-06-22T10:00", Moment(2017, 6, 22)),
    ],
)
def test_dates_of_many_forms(text, moment):
    assert (only(text).start, only(text).end) == (moment, None)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("H1 2020", date(2020, 1, 1), date(2020, 6, 30)),
        ("the second half of 2020", date(2020, 7, 1), date(2020, 12, 31)),
        ("2020 Q3", date(2020, 7, 1), date(2020, 9, 30)),
        ("Q3'20", date(2020, 7, 1), date(2020, 9, 30)),
        ("the '90s", date(1990, 1, 1), date(1999, 12, 31)),
        ("the 1800s", date(1800, 1, 1), date(1899, 12, 31)),
        ("the 2000s", date(2000, 1, 1), date(2009, 12, 31)),
        ("the nineteenth century", date(1801, 1, 1), date(1900, 12, 31)),
        ("2010-15", date(2010, 1, 1), date(2015, 12, 31)),
        ("2010/11", date(2010, 1, 1), date(2011, 12, 31)),
        ("May–June 2020", date(2020, 5, 1), date(2020, 6, 30)),
        ("January 2019 to March 2020", date(2019, 1, 1), date(2020, 3, 31)),
        ("May 3–5, 2020", date(2020, 5, 3), date(2020, 5, 5)),
        ("3–5 May 2020", date(2020, 5, 3), date(2020, 5, 5)),
        ("fiscal year 2023", date(2022, 1, 1), date(2023, 12, 31)),  # wherever it begins
        ("summer 2020", date(2020, 1, 1), date(2020, 12, 31)),  # on either hemisphere
    ],
)
def test_the_days_that_a_time_could_mean(text, first, last):
    assert only(text).period == Period(first, last)


def test_a_numeric_date_has_two_readings_and_no_invented_one():
    found = only("on 03/04/2024")
    assert found.start == Moment(2024)
    assert set(found.readings) == {Moment(2024, 4, 3), Moment(2024, 3, 4)}


@pytest.mark.parametrize(
    "text", ["on 32/13/2024", "the nineties", "in the '20s", "yesterday", "last year", "03/04/24"]
)
def test_what_leaves_the_time_open_is_no_time(text):
    assert find_times(text) == ()


@pytest.mark.parametrize(
    "text", ["2000 cm", "1500 W of power", "1000 ppb", "2000 people", "over 2000 of them", "they may 5"]
)
def test_numbers_of_four_digits_may_count(text):
    assert find_times(text) == ()


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("as of May 2020", TimeRole.AS_OF),
        ("since 2016", TimeRole.SINCE),
        ("until 2019", TimeRole.UNTIL),
        ("by 2030", TimeRole.UNTIL),
        ("before 2000", TimeRole.BEFORE),
        ("prior to 2000", TimeRole.BEFORE),
        ("after 1995", TimeRole.AFTER),
        ("in 1995", TimeRole.AT),
    ],
)
def test_a_time_has_a_role(text, role):
    assert only(text).role is role


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("21 May 2017", "in May 2017"),
        ("21 May 2017", "in 2017"),
        ("in 1995", "in the 1990s"),
        ("August 2020", "Q3 2020"),
        ("in 1995", "in the 20th century"),
        ("in 1995", "before 2000"),
        ("on 03/04/2024", "on 3 April 2024"),
        ("2010–2015", "2010 to 2015"),
        ("fiscal 2023", "FY2023"),
        ("in 2010–2015", "in 2015"),
    ],
)
def test_a_time_covers_what_says_no_more(source, claim):
    assert only(source).covers(only(claim))
    assert not only(source).conflicts(only(claim))


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("in 2017", "in May 2017"),
        ("in 1985", "in the 1990s"),
        ("in 2003", "before 2000"),
        ("in 2000", "before 2000"),
        ("in 2023", "FY2023"),
        ("in 2020", "in summer 2020"),
        ("in 2012", "2010–2015"),
    ],
)
def test_a_time_does_not_cover_what_says_more_or_else(source, claim):
    assert not only(source).covers(only(claim))


@pytest.mark.parametrize(
    ("a", "b", "conflict"),
    [
        ("since 2016", "in 2018", False),
        ("since 2016", "in 2014", True),
        ("since 2016", "since 2018", True),
        ("before 2000", "in 2003", True),
        ("summer 2020", "winter 2020", True),
        ("summer 2020", "in 2020", False),
        ("FY2023", "in 2022", False),
        ("FY2023", "in 2019", True),
        ("on 03/04/2024", "on 3 April 2024", False),
        ("on 03/04/2024", "on 5 June 2024", True),
        ("44 BC", "AD 44", True),
        ("the 1990s", "in 1985", True),
        ("5th century BC", "6th century BC", True),
        ("on May 3–10", "on May 5–12", False),
        ("on May 3–10", "on May 10–12", False),
        ("on May 3–10", "on May 11–12", True),
        ("on May 3–10", "on June 5", True),
        ("on May 3–10", "in May", False),
        ("on May 3–10", "on May 5, 2017", False),
        ("on December 28 – January 3", "on January 1–5", False),
        ("500–300 BC", "400–200 BC", False),
        ("500–300 BC", "200–100 BC", True),
    ],
)
def test_times_conflict_when_no_day_can_be_both(a, b, conflict):
    one, other = only(a), only(b)
    assert one.conflicts(other) is other.conflicts(one) is conflict


@pytest.mark.parametrize(
    ("a", "b", "meet"),
    [
        ("on May 21", "in 2017", True),
        ("on May 21", "on May 22", False),
        ("before 2000", "in 1850", True),
        ("until 2019", "since 2020", False),
        ("since 2016", "in 2018", True),
        ("44 BC", "in 2018", False),
    ],
)
def test_times_meet_unless_no_day_can_be_both(a, b, meet):
    one, other = find_times(a)[0], find_times(b)[0]
    assert one.overlaps(other) is other.overlaps(one) is meet


MENTIONS = st.builds(
    lambda before, year, form: only(f"{before} {form.format(year)}"),
    st.sampled_from(["in", "since", "until", "before", "after", "as of"]),
    st.integers(1950, 2029),
    st.sampled_from(["{}", "May {}", "3 June {}", "FY{}", "summer {}", "Q2 {}", "03/04/{}"]),
)


@given(MENTIONS, MENTIONS)
def test_conflict_and_overlap_are_symmetric(a, b):
    assert a.conflicts(b) is b.conflicts(a)
    assert a.overlaps(b) is b.overlaps(a)


@given(MENTIONS)
def test_a_time_neither_conflicts_with_itself_nor_misses_itself(mention):
    assert not mention.conflicts(mention)
    assert mention.overlaps(mention)


@given(st.dates(min_value=date(1000, 1, 1), max_value=date(2099, 12, 31)))
def test_a_day_lies_in_its_month_and_year(day):
    (found,) = find_times(f"on {day.isoformat()}")
    assert found.start.period == Period(day, day)
    assert found.start.covers(Moment(day.year, day.month))
    assert not Moment(day.year).covers(found.start)
