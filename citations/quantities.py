"""Quantities named in a text: what is counted or measured, how much, and within which bounds.

Years, dates, versions (4.0.3), document numbers (800-63B), section numbers and citation marks are no
quantities.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar

from citations.normalizing import Span
from citations.times import find_times
from citations.units import CURRENCIES, NUMBER_WORDS, ORDINAL_WORDS, SCALES, SHARES, UNITS
from citations.wording import STOPWORDS, words


class Kind(StrEnum):
    COUNT = "count"
    PERCENT = "percent"
    POINTS = "points"  # percentage points; 100 basis points are 1
    CURRENCY = "currency"
    MEASURE = "measure"
    ORDINAL = "ordinal"
    GROWTH = "growth"  # compound annual rate, in per cent
    FACTOR = "factor"  # "3 times", "2.5x"


class Bound(StrEnum):
    EXACT = "exact"
    ABOUT = "about"
    AT_LEAST = "at least"
    MORE_THAN = "more than"
    AT_MOST = "at most"
    LESS_THAN = "less than"


LOWER = frozenset({Bound.AT_LEAST, Bound.MORE_THAN})
UPPER = frozenset({Bound.AT_MOST, Bound.LESS_THAN})


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount of something, as a text names it.

    `low` and `high` are in base units (`unit`: "B", "s", "m" ..., or an ISO 4217 code; "" for counts) and
    differ for a range only. `step` is the value of one in the last written digit. `nouns` are the stems of
    what follows ("8 characters"), `subject` those of what goes before ("a work factor of 8"). `is_former`
    marks the "from" of a change ("from 8 to 12").
    """

    span: Span
    text: str
    kind: Kind
    low: float
    high: float
    step: float
    bound: Bound = Bound.EXACT
    unit: str = ""
    nouns: frozenset[str] = frozenset()
    subject: frozenset[str] = frozenset()
    is_former: bool = False


_DIGITS = (
    r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?"  # 1,234,567.8
    r"|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?|\d{1,3}(?:\.\d{3})+,\d+"  # 1.234.567,8
    r"|\d{1,3}(?:['’]\d{3})+(?:[.,]\d+)?"  # 1'234'567.8
    r"|\d{1,3}(?:[\u00a0\u202f\u2009]\d{3})+(?:,\d+)?"  # 1 234 567,8
    r"|\d+,\d{1,2}(?![\d,])|\d+(?:\.\d+)?)"
)
_NUMBER_WORD = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_NUMBER = rf"(?:{_DIGITS}|\b(?:{_NUMBER_WORD})\b)"


def _either(names: Iterable[str]) -> str:
    """A pattern for the names: words in any case, but "M" and "m" or "MB" and "mb" as they are written."""
    ordered = sorted(names, key=len, reverse=True)
    return "|".join(re.escape(each) if len(each) > 3 else f"(?-i:{re.escape(each)})" for each in ordered)


