"""A number with its scale, currency, unit or per cent."""

import re
from dataclasses import dataclass, replace

from citations.quantities.currencies import currency_after, currency_before
from citations.quantities.quantity_types import QuantityKind
from citations.quantities.units import DIFFERENCE, TEMPERATURE, read_unit
from citations.text.claim_numerals import Numeral
from citations.text.quote_span import Span


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as written (`raw`, with `raw_step` the value of one in its last digit) with its unit.

    It is worth raw * scale * factor + offset in `unit`; `is_open` marks the "+" of "500+".
    """

    span: Span
    raw: float
    raw_step: float
    scale: float = 1.0
    kind: QuantityKind = QuantityKind.COUNT
    unit: str = ""
    factor: float = 1.0
    offset: float = 0.0
    is_open: bool = False
    high: float | None = None  # of a range, in `unit`

    @property
    def low(self) -> float:
        return self.raw * self.scale * self.factor + self.offset

    @property
    def step(self) -> float:
        return self.raw_step * self.scale * self.factor


_SCALE_WORDS = {
    "hundred": 1e2,
    "dozen": 12.0,
    "thousand": 1e3,
    "tausend": 1e3,
    "tsd": 1e3,
    "lakh": 1e5,
    "lakhs": 1e5,
    "million": 1e6,
    "millions": 1e6,
    "millionen": 1e6,
    "mio": 1e6,
    "mln": 1e6,
    "mn": 1e6,
    "crore": 1e7,
    "crores": 1e7,
    "billion": 1e9,
    "billions": 1e9,
    "milliarden": 1e9,
    "milliards": 1e9,
    "mrd": 1e9,
    "bn": 1e9,
    "bln": 1e9,
    "trillion": 1e12,
    "trillions": 1e12,
    "tn": 1e12,
}
_ATTACHED = {"k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9}  # "45k users", "5M users", "a 70B model"
_MONEY = _ATTACHED | {"m": 1e6, "mm": 1e6, "MM": 1e6, "b": 1e9, "T": 1e12, "t": 1e12}  # "£5m"
_SCALE = re.compile(r"[ \u00a0\u202f]?[-‐‑]?([^\W\d_]{1,9})(?![^\W_])\.?")
_IN_MILLIONS = re.compile(  # "5m copies", but "10m waves"
    r"\s(?:people|copies|users|units|customers|subscribers|members|viewers|homes|households|records|jobs|views|"
    r"followers|downloads|passengers|residents|workers|voters|children|visitors|streams|sales|shares|barrels|"
    r"tonnes|tons|vehicles|cars|patients|pupils|students|visits|listeners|readers|inhabitants|refugees|doses)\b"
)
_SPACED_K = re.compile(r"\s+[a-z]{3}")
_BYTES = re.compile(r"\b(?:bytes?|[kKMGT]i?B|RAM|octets?)\b")
_PERCENT = re.compile(r"\s?[-‐]?(?:%|per\s?cent\b|percent\b|pct\b|prozent\b|pour\s?cent\b)", re.IGNORECASE)
_POINTS = re.compile(
    r"\s?-?(?:(?P<basis>basis[- ]points?\b|bps\b|bp\b)"
    r"|(?:(?:%|percent(?:age)?|per\s?cent)[- ]?points?|prozentpunkten?|pp|ppts?)\b)",
    re.IGNORECASE,
)
_FOLD = re.compile(
    r"\s?(?:-?fold\b|[x×](?!\w|\s?\d)|times(?=\s+(?:as|more|less|faster|slower|higher|larger|greater|smaller|"
    r"lower|bigger|better|cheaper|longer|the|that|its|their|what)\b))",
    re.IGNORECASE,
)
_PER_MILLE = re.compile(r"\s?‰")


# Before the sign of a currency; behind a figure or a word it is a dash ("$5-$10", "5 -$10").
_MINUS = re.compile(r"(?<![\w)%.])(?<![\d%]\s)(?:[-−]|[Mm]inus\s)$")


def read_amount(numeral: Numeral, text: str) -> Amount:
    amount = Amount(numeral.span, numeral.value, numeral.step)
    sign = None if numeral.is_word else currency_before(text, amount.span.start)
    if sign is not None:
        minus = _MINUS.search(text, max(0, sign[1] - 8), sign[1])
        span = Span(minus.start() if minus else sign[1], amount.span.end)
        raw = -amount.raw if minus else amount.raw
        amount = replace(amount, span=span, raw=raw, kind=QuantityKind.CURRENCY, unit=sign[0])
    amount = _apply_scales(amount, text)
    if text[amount.span.end : amount.span.end + 1] == "+":
        amount = replace(amount, span=Span(amount.span.start, amount.span.end + 1), is_open=True)
    return amount if sign is not None else _apply_unit(amount, text)


def _extend_span(amount: Amount, end: int) -> Span:
    return Span(amount.span.start, end)


def _apply_scales(amount: Amount, text: str) -> Amount:
    """Return the amount with the scales that follow: "2.5 hundred thousand", "5M", "3.2 Mrd."."""
    for _ in range(2):
        match = _SCALE.match(text, amount.span.end)
        scale = _scale(match, amount, text) if match else None
        if match is None or scale is None:
            break
        end = match.end() if match[1].lower() in ("mio", "mrd", "tsd", "mln") else match.end(1)
        amount = replace(amount, scale=amount.scale * scale, span=_extend_span(amount, end))
    return amount


def _scale(match: re.Match[str], amount: Amount, text: str) -> float | None:
    written = match[1]
    if (found := _SCALE_WORDS.get(written.lower())) is not None:
        return found
    if amount.kind is QuantityKind.CURRENCY:
        return _MONEY.get(written)
    if match.start(1) == match.start():
        if written == "m" and _IN_MILLIONS.match(text, match.end(1)):
            return 1e6
        return None if written == "B" and _BYTES.search(text) else _ATTACHED.get(written)
    if written in ("K", "k", "M") and _SPACED_K.match(text, match.end(1)):
        return _ATTACHED[written]
    return None


def _apply_unit(amount: Amount, text: str) -> Amount:
    """Return the amount with the unit that follows it."""
    end = amount.span.end
    if match := _POINTS.match(text, end):
        factor = 0.01 if match["basis"] else 1.0
        return replace(
            amount, kind=QuantityKind.POINTS, factor=factor, span=_extend_span(amount, match.end())
        )
    if match := _PERCENT.match(text, end):
        return replace(amount, kind=QuantityKind.PERCENT, span=_extend_span(amount, match.end()))
    if match := _PER_MILLE.match(text, end):
        return replace(amount, kind=QuantityKind.PERCENT, factor=0.1, span=_extend_span(amount, match.end()))
    if match := _FOLD.match(text, end):
        return replace(amount, kind=QuantityKind.FACTOR, span=_extend_span(amount, match.end()))
    return _apply_currency(amount, text) or _apply_measure(amount, text) or amount


_GAP = re.compile(r"[ \u00a0\u202f]{0,2}-?")
_OF = re.compile(r"\s+of\s+(?=euros|dollars|pounds|US|francs|yen)", re.IGNORECASE)


def _apply_currency(amount: Amount, text: str) -> Amount | None:
    gap = (_OF if amount.scale > 1 else _GAP).match(text, amount.span.end) or _GAP.match(
        text, amount.span.end
    )
    found = currency_after(text, gap.end()) if gap else None
    if found is None:
        return None
    return replace(amount, kind=QuantityKind.CURRENCY, unit=found[0], span=_extend_span(amount, found[1]))


# A rise by 2 °C is one of 3.6 °F: differences of temperature have no offset.
_DIFFERENCE_BEFORE = re.compile(
    r"(?:\b(?:by|within|(?:rise|increase|warming|drop|fall|decrease|change|difference|anomaly|swing)s? of)\s+"
    r"(?:\w+\s+){0,2}|[±+]\s?)$",
    re.IGNORECASE,
)
_DIFFERENCE_AFTER = re.compile(
    r"\s+(?:warmer|cooler|hotter|colder|higher|lower|above|below|of warming|warming|rise|increase|per)\b",
    re.IGNORECASE,
)


def _apply_measure(amount: Amount, text: str) -> Amount | None:
    reading = read_unit(text, amount.span.end)
    if reading is None:
        return None
    measured = replace(
        amount,
        kind=QuantityKind.MEASURE,
        unit=reading.unit,
        factor=reading.factor,
        offset=reading.offset,
        span=_extend_span(amount, reading.end),
    )
    before = text[max(0, amount.span.start - 40) : amount.span.start]
    is_difference = _DIFFERENCE_BEFORE.search(before) or _DIFFERENCE_AFTER.match(text, reading.end)
    if reading.unit == TEMPERATURE and is_difference:
        return replace(measured, unit=DIFFERENCE, offset=0.0)
    return measured
