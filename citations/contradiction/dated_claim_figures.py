"""Figures of a sentence with their times: "from 104 euros in 2023 to 91 euros in 2024"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from citations.dates.find_dates import TimeMention, find_times
from citations.find_quantities import Quantity, find_quantities

_OF_TIME = re.compile(
    r"\s*(?:(?!(?:to|from|and|but|or|than)\b)[\w/%²³]+\s+){0,3}(?:in|for|of|by|at|since|during)\s+(?:the\s)?"
    r"(?:end of\s)?",
    re.IGNORECASE,
)
_BY = re.compile(r"\bby\s+(?:about\s|nearly\s|almost\s|some\s|another\s|a\s)?$", re.IGNORECASE)
_AIMED = re.compile(
    r"\b(?:targets?|targeted|goals?|aim(?:s|ed|ing)?|forecasts?|forecasted|expect(?:s|ed|ation\w*)?|project(?:ed|ions?)|budgeted"
    r"|plan(?:s|ned) (?:to|for|on)|hopes?|hoped)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class DatedQuantity:
    """A figure; `time` is None if the sentence gives none."""

    quantity: Quantity
    time: TimeMention | None
    is_step: bool = False  # an amount of change: "fell by 31 %"

    def may_meet(self, other: "DatedQuantity") -> bool:
        """False for figures of two times, and for a change and a level."""
        return self.is_step == other.is_step and not self.is_of_other_time(other)

    def is_of_other_time(self, other: "DatedQuantity") -> bool:
        return self.time is not None and other.time is not None and self.time.conflicts(other.time)

    def is_of_same_time(self, other: "DatedQuantity") -> bool:
        return self.time is not None and other.time is not None and not self.time.conflicts(other.time)


def find_dated_figures(text: str) -> list[DatedQuantity]:
    """Return the figures of a sentence in their order."""
    return list(_pair_figures_with_times(text))


def is_aimed_at(text: str) -> bool:
    """True if figures are aims or expectations, not facts: "its target of 85 euros"."""
    return _AIMED.search(text) is not None


def _pair_figures_with_times(text: str) -> Iterator[DatedQuantity]:
    quantities, times = find_quantities(text), find_times(text)
    if len(quantities) == len(times) == 1:
        yield DatedQuantity(quantities[0], times[0], _is_step(quantities[0], text))
        return
    for each in quantities:
        after = (time for time in times if time.span.start >= each.span.end)
        own = (time for time in after if _OF_TIME.fullmatch(text[each.span.end : time.span.start]))
        yield DatedQuantity(each, next(own, None), _is_step(each, text))


def _is_step(quantity: Quantity, text: str) -> bool:
    return _BY.search(text[: quantity.span.start]) is not None
