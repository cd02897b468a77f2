"""Quantities as data: their kinds, open sides and context."""

from dataclasses import dataclass
from enum import StrEnum

from citations.text.quote_span import Span


class QuantityKind(StrEnum):
    COUNT = "count"
    PERCENT = "percent"
    POINTS = "points"  # percentage points; 100 basis points are 1
    CURRENCY = "currency"
    MEASURE = "measure"
    ORDINAL = "ordinal"
    GROWTH = "growth"  # compound annual rate, in per cent
    FACTOR = "factor"  # "3 times", "2.5x", "doubled"
    RATIO = "ratio"  # "3:1" is 3


class BoundKind(StrEnum):
    EXACT = "exact"
    ABOUT = "about"
    AT_LEAST = "at least"
    MORE_THAN = "more than"
    AT_MOST = "at most"
    LESS_THAN = "less than"


LOWER = frozenset({BoundKind.AT_LEAST, BoundKind.MORE_THAN})
UPPER = frozenset({BoundKind.AT_MOST, BoundKind.LESS_THAN})


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount of something, as a text names it.

    `low` and `high` are in base units (`unit`: "B", "s", "m" ..., or an ISO 4217 code; "" for counts) and differ for a
    range only. `step` is the value of one in the last written digit. `nouns` are the stems of the words that follow ("8
    characters") and `head` the one that is counted; `subject` those of the words before ("a work factor of 8"). `per`
    is the base of a rate ("year", "person", "100000 person"). `is_former` marks the "from" of a change ("from 8 to
    12").
    """

    span: Span
    text: str
    kind: QuantityKind
    low: float
    high: float
    step: float
    bound: BoundKind = BoundKind.EXACT
    unit: str = ""
    nouns: frozenset[str] = frozenset()
    subject: frozenset[str] = frozenset()
    is_former: bool = False
    head: str = ""
    per: str = ""
