"""Finds times of day: "9 a.m.", "9:30 pm", "21:00"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from citations.text.quote_span import Span

NOON = 12


@dataclass(frozen=True, slots=True)
class ClockTime:
    """A time of day. `minutes` since midnight; two for a time of twelve hours that does not say which half it means."""

    span: Span
    minutes: frozenset[int]


_CLOCK = re.compile(
    r"(?<![\w.:,])(?P<hour>[01]?\d|2[0-3])(?:[:.](?P<minute>[0-5]\d))?"
    r"(?:\s?(?P<half>[ap])(?:m\b|\.\s?m\.?)|(?<=[:.]\d\d)(?![\w:]|[.,]\d))",
    re.IGNORECASE,
)


def find_clock_times(text: str) -> Iterator[ClockTime]:
    """Yield the times of day in a text; "12.30" without a half of the day is no time, since it may be a figure."""
    for match in _CLOCK.finditer(text):
        half, hour = (match["half"] or "").lower(), int(match["hour"])
        if not half and ":" not in match.group():
            continue
        if half and not 1 <= hour <= NOON:
            continue
        hours = (
            {hour % NOON + NOON * (half == "p")} if half else {hour, *([hour + NOON] if hour < NOON else [])}
        )
        minute = int(match["minute"] or 0)
        yield ClockTime(Span(*match.span()), frozenset(60 * each + minute for each in hours))
