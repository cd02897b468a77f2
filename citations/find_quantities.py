"""Finds quantities in a text: what is counted or measured, how much, and within which bounds.

Years, dates, versions (4.0.3), document numbers (800-63B), section numbers and citation marks are not quantities.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from citations.dates.find_dates import find_times
from citations.entities.entity_number_labels import blank_out, find_labels
from citations.quantities.amount import Amount
from citations.quantities.amounts import find_amounts
from citations.quantities.quantity_contexts import rate_bases, read_context, tells_growth
from citations.quantities.quantity_types import LOWER, UPPER, BoundKind, Quantity, QuantityKind
from citations.quantities.ratios import find_ratios
from citations.text.claim_number_words import ordinals

__all__ = ["LOWER", "UPPER", "BoundKind", "QuantityKind", "Quantity", "find_quantities"]


@lru_cache(maxsize=4_096)
def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Return all quantities named in a text, in order, none inside another."""
    times = tuple(mention.span for mention in find_times(text))
    open_text = blank_out(text, (*times, *find_labels(text), *rate_bases(text)))
    quantities: list[Quantity] = []
    taken = bytearray(len(text))
    for quantity in (*_ratios(open_text), *_ordinals(open_text), *_amounts(open_text)):
        start, end = quantity.span.start, quantity.span.end
        if not any(taken[start:end]):
            quantities.append(_add_context(quantity, text))
            taken[start:end] = b"\1" * (end - start)
    return tuple(sorted(quantities, key=lambda quantity: quantity.span.start))


def _ratios(text: str) -> Iterator[Quantity]:
    for ratio in find_ratios(text):
        yield Quantity(ratio.span, "", ratio.kind, ratio.value, ratio.value, 1.0)


def _ordinals(text: str) -> Iterator[Quantity]:
    for found in ordinals(text):
        yield Quantity(found.span, "", QuantityKind.ORDINAL, found.value, found.value, 1.0)


def _amounts(text: str) -> Iterator[Quantity]:
    for amount in find_amounts(text):
        if _is_finite(amount):
            high = amount.low if amount.high is None else amount.high
            bound = BoundKind.AT_LEAST if amount.is_open else BoundKind.EXACT
            yield Quantity(amount.span, "", amount.kind, amount.low, high, amount.step, bound, amount.unit)


def _is_finite(amount: Amount) -> bool:
    return abs(amount.low) < 1e300 and (amount.high is None or abs(amount.high) < 1e300)


def _add_context(quantity: Quantity, text: str) -> Quantity:
    """Return the quantity with its context in the sentence."""
    context = read_context(text, quantity.span)
    is_growth = quantity.kind is QuantityKind.PERCENT and tells_growth(text, quantity.span)
    return replace(
        quantity,
        text=quantity.span.cut(text),
        kind=QuantityKind.GROWTH if is_growth else quantity.kind,
        bound=context.bound if quantity.bound is BoundKind.EXACT else quantity.bound,
        nouns=context.nouns,
        subject=context.subject,
        is_former=context.is_former,
        head=context.head,
        per=context.per,
    )
