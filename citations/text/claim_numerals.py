"""Finds written numbers: digits in four styles, words, and fractions.

The styles are 1,234.5 (en), 1.234,5 (de), 1 234,5 (fr, with any of the narrow spaces) and 1'234.5 (ch). Only 1.234 and
1,234 are ambiguous. The rest of the text decides: its other numbers if they are of one style only, else its language,
else the English way (`comma_is_decimal`).
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from citations.text.claim_number_words import UNITS_AND_TENS, cardinals
from citations.text.claim_vocabulary import digit_runs, vocabulary
from citations.text.claim_words_and_stems import STOPWORDS
from citations.text.quote_span import Span


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number as written. `step` is the value of one in its last digit; 1 for words.

    `is_word` marks those in letters.
    """

    span: Span
    value: float
    step: float
    is_word: bool = False


_NARROW = "\u00a0\u202f\u2009"
_DIGITS = re.compile(
    rf"""(?<![\w.,'’/#@])
        (?P<sign>(?<![\w)%])[-−]|(?<!\d\s)\b[Mm]inus\s)?
        (?P<digits>
          \d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?!\d)  # 1,234,567.8
        | \d{{1,2}}(?:,\d{{2}})+,\d{{3}}(?:\.\d+)?(?!\d)  # 12,34,567.8 (India)
        | \d{{1,3}}(?:\.\d{{3}}){{2,}}(?:,\d+)?(?!\d) | \d{{1,3}}(?:\.\d{{3}})+,\d+  # 1.234.567,8
        | \d{{1,3}}(?:['’]\d{{3}})+(?:[.,]\d+)?(?!\d)  # 1'234'567.8
        | [1-9]\d{{0,2}}(?:[ {_NARROW}]\d{{3}})+(?:[.,]\d+)?(?![\d.,]?\d)  # 1 234 567,8
        | \d+,\d{{1,2}}(?!,?\d) | \d++(?:\.\d++)? | \.\d++(?![.\w]))  # p < .05
        (?P<fraction>\s?[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]|\s[1-9]\s?[/⁄]\s?[2-9](?![\d/]))?""",
    re.VERBOSE,
)
_SLASHED = re.compile(r"(?<![\w.,/⁄$€£#-])([1-9])\s?[/⁄]\s?([2-9]|1[0-6])(?![\w/⁄.,]*\d)(?=\s|$|[,.;)-])")
# Some of all, in the writing of trials: "12/28 patients", "(12/28)", "12/28 (43 %)"; a bare 5/12 may be a fraction.
_OF_ALL = re.compile(
    r"(?<![\w.,/⁄$€£#-])(?P<part>\d{1,6})/(?P<whole>\d{1,6})(?![\w/⁄]|[.,]\d)"
    r"(?=(?P<said>\s+(?P<noun>[^\W\d_]{3,})|\s*\(|(?<=\d)\s?\))?)"
)
_MEASURED_PARTS = frozenset({2, 3, 4, 5, 8, 16})  # of an inch, a cup or a mile
_VULGAR = re.compile(r"(?<![\w.])[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]")
_PART_OF_A = re.compile(
    r"\b(?:(?:one[- ])?half\s+an?\b(?=\s+\w)|a\s+half(?=[\s-](?:million|billion|dozen)\b)"
    r"|(?P<quarters>an?|one|three)[\s-]quarters?\s+of\s+an?(?=\s+(?:million|billion|trillion|mile|century|inch)\b))",
    re.IGNORECASE,
)
_AND_A_HALF = re.compile(r"\s+and\s+(?:(?P<half>a\s+half)|(?P<quarter>a\s+quarter))\b", re.IGNORECASE)
_PARTS_OF_A = frozenset({"half", "quarter", "quarters"})
_PARTS = {"half": 0.5, "quarter": 0.25}
_PART_STEP = 0.1  # "one and a half" may stand for 1.46, not for 1.7
_LONGEST = 40  # digits; a longer run is not a reported number


