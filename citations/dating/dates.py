"""The forms in which texts write times: English, German and French dates, ISO, numeric, quarters, decades, centuries.

Each form has a pattern and a reader of what it matched. No reader adds a part that is not written.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from citations.dating.moments import Moment
from citations.language.number_words import ordinal_value
from citations.language.vocabulary import digit_runs, vocabulary

_ENGLISH = "january february march april may june july august september october november december".split()
_GERMAN = "januar februar märz april mai juni juli august september oktober november dezember".split()
_FRENCH = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()
MONTHS: dict[str, int] = {
    name: number for names in (_FRENCH, _GERMAN, _ENGLISH) for number, name in enumerate(names, 1)
}
MONTHS |= {name[:3]: number for number, name in enumerate(_ENGLISH, 1)} | {"sept": 9, "jänner": 1}
_QUARTERS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
    "final": 4,
}


@dataclass(frozen=True, slots=True)
class Reading:
    """What a form says: see `moments.TimeMention`, whose fields these are."""

    start: Moment
    end: Moment | None = None
    is_unit: bool = False
    readings: tuple[Moment, ...] = ()
    label: str = ""
    is_bare: bool = False


Reader = Callable[[re.Match[str]], Reading | None]


def _number(text: str | None) -> int | None:
    return int(text) if text else None


def _month(name: str | None) -> int | None:
    return None if name is None else MONTHS[name.lower()]


def _date(match: re.Match[str]) -> Reading | None:
    """Year, month and day by the names of the groups; "day2", "month2" and "year2" are the end of a range."""
    groups = match.groupdict()
    start = Moment(_number(groups.get("year")), _month(groups.get("month")), _number(groups.get("day")))
    if not _is_date(start):
        return None
    later = [groups.get(name) for name in ("year2", "month2", "day2")]
    if not any(later):
        return Reading(start)
    end = Moment(_number(later[0]) or start.year, _month(later[1]) or start.month, _number(later[2]))
    if start.year is None:
        start = Moment(end.year, start.month, start.day)
    return Reading(start, end) if _is_date(end) else None


def _is_date(moment: Moment) -> bool:
    return (moment.month is None or 1 <= moment.month <= 12) and (moment.day is None or 1 <= moment.day <= 31)


def _iso(match: re.Match[str]) -> Reading | None:
    moment = Moment(int(match["year"]), int(match["number"]), _number(match["day"]))
    return Reading(moment) if _is_date(moment) else None


def _numeric(match: re.Match[str]) -> Reading | None:
    """03/04/2024 is 3 April or March 4; 13/04/2024 and 03.04.2024 have one reading."""
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    day_first, month_first = Moment(year, second, first), Moment(year, first, second)
    possible = [moment for moment in (day_first, month_first) if _is_date(moment)]
    if match["mark"] == ".":
        possible = [day_first] if _is_date(day_first) else []
    if not possible:
        return None
    if len(set(possible)) == 1:
        return Reading(possible[0])
    return Reading(Moment(year), readings=(day_first, month_first))


def _quarter(match: re.Match[str]) -> Reading:
    number = _QUARTERS.get(match["part"].lower()) or int(match["part"])
    year = _year(match)
    return Reading(Moment(year, number * 3 - 2), Moment(year, number * 3), is_unit=True)


def _half(match: re.Match[str]) -> Reading:
    number = _QUARTERS.get(match["part"].lower()) or int(match["part"])
    year = _year(match)
    return Reading(Moment(year, number * 6 - 5), Moment(year, number * 6), is_unit=True)


def _year(match: re.Match[str]) -> int | None:
    groups = match.groupdict()
    if groups.get("short"):
        return 2_000 + int(groups["short"])
    return _number(groups.get("year"))


def _season(match: re.Match[str]) -> Reading:
    name = match["season"].lower()
    return Reading(Moment(int(match["year"])), label="autumn" if name == "fall" else name)


def _fiscal(match: re.Match[str]) -> Reading:
    return Reading(Moment(_year(match)), label="fiscal")


def _years(match: re.Match[str]) -> Reading | None:
    """2010–2015, 2010–15 and 2010/11."""
    first = int(match["year"])
    last = int(match["year2"]) if len(match["year2"]) == 4 else first - first % 100 + int(match["year2"])
    if len(match["year2"]) == 2 and last <= first:
        return None
    return Reading(Moment(first), Moment(last))


def _decade(match: re.Match[str]) -> Reading:
    # '90s; of the '00s to '20s nobody can tell the century.
    first = int(match["decade"] or 0) or 1_900 + int(match["short"])
    length = 99 if first % 100 == 0 and match["decade"] and first < 2_000 else 9  # "the 1800s"
    return Reading(Moment(first), Moment(first + length), is_unit=True)


def _century(match: re.Match[str]) -> Reading:
    written = match["century"]
    number = int(re.sub(r"\D", "", written)) if written[0].isdecimal() else ordinal_value(written)
    if match["era"]:
        return Reading(Moment(-100 * number), Moment(-100 * number + 99), is_unit=True)
    return Reading(Moment(100 * number - 99), Moment(100 * number), is_unit=True)


def _era(match: re.Match[str]) -> Reading:
    """44 BC, 500–300 BC, AD 79."""
    groups = match.groupdict()
    year, last = int(groups.get("year") or groups.get("after") or 0), groups.get("last")
    sign = -1 if groups.get("bc") else 1
    return Reading(Moment(sign * year), Moment(sign * int(last)) if last else None)


def _month_alone(match: re.Match[str]) -> Reading:
    return Reading(Moment(None, _month(match["month"])), is_bare=True)


def _bare_year(match: re.Match[str]) -> Reading:
    return Reading(Moment(int(match["year"])), is_bare=True)


_CENTURY = r"[- ]centur(?:y|ies)(?P<era>\s+b\.?c\.?(?:e\.?)?)?\b"
_MONTH = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})"
_M = rf"(?P<month>{_MONTH})\b\.?"
_M2 = rf"(?P<month2>{_MONTH})\b\.?"
_D = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th|er|\.)?"
_D2 = r"(?P<day2>[0-3]?\d)(?:st|nd|rd|th|\.)?"
_Y = r"(?P<year>1[0-9]\d\d|20\d\d)"
_Y2 = r"(?P<year2>1[0-9]\d\d|20\d\d)"
_TO = r"\s?(?:[-–—]|to|until|through|and|bis|au)\s?"
# A pattern begins at a run of digits, at the name of a month, or at a word that its text must have.
_AT_DIGITS: tuple[tuple[str, Reader], ...] = (
    (rf"(?<![\w-]){_Y}-(?P<number>0[1-9]|1[0-2])(?:-(?P<day>[0-3]\d)(?:T[\d:.]+Z?)?)?(?![\w-])", _iso),
    (rf"(?<![\w/-]){_Y}/(?P<number>0[1-9]|1[0-2])/(?P<day>[0-3]\d)(?![\w/-])", _iso),
    (
        r"(?<![\w/.,-])(?P<first>[0-3]?\d)(?P<mark>[/.])\s?(?P<second>[0-3]?\d)(?P=mark)\s?(?P<year>1[0-9]\d\d|20\d\d)"
        r"(?![\w/-]|\.\d)",
        _numeric,
    ),
    (rf"(?<![\w.,/]){_D}\s?[-–—]\s?{_D2}\s+{_M}(?:,?\s+{_Y}\b)?", _date),
    (rf"(?<![\w.,/]){_D}\s+(?:of\s+|de\s+)?{_M}{_TO}{_D2}\s+{_M2}(?:,?\s+{_Y2}\b)?", _date),
    (rf"(?<![\w.,/]){_D}\s+(?:of\s+|de\s+)?{_M}(?:,?\s+{_Y}\b)?", _date),
    (rf"(?<![\w-]){_Y}\s?q(?P<part>[1-4])\b", _quarter),
    (rf"(?<![\w-]){_Y}\s?h(?P<part>[12])\b", _half),
    (
        rf"(?<![\w.,-]){_Y}\s?(?:[-–—/]|to|until|through|bis)\s?(?P<year2>1[0-9]\d\d|20\d\d|\d\d)"
        r"(?![\w-]|[.,/]\d|\s?%)",
        _years,
    ),
    (r"(?<!\w)(?P<decade>1[0-9]\d0|20\d0)['’]?s\b|(?<=['’])(?<!\w['’])(?P<short>[3-9]0)s\b", _decade),
    (rf"\b(?P<century>(?:[1-9]|1\d|2[01])(?:st|nd|rd|th)){_CENTURY}", _century),
    (
        r"(?<![\w.,])(?P<year>\d{1,5})(?:\s?[-–]\s?(?P<last>\d{1,4}))?\s?"
        r"(?:(?P<bc>b\.?c\.?(?:e\.?)?)|a\.d\.|ad|ce)(?!\w)",
        _era,
    ),
)
_AT_MONTHS: tuple[tuple[str, Reader], ...] = (
    (rf"{_M}\s+{_D}\s?[-–—]\s?{_D2}(?!\d)(?:,?\s+{_Y}\b)?", _date),
    (rf"{_M}\s+{_D}{_TO}{_M2}\s+{_D2}(?!\d)(?:,?\s+{_Y2}\b)?", _date),
    (rf"{_M}(?:\s+{_Y})?{_TO}{_M2}\s+{_Y2}\b", _date),
    (rf"{_M}\s+{_D}(?!\d)(?:,?\s+{_Y})?\b", _date),
    (rf"{_M},?\s+(?:of\s+|de\s+)?{_Y}\b", _date),
    (rf"{_M}(?!\s+(?:be|have|not|\d)|\w)", _month_alone),
)
_AT_WORDS: tuple[tuple[str, str, Reader], ...] = (
    ("q", rf"\bq(?P<part>[1-4])(?:\s+|\s*/\s*|\s+of\s+)?(?:{_Y}|['’]?(?P<short>\d\d))\b", _quarter),
    ("quarter", rf"\b(?P<part>{'|'.join(_QUARTERS)})\s+quarter\s+(?:of\s+)?(?:fiscal\s+)?{_Y}\b", _quarter),
    ("half", rf"\b(?P<part>first|second|1st|2nd)\s+half\s+of\s+{_Y}\b", _half),
    ("h", rf"\bh(?P<part>[12])\s?(?:{_Y}|['’]?(?P<short>\d\d))\b", _half),
    (
        "fiscal fy",
        rf"\b(?:fiscal(?:\s+year)?|fy)\s?(?:{_Y}|['’]?(?P<short>\d\d))(?:[-/–]\d\d(?:\d\d)?)?\b",
        _fiscal,
    ),
    (
        "spring summer autumn fall winter",
        rf"\b(?P<season>spring|summer|autumn|fall|winter)\s+(?:of\s+)?{_Y}\b(?![-/–]\d)",
        _season,
    ),
    ("between", rf"\bbetween\s+{_Y}\s+and\s+{_Y2}\b", _years),
    (
        "century centuries",
        r"\b(?P<century>(?:twenty[- ])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|"
        rf"twelfth)|(?:thir|four|fif|six|seven|eigh|nine)teenth|twentieth){_CENTURY}",
        _century,
    ),
    ("ad a", r"\ba\.?d\.?\s(?P<after>\d{1,4})(?!\w)", _era),
)
_BARE_YEAR = (rf"(?<![\w.,$€£#/'’-]){_Y}(?![\w/-]|[.,]\d|\s?%|['’]\d)", _bare_year)


def _compiled(forms: Iterable[tuple[str, Reader]]) -> tuple[tuple[re.Pattern[str], Reader], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), reader) for pattern, reader in forms)


_DIGIT_FORMS, _MONTH_FORMS = _compiled(_AT_DIGITS), _compiled(_AT_MONTHS)
_WORD_FORMS = tuple(
    (frozenset(words.split()), *_compiled([(pattern, reader)])[0]) for words, pattern, reader in _AT_WORDS
)
_LAST_FORM = _compiled([_BARE_YEAR])
_MONTH_NAME = re.compile(rf"\b{_MONTH}\b", re.IGNORECASE)


def read_forms(text: str) -> Iterator[tuple[re.Match[str], Reading]]:
    """Every form that a text has, the fuller ones first; they may overlap."""
    for match, reader in _matches(text):
        reading = reader(match)
        if reading is not None:
            yield match, reading


def _matches(text: str) -> Iterator[tuple[re.Match[str], Reader]]:
    words = vocabulary(text)
    digits = digit_runs(text)
    for needed, pattern, reader in _WORD_FORMS:
        if not words.isdisjoint(needed):
            yield from ((match, reader) for match in pattern.finditer(text))
    yield from _at(digits, _DIGIT_FORMS, text)
    if not words.isdisjoint(MONTHS):
        months = [match.start() for match in _MONTH_NAME.finditer(text)]
        yield from _at(months, _MONTH_FORMS, text)
    yield from _at(digits, _LAST_FORM, text)


def _at(
    starts: Sequence[int], forms: Iterable[tuple[re.Pattern[str], Reader]], text: str
) -> Iterator[tuple[re.Match[str], Reader]]:
    for pattern, reader in forms:
        for start in starts:
            if match := pattern.match(text, start):
                yield match, reader
