"""Whether two quantities say the same amount of the same thing.

Two readings are kept apart. `states` asks whether a source's figure carries a claim's: equal up to rounding,
or inside the claim's bound. `agree` asks whether two figures are near enough to be reports of one fact, by
the tolerances of the specification, relative to the larger: percentage 5 %, currency 10 %, plain number 10 %,
growth rate 2 %.
"""

from enum import StrEnum

from citations.quantities import LOWER, UPPER, Bound, Kind, Quantity

TOLERANCES: dict[Kind, float] = {
    Kind.PERCENT: 0.05,
    Kind.POINTS: 0.05,
    Kind.CURRENCY: 0.10,
    Kind.COUNT: 0.10,
    Kind.MEASURE: 0.10,
    Kind.FACTOR: 0.10,
    Kind.GROWTH: 0.02,
    Kind.ORDINAL: 0.0,
}
_ROUNDING = 0.01  # a round figure may stand for one within 1 %: 310,000 for 312,345
_SAME_KIND = {Kind.GROWTH: Kind.PERCENT}


class Match(StrEnum):
    """How one quantity stands to another."""

    SAME = "same"
    DIFFERENT = "different"
    UNRELATED = "unrelated"  # not of the same thing: nothing follows


def same_dimension(a: Quantity, b: Quantity) -> bool:
    """True when both count, or both measure in units that convert into each other; currencies never do."""
    return a.kind is b.kind and a.unit == b.unit


def same_measure(a: Quantity, b: Quantity) -> bool:
    """True when both are amounts of one thing: same dimension and same head noun, or same words before."""
    if not same_dimension(a, b):
        return False
    if a.nouns and b.nouns:
        return bool(a.nouns & b.nouns)
    return bool((a.nouns | a.subject) & (b.nouns | b.subject))


def agree(a: Quantity, b: Quantity) -> Match:
    """Whether two figures of one thing are near enough; symmetric."""
    if not same_measure(a, b):
        return Match.UNRELATED
    return Match.SAME if _near(a, b, TOLERANCES[a.kind]) else Match.DIFFERENT


def states(claim: Quantity, source: Quantity) -> Match:
    """Whether the source's figure carries the claim's."""
    if claim.unit != source.unit or _plain(claim.kind) is not _plain(source.kind):
        return Match.UNRELATED
    if _carries(claim, source):
        return Match.SAME
    return Match.DIFFERENT if same_measure(claim, source) else Match.UNRELATED


def _plain(kind: Kind) -> Kind:
    return _SAME_KIND.get(kind, kind)


def _near(a: Quantity, b: Quantity, tolerance: float) -> bool:
    if _bound_side(a) != _bound_side(b):
        return _overlap(a, b)
    if _bound_side(a) == 0 and _overlap(a, b):  # a figure within the other's range
        return True
    return _close(a.low, b.low, tolerance) and _close(a.high, b.high, tolerance)


def _overlap(a: Quantity, b: Quantity) -> bool:
    """True when what one leaves open contains the other."""
    low = max(_interval(a)[0], _interval(b)[0])
    return low <= min(_interval(a)[1], _interval(b)[1])


def _interval(quantity: Quantity) -> tuple[float, float]:
    if quantity.bound in LOWER:
        return quantity.low, float("inf")
    if quantity.bound in UPPER:
        return float("-inf"), quantity.high
    return quantity.low, quantity.high


def _bound_side(quantity: Quantity) -> int:
    return (quantity.bound in LOWER) - (quantity.bound in UPPER)


def _close(a: float, b: float, tolerance: float) -> bool:
    return abs(a - b) <= tolerance * max(abs(a), abs(b)) + 1e-9 * max(abs(a), abs(b))


def _carries(claim: Quantity, source: Quantity) -> bool:
    side, other = _bound_side(claim), _bound_side(source)
    if side != 0 and other == 0:
        low, high = _interval(claim)
        is_inside = low <= source.low and source.high <= high
        return is_inside or _equal(claim, source)
    # A claim may drop a bound only where it keeps the figure ("12 characters" of "at least 12 characters").
    return side in (0, other) and _equal(claim, source)


def _equal(claim: Quantity, source: Quantity) -> bool:
    tolerance = TOLERANCES[claim.kind] if claim.bound is Bound.ABOUT else 0.0
    ends = ((claim.low, source.low), (claim.high, source.high))
    return all(
        _rounds_to(mine, theirs, claim, source) or _close(mine, theirs, tolerance) for mine, theirs in ends
    )


def _rounds_to(mine: float, theirs: float, claim: Quantity, source: Quantity) -> bool:
    """True when the claim's figure is the source's, written with fewer digits."""
    if claim.step > source.step and abs(mine - theirs) <= claim.step / 2:
        return True
    trailing = mine % 100 == 0 and abs(mine) >= 1_000
    return trailing and _close(mine, theirs, _ROUNDING)
