"""Finds shares, ratios and multiples in words and figures: "3 in 4", "two thirds of", "3:1", "doubled"."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from citations.quantities.quantity_types import QuantityKind
from citations.text.claim_number_words import DENOMINATORS, UNITS_AND_TENS, cardinals
from citations.text.claim_numerals import read_digits
from citations.text.claim_vocabulary import vocabulary
from citations.text.quote_span import Span


@dataclass(frozen=True, slots=True)
class Ratio:
    """The value of a share (in per cent), a ratio or a multiple."""

    span: Span
    kind: QuantityKind
    value: float


_SMALL = "|".join(sorted(UNITS_AND_TENS, key=len, reverse=True))
_NUMBER = (
    r"(?:\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?|(?:an?\s)?(?:hundred|thousand|million)"
    rf"|(?:{_SMALL})(?:[-\s](?:{_SMALL}))?)"
)
_OUT_OF = re.compile(
    rf"(?<![\w.,$€£-])(?P<part>{_NUMBER})\s+(?:in|out\s+of)\s+(?:every\s+|each\s+)?(?P<whole>{_NUMBER})"
    r"(?![\w%]|[.,]\d|\s?(?:%|percent|per\s|hours?|minutes?|seconds?|days?|weeks?|months?|years?|decades?|different))",
    re.IGNORECASE,
)
# Without it there is no share.
_WHOLE = re.compile(rf"\s(?:in|of)\s+(?:every\s+|each\s+)?{_NUMBER}", re.IGNORECASE)
_PART = "|".join(sorted(DENOMINATORS, key=len, reverse=True))
_SHARE = re.compile(
    rf"""\b(?:(?P<count>an?|one|two|three|four|five|six|seven|eight|nine)[\s-])?(?P<part>{_PART})
        (?=\s+of\b(?!\s+an?\b)(?!\s+(?:[12]\d\d\d|\w+\squarter)\b) | \s+(?:the|its|their|his|her|all|these|those)\s)
      | \b(?P<count2>two|three|four|five|six|seven|eight|nine)[\s-](?P<part2>(?!half|halves){_PART})\b
        (?=\s+(?:majority|share|vote|stake|full|empty|as|more|less)|\W|$)""",
    re.VERBOSE | re.IGNORECASE,
)
_DIGIT_SHARE = re.compile(
    r"(?<![\w.,/])([1-9]\d?)\s?[/⁄]\s?([2-9]|[1-9]\d)(?=\s+of\s+(?:the|all|its|their|\w+s\b))"
)
_VULGAR_SHARE = re.compile(r"(?<![\w.])([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])(?=\s+of\s)")
_COLON = re.compile(
    r"(?<![\d:.,/\w-])(\d+(?:\.\d+)?)\s?:\s?(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\d:/])(?!\s?[ap]\.?m\b)"
)
_TO_ONE = re.compile(
    rf"(?<![\w.,])({_NUMBER})[\s-]to[\s-](one|1)\b(?=\s+(?:ratio|margin|odds|against|advantage))",
    re.IGNORECASE,
)
_TEN_FOLD = re.compile(rf"\b({_SMALL}|hundred|thousand)[-\s]?fold\b", re.IGNORECASE)
_MULTIPLES = {
    "doubled": 2.0,
    "doubling": 2.0,
    "doubles": 2.0,
    "double": 2.0,
    "tripled": 3.0,
    "tripling": 3.0,
    "triples": 3.0,
    "triple": 3.0,
    "trebled": 3.0,
    "treble": 3.0,
    "quadrupled": 4.0,
    "quadruple": 4.0,
    "quintupled": 5.0,
    "halved": 0.5,
    "halving": 0.5,
    "twice": 2.0,
    "thrice": 3.0,
}
_MULTIPLE = re.compile(
    r"\b(?:(?P<verb>(?:doubl|tripl|trebl|quadrupl|quintupl)ed|halved|doubling|tripling|halving)"
    r"(?!\s+(?:as|as\s|over|up|back|down)\b)"
    r"|(?P<times>double|triple|quadruple|treble|twice|thrice)(?=\s+(?:as|the|that|its|their|what|in|to|from|by)\b)"
    r")\b",
    re.IGNORECASE,
)
_TWICE = re.compile(r"\b(?:twice|thrice)\b", re.IGNORECASE)


def find_ratios(text: str) -> Iterator[Ratio]:
    """Yield shares, ratios and multiples; they may overlap, the first takes precedence."""
    words = vocabulary(text)
    yield from _shares(text)
    if _WHOLE.search(text):
        yield from _out_of(text)
    if ":" in text or words & _MARGINS:
        yield from _colons(text)
    if words & _MULTIPLES.keys() or "fold" in text:
        yield from _multiples(text)


_MARGINS = frozenset({"ratio", "margin", "odds", "against", "advantage"})


def _multiples(text: str) -> Iterator[Ratio]:
    for match in _TEN_FOLD.finditer(text):
        yield Ratio(Span(*match.span()), QuantityKind.FACTOR, _number(match[1]))
    for match in _MULTIPLE.finditer(text):
        yield Ratio(Span(*match.span()), QuantityKind.FACTOR, _MULTIPLES[match.group().lower()])
    for match in _TWICE.finditer(text):
        yield Ratio(Span(*match.span()), QuantityKind.COUNT, _MULTIPLES[match.group().lower()])


def _shares(text: str) -> Iterator[Ratio]:
    for match in _SHARE.finditer(text) if vocabulary(text) & DENOMINATORS.keys() else ():
        part = DENOMINATORS[(match["part"] or match["part2"]).lower()]
        count = (match["count"] or match["count2"] or "a").lower()
        is_rank = match["count"] is None and part != 2 and not match["count2"]  # "third of the series"
        share = UNITS_AND_TENS.get(count, 1) / part
        if share < 1 and not is_rank:
            yield Ratio(Span(*match.span()), QuantityKind.PERCENT, 100 * share)
    for match in _DIGIT_SHARE.finditer(text) if "/" in text or "⁄" in text else ():
        if int(match[1]) < int(match[2]):
            yield Ratio(Span(*match.span()), QuantityKind.PERCENT, 100 * int(match[1]) / int(match[2]))
    for match in _VULGAR_SHARE.finditer(text) if not text.isascii() else ():
        yield Ratio(Span(*match.span()), QuantityKind.PERCENT, 100 * unicodedata.numeric(match[1]))


def _out_of(text: str) -> Iterator[Ratio]:
    for match in _OUT_OF.finditer(text):
        part, whole = _number(match["part"]), _number(match["whole"])
        is_year = 1_000 <= whole <= 2_100 and match["whole"].isdecimal()
        if (
            0 < part <= whole
            and not is_year
            and (part == 1 or _is_base(whole) or " out " not in match.group())
        ):
            yield Ratio(Span(*match.span()), QuantityKind.PERCENT, 100 * part / whole)


def _is_base(whole: float) -> bool:
    """True for what shares are stated of: 10, 100, 1000, or less than ten. "12 out of 28" counts two things."""
    return whole <= 10 or f"{whole:g}".rstrip("0") == "1"


def _number(written: str) -> float:
    if written[0].isdecimal():
        return read_digits(written)[0]
    found = next(iter(cardinals(written if " " in written else f"a {written}")), None)
    return found.value if found else 0.0


_RATIO_BEFORE = re.compile(
    r"\b(?:ratio|scale|odds|margin|proportion|diluted|split)\b[^.;\n]{0,30}$", re.IGNORECASE
)
_RATIO_AFTER = re.compile(
    r"\s+(?:ratio|scale|odds|margin|mix(?:ture)?|split|dilution|contrast)\b", re.IGNORECASE
)


def _colons(text: str) -> Iterator[Ratio]:
    """Yield ratios like 3:1; a time of day or a verse has two digits after the colon and no such word nearby."""
    for match in _COLON.finditer(text):
        second = read_digits(match[2])[0]
        is_said = _RATIO_BEFORE.search(text, max(0, match.start() - 45), match.start()) or _RATIO_AFTER.match(
            text, match.end()
        )
        if second and (is_said or "1" in (match[1], match[2]) and len(match[2]) != 2):
            yield Ratio(Span(*match.span()), QuantityKind.RATIO, read_digits(match[1])[0] / second)
    for match in _TO_ONE.finditer(text):
        yield Ratio(Span(*match.span()), QuantityKind.RATIO, _number(match[1]))
