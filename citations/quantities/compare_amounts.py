"""Compares two amounts of the same thing.

Two comparisons are distinguished. `states`: does a source's figure support a claim's, equal up to rounding, or inside
the claim's bound? `agree`: are two figures near enough to be reports of one fact, by the tolerances relative to the
larger: percentage 5 %, currency 10 %, plain number 10 %, growth rate 2 %?

Amounts of different currencies are never equal, unless dated rates are given that convert one into the other.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from citations.quantities.quantity_types import LOWER, UPPER, BoundKind, Quantity, QuantityKind

TOLERANCES: dict[QuantityKind, float] = {
    QuantityKind.PERCENT: 0.05,
    QuantityKind.POINTS: 0.05,
    QuantityKind.CURRENCY: 0.10,
    QuantityKind.COUNT: 0.10,
    QuantityKind.MEASURE: 0.10,
    QuantityKind.FACTOR: 0.10,
    QuantityKind.RATIO: 0.10,
    QuantityKind.GROWTH: 0.02,
    QuantityKind.ORDINAL: 0.0,
}
_ROUNDING = 0.01  # a round figure may stand for one within 1 %: 310,000 for 312,345
_COARSEST = 0.15  # of the larger: "1 million" does not round 1.4 million
_SAME_KIND = {QuantityKind.GROWTH: QuantityKind.PERCENT}


class Match(StrEnum):
    """The result of comparing two quantities."""

    SAME = "same"
    DIFFERENT = "different"
    UNRELATED = "unrelated"  # not of the same thing: nothing follows


@dataclass(frozen=True, slots=True)
class ExchangeRate:
    """On `day`, 1 unit of the currency `base` was worth `value` of `quote`; both ISO 4217 codes."""

    base: str
    quote: str
    value: float
    day: date

    def __post_init__(self) -> None:
        if not self.value > 0:
            raise ValueError(f"a rate of exchange must be positive: {self.value}")


def _same_dimension(a: Quantity, b: Quantity) -> bool:
    """True if both count, or both measure in units that convert into each other; currencies never do.

    Rates of different kinds have different dimensions: "per year", "per person".
    """
    is_other_rate = bool(a.per and b.per and a.per != b.per)
    return a.kind is b.kind and a.unit == b.unit and not is_other_rate


def same_measure(a: Quantity, b: Quantity) -> bool:
    """True if both are amounts of one thing: same dimension and same head noun, or same words before."""
    if not _same_dimension(a, b):
        return False
    if a.head and b.head:
        return a.head == b.head or a.head in b.nouns or b.head in a.nouns
    return bool((a.nouns | a.subject) & (b.nouns | b.subject))


def agree(a: Quantity, b: Quantity, rates: Iterable[ExchangeRate] = ()) -> Match:
    """Compare two figures of one thing within the tolerance of their kind; symmetric."""
    first, second = _convert_to_one_currency(a, b, rates)
    if not same_measure(first, second):
        return Match.UNRELATED
    return Match.SAME if _near(first, second, TOLERANCES[first.kind]) else Match.DIFFERENT


def states(claim: Quantity, source: Quantity, rates: Iterable[ExchangeRate] = ()) -> Match:
    """Compare the source's figure with the claim's; SAME means that the source supports the claim's figure.

    A converted figure supports the claim's within the tolerance of its kind.
    """
    if converted := _convert_currency(source, claim.unit, rates):
        return agree(claim, converted)
    is_other_rate = bool(claim.per and source.per and claim.per != source.per)
    if (
        claim.unit != source.unit
        or _normalize_kind(claim.kind) is not _normalize_kind(source.kind)
        or is_other_rate
    ):
        return Match.UNRELATED
    if _carries(claim, source):
        return Match.SAME
    return Match.DIFFERENT if same_measure(claim, source) else Match.UNRELATED


@dataclass(frozen=True, slots=True)
class QuantityMatch:
    """The match of a claim's quantity in a passage. `source` is the quantity that decided, None for UNRELATED."""

    match: Match
    source: Quantity | None = None


