"""Amounts that a question sets as a condition: "Which pumps deliver more than 7 kilowatts?"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from citations.quantities.quantity_types import LOWER, UPPER, BoundKind, Quantity

_ASKS_FOR_THINGS = re.compile(
    r"^\W*(?:(?:please )?(?:list|name|show|give|find)\b|which\b|what (?!(?:is|are|was|were|does|do|did|if)\b))",
    re.IGNORECASE,
)
_INCLUDED = frozenset({BoundKind.AT_LEAST, BoundKind.AT_MOST})


@dataclass(frozen=True, slots=True)
class AskedAmount:
    """The bound of an amount that all answers keep. `bound` is in LOWER or UPPER."""

    quantity: Quantity

    @property
    def text(self) -> str:
        """The bound in words: "more than 7 kilowatts"."""
        return f"{self.quantity.bound} {self.quantity.text}"

    def is_kept_by(self, text: str) -> bool | None:
        """Return True if the text states an amount of the same kind within the bound, False if it states only others,
        None if it states none.
        """
        found = [self._keeps(other) for other in self._find_alike(text)]
        return any(found) if found else None

    def _find_alike(self, text: str) -> Iterator[Quantity]:
        asked = self.quantity
        for other in _find_quantities(text):
            is_alike = other.kind is asked.kind and other.unit == asked.unit and not other.is_former
            if is_alike and (asked.unit or asked.nouns & (other.nouns | other.subject)):
                yield other

    def _keeps(self, other: Quantity) -> bool:
        asked, is_included = self.quantity, self.quantity.bound in _INCLUDED
        if asked.bound in LOWER:
            is_open = other.bound in LOWER and other.high < asked.low  # "more than 5" may be more than 7
            return not is_open and (other.high >= asked.low if is_included else other.high > asked.low)
        return other.low <= asked.high if is_included else other.low < asked.high


def find_asked_amount(question: str) -> AskedAmount | None:
    """Return the bound that a question for things sets to an amount of theirs; None if it sets none."""
    if not _ASKS_FOR_THINGS.match(question):
        return None
    bounded = (quantity for quantity in _find_quantities(question) if quantity.bound in LOWER | UPPER)
    return next(map(AskedAmount, bounded), None)


def _find_quantities(text: str) -> tuple[Quantity, ...]:
    from citations.find_quantities import find_quantities  # loads numpy, which the web process does without

    return find_quantities(text)
