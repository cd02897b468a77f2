"""The times at which schedules are due."""

from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from research.runs.schedules.run_schedule_due_times import (
    LONGEST,
    SHORTEST,
    SHOWN,
    BadTimes,
    Times,
    preview_due_times,
)
from research.runs.schedules.run_schedule_text import describe_cron

NOON = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)  # a Sunday


def format_times(cron, zone="UTC", after=NOON, count=3):
    found = islice(Times(cron=cron, zone=zone).after(after), count)
    return [f"{at.astimezone(ZoneInfo(zone)):%a %d %b %H:%M}" for at in found]


@pytest.mark.parametrize(
    ("cron", "expected"),
    [
        ("0 7 * * *", ["Mon 23 Nov 07:00", "Tue 24 Nov 07:00", "Wed 25 Nov 07:00"]),
        ("30 7 * * mon-fri", ["Mon 23 Nov 07:30", "Tue 24 Nov 07:30", "Wed 25 Nov 07:30"]),
        ("0 7 * * 0", ["Sun 29 Nov 07:00", "Sun 06 Dec 07:00", "Sun 13 Dec 07:00"]),
        ("0 */6 * * *", ["Sun 22 Nov 18:00", "Mon 23 Nov 00:00", "Mon 23 Nov 06:00"]),
        ("0 9 31 * *", ["Thu 31 Dec 09:00", "Sun 31 Jan 09:00", "Wed 31 Mar 09:00"]),
        ("@monthly", ["Tue 01 Dec 00:00", "Fri 01 Jan 00:00", "Mon 01 Feb 00:00"]),
        ("0 0 29 2 *", ["Tue 29 Feb 00:00", "Sun 29 Feb 00:00", "Fri 29 Feb 00:00"]),
    ],
)
def test_cron_expressions_mean_what_they_say(cron, expected):
    assert format_times(cron) == expected


def test_what_is_due_now_is_not_due_again():
    assert format_times("0 12 * * *", count=1) == ["Mon 23 Nov 12:00"]
    assert format_times("0 12 * * *", after=NOON - timedelta(seconds=1), count=1) == ["Sun 22 Nov 12:00"]


def test_a_time_is_meant_in_its_zone():
    [first] = islice(Times(cron="0 7 * * *", zone="Asia/Tokyo").after(NOON), 1)
    assert first == datetime(2026, 11, 22, 22, 0, tzinfo=UTC)


def test_seven_in_the_morning_stays_seven_when_the_clock_changes():
    before = datetime(2026, 3, 27, 12, tzinfo=UTC)
    found = islice(Times(cron="0 7 * * *", zone="Europe/Zurich").after(before), 3)
    assert [at.hour for at in found] == [6, 5, 5]  # in UTC: summer time begins on 29 March


def test_a_time_that_the_clock_leaves_out_comes_later_and_one_that_comes_twice_comes_once():
    forward = format_times("30 2 * * *", "Europe/Zurich", datetime(2026, 3, 28, 12, tzinfo=UTC), 2)
    assert forward == ["Sun 29 Mar 03:30", "Mon 30 Mar 02:30"]
    back = format_times("30 2 * * *", "Europe/Zurich", datetime(2026, 10, 24, 12, tzinfo=UTC), 2)
    assert back == ["Sun 25 Oct 02:30", "Mon 26 Oct 02:30"]


def test_an_interval_keeps_its_steps_however_late_one_was():
    every = Times(interval=timedelta(hours=6))
    late = NOON + timedelta(hours=6, minutes=3)
    assert every.next(late, since=NOON) == NOON + timedelta(hours=12)
    assert every.next(NOON, since=NOON) == NOON + timedelta(hours=6)
    assert every.next(NOON + timedelta(hours=6), since=NOON) == NOON + timedelta(hours=12)


@pytest.mark.parametrize(
    ("cron", "complaint"),
    [
        ("", "this has 0"),
        ("0 7 * *", "this has 4"),
        ("0 0 0 7 * * *", "this has 7"),
        ("60 7 * * *", "“60” is not valid in a cron expression: minute"),
        ("0 24 * * *", "“24” is not valid in a cron expression: hour"),
        ("0 7 0 * *", "“0” is not valid in a cron expression: day of the month"),
        ("0 7 * 13 *", "“13” is not valid in a cron expression: month"),
        ("0 7 * * caturday", "“caturday” is not valid in a cron expression: weekday"),
        ("a 7 * * *", "“a” is not valid in a cron expression: minute"),
        ("*/0 7 * * *", "“*/0” is not valid in a cron expression: minute"),
        ("0 7 30 2 *", "This date does not exist"),
        ("*/14 * * * *", "at least 15 minutes"),
        ("* * * * *", "at least 15 minutes"),
        ("0,50 * * * *", "at least 15 minutes"),
    ],
)
def test_nonsense_is_refused_with_what_is_wrong(cron, complaint):
    with pytest.raises(BadTimes, match=complaint.replace("*", r"\*")):
        preview_due_times(Times(cron=cron), NOON)


