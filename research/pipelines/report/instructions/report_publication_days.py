"""Parse a range of publication days from words. Pure."""

import re
from dataclasses import dataclass
from datetime import date

_DAY = r"(?P<day>(?:1[5-9]|20|21)\d\d(?:-\d\d(?:-\d\d)?)?)"
_DATE = re.compile(_DAY)
_BY_WORDS = (
    # Words with a "no" negate what follows, so they come first.
    (
        "first",
        0,
        r"(?:nothing|not|no|none|never)\s+(?:\w+\s+){0,3}?(?:before|older\s+than|earlier\s+than|prior\s+to)",
    ),
    ("last", 0, r"(?:nothing|not|no|none|never)\s+(?:\w+\s+){0,3}?(?:after|newer\s+than|later\s+than|past)"),
    ("first", 0, r"(?:since|from|as\s+of|starting(?:\s+(?:in|from))?|beginning(?:\s+in)?)"),
    ("first", 1, r"(?:after|newer\s+than|later\s+than)"),
    ("last", 0, r"(?:until|till|up\s+to|to|through)"),
    ("last", -1, r"(?:before|older\s+than|earlier\s+than|prior\s+to)"),
)
_RULES = tuple(
    (side, step, re.compile(rf"\b{words}\s+(?:the\s+year\s+)?{_DAY}\b", re.IGNORECASE))
    for side, step, words in _BY_WORDS
)
_BETWEEN = re.compile(rf"\bbetween\s+{_DAY}\s+and\s+{_DAY.replace('<day>', '<other>')}\b", re.IGNORECASE)
_IN = re.compile(rf"\b(?:in|of)\s+{_DAY}\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Range:
    """Both ends are included. ISO 8601, as precise as given; empty: open."""

    first: str = ""
    last: str = ""


def range_in(text: str) -> Range | None:
    """Return the range of days in the text; None if there is none, or no such day exists."""
    found = _between(text) or _by_words(text)
    return found if found is not None and _is_possible(found) else None


def parse_range(first: str, last: str) -> Range | None:
    """Return the range; None if an end is not a valid day, or they are in the wrong order. Both may be empty."""
    days = [day for day in (first, last) if day]
    return (
        Range(first, last) if all(map(_DATE.fullmatch, days)) and _is_possible(Range(first, last)) else None
    )


def _between(text: str) -> Range | None:
    if both := _BETWEEN.search(text):
        return Range(both["day"], both["other"])
    match = _IN.search(text)
    return Range(match["day"], match["day"]) if match else None


def _by_words(text: str) -> Range | None:
    first = last = ""
    rest = text
    for side, step, rule in _RULES:
        if found := rule.search(rest):
            day = _shift_year(found["day"], step)
            first, last = (first or day, last) if side == "first" else (first, last or day)
            rest = rest[: found.start()] + rest[found.end() :]
    return Range(first, last) if first or last else None


def _shift_year(day: str, years: int) -> str:
    """ "After 2020" begins with 2021. Of a month or a day, that one itself is let in: the range is as wide as said."""
    return str(int(day) + years) if len(day) == len("2020") else day


def _is_possible(date_range: Range) -> bool:
    days = [day for day in (date_range.first, date_range.last) if day]
    if not all(map(_exists, days)):
        return False
    return (
        len(days) < len((date_range.first, date_range.last))
        or date_range.first[: len(date_range.last)] <= date_range.last[: len(date_range.first)]
    )


def _exists(day: str) -> bool:
    try:
        date.fromisoformat(day + "-01-01"[len(day) - 4 :])
    except ValueError:
        return False
    return True
