"""Formats the times of a schedule in the active language: "Monday to Friday at 07:30". Pure functions."""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from django.utils.dates import MONTHS, WEEKDAYS
from django.utils.formats import date_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from research.runs.schedules.run_schedule_due_times import BadTimes, Times, parse_cron, split_second

HOURS, MINUTES, MONTH_DAYS, WEEK_DAYS, YEAR_MONTHS = 24, 60, 31, 7, 12
MAX_CLOCK_TIMES = 6  # listed individually
MIN_RANGE = 3  # consecutive values from which a range is written “from … to …”


def describe_times(times: Times) -> str:
    """Return the times with their time zone."""
    if times.interval is not None:
        return describe_interval(times.interval)
    if times.once is not None:
        local = times.once.astimezone(ZoneInfo(times.zone))
        when = date_format(local, pgettext("form of a date", "l, j F Y, H:i"))
        return _("once, on %(when)s") % {"when": f"{when} ({times.zone})"}
    return f"{describe_cron(times.cron)} ({times.zone})"


def describe_interval(interval: timedelta) -> str:
    seconds = int(interval.total_seconds())
    for size, words in (
        (604_800, ngettext("every %(count)d week", "every %(count)d weeks", seconds // 604_800)),
        (86_400, ngettext("every %(count)d day", "every %(count)d days", seconds // 86_400)),
        (3600, ngettext("every %(count)d hour", "every %(count)d hours", seconds // 3600)),
    ):
        if seconds % size == 0:
            return words % {"count": seconds // size}
    return _every_minutes(seconds // 60)


def _every_minutes(count: int) -> str:
    return ngettext("every %(count)d minute", "every %(count)d minutes", count) % {"count": count}


def describe_cron(expression: str) -> str:
    """Describe the times of a cron expression; return the expression itself if it has none."""
    try:
        cron, (second, _fields) = parse_cron(expression), split_second(expression)
    except BadTimes:
        return expression
    days = _describe_days(cron.day_of_month, cron.day_of_week, cron.month_of_year)
    hours, minutes = sorted(cron.hour), sorted(cron.minute)
    if len(hours) * len(minutes) <= MAX_CLOCK_TIMES:
        clock = [_format_clock(hour, minute, second) for hour in hours for minute in minutes]
        return _("%(days)s at %(times)s") % {"days": days, "times": _join(clock)}
    times = _describe_repeats(hours, minutes)
    if second:
        times = _("%(times)s, at second %(second)d") % {"times": times, "second": second}
    return times if days == _("every day") else f"{times}, {days}"


def _format_clock(hour: int, minute: int, second: int) -> str:
    return f"{hour:02}:{minute:02}:{second:02}" if second else f"{hour:02}:{minute:02}"


def _describe_repeats(hours: Sequence[int], minutes: Sequence[int]) -> str:
    step, minute_step = _find_step(hours, HOURS), _find_step(minutes, MINUTES)
    if len(hours) == HOURS and minute_step:
        return _every_minutes(minute_step)
    named = {"minutes": _join(map(str, minutes)), "hours": _ranges(hours, str)}
    if len(hours) == HOURS:
        return _("every hour at minute %(minutes)s") % named
    if step:
        return _("every %(count)d hours at minute %(minutes)s") % {"count": step, **named}
    return _("at minute %(minutes)s of the hours %(hours)s") % named


def _find_step(values: Sequence[int], whole: int) -> int:
    """Return the distance of evenly spaced values that start at 0; 0 if they are not."""
    step = whole // len(values)
    return step if list(values) == list(range(0, whole, step)) and whole % step == 0 else 0


def _describe_days(month_days: Collection[int], week_days: Collection[int], months: Collection[int]) -> str:
    from_monday = _renumber_from_monday(week_days)
    weekdays = "" if len(week_days) == WEEK_DAYS else _ranges(from_monday, _name_weekday)
    days = "" if len(month_days) == MONTH_DAYS else _ranges(sorted(month_days), _name_day)
    if days and weekdays:
        said = _("on the %(days)s of the month, if a %(weekdays)s,") % {"days": days, "weekdays": weekdays}
    elif days:
        said = _("on the %(days)s of the month") % {"days": days}
    elif weekdays:
        said = weekdays if _is_row(from_monday) else _("on %(weekdays)s") % {"weekdays": weekdays}
    else:
        said = _("every day")
    if len(months) == YEAR_MONTHS:
        return said
    named = _ranges(sorted(months), lambda month: str(MONTHS[month]))
    return _("%(days)s in %(months)s") % {"days": said, "months": named}


def _renumber_from_monday(week_days: Iterable[int]) -> list[int]:
    """Convert cron's days, which begin with Sunday, to Monday 0 … Sunday 6."""
    return sorted((day - 1) % WEEK_DAYS for day in week_days)


def _name_weekday(day: int) -> str:
    return str(WEEKDAYS[day])


def _name_day(day: int) -> str:
    words = {1: _("%(day)dst"), 2: _("%(day)dnd"), 3: _("%(day)drd")}
    found = words.get(day % 10) if day not in (11, 12, 13) else None
    return (found or _("%(day)dth")) % {"day": day}


def _ranges(values: Sequence[int], name: Callable[[int], str]) -> str:
    """Return “Monday to Friday” for consecutive values, else “Monday and Thursday”."""
    if _is_row(values):
        return _("%(first)s to %(last)s") % {"first": name(values[0]), "last": name(values[-1])}
    return _join(map(name, values))


def _is_row(values: Sequence[int]) -> bool:
    return len(values) >= MIN_RANGE and all(later - earlier == 1 for earlier, later in pairwise(values))


def _join(words: Iterable[str]) -> str:
    return get_text_list(list(words), _("and"))
