"""The word limit of a report, headings not counted: claims are chosen and sections written within it. Pure."""

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import TypeVar

T = TypeVar("T")


def word_count(texts: Iterable[str]) -> int:
    return sum(len(text.split()) for text in texts)


def first_within(words: int, claims: Sequence[T], text: Callable[[T], str]) -> list[T]:
    """The first claims, which are the best, up to so many words together; at least one."""
    ends = accumulate(word_count([text(claim)]) for claim in claims)
    return [one for one, end in zip(claims, ends, strict=True) if end <= words] or list(claims[:1])


def share(words: int, own: int, whole: int) -> int:
    """A section's part of a report's words: as its claims have `own` of all claims' `whole`, and at least these."""
    return max(own, words * own // max(1, whole))