_SCALE = _either(SCALES)
_SIGNS = _either(CURRENCIES)
_UNIT = _either(UNITS)
_PERCENT = r"%|per\s?cent\b|pct\b|percent\b"
_POINTS = r"percentage[- ]points?\b|basis[- ]points?\b|bps\b|pp\b"
_AMOUNT = re.compile(
    rf"""(?<![\w./#])(?P<sign>(?:(?:{_SIGNS})\s?)?)
        (?P<first>[-−]?{_NUMBER})
        (?:\s?(?P<dash>[-–—]|to\b)\s?(?:{_SIGNS})?\s?(?P<last>{_NUMBER}))?
        (?:(?P<scaled>[\s-]?)(?P<scale>{_SCALE})(?![\w.]))?
        (?P<plus>\+)?
        (?:[\s-]?(?:(?P<points>{_POINTS})|(?P<percent>{_PERCENT})
           |(?P<currency>{_SIGNS})(?!\w)
           |(?P<factor>(?:-?fold|times(?=\s+(?:as|more|less|faster|slower|higher|larger|greater)\b)|[x×])(?!\w))
           |(?P<unit>{_UNIT})(?![\w/])))?
        (?P<ordinal>(?<=\d)(?:st|nd|rd|th)\b)?
        (?![\w@]|[-‐‑]\d|\.\d)""",
    re.VERBOSE | re.IGNORECASE,
)
_RATIO = re.compile(
    rf"\b(?P<part>{_NUMBER})\s+(?:in|out\s+of)\s+(?:every\s+)?(?P<whole>{_NUMBER})\b(?!\s*%)", re.IGNORECASE
)
_SHARE = re.compile(rf"\b(?:{'|'.join(SHARES)})\s+of\b", re.IGNORECASE)
_ORDINAL_WORD = re.compile(rf"\b(?:{'|'.join(ORDINAL_WORDS)})\b(?!\s+quarter)", re.IGNORECASE)
_MASKED = re.compile(
    r"""\[\d+(?:[,;–-]\s?\d+)*\]  # citation marks
      | \b(?!\d{1,3}(?:\.\d{3})+\b)v?\d+(?:\.\d+){2,}\w* | \bv\d+(?:\.\d+)*\b  # versions
      | \b(?:versions?|release|section|sections|chapter|figure|fig\.|table|appendix|rev(?:ision)?\.?|step
        |pages?|pp?\.
        |rfc|sp|pub|no\.|nr\.|part|clause|article|art\.|item|requirement|iso(?:/iec)?|level|draft|ver\.)
        \s?\#?\d[\w.-]*
      | §+\s?\d[\d.]*
      | \b(?-i:[A-Z][\w-]*)\s\d+\.\d+(?:\.\w+)*\b(?!\s?%|\s(?:million|billion|percent)|\d)  # Django 4.2
      | \b\d+[-‐‑]\d+[A-Za-z]\w*\b | \b\d{3,}[-‐‑]\d+(?:[-‐‑]\d+)*\b(?=\w|\s?(?:rev|\())  # 800-63B
      | \b[A-Za-z]+(?:-\d+)+\b  # CVE-2017-1234, sha-256
      | https?://\S+""",
    re.VERBOSE | re.IGNORECASE,
)
_LESS = r"less|fewer|shorter|lower|smaller"
_MORE = r"more|longer|greater|larger|higher"
_BEFORE_BOUND = (
    (
        Bound.AT_LEAST,
        rf"at least|(?:no|not|never)(?: be)? (?:{_LESS}) than|min(?:imum(?: \w+){{0,2}} (?:of|is)|\.)?|≥|>=",
    ),
    (Bound.AT_MOST, rf"at most|(?:no|not|never)(?: be)? (?:{_MORE}) than|up to|≤|<="),
    (Bound.AT_MOST, r"maximum(?: \w+){0,2} (?:of|is)|not exceed(?:ing)?|within"),
    (Bound.MORE_THAN, rf"(?:{_MORE}) than|over|exceed(?:s|ed|ing)?|above|>|upwards of"),
    (Bound.LESS_THAN, rf"(?:{_LESS}) than|under|below|<"),
    (Bound.ABOUT, r"about|around|approximately|approx\.?|nearly|roughly|almost|circa|ca\.|~|≈|some|close to"),
)
_BOUND_BEFORE = [
    (bound, re.compile(rf"(?:^|(?<=[\s(]))(?:{pattern})\s*(?:an? |the )?$", re.IGNORECASE))
    for bound, pattern in _BEFORE_BOUND
]
_BOUND_AFTER = (
    (
        Bound.AT_LEAST,
        re.compile(r"\s?(?:\w+\s)?(?:or|and) (?:more|longer|greater|higher|above|over|up)\b", re.IGNORECASE),
    ),
    (Bound.AT_MOST, re.compile(r"\s?(?:\w+\s)?or (?:less|fewer|shorter|lower|below)\b", re.IGNORECASE)),
)
_GROWTH = re.compile(r"\bCAGR\b|compound(?:ed)? annual", re.IGNORECASE)
_FORMER = re.compile(r"(?<!range )(?<!ranges )(?<!ranging )\bfrom\s+\S{0,3}$", re.IGNORECASE)
_CHANGED_FROM = re.compile(r"\bto\s+\S*\d\S*\s+(?:\w+\s+)?from\s+\S{0,3}$", re.IGNORECASE)
_CHANGE_TO = re.compile(r"[^.;]{0,40}?\bto\b\s+\S{0,3}\d", re.IGNORECASE)


@lru_cache(maxsize=4_096)
def find_quantities(text: str) -> tuple[Quantity, ...]:
    """All quantities named in a text, in order, none inside another."""
    taken = [mention.span for mention in find_times(text)]
    taken += [Span(*match.span()) for match in _MASKED.finditer(text)]
    found: list[Quantity] = []
    for quantity in (*_shares(text), *_amounts(text), *_ordinal_words(text)):
        if not any(quantity.span.start < each.end and each.start < quantity.span.end for each in taken):
            found.append(_in_place(quantity, text))
            taken.append(quantity.span)
    return tuple(sorted(found, key=lambda quantity: quantity.span.start))


def _shares(text: str) -> Iterator[Quantity]:
    for match in _SHARE.finditer(text):
        words_of = match.group().lower().removesuffix("of").strip()
        yield _percent(match, SHARES[words_of], 1.0)
    for match in _RATIO.finditer(text):
        part, whole = _value(match["part"])[0], _value(match["whole"])[0]
        if 0 < part <= whole:
            yield _percent(match, 100 * part / whole, 1.0)


def _percent(match: re.Match[str], value: float, step: float) -> Quantity:
    return Quantity(Span(*match.span()), match.group(), Kind.PERCENT, value, value, step)


def _ordinal_words(text: str) -> Iterator[Quantity]:
    for match in _ORDINAL_WORD.finditer(text):
        value = float(ORDINAL_WORDS[match.group().lower()])
        yield Quantity(Span(*match.span()), match.group(), Kind.ORDINAL, value, value, 1.0)


