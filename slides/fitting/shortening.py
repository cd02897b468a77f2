"""A line that is too long for its place: a head that fits, with an ellipsis; the whole goes elsewhere. Pure."""

from collections.abc import Callable
from math import ceil

from slides.fitting.measuring import load, width

ELLIPSIS = "…"
_LEAST_WORDS = 3
_CAPITALS = 1.15  # a title in sentence case is about this much wider than its letters


def letters(text: str) -> int:
    return max(len(text), ceil(width(text) / _CAPITALS))


def to_letters(text: str, most: int) -> str:
    """The words that fit with an ellipsis behind them; the text where it fits."""
    return text if letters(text) <= most else _head(text, lambda head: letters(head) <= most)


def to_words(text: str, most: int) -> str:
    return text if load(text) <= most else _head(text, lambda head: load(head) <= most)


def to_width(text: str, most: int) -> str:
    """What stands in a line of so many letters of middling width."""
    return text if width(text) <= most else _head(text, lambda head: width(head) <= most)


def parted(text: str, most: int) -> tuple[str, str]:
    """The text as a head of at most so many letters and the rest, parted between words; no letter is added.

    The rest has some words, if it can: one alone below a title reads like a slip.
    """
    words = text.split()
    for count in range(max(1, len(words) - _LEAST_WORDS), 0, -1):
        head = " ".join(words[:count])
        if letters(head) <= most:
            return head, " ".join(words[count:])
    return to_letters(text, most), text


def _head(text: str, fits: Callable[[str], bool]) -> str:
    words = text.split()
    for count in range(len(words) - 1, 0, -1):
        head = " ".join(words[:count]).rstrip(",;:–—") + ELLIPSIS
        if fits(head):
            return head
    for end in range(len(text) - 1, 0, -1):
        if fits(text[:end] + ELLIPSIS):
            return text[:end] + ELLIPSIS
    return ELLIPSIS