def find_numerals(text: str) -> tuple[Numeral, ...]:
    """Return the numbers of a text in order, none inside another, without what they count."""
    found = sorted(
        (*_find_in_digits(text), *_find_fractions(text), *_find_in_words(text)),
        key=lambda numeral: (numeral.span.start, -numeral.span.end),
    )
    return tuple(_remove_overlaps(_add_half(numeral, text) for numeral in found))


def _remove_overlaps(found: Iterator[Numeral]) -> Iterator[Numeral]:
    end = 0
    for numeral in found:
        if numeral.span.start >= end:
            end = numeral.span.end
            yield numeral


def _find_parts_of_all(text: str) -> Iterator[tuple[Span, Span]]:
    """Yield the part and the whole where a slash stands for "of"."""
    for match in _OF_ALL.finditer(text) if "/" in text else ():
        part, whole = int(match["part"]), int(match["whole"])
        is_said = match["said"] is not None and (match["noun"] or "").casefold() not in STOPWORDS
        is_year = 1_900 <= whole <= 2_100
        if part <= whole and not is_year and whole not in _MEASURED_PARTS and (is_said or whole > 16):
            yield Span(*match.span("part")), Span(*match.span("whole"))


def _find_in_digits(text: str) -> Iterator[Numeral]:
    if not digit_runs(text):
        return
    for _, whole in _find_parts_of_all(text):
        yield Numeral(whole, float(whole.cut(text)), 1.0)
    is_decimal = comma_is_decimal(text)
    for match in _DIGITS.finditer(text):
        if len(match["digits"]) > _LONGEST:
            continue
        value, step = read_digits(match["digits"], is_decimal)
        if match["fraction"]:
            part = _fraction(match["fraction"])
            value, step = value + part, _PART_STEP
        sign = -1.0 if match["sign"] else 1.0
        yield Numeral(Span(*match.span()), sign * value, step)


def read_digits(written: str, comma_decimal: bool = False) -> tuple[float, float]:
    """Return the value of digits in any style, and the value of one in the last digit.

    `comma_decimal` decides between the two readings of 1,234 and 1.234.
    """
    plain = re.sub(rf"['’ {_NARROW}]", "", written)
    has_space = len(plain) < len(written)
    commas, points = plain.count(","), plain.count(".")
    if commas and points:
        is_comma_last = plain.rfind(",") > plain.rfind(".")
        plain = plain.replace(".", "").replace(",", ".") if is_comma_last else plain.replace(",", "")
    elif commas > 1:
        plain = plain.replace(",", "")
    elif commas == 1:
        groups = not has_space and len(plain.partition(",")[2]) == 3 and not comma_decimal
        plain = plain.replace(",", "" if groups else ".")
    elif points > 1 or points == 1 and comma_decimal and re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", plain):
        plain = plain.replace(".", "")
    return float(plain), 10.0 ** -len(plain.partition(".")[2])


_GROUPED = re.compile(r"\d[.,]\d")
_COMMA_STYLE = re.compile(
    r"(?<![\d.,])(?:\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|\d+,\d{1,2})(?!,?\d)"
)
_POINT_STYLE = re.compile(
    r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:,\d{3}){2,}|\d+\.\d{1,2}|0\.\d+)(?!\.?\d)"
)
_COMMA_LANGUAGE_WORDS = (
    "und der die das ist nicht mit von auf wurde wurden et les des est dans pour avec sont une".split()
)
_COMMA_LANGUAGES = re.compile(rf"\b(?:{'|'.join(_COMMA_LANGUAGE_WORDS)})\b")
_ENGLISH = re.compile(r"\b(?:the|and|of|is|are|was|were|with|for|that|in)\b")


