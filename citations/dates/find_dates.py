"""Finds dates, months, quarters, years and periods in a text, without adding anything.

"May 21" has no year here and "2017" no month: unknown parts stay None, and two mentions conflict only in parts that
both name. 03/04/2024 has two readings.
"""

import re
from functools import lru_cache

from citations.dates.date_forms import read_forms
from citations.dates.date_parsers import TimeReading
from citations.dates.date_types import Moment, Period, TimeMention, TimeRole
from citations.quantities.unit_spellings import SYMBOLS
from citations.quantities.units import read_unit
from citations.text.quote_span import Span

__all__ = ["Moment", "Period", "TimeRole", "TimeMention", "find_times", "parse_iso", "read_date"]


def parse_iso(text: str | None) -> Period | None:
    """Read "2017", "2017-06", "2017-06-22" or an ISO date and time; anything else is None."""
    match = re.fullmatch(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ].*)?)?)?", (text or "").strip())
    if match is None:
        return None
    year, month, day = (int(part) if part else None for part in match.groups())
    if month is not None and not 1 <= month <= 12 or day == 0:
        return None
    return Moment(year, month, day).period


@lru_cache(maxsize=4_096)
def find_times(text: str) -> tuple[TimeMention, ...]:
    """Return all times named in a text, in order, none inside another."""
    mentions: list[TimeMention] = []
    taken = bytearray(len(text))
    for match, reading in read_forms(text):
        start, end = match.span()
        if not any(taken[start:end]) and not _is_something_else(match, reading, text):
            taken[start:end] = b"\1" * (end - start)
            mentions.append(_mention(match, reading, text))
    return tuple(sorted(mentions, key=lambda mention: mention.span.start))


def read_date(text: str) -> str | None:
    """The one day, month or year that a text names, as ISO 8601; None for none, several, or an open one.

    >>> read_date("22 June 2017"), read_date("founded in 1998"), read_date("03/04/2024")
    ('2017-06-22', '1998', '2024')
    """
    plain = text.strip()
    if re.fullmatch(r"\d{4}(?:-\d\d(?:-\d\d(?:[T ].*)?)?)?", plain):
        return plain[:10] if parse_iso(plain) else None
    times = [each for each in find_times(plain) if each.start.year is not None]
    if len(times) != 1 or times[0].end is not None or times[0].period is None:
        return None
    start = times[0].start
    parts = [f"{start.year:04}", *(f"{part:02}" for part in (start.month, start.day) if part is not None)]
    return "-".join(parts)


def _mention(match: re.Match[str], reading: TimeReading, text: str) -> TimeMention:
    return TimeMention(
        Span(*match.span()),
        match.group(),
        reading.start,
        reading.end,
        role=_role(match, text),
        is_unit=reading.is_unit,
        readings=reading.readings,
        label=reading.label,
    )


_ROLES = (
    (TimeRole.AS_OF, r"as (?:of|at)(?: the end of)?|stand|status"),
    (TimeRole.SINCE, r"since|(?:beginning|starting|effective)(?: in| on| from)?|seit|depuis|ever since"),
    (TimeRole.UNTIL, r"until|till|up to|by|through|bis|jusqu['’]en|no later than|by the end of"),
    (TimeRole.BEFORE, r"before|prior to|earlier than|vor|avant|preceding"),
    (TimeRole.AFTER, r"after|later than|following|nach|après"),
)
_ROLE_BEFORE = re.compile(
    rf"(?:^|[\s(,])(?:{'|'.join(f'(?P<{role.name}>{words})' for role, words in _ROLES)})"
    r"\s+(?:the\s+|early\s+|late\s+|mid-?\s*)?$",
    re.IGNORECASE,
)


def _role(match: re.Match[str], text: str) -> TimeRole:
    before = _ROLE_BEFORE.search(text, max(0, match.start() - 24), match.start())
    return TimeRole[before.lastgroup] if before and before.lastgroup else TimeRole.AT


_LEADS_TO_YEAR = re.compile(
    r"(?:\b(?:in|since|by|until|till|from|during|after|before|early|late|mid|circa|c\.|year|fy|"
    r"spring|summer|autumn|fall|winter|as of|©|im jahr|jahr|en|seit|depuis)\s*|[(,–-]\s*)$",
    re.IGNORECASE,
)
_COUNTED_NOUN = re.compile(
    r"\s+(?:(?:million|billion|thousand|percent|per|or|and|of|kg|km|m|ms|mb|gb|kb|mib|gib|bits?|bytes?|people|men|"
    r"women|children|soldiers)\b"
    r"|(?!(?:was|is|has|as|its|this|does|us|census|series|class|previous|elections?|olympics|games|its)\b)[a-z]+s\b)",
    re.IGNORECASE,
)
_IDENTIFIER_BEFORE = re.compile(
    r"(?:\b(?:rfc|iso|sp|pub|part|section|chapter|page|version|no\.?|ver|room|over|than|least|most|about|"
    r"approximately|nearly|some|windows|office|only)\.?\s*|[=<>≤≥*/+]\s*)$",
    re.IGNORECASE,
)
_LEADS_TO_MONTH = re.compile(
    r"\b(?:in|since|by|until|till|of|during|from|to|before|after|through|last|next|this|every|each|early|late|mid|im|"
    r"en|depuis|seit|and|or|between)[\s-]+$",
    re.IGNORECASE,
)
_SUBJECT_BEFORE = re.compile(r"\b(?:it|they|you|we|he|she|that|which|who|one|i)\s+$", re.IGNORECASE)


def _is_something_else(match: re.Match[str], reading: TimeReading, text: str) -> bool:
    """True for "2000 iterations", "RFC 2104", "they may 5 times" and the like."""
    before, after = text[max(0, match.start() - 20) : match.start()], text[match.end() : match.end() + 30]
    month = match.groupdict().get("month")
    if month and month in _VERBS and reading.start.year is None and _SUBJECT_BEFORE.search(before):
        return True
    if not reading.is_bare:
        return False
    if month:
        return not _LEADS_TO_MONTH.search(before) or month in _VERBS and not _CLEARLY_LEADS.search(before)
    if _IDENTIFIER_BEFORE.search(before):
        return True
    leads = bool(_LEADS_TO_YEAR.search(before))
    return _has_unit(text, match.end(), leads) or bool(_COUNTED_NOUN.match(after)) and not leads


def _has_unit(text: str, end: int, leads: bool) -> bool:
    """True for "2000 cm"; after "in" only for a symbol, since "in 2016 cups were sold"."""
    unit = read_unit(text, end)
    return unit is not None and (not leads or text[end : unit.end].strip() in SYMBOLS)


_VERBS = frozenset({"may", "mar", "march", "sec", "mars", "mai", "dec", "jan", "nov", "oct"})  # in lower case
_CLEARLY_LEADS = re.compile(r"\b(?:in|since|until|during|last|next|early|late|mid)[\s-]+$", re.IGNORECASE)
