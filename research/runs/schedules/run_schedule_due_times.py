"""Due times of a schedule: by a cron expression in a time zone, by an interval, or once. Pure.

The fields of a cron expression are those of Celery (minute, hour, day of month, month, day of week; a day must match
both). A sixth field before them is the second. When clocks go forward, a time that does not exist is postponed by the
difference; when they go back, a time that occurs twice counts the first time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from zoneinfo import ZoneInfo, available_timezones

from celery.schedules import ParseException, crontab
from django.utils.translation import gettext as _

SHORTEST = timedelta(minutes=15)
LONGEST = timedelta(days=366)
SHOWN = 5  # shown before a schedule is saved
FIELDS, FIELDS_WITH_SECOND = 5, 6
LOOKED_AT = 100  # checked for two that are too close
FARTHEST = timedelta(days=8 * 366)  # contains a 29 February in any century
NICKNAMES = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
}


class BadTimes(ValueError):
    """The input yields no times; str() tells the person why."""


@dataclass(frozen=True, slots=True)
class Times:
    """Exactly one of `cron`, in the time zone `zone`, `interval` and `once`."""

    cron: str = ""
    interval: timedelta | None = None
    once: datetime | None = None
    zone: str = "UTC"

    def after(self, moment: datetime, since: datetime | None = None) -> Iterator[datetime]:
        """Yield the times after `moment`, in UTC. An interval counts from `since`, by default from `moment`."""
        if self.once is not None:
            return iter([self.once] if self.once > moment else [])
        if self.interval is not None:
            return _times_by_interval(moment, since or moment, self.interval)
        second, _fields = split_second(self.cron)
        return _times_by_cron(moment, parse_cron(self.cron), second, ZoneInfo(self.zone))

    def next(self, moment: datetime, since: datetime | None = None) -> datetime:
        """Return the next time. Raises BadTimes if there is none."""
        for found in self.after(moment, since):
            return found
        raise BadTimes(_("This time has passed.") if self.once else _("This date does not exist."))


def preview_due_times(times: Times, now: datetime) -> tuple[datetime, ...]:
    """Return the next times to show. Raises BadTimes, which says what is wrong."""
    if times.zone not in available_timezones():
        raise BadTimes(_("There is no time zone “%(zone)s”.") % {"zone": times.zone})
    if times.interval is not None and not SHORTEST <= times.interval <= LONGEST:
        raise BadTimes(_("Two runs must be at least 15 minutes and at most a year apart."))
    found = list(islice(times.after(now), LOOKED_AT))
    if not found:
        raise BadTimes(_("This time has passed.") if times.once else _("This date does not exist."))
    if any(later - earlier < SHORTEST for earlier, later in zip(found, found[1:], strict=False)):
        raise BadTimes(_("Two runs must be at least 15 minutes apart."))
    return tuple(found[:SHOWN])


def parse_cron(expression: str) -> crontab:
    """Parse a cron expression without seconds. Raises BadTimes, which names the field."""
    _second, fields = split_second(expression)
    names = ("minute", "hour", "day_of_month", "month_of_year", "day_of_week")
    for name, field in zip(names, fields, strict=True):
        _check_field(name, field)
    try:
        return crontab(**dict(zip(names, fields, strict=True)))
    except ValueError as error:  # the 30th of February
        raise BadTimes(_("This date does not exist.")) from error


def split_second(expression: str) -> tuple[int, list[str]]:
    """Return the second of an expression, 0 by default, and its five other fields. Raises BadTimes."""
    fields = NICKNAMES.get(expression.strip().lower(), expression).split()
    if len(fields) == FIELDS:
        return 0, fields
    if len(fields) != FIELDS_WITH_SECOND:
        message = _(
            "A cron expression has 5 parts, minute hour day month weekday, or 6 with the second before them;"
            " this has %(count)d."
        )
        raise BadTimes(message % {"count": len(fields)})
    second, *rest = fields
    if not (second.isascii() and second.isdigit() and int(second) < 60):
        raise BadTimes(
            _("“%(field)s” is not a valid second (0–59): a schedule starts at most once a minute.")
            % {"field": second}
        )
    return int(second), rest


def _check_field(name: str, field: str) -> None:
    try:
        crontab(**{name: field})
    except (ParseException, ValueError, ZeroDivisionError) as error:
        message = _("“%(field)s” is not valid in a cron expression: %(name)s.")
        raise BadTimes(message % {"field": field, "name": _field_names()[name]}) from error


def _field_names() -> dict[str, str]:
    return {
        "minute": _("minute (0–59)"),
        "hour": _("hour (0–23)"),
        "day_of_month": _("day of the month (1–31)"),
        "month_of_year": _("month (1–12)"),
        "day_of_week": _("weekday (0–6, from Sunday, or sun–sat)"),
    }


def _times_by_interval(moment: datetime, since: datetime, interval: timedelta) -> Iterator[datetime]:
    gone = max(0, (moment - since) // interval)
    at = since + gone * interval
    while True:
        at += interval
        if at > moment:
            yield at


def _times_by_cron(moment: datetime, cron: crontab, second: int, zone: ZoneInfo) -> Iterator[datetime]:
    # The clock may postpone its times beyond midnight.
    day = moment.astimezone(zone).date() - timedelta(days=1)
    last, end = moment, day + FARTHEST
    while day <= end:
        if _fits(day, cron):
            for at in _moments(day, cron, second, zone):
                if at > last:
                    last, end = at, day + FARTHEST
                    yield at
        day += timedelta(days=1)


def _fits(day: date, cron: crontab) -> bool:
    is_weekday = day.isoweekday() % 7 in cron.day_of_week
    return is_weekday and day.day in cron.day_of_month and day.month in cron.month_of_year


def _moments(day: date, cron: crontab, second: int, zone: ZoneInfo) -> list[datetime]:
    """Return the times of a day, sorted, because moving the clock forward may change their order."""
    return sorted(
        datetime.combine(day, time(hour, minute, second), zone).astimezone(UTC)
        for hour in cron.hour
        for minute in cron.minute
    )