@lru_cache(maxsize=1_024)
def comma_is_decimal(text: str) -> bool:
    """True if a text writes 1,5 for one and a half, by its unambiguous numbers or else its language."""
    if not _GROUPED.search(text):
        return False
    starts = digit_runs(text)
    commas = sum(1 for start in starts if _COMMA_STYLE.match(text, start))
    points = sum(1 for start in starts if _POINT_STYLE.match(text, start))
    if commas != points:
        return commas > points
    if vocabulary(text).isdisjoint(_COMMA_LANGUAGE_WORDS):
        return False
    foreign = sum(1 for _ in _COMMA_LANGUAGES.finditer(text))
    return foreign > 1 and foreign > sum(1 for _ in _ENGLISH.finditer(text))


def _fraction(written: str) -> float:
    plain = written.strip()
    if len(plain) == 1:
        return unicodedata.numeric(plain)
    part, whole = re.split(r"\s?[/⁄]\s?", plain)
    return int(part) / int(whole)


def _find_fractions(text: str) -> Iterator[Numeral]:
    for match in _VULGAR.finditer(text) if not text.isascii() else ():
        value = unicodedata.numeric(match.group())
        yield Numeral(Span(*match.span()), value, _PART_STEP)
    parts = {part.start for part, _ in _find_parts_of_all(text)}
    for match in _SLASHED.finditer(text) if "/" in text or "⁄" in text else ():
        value = int(match[1]) / int(match[2])
        if value < 1 and match.start() not in parts:
            yield Numeral(Span(*match.span()), value, _PART_STEP)
    for match in () if vocabulary(text).isdisjoint(_PARTS_OF_A) else _PART_OF_A.finditer(text):
        quarters = {"": 2, "three": 3}.get((match["quarters"] or "").lower(), 1)
        yield Numeral(Span(*match.span()), quarters / 4, _PART_STEP, is_word=True)


def _find_in_words(text: str) -> Iterator[Numeral]:
    for found in cardinals(text):
        written = found.span.cut(text).lower()
        if written != "one" or _counts(text, found.span):
            yield Numeral(found.span, found.value, 1.0, is_word=True)


_COUNTING_ONE = re.compile(
    r"(?:\b(?:only|just|exactly|precisely|than|least|most|about|to|and|between|over|under|number|except|worth)"
    r"|[-–—:=])\s*$",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"[\s-]+(?:in|out\s+of)\s+(?:every\s+)?\w|[\s-]+(?:and\s+a\s+half|to|or|per\s?cent|percent|percentage|"
    r"kilo\w+|meters?|metres?|miles?|inch|foot|feet|yards?|acres?|hectares?|hours?|minutes?|seconds?|days?|"
    r"weeks?|months?|years?|decades?|century|grams?|pounds?|ounces?|tonnes?|tons?|lit[re]{2}s?|gallons?|bytes?|"
    r"dollars?|euros?|francs?|cents?|[kmg]b|times?|person|people|child|man|woman|vote|votes|goal|point|album|"
    rf"season|game|match|member|copy|country|user|case|death)\b|\s*[-–—]\s*(?:{'|'.join(UNITS_AND_TENS)})\b",
    re.IGNORECASE,
)
_PRONOUN_ONE = re.compile(r"\b(?:no|any|every|each|this|that|the|some|another|which)\s+$", re.IGNORECASE)


def _counts(text: str, span: Span) -> bool:
    """True if "one" is a number, not a pronoun."""
    before, after = text[max(0, span.start - 24) : span.start], text[span.end : span.end + 24]
    if _PRONOUN_ONE.search(before):
        return False
    if _COUNTED.match(after):
        return True
    return bool(_COUNTING_ONE.search(before)) and bool(re.match(r"\s+[a-z]{3}|[.,;]?$", after))


def _add_half(numeral: Numeral, text: str) -> Numeral:
    """Return the numeral with the "and a half" that follows it."""
    match = _AND_A_HALF.match(text, numeral.span.end)
    if match is None:
        return numeral
    part = _PARTS[match.lastgroup or "half"]
    return Numeral(Span(numeral.span.start, match.end()), numeral.value + part, _PART_STEP, numeral.is_word)
