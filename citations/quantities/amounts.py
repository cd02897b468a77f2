"""Finds the amounts of a text: ranges and measures in two units are one amount, numbers inside words are none."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from citations.quantities.amount import Amount, read_amount
from citations.quantities.quantity_types import QuantityKind
from citations.quantities.units import DIFFERENCE, TEMPERATURE
from citations.text.claim_numerals import find_numerals
from citations.text.quote_span import Span


def find_amounts(text: str) -> tuple[Amount, ...]:
    """Return the amounts of a text in order; ranges and "5 ft 11 in" are one."""
    heights = list(_heights(text)) if _FEET.search(text) else []
    blank = "".join(_blank_amounts(text, heights)) if heights else text
    joined = _join_all([read_amount(numeral, blank) for numeral in find_numerals(blank)], blank)
    return (*heights, *(each for each in joined if _stands_alone(each, text)))


_RUNS_ON = re.compile(r"[\w@]|[-‐‑]\d|\.\d|\s?[–—]\s?[$€£]?\d|['’]\w")
_RUN_IN = re.compile(r"\d\s?[-–—]\s?[$€£]?$")
_HEIGHT = re.compile(r"(?<![\w.,'’])(\d)\s?['′’]\s?(\d{1,2})\s?(?:[\"″”]|''|in\b)")
_FEET = re.compile(r"['′’]")
_INCH, _FOOT = 0.0254, 0.3048


def _heights(text: str) -> Iterator[Amount]:
    for match in _HEIGHT.finditer(text):
        inches = 12 * int(match[1]) + int(match[2])
        yield Amount(Span(*match.span()), inches, 1.0, kind=QuantityKind.MEASURE, unit="m", factor=_INCH)


def _blank_amounts(text: str, amounts: Sequence[Amount]) -> Iterator[str]:
    position = 0
    for amount in amounts:
        yield text[position : amount.span.start]
        yield "\0" * len(amount.span)
        position = amount.span.end
    yield text[position:]


def _stands_alone(amount: Amount, text: str) -> bool:
    """False for the numbers of "5G", "12a" and "3–1"."""
    start, end = amount.span.start, amount.span.end
    return not _RUNS_ON.match(text, end) and not _RUN_IN.search(text, max(0, start - 5), start)


_RANGE = re.compile(
    r"(?:\s?[-–—]\s?|\s?…\s?|\s+\.{2,3}\s+|\s+(?:to|through|until|bis|à)\s+(?:about\s+|some\s+|nearly\s+)?)\+?",
    re.IGNORECASE,
)
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s+(?:\w+\s+)?[^\s\w]?$", re.IGNORECASE)
_PLUS_MINUS = re.compile(r"\s?(?:±|\+/-|\+/−)\s?")
_FORMER = re.compile(r"\bfrom\s+(?:\w+\s+)?\S{0,3}$", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:r[oi]se[sn]?|rising|increas\w+|f[ae]ll(?:s|en|ing)?|dropp?(?:s|ed|ing)?|gr[eo]w(?:s|n|ing)?|went|"
    r"goes|changed?|rais\w+|cut|reduc\w+|lower\w+|declin\w+|decreas\w+|moved?|climb\w+|jump\w+|improv\w+|"
    r"shr[aiu]nk|upgrad\w+|expand\w+|surg\w+|soar\w+|slip\w+|shift\w+|up|down|extend\w+|doubl\w+|switch\w+)\b",
    re.IGNORECASE,
)


def _is_change(before: str) -> bool:
    """True if "from 8 to 12" is a change, not a range: a verb of change precedes."""
    return bool(_FORMER.search(before)) and bool(_CHANGE.search(before[-60:]))


def _join_all(amounts: Sequence[Amount], text: str) -> Iterator[Amount]:
    current: Amount | None = None
    for amount in amounts:
        joined = _join_amounts(current, amount, text) if current is not None else None
        if joined is None and current is not None:
            yield _share_unit(current, amount) if _is_changed(current, amount, text) else current
        current = joined or amount
    if current is not None:
        yield current


def _is_changed(first: Amount, second: Amount, text: str) -> bool:
    """True for the 8 of "rose from 8 to 12 percent", which is a percentage too."""
    between = text[first.span.end : min(second.span.start, first.span.end + 5)]
    return between.strip() == "to" and _is_change(text[max(0, first.span.start - 60) : first.span.start])


def _join_amounts(first: Amount, second: Amount, text: str) -> Amount | None:
    """Return the two as one range or measure; None if they are two quantities."""
    if first.high is not None or second.span.start - first.span.end > 16:
        return None
    between = text[first.span.end : second.span.start]
    before = text[max(0, first.span.start - 60) : first.span.start]
    if (
        _RANGE.fullmatch(between)
        and not _is_change(before)
        or (_AND.fullmatch(between) and _BETWEEN.search(before))
    ):
        is_sign = between.endswith("-") or between.strip() in "-–—" and between == between.lstrip()
        if between.endswith("+") and second.unit == DIFFERENCE:  # a sign, not a rise
            second = replace(second, unit=TEMPERATURE)
        return _range(first, second, may_be_sign=is_sign)
    if _PLUS_MINUS.fullmatch(between):
        return replace(_share_unit(first, second), span=Span(first.span.start, second.span.end))
    return _combine_units(first, second, between, text)


def _share_unit(first: Amount, second: Amount) -> Amount:
    """Return the first with the unit and scale that are written only after the second: "10–15 million euros"."""
    if first.kind is QuantityKind.COUNT and second.kind is not QuantityKind.COUNT:
        first = replace(first, kind=second.kind, unit=second.unit, factor=second.factor, offset=second.offset)
    if first.scale == 1 < second.scale and first.raw < second.raw and first.kind is second.kind:
        first = replace(first, scale=second.scale)
    return first


def _range(first: Amount, second: Amount, *, may_be_sign: bool) -> Amount | None:
    """Return the range. `may_be_sign`: joined by a dash that may be a sign where the first is below zero."""
    if first.kind is QuantityKind.CURRENCY and second.kind is QuantityKind.COUNT:
        second = replace(second, kind=first.kind, unit=first.unit)
    first = _share_unit(first, second)
    is_rising = first.low < second.low and (not may_be_sign or first.low >= 0)
    if (first.kind, first.unit) != (second.kind, second.unit) or not is_rising:
        return None
    return replace(
        second,
        span=Span(first.span.start, second.span.end),
        raw=first.raw,
        scale=first.scale,
        factor=first.factor,
        offset=first.offset,
        raw_step=max(first.raw_step, second.raw_step),
        high=second.low,
    )


_THEN = re.compile(r"[\s,-]{0,2}(?:and\s)?")
_INCHES = re.compile(r"\s?(?:in\b|in\.|[\"″”])")


def _combine_units(first: Amount, second: Amount, between: str, text: str) -> Amount | None:
    """Combine a measure in two units: "5 ft 11 in", "2 hours and 30 minutes", "6 lb 3 oz"."""
    if first.kind is not QuantityKind.MEASURE or not _THEN.fullmatch(between) or first.raw % 1:
        return None
    inches = _INCHES.match(text, second.span.end)
    if second.kind is QuantityKind.COUNT and first.factor == _FOOT and inches:
        second = replace(
            second,
            kind=QuantityKind.MEASURE,
            unit="m",
            factor=_INCH,
            span=Span(second.span.start, inches.end()),
        )
    is_part = second.unit == first.unit and second.factor < first.factor and second.low < first.factor
    if not is_part or first.offset:
        return None
    total = (first.low + second.low) / second.factor
    return replace(second, raw=total, scale=1.0, span=Span(first.span.start, second.span.end))
