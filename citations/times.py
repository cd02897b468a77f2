"""Dates, months, quarters, years and periods named in a text, with nothing added that is not said.

"May 21" has no year here and "2017" no month: unknown parts stay None, and two mentions conflict only in
parts that both name.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from citations.normalizing import Span

_MONTH_NAMES = ("january", "february", "march", "april", "may", "june") + (
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES, 1)}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}


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

    def months_before(self, today: date) -> float:
        """Age in months at `today`, counted from the first day the period could mean (so never too young)."""
        return (today - self.first).days / 30.4375


@dataclass(frozen=True, slots=True)
class Moment:
    """A calendar date of which any part may be unknown."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    def conflicts(self, other: "Moment") -> bool:
        """True when both name the same part differently."""
        pairs = zip((self.year, self.month, self.day), (other.year, other.month, other.day), strict=True)
        return any(a is not None and b is not None and a != b for a, b in pairs)

    def covers(self, other: "Moment") -> bool:
        """True when every part that `other` names is named alike here."""
        pairs = zip((self.year, self.month, self.day), (other.year, other.month, other.day), strict=True)
        return all(b is None or a == b for a, b in pairs)

    @property
    def period(self) -> Period | None:
        """The days that are meant; None without a year or for a day that does not exist."""
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


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time named in a text: one moment, or a range from `start` to `end`."""

    span: Span
    text: str
    start: Moment
    end: Moment | None = None

    @property
    def period(self) -> Period | None:
        first, last = self.start.period, (self.end or self.start).period
        if first is None or last is None or last.last < first.first:
            return None
        return Period(first.first, last.last)

    def conflicts(self, other: "TimeMention") -> bool:
        """True when the two cannot mean the same time; a range conflicts only with what lies outside it."""
        mine, theirs = self.period, other.period
        if self.end is not None or other.end is not None:
            return mine is not None and theirs is not None and not mine.overlaps(theirs)
        return self.start.conflicts(other.start)


def parse_iso(text: str | None) -> Period | None:
    """Read "2017", "2017-06", "2017-06-22" or an ISO date and time; anything else is None."""
    match = re.fullmatch(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ].*)?)?)?", (text or "").strip())
    if match is None:
        return None
    year, month, day = (int(part) if part else None for part in match.groups())
    if month is not None and not 1 <= month <= 12 or day == 0:
        return None
    return Moment(year, month, day).period


_DAY = r"(?P<{0}>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<{0}>1[0-9]\d\d|20\d\d)"
_PATTERNS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<![\w-]){_YEAR.format('year')}-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>[0-3]\d))?(?![\w-])",
        rf"\b(?P<month>{_MONTH})\.?\s+{_DAY.format('day')}(?!\d)(?:,?\s+{_YEAR.format('year')})?\b",
        rf"\b{_DAY.format('day')}\s+(?:of\s+)?(?P<month>{_MONTH})\b\.?(?:,?\s+{_YEAR.format('year')}\b)?",
        rf"\b(?P<month>{_MONTH})\.?,?\s+(?:of\s+)?{_YEAR.format('year')}\b",
        rf"\bq(?P<quarter>[1-4])(?:\s+|\s*/\s*){_YEAR.format('year')}\b",
        rf"\b(?P<quarter>{'|'.join(_QUARTERS)})\s+quarter\s+(?:of\s+)?{_YEAR.format('year')}\b",
        rf"(?<![\w.,-]){_YEAR.format('year')}\s?(?:[-–—]|to|until)\s?{_YEAR.format('until')}(?![\w-]|[.,]\d)",
        rf"\bbetween\s+{_YEAR.format('year')}\s+and\s+{_YEAR.format('until')}\b",
        r"\b(?P<decade>1[0-9]\d0|20\d0)['’]?s\b",
        r"\b(?P<century>1?\d|2[01])(?:st|nd|rd|th)[- ]century\b",
        rf"\b(?:in|since|by|until|of|during|from|last|next|this)\s+(?P<month>{_MONTH})\b(?!\s+(?:be|have|not))",
        rf"(?<![\w.,$€£#/-]){_YEAR.format('year')}(?![\w/-]|[.,]\d|\s?%)",
    )
]
_LEADS_TO_YEAR = re.compile(
    r"(?:\b(?:in|since|by|until|till|from|during|after|before|early|late|mid|circa|c\.|year|fy|"
    r"spring|summer|autumn|fall|winter|as of|©)\s*|[(,–-]\s*)$",
    re.IGNORECASE,
)
_COUNTED_NOUN = re.compile(
    r"\s+(?:(?:million|billion|thousand|percent|per|or|and|of|kg|km|m|ms|mb|gb|kb|mib|gib|bits?|bytes?)\b"
    r"|(?!(?:was|is|has|as|its|this|does|us|census|series|class|previous)\b)[a-z]+s\b)",
    re.IGNORECASE,
)
_IDENTIFIER_BEFORE = re.compile(
    r"(?:\b(?:rfc|iso|sp|pub|part|section|chapter|page|version|no\.?|ver)\.?\s*|[=<>≤≥*/+]\s*)$",
    re.IGNORECASE,
)


def find_times(text: str) -> tuple[TimeMention, ...]:
    """All times named in a text, in order, none inside another."""
    found: list[TimeMention] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            mention = _mention(match, text)
            if mention is not None and not any(_overlap(mention.span, each.span) for each in found):
                found.append(mention)
    return tuple(sorted(found, key=lambda mention: mention.span.start))


def _overlap(a: Span, b: Span) -> bool:
    return a.start < b.end and b.start < a.end


def _mention(match: re.Match[str], text: str) -> TimeMention | None:
    groups = match.groupdict()
    moments = list(_moments(groups))
    if not moments or _is_plain_number(match, groups, text):
        return None
    end = moments[1] if len(moments) > 1 else None
    return TimeMention(Span(*match.span()), match.group(), moments[0], end)


def _moments(groups: dict[str, str | None]) -> Iterator[Moment]:
    year, month, day = (groups.get(name) for name in ("year", "month", "day"))
    if decade := groups.get("decade"):
        yield from (Moment(int(decade)), Moment(int(decade) + 9))
    elif century := groups.get("century"):
        yield from (Moment(int(century) * 100 - 99), Moment(int(century) * 100))
    elif quarter := groups.get("quarter"):
        number = _QUARTERS[quarter.lower()] if quarter.lower() in _QUARTERS else int(quarter)
        yield from (Moment(int(year or 0), number * 3 - 2), Moment(int(year or 0), number * 3))
    elif day is None or 1 <= int(day) <= 31:
        yield Moment(int(year) if year else None, _month_number(month), int(day) if day else None)
        if until := groups.get("until"):
            yield Moment(int(until))


def _month_number(name: str | None) -> int | None:
    if name is None:
        return None
    return int(name) if name.isdecimal() else _MONTHS[name.lower()]


def _is_plain_number(match: re.Match[str], groups: dict[str, str | None], text: str) -> bool:
    """True for "2000 iterations", "RFC 2104", "may 5 people" (a verb) and the like."""
    month = groups.get("month")
    if (
        month
        and month.lower() in ("may", "mar", "march", "sec")
        and month.islower()
        and not groups.get("year")
    ):
        return bool(re.search(r"\b(?:it|they|you|we|he|she|that|which|who)\s+$", text[: match.start()]))
    if month or groups.get("until") or not groups.get("year") or groups.get("quarter"):
        return False
    before, after = text[: match.start()][-20:], text[match.end() :][:30]
    if _IDENTIFIER_BEFORE.search(before):
        return True
    return bool(_COUNTED_NOUN.match(after)) and not _LEADS_TO_YEAR.search(before)
