"""The kinds of quantity, and the sides on which a quantity may be open."""

from enum import StrEnum


class Kind(StrEnum):
    COUNT = "count"
    PERCENT = "percent"
    POINTS = "points"  # percentage points; 100 basis points are 1
    CURRENCY = "currency"
    MEASURE = "measure"
    ORDINAL = "ordinal"
    GROWTH = "growth"  # compound annual rate, in per cent
    FACTOR = "factor"  # "3 times", "2.5x", "doubled"
    RATIO = "ratio"  # "3:1" is 3


class Bound(StrEnum):
    EXACT = "exact"
    ABOUT = "about"
    AT_LEAST = "at least"
    MORE_THAN = "more than"
    AT_MOST = "at most"
    LESS_THAN = "less than"


LOWER = frozenset({Bound.AT_LEAST, Bound.MORE_THAN})
UPPER = frozenset({Bound.AT_MOST, Bound.LESS_THAN})
