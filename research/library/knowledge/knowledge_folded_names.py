"""Normalise names for lookup, without loading a dictionary, because the web processes use this too."""

import re
import unicodedata

MAX_NAME = 120  # characters
MAX_FOLDED = 160  # one letter may become several
MAX_WORDS = 60  # of a question; a longer one is a text
_MAX_PHRASE = 5
_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")


def fold(name: str) -> str:
    """Return a name without case, accents and odd space.

    >>> fold("  Zürich \\u00a0HB ")
    'zurich hb'
    """
    plain = unicodedata.normalize("NFKD", name)
    return " ".join("".join(each for each in plain if not unicodedata.combining(each)).casefold().split())


def fold_phrases(question: str) -> frozenset[str]:
    """Return every phrase of a question in the normalised form of names, in singular and plural."""
    spans = [match.span() for match in _WORD.finditer(question)][:MAX_WORDS]
    found: set[str] = set()
    for at, (start, _end) in enumerate(spans):
        for _begin, end in spans[at : at + _MAX_PHRASE]:
            phrase = fold(question[start:end])
            if 1 < len(phrase) <= MAX_NAME:
                found |= {phrase, phrase.removesuffix("s"), f"{phrase}s"}
    return frozenset(found)
