"""The forms of times in texts: English, German and French dates, ISO, numeric, quarters, decades, centuries.

Each form has a pattern here and a reader of its match in `citations.dates.date_parsers`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from citations.dates import date_parsers
from citations.dates.date_parsers import MONTHS, QUARTERS, TimeReading
from citations.text.claim_vocabulary import digit_runs, vocabulary

Reader = Callable[[re.Match[str]], TimeReading | None]

_CENTURY = r"[- ]centur(?:y|ies)(?P<era>\s+b\.?c\.?(?:e\.?)?)?\b"
_MONTH = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})"
_M = rf"(?P<month>{_MONTH})\b\.?"
_M2 = rf"(?P<month2>{_MONTH})\b\.?"
_D = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th|er|\.)?"
_D2 = r"(?P<day2>[0-3]?\d)(?:st|nd|rd|th|\.)?"
_Y = r"(?P<year>1[0-9]\d\d|20\d\d)"
_Y2 = r"(?P<year2>1[0-9]\d\d|20\d\d)"
_TO = r"\s?(?:[-–—]|to|until|through|and|bis|au)\s?"
# A pattern is tried at a run of digits, at the name of a month, or if the text has a required word.
_AT_DIGITS: tuple[tuple[str, Reader], ...] = (
    (
        rf"(?<![\w-]){_Y}-(?P<number>0[1-9]|1[0-2])(?:-(?P<day>[0-3]\d)(?:T[\d:.]+Z?)?)?(?![\w-])",
        date_parsers.iso,
    ),
    (rf"(?<![\w/-]){_Y}/(?P<number>0[1-9]|1[0-2])/(?P<day>[0-3]\d)(?![\w/-])", date_parsers.iso),
    (
        r"(?<![\w/.,-])(?P<first>[0-3]?\d)(?P<mark>[/.])\s?(?P<second>[0-3]?\d)(?P=mark)\s?(?P<year>1[0-9]\d\d|20\d\d)"
        r"(?![\w/-]|\.\d)",
        date_parsers.numeric,
    ),
    (rf"(?<![\w.,/]){_D}\s?[-–—]\s?{_D2}\s+{_M}(?:,?\s+{_Y}\b)?", date_parsers.date),
    (rf"(?<![\w.,/]){_D}\s+(?:of\s+|de\s+)?{_M}{_TO}{_D2}\s+{_M2}(?:,?\s+{_Y2}\b)?", date_parsers.date),
    (rf"(?<![\w.,/]){_D}\s+(?:of\s+|de\s+)?{_M}(?:,?\s+{_Y}\b)?", date_parsers.date),
    (rf"(?<![\w.,/]){_Y},?\s+{_M}\s+{_D}(?![\d:])\b", date_parsers.date),
    (rf"(?<![\w-]){_Y}\s?q(?P<part>[1-4])\b", date_parsers.quarter),
    (rf"(?<![\w-]){_Y}\s?h(?P<part>[12])\b", date_parsers.half),
    (
        # After a word, two digits are a year only if they count nothing: "from 104 euros in 2023 to 91 euros".
        rf"(?<![\w.,-]){_Y}(?:\s?(?:[-–—/]|to|until|through|bis)\s?(?=\d{{4}})|\s?[-–—/]\s?|\s?(?:to|until|through|bis)\s"
        r"(?=\d\d\s*(?:$|[.,;:)])))(?P<year2>1[0-9]\d\d|20\d\d|\d\d)(?![\w-]|[.,/]\d|\s?%)",
        date_parsers.years,
    ),
    (
        r"(?<!\w)(?P<decade>1[0-9]\d0|20\d0)['’]?s\b|(?<=['’])(?<!\w['’])(?P<short>[3-9]0)s\b",
        date_parsers.decade,
    ),
    (rf"\b(?P<century>(?:[1-9]|1\d|2[01])(?:st|nd|rd|th)){_CENTURY}", date_parsers.century),
    (
        r"(?<![\w.,])(?P<year>\d{1,5})(?:\s?[-–]\s?(?P<last>\d{1,4}))?\s?"
        r"(?:(?P<bc>b\.?c\.?(?:e\.?)?)|a\.d\.|ad|ce)(?!\w)",
        date_parsers.era,
    ),
)
_AT_MONTHS: tuple[tuple[str, Reader], ...] = (
    (rf"{_M}\s+{_D}\s?[-–—]\s?{_D2}(?!\d)(?:,?\s+{_Y}\b)?", date_parsers.date),
    (rf"{_M}\s+{_D}{_TO}{_M2}\s+{_D2}(?!\d)(?:,?\s+{_Y2}\b)?", date_parsers.date),
    (rf"{_M}(?:\s+{_Y})?{_TO}{_M2}\s+{_Y2}\b", date_parsers.date),
    (rf"{_M}\s+{_D}(?!\d)(?:,?\s+{_Y})?\b", date_parsers.date),
    (rf"{_M},?\s+(?:of\s+|de\s+)?{_Y}\b", date_parsers.date),
    (rf"{_M}(?!\s+(?:be|have|not|\d)|\w)", date_parsers.month_alone),
)
_AT_WORDS: tuple[tuple[str, str, Reader], ...] = (
    (
        "q",
        rf"\bq(?P<part>[1-4])(?:\s+|\s*/\s*|\s+of\s+)?(?:{_Y}|['’]?(?P<short>\d\d))\b",
        date_parsers.quarter,
    ),
    (
        "quarter",
        rf"\b(?P<part>{'|'.join(QUARTERS)})\s+quarter\s+(?:of\s+)?(?:fiscal\s+)?{_Y}\b",
        date_parsers.quarter,
    ),
    ("half", rf"\b(?P<part>first|second|1st|2nd)\s+half\s+of\s+{_Y}\b", date_parsers.half),
    ("h", rf"\bh(?P<part>[12])\s?(?:{_Y}|['’]?(?P<short>\d\d))\b", date_parsers.half),
    (
        "fiscal fy",
        rf"\b(?:fiscal(?:\s+year)?|fy)\s?(?:{_Y}|['’]?(?P<short>\d\d))(?:[-/–]\d\d(?:\d\d)?)?\b",
        date_parsers.fiscal,
    ),
    (
        "spring summer autumn fall winter",
        rf"\b(?P<season>spring|summer|autumn|fall|winter)\s+(?:of\s+)?{_Y}\b(?![-/–]\d)",
        date_parsers.season,
    ),
    ("between", rf"\bbetween\s+{_Y}\s+and\s+{_Y2}\b", date_parsers.years),
    (
        "century centuries",
        r"\b(?P<century>(?:twenty[- ])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|"
        rf"twelfth)|(?:thir|four|fif|six|seven|eigh|nine)teenth|twentieth){_CENTURY}",
        date_parsers.century,
    ),
    ("ad a", r"\ba\.?d\.?\s(?P<after>\d{1,4})(?!\w)", date_parsers.era),
)
_BARE_YEAR = (rf"(?<![\w.,$€£#/'’-]){_Y}(?![\w/-]|[.,]\d|\s?%|['’]\d)", date_parsers.bare_year)


def _compile_forms(forms: Iterable[tuple[str, Reader]]) -> tuple[tuple[re.Pattern[str], Reader], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), reader) for pattern, reader in forms)


_DIGIT_FORMS, _MONTH_FORMS = _compile_forms(_AT_DIGITS), _compile_forms(_AT_MONTHS)
_WORD_FORMS = tuple(
    (frozenset(words.split()), *_compile_forms([(pattern, reader)])[0])
    for words, pattern, reader in _AT_WORDS
)
_LAST_FORM = _compile_forms([_BARE_YEAR])
_MONTH_NAME = re.compile(rf"\b{_MONTH}\b", re.IGNORECASE)


def read_forms(text: str) -> Iterator[tuple[re.Match[str], TimeReading]]:
    """Yield every form in a text, the more complete ones first; they may overlap."""
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
    yield from _match_at(digits, _DIGIT_FORMS, text)
    if not words.isdisjoint(MONTHS):
        months = [match.start() for match in _MONTH_NAME.finditer(text)]
        yield from _match_at(months, _MONTH_FORMS, text)
    yield from _match_at(digits, _LAST_FORM, text)


def _match_at(
    starts: Sequence[int], forms: Iterable[tuple[re.Pattern[str], Reader]], text: str
) -> Iterator[tuple[re.Match[str], Reader]]:
    for pattern, reader in forms:
        for start in starts:
            if match := pattern.match(text, start):
                yield match, reader
