"""Times as data and their comparison: a moment with possibly unknown parts, a period, a mention in a text."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from citations.text.quote_span import Span


@dataclass(frozen=True, slots=True)
class Period:
    """Whole days from `first` to `last`, both included."""

    first: date
    last: date

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise ValueError(f"a period cannot end before it begins: {self.first} to {self.last}")

    def overlaps(self, other: "Period") -> bool:
        return self.first <= other.last and other.first <= self.last

    def within(self, other: "Period") -> bool:
        return other.first <= self.first and self.last <= other.last

    def months_before(self, today: date) -> float:
        """Return the age in months at `today`, counted from the first day the period could mean (so never too
        young).
        """
        return (today - self.first).days / 30.4375


@dataclass(frozen=True, slots=True)
class Moment:
    """A calendar date of which any part may be unknown. A year before Christ is negative: 44 BC is -44."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    def conflicts(self, other: "Moment") -> bool:
        """True if both name the same part differently."""
        pairs = zip((self.year, self.month, self.day), (other.year, other.month, other.day), strict=True)
        return any(a is not None and b is not None and a != b for a, b in pairs)

    def covers(self, other: "Moment") -> bool:
        """True if every part that `other` names is the same here."""
        pairs = zip((self.year, self.month, self.day), (other.year, other.month, other.day), strict=True)
        return all(b is None or a == b for a, b in pairs)

    def precedes(self, other: "Moment") -> bool:
        """True if this lies before, by the parts that both name from the year on; unknown years count as equal."""
        for mine, theirs in zip(
            (self.year, self.month, self.day), (other.year, other.month, other.day), strict=True
        ):
            if mine != theirs:
                return mine is not None and theirs is not None and mine < theirs
        return False

    @property
    def period(self) -> Period | None:
        """The days that are meant; None without a year, before Christ, or for a day that does not exist."""
        if self.year is None or not 1 <= self.year <= 9999:
            return None
        if self.month is None:
            return Period(date(self.year, 1, 1), date(self.year, 12, 31))
        last = monthrange(self.year, self.month)[1]
        if self.day is not None and self.day > last:
            return None
        return Period(
            date(self.year, self.month, self.day or 1), date(self.year, self.month, self.day or last)
        )


class TimeRole(StrEnum):
    """The role of a time in a text, given by the word before it."""

    AT = "at"
    SINCE = "since"
    UNTIL = "until"  # also "by": not later than
    BEFORE = "before"
    AFTER = "after"
    AS_OF = "as of"


_OPEN_AFTER = frozenset({TimeRole.SINCE, TimeRole.AFTER})
_OPEN_BEFORE = frozenset({TimeRole.UNTIL, TimeRole.BEFORE})


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time named in a text: one moment, or from `start` to `end`.

    `is_unit` marks what has two ends in the calendar but is one thing: a decade, a century, a quarter. `readings` are
    those of a date like 03/04/2024, whose `start` has only the parts they share. `label` distinguishes what a calendar
    cannot: a season, whose months depend on the hemisphere, and "fiscal", a year that does not begin in January.
    """

    span: Span
    text: str
    start: Moment
    end: Moment | None = None
    role: TimeRole = TimeRole.AT
    is_unit: bool = False
    readings: tuple[Moment, ...] = ()
    label: str = ""

    @property
    def period(self) -> Period | None:
        """The days that are or could be meant; the open side of "since" and "until" is left out."""
        first, last = self.start.period, (self.end or self.start).period
        if first is None or last is None or last.last < first.first:
            return None
        if self.label == "fiscal" and first.first.year > 1:  # it may begin in the year before
            return Period(date(first.first.year - 1, 1, 1), last.last)
        return Period(first.first, last.last)

    def covers(self, other: "TimeMention") -> bool:
        """True if this time says what `other` says, or is more precise: 21 May 2017 covers May 2017 and 2017."""
        if other.label and other.label != self.label:
            return False
        if _reaches(other.role) and self.role is TimeRole.AT:
            return self._lies_in_open(other)
        if other.is_unit and not self.conflicts(other):
            mine, theirs = self.period, other.period
            if mine is not None and theirs is not None:
                return mine.within(theirs)
        return self._same_anchor(other)

    def _same_anchor(self, other: "TimeMention") -> bool:
        if other.end is None:
            ends = (self.start, self.end) if self.end is not None and not self.is_unit else (self.start,)
            return any(each.covers(other.start) for each in (*ends, *self.readings))
        return self.start.covers(other.start) and self.end is not None and self.end.covers(other.end)

    def _lies_in_open(self, other: "TimeMention") -> bool:
        """True for 1995 in "before 2000": the anchor itself is outside."""
        mine, theirs = self.period, other.period
        if mine is None or theirs is None:
            return False
        return mine.last < theirs.first if other.role is TimeRole.BEFORE else mine.first > theirs.last

    def conflicts(self, other: "TimeMention") -> bool:
        """True if the two cannot mean the same time; symmetric.

        A range conflicts only with what lies outside it, an open one ("since 2016") with what lies before.
        """
        if self.label and other.label and self.label != other.label:
            return self.label != "fiscal" != other.label
        if self._is_fiscal != other._is_fiscal or self.role is not other.role:
            return self._is_apart(other)
        if self.end is not None or other.end is not None:
            mine, theirs = self.period, other.period
            if mine is None or theirs is None:
                return self._lies_apart(other)
            return not mine.overlaps(theirs)
        return all(a.conflicts(b) for a in self._possible_starts() for b in other._possible_starts())

    @property
    def _is_fiscal(self) -> bool:
        return self.label == "fiscal"

    def _possible_starts(self) -> tuple[Moment, ...]:
        return self.readings or (self.start,)

    def _lies_apart(self, other: "TimeMention") -> bool:
        """Return True if one mention ends before the other begins.

        For mentions without years or before Christ, one of them a range.
        """
        ranges = [(each.start, each.end or each.start) for each in (self, other)]
        if any(last.precedes(first) for first, last in ranges):  # across the end of an unnamed year
            return False
        (start, end), (first, last) = ranges
        return end.precedes(first) or last.precedes(start)

    def _is_apart(self, other: "TimeMention") -> bool:
        """True if both cannot mean the same day, with their open sides."""
        mine, theirs = self._reach(), other._reach()
        if mine is None or theirs is None:
            return False
        return mine.last < theirs.first or theirs.last < mine.first

    def _reach(self) -> Period | None:
        """The period with its open side extended to the end of the calendar."""
        period = self.period
        if period is None:
            return None
        first = date.min if self.role in _OPEN_BEFORE else period.first
        last = date.max if self.role in _OPEN_AFTER else period.last
        return Period(first, last)

    def overlaps(self, other: "TimeMention") -> bool:
        """True if both may mean the same day; mentions without a year overlap unless they conflict."""
        if self._reach() is None or other._reach() is None:
            return not self.conflicts(other)
        return not self._is_apart(other)


def _reaches(role: TimeRole) -> bool:
    return role in (TimeRole.BEFORE, TimeRole.AFTER)