@pytest.mark.parametrize(
    ("interval", "fits"),
    [
        (SHORTEST - timedelta(seconds=1), False),
        (SHORTEST, True),
        (LONGEST, True),
        (LONGEST + timedelta(seconds=1), False),
    ],
)
def test_intervals_have_a_shortest_and_a_longest(interval, fits):
    if fits:
        assert len(preview_due_times(Times(interval=interval), NOON)) == SHOWN
    else:
        with pytest.raises(BadTimes):
            preview_due_times(Times(interval=interval), NOON)


def test_an_unknown_zone_is_refused():
    with pytest.raises(BadTimes, match="no time zone “Atlantis”"):
        preview_due_times(Times(cron="0 7 * * *", zone="Atlantis"), NOON)


MOMENTS = st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
CRONS = st.sampled_from(["0 7 * * *", "15,45 */3 * * *", "30 2 * * sun", "0 0 1 * *", "59 23 31 12 *"])
ZONES = st.sampled_from(["UTC", "Europe/Zurich", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia"])


@given(CRONS, ZONES, MOMENTS)
def test_times_rise_and_the_next_of_each_is_the_one_after(cron, zone, moment):
    times = Times(cron=cron, zone=zone)
    found = list(islice(times.after(moment), 4))
    assert moment < found[0] < found[1] < found[2] < found[3]
    assert [times.next(at) for at in found[:3]] == found[1:]


@given(st.timedeltas(SHORTEST, LONGEST), MOMENTS, st.timedeltas(timedelta(), timedelta(days=900)))
def test_the_next_time_of_an_interval_is_after_now_and_within_one(interval, since, later):
    following = Times(interval=interval).next(since + later, since=since)
    assert since + later < following <= since + later + interval
    assert (following - since) % interval == timedelta()


@pytest.mark.parametrize(
    ("cron", "english", "german"),
    [
        ("0 7 * * *", "every day at 07:00", "täglich um 07:00"),
        ("30 7 * * mon-fri", "Monday to Friday at 07:30", "Montag bis Freitag um 07:30"),
        ("0 7,19 * * sat,sun", "on Saturday and Sunday at 07:00 and 19:00",
         "am Samstag und Sonntag um 07:00 und 19:00"),
        ("0 9 31 * *", "on the 31st of the month at 09:00", "am 31. des Monats um 09:00"),
        ("0 0 29 2 *", "on the 29th of the month in February at 00:00", "am 29. des Monats im Februar um 00:00"),
        ("0 7 1-7 * 1", "on the 1st to 7th of the month, if a Monday, at 07:00",
         "am 1. bis 7. des Monats, falls Montag, um 07:00"),
        ("*/20 * * * *", "every 20 minutes", "alle 20 Minuten"),
        ("*/30 8-17 * * 1-5", "at minute 0 and 30 of the hours 8 to 17, Monday to Friday",
         "zu Minute 0 und 30 der Stunden 8 bis 17, Montag bis Freitag"),
        ("5 */2 * * *", "every 2 hours at minute 5", "alle 2 Stunden zu Minute 5"),
        ("5 * * * *", "every hour at minute 5", "jede Stunde zu Minute 5"),
        ("@weekly", "on Sunday at 00:00", "am Sonntag um 00:00"),
        ("15 0 7 * * mon", "on Monday at 07:00:15", "am Montag um 07:00:15"),
        ("30 */15 * * * *", "every 15 minutes, at second 30", "alle 15 Minuten, zur Sekunde 30"),
        ("0 12 1 1,7 *", "on the 1st of the month in January and July at 12:00",
         "am 1. des Monats im Januar und Juli um 12:00"),
    ],
)  # fmt: skip
def test_a_cron_expression_is_told_in_words(cron, english, german):
    with override("en"):
        said = describe_cron(cron)
    with override("de"):
        gesagt = describe_cron(cron)
    assert (said, gesagt) == (english, german)


def test_the_sixth_field_is_the_second():
    assert format_times("15 0 7 * * *", count=1) == ["Mon 23 Nov 07:00"]
    [first] = islice(Times(cron="15 0 7 * * *").after(NOON), 1)
    assert first.second == 15


@pytest.mark.parametrize("cron", ["60 0 7 * * *", "*/5 0 7 * * *", "x 0 7 * * *", "0 7 * *", "1 2 3 4 5 6 7"])
def test_other_numbers_of_fields_and_other_seconds_are_refused(cron):
    with pytest.raises(BadTimes):
        preview_due_times(Times(cron=cron), NOON)


def test_a_single_time_comes_once_and_must_lie_ahead():
    ahead = Times(once=NOON + timedelta(minutes=1))
    assert preview_due_times(ahead, NOON) == (NOON + timedelta(minutes=1),)
    with pytest.raises(BadTimes, match="has passed"):
        preview_due_times(ahead, NOON + timedelta(minutes=2))


@given(
    minute=st.sampled_from(["*", "*/7", "3", "1-20"]),
    hour=st.sampled_from(["*", "*/5", "8-10", "1,4"]),
    day=st.sampled_from(["*", "1", "2-9"]),
    month=st.sampled_from(["*", "3", "1-6"]),
    weekday=st.sampled_from(["*", "0", "1-5", "0,6"]),
)
def test_every_expression_has_words(minute, hour, day, month, weekday):
    said = describe_cron(f"{minute} {hour} {day} {month} {weekday}")
    assert said
    assert "%(" not in said