def _value(written: str) -> tuple[float, float]:
    """The number that digits or a number word name, and the value of one in its last digit."""
    word = written.lower()
    if word in NUMBER_WORDS:
        return float(NUMBER_WORDS[word]), 1.0
    plain = re.sub(r"['’\u00a0\u202f\u2009]", "", word.replace("−", "-"))
    if re.fullmatch(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?", plain):
        plain = plain.replace(",", "")
    elif "," in plain:
        plain = plain.replace(".", "").replace(",", ".")
    elif plain.count(".") > 1:
        plain = plain.replace(".", "")
    decimals = len(plain.partition(".")[2])
    return float(plain), 10.0**-decimals


def _amounts(text: str) -> Iterator[Quantity]:
    for match in _AMOUNT.finditer(text):
        pieces = [match]
        if match["last"] and _FORMER.search(text[: match.start()]):  # a change, not a range
            pieces = [
                piece
                for piece in (
                    _AMOUNT.match(text, match.start(), match.end("first")),
                    _AMOUNT.match(text, match.start("last")),
                )
                if piece
            ]
        yield from (quantity for quantity in map(_amount, pieces) if quantity is not None)


def _amount(match: re.Match[str]) -> Quantity | None:
    low, step = _value(match["first"])
    high, step = _value(match["last"]) if match["last"] else (low, step)
    scale = _scale(match)
    kind, unit, factor = _measure(match)
    low, high, step = (value * scale * factor for value in (low, high, step))
    if high < low:
        return None
    span = Span(match.start(), match.end())
    bound = Bound.AT_LEAST if match["plus"] else Bound.EXACT
    return Quantity(span, match.group().strip(), kind, low, high, step, bound, unit)


def _scale(match: re.Match[str]) -> float:
    written = match["scale"]
    if not written:
        return 1.0
    scale = SCALES.get(written) or SCALES.get(written.lower()) or SCALES.get(written.capitalize())
    return scale or 1.0


def _measure(match: re.Match[str]) -> tuple[Kind, str, float]:
    """Kind, base unit, and factor to the base unit of what was matched after (or before) a number."""
    if match["points"]:
        return Kind.POINTS, "", 0.01 if match["points"].lower().startswith("b") else 1.0
    if match["percent"]:
        return Kind.PERCENT, "", 1.0
    currency = match["sign"].strip() or match["currency"]
    if currency:
        return Kind.CURRENCY, _lookup(CURRENCIES, currency), 1.0
    if match["ordinal"]:
        return Kind.ORDINAL, "", 1.0
    if match["factor"]:
        return Kind.FACTOR, "", 1.0
    if match["unit"]:
        base, factor = _lookup(UNITS, match["unit"])
        return Kind.MEASURE, base, factor
    return Kind.COUNT, "", 1.0


_Entry = TypeVar("_Entry")


def _lookup(table: dict[str, _Entry], written: str) -> _Entry:
    """The entry as written, else in any other case."""
    if written in table:
        return table[written]
    return next(value for key, value in table.items() if key.casefold() == written.casefold())


def _in_place(quantity: Quantity, text: str) -> Quantity:
    """The quantity with what its sentence says of it: bounds, what is counted, whether it is a former one."""
    start, end = quantity.span.start, quantity.span.end
    before, after = text[max(0, start - 80) : start], text[end : end + 60]
    former = bool(_FORMER.search(before)) and bool(_CHANGE_TO.match(after) or _CHANGED_FROM.search(before))
    is_growth = quantity.kind is Kind.PERCENT and _GROWTH.search(before + after)
    return replace(
        quantity,
        kind=Kind.GROWTH if is_growth else quantity.kind,
        bound=Bound.EXACT if former else _bound(quantity.bound, before, after),
        nouns=_nouns_after(after),
        subject=_subject(before),
        is_former=former,
    )


def _bound(given: Bound, before: str, after: str) -> Bound:
    if given is not Bound.EXACT:
        return given
    for bound, pattern in _BOUND_AFTER:
        if pattern.match(after):
            return bound
    for bound, pattern in _BOUND_BEFORE:
        if pattern.search(before):
            return bound
    return Bound.EXACT


_CLAUSE = re.compile(r"[.;:!?()\[\]|\n]|,\s")
_BOUND_STEMS = frozenset({"least", "minimum", "maximum", "approxim", "near", "rough", "estim", "total"})
_SKIPPED = frozenset(
    {"of", "the", "a", "an", "more", "different", "other", "additional", "or", "all", "its", "their"}
)


def _nouns_after(after: str) -> frozenset[str]:
    """Stems of up to three words that follow without a break, as "characters" in "8 characters in length"."""
    clause = _CLAUSE.split(after, maxsplit=1)[0]
    found: list[str] = []
    for word in words(clause):
        plain = word.text.lower()
        is_end = plain in STOPWORDS and plain not in _SKIPPED
        if is_end or plain[0].isdecimal() or len(found) == 3:
            break
        if plain not in _SKIPPED:
            found.append(word.stem)
    return frozenset(found)


def _subject(before: str) -> frozenset[str]:
    """Stems of the last content words before, in the same clause: "a work factor of" → work, factor."""
    clause = re.split(r"[.;:!?|\n]\s", before)[-1]
    content = [word for word in words(clause) if word.is_content and not word.text[0].isdecimal()]
    return frozenset(word.stem for word in content[-6:]) - _BOUND_STEMS