def compare_with_all(
    claim: Quantity, sources: Iterable[Quantity], rates: Iterable[ExchangeRate] = ()
) -> QuantityMatch:
    """Compare a claim's quantity with all quantities of a passage.

    Those of the same thing come first: "9 servers" contradicts "12 servers" though "12 users" stands nearby; "12 were
    down" does not name its thing, and supports them. A former figure ("from 8 to 12") is a last resort for a present
    one.
    """
    given = tuple(rates)
    comparisons = [(states(claim, source, given), source) for source in sources]
    comparisons.sort(key=lambda pair: pair[1].is_former is not claim.is_former)
    alike = [pair for pair in comparisons if _is_of_same_thing(claim, pair[1])]
    untold = [pair for pair in comparisons if not pair[1].head]
    for wanted, candidates in (
        (Match.SAME, alike),
        (Match.SAME, untold),
        (Match.DIFFERENT, alike),
        (Match.SAME, comparisons),
        (Match.DIFFERENT, comparisons),
    ):
        if source := next((source for match, source in candidates if match is wanted), None):
            return QuantityMatch(wanted, source)
    return QuantityMatch(Match.UNRELATED)


def _is_of_same_thing(a: Quantity, b: Quantity) -> bool:
    return bool(a.head) and bool(b.head) and same_measure(a, b)


def _convert_to_one_currency(
    a: Quantity, b: Quantity, rates: Iterable[ExchangeRate]
) -> tuple[Quantity, Quantity]:
    """Return both in the currency that comes first in the alphabet, so that their order does not matter."""
    if a.unit <= b.unit:
        return a, _convert_currency(b, a.unit, rates) or b
    return _convert_currency(a, b.unit, rates) or a, b


def _convert_currency(quantity: Quantity, currency: str, rates: Iterable[ExchangeRate]) -> Quantity | None:
    """Convert the amount by the latest rate for the two currencies; None without one."""
    if quantity.kind is not QuantityKind.CURRENCY or quantity.unit == currency:
        return None
    known = [rate for rate in rates if {rate.base, rate.quote} == {quantity.unit, currency}]
    if not known:
        return None
    rate = max(known, key=lambda rate: (rate.day, rate.base, rate.value))
    factor = rate.value if rate.base == quantity.unit else 1 / rate.value
    return replace(
        quantity,
        unit=currency,
        low=quantity.low * factor,
        high=quantity.high * factor,
        step=quantity.step * factor,
    )


def _normalize_kind(kind: QuantityKind) -> QuantityKind:
    return _SAME_KIND.get(kind, kind)


def _near(a: Quantity, b: Quantity, tolerance: float) -> bool:
    if _get_bound_sign(a) != _get_bound_sign(b):
        return _overlap(a, b)
    if _get_bound_sign(a) == 0 and _overlap(a, b):  # one figure lies in the other's range
        return True
    return _close(a.low, b.low, tolerance) and _close(a.high, b.high, tolerance)


def _overlap(a: Quantity, b: Quantity) -> bool:
    """True if one's range contains the other."""
    low = max(_interval(a)[0], _interval(b)[0])
    return low <= min(_interval(a)[1], _interval(b)[1])


def _interval(quantity: Quantity) -> tuple[float, float]:
    if quantity.bound in LOWER:
        return quantity.low, float("inf")
    if quantity.bound in UPPER:
        return float("-inf"), quantity.high
    return quantity.low, quantity.high


def _get_bound_sign(quantity: Quantity) -> int:
    return (quantity.bound in LOWER) - (quantity.bound in UPPER)


def _close(a: float, b: float, tolerance: float) -> bool:
    return abs(a - b) <= (tolerance + 1e-9) * max(abs(a), abs(b))


def _carries(claim: Quantity, source: Quantity) -> bool:
    side, other = _get_bound_sign(claim), _get_bound_sign(source)
    if side != 0 and other == 0:
        low, high = _interval(claim)
        is_inside = low <= source.low and source.high <= high
        return is_inside or _equal(claim, source)
    # A claim may drop a bound only if it keeps the figure ("12 characters" of "at least 12 characters").
    return side in (0, other) and _equal(claim, source)


def _equal(claim: Quantity, source: Quantity) -> bool:
    tolerance = TOLERANCES[claim.kind] if claim.bound is BoundKind.ABOUT else 0.0
    ends = ((claim.low, source.low), (claim.high, source.high))
    return all(
        _rounds_to(mine, theirs, claim.step) or _close(mine, theirs, tolerance) for mine, theirs in ends
    )


def _rounds_to(mine: float, theirs: float, step: float) -> bool:
    """True if a figure whose last digit is worth `step` is the other with fewer digits, or in another unit."""
    # Within one unit, a less precise source may differ by at least a whole step of the claim's.
    if abs(mine - theirs) <= step / 2 * 1.01 and _close(mine, theirs, _COARSEST):
        return True
    trailing = mine % 100 == 0 and abs(mine) >= 1_000
    return trailing and _close(mine, theirs, _ROUNDING)
