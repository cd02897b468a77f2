"""Words of time in a question: a period that filters sources, or a request for the newest information.

"in 2026", asked in 2026, "today" and "latest" ask for the newest; "since 2022" and "in the last three years" are
periods. Neither is a name that a source would have to mention.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBERS = {
    word: number
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(),
        start=1,
    )
} | {"twenty": 20, "couple of": 2, "few": 3, "several": 5}
_YEAR = r"((?:19|20)\d\d)"
_COUNT = r"(\d{1,2}|" + "|".join(_NUMBERS) + ")"
_MONTH = r"(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+)?"
_LAST = re.compile(
    rf"\b(?:(?:over|in|within|during|for) )?(?:the )?(?:last|past|previous|recent) (?:{_COUNT} )?(years?|decades?"
    rf"|months?)\b",
    re.IGNORECASE,
)
_SINCE = re.compile(
    rf"\b(?:since|after|from|starting (?:in|from)) {_MONTH}{_YEAR}(?: (?:on|onwards?))?\b(?! (?:to|until|and"
    rf"|through)\b)",
    re.IGNORECASE,
)
_UNTIL = re.compile(rf"\b(?:until|before|up to|till|prior to) {_MONTH}{_YEAR}\b", re.IGNORECASE)
_BETWEEN = re.compile(
    rf"\b(?:(?:between|from) {_MONTH}{_YEAR} (?:and|to|until|through) {_MONTH}{_YEAR}|{_YEAR}\s?[–—-]\s?{_YEAR})\b",
    re.IGNORECASE,
)
_NEWEST = re.compile(
    r"\b(?:today|nowadays|these days|now|right now|at present|at the moment|current(?:ly)?|latest|newest"
    r"|most recent(?:ly)?|up[- ]to[- ]date"
    r"|as of (?:now|today)|so far|still|lately|recently|this year|to date|modern(?: day)?)\b",
    re.IGNORECASE,
)
_IN_YEAR = re.compile(rf"\b(?:in|as of|by|for|during|of)?\s?{_MONTH}\b{_YEAR}\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TimeWords:
    """The words of time of a question.

    `first` and `last`: years of a period, inclusive; None for an open end. `rest`: the question without them.
    """

    rest: str
    first: int | None = None
    last: int | None = None
    wants_newest: bool = False
    words: frozenset[str] = frozenset()  # of time, in lower case

    @property
    def is_span(self) -> bool:
        return self.first is not None or self.last is not None


def find_time_words(question: str, this_year: int) -> TimeWords:
    """Find the words of time in a question.

    >>> find_time_words("Which hash should I use in 2026?", 2026).wants_newest
    True
    >>> found = find_time_words("What changed in the last three years?", 2026)
    >>> found.first, found.rest
    (2023, 'What changed?')
    """
    rest, first, last, newest = question, None, None, False
    if between := _BETWEEN.search(rest):
        years = sorted(int(year) for year in between.groups() if year)
        first, last = years[0], years[-1]
        rest = _without(rest, between)
    elif recent := _LAST.search(rest):
        first = this_year - _years(recent[1], recent[2])
        rest = _without(rest, recent)
    elif (since := _SINCE.search(rest)) and int(since[1]) < this_year:
        first = int(since[1])
        rest = _without(rest, since)
    elif until := _UNTIL.search(rest):
        last = int(until[1])
        rest = _without(rest, until)
    for year in list(_IN_YEAR.finditer(rest)):
        if int(year[1]) >= this_year:
            newest = True
            rest = rest.replace(year.group(), " ", 1)
    words = frozenset(found.group().lower() for found in _NEWEST.finditer(rest))
    rest = re.sub(r"\s+([?.,;:!])", r"\1", " ".join(rest.split()))
    return TimeWords(
        rest,
        first,
        last,
        newest or bool(words),
        frozenset(part for word in words for part in re.split(r"[\s-]", word)),
    )


def _years(count: str | None, unit: str) -> int:
    number = 1 if count is None else int(count) if count.isdigit() else _NUMBERS[count.lower()]
    if unit.lower().startswith("decade"):
        return 10 * number
    if unit.lower().startswith("month"):
        return max(1, round(number / 12))
    return number if count else 5


def _without(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}"
