"""The words of a text, so that a search for forms whose words do not occur can be skipped."""

import re
from functools import lru_cache

_LETTERS = re.compile(r"[^\W\d_]+")


@lru_cache(maxsize=2_048)
def vocabulary(text: str) -> frozenset[str]:
    """Return all runs of letters, in lower case."""
    return frozenset(_LETTERS.findall(text.lower()))


_DIGIT_RUN = re.compile(r"\d+")


@lru_cache(maxsize=2_048)
def digit_runs(text: str) -> tuple[int, ...]:
    """Return the start offsets of the runs of digits in a text."""
    return tuple(match.start() for match in _DIGIT_RUN.finditer(text))
