"""Finds things that one letter tells apart: "hepatitis B", "vitamin D", "type A", "groups B and C"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from citations.text.claim_words_and_stems import STOPWORDS, sentence_spans, stem
from citations.text.quote_span import Span


@dataclass(frozen=True, slots=True)
class LetterDesignation:
    """A noun with its letter; `span` includes both, and of a list that of the whole list."""

    span: Span
    head: str  # stem of the noun
    letter: str


# Not "I", which is a person. Not "C++", "U.S.", "A's" or "AT&T".
_LETTER = r"[A-HJ-Z](?![\w'’&+#-]|\.\w)"
_DESIGNATIONS = re.compile(
    rf"(?<![\w.'’-])([A-Za-z][a-z]{{2,}})[ \u00a0-]({_LETTER}(?:(?:, ?|,? (?:and|or) |/){_LETTER})*)"
)
_CAPITALIZED = re.compile(r"\.? [A-Z]")


@lru_cache(maxsize=2_048)
def find_letter_designations(text: str) -> tuple[LetterDesignation, ...]:
    """Return the designations of a text in order.

    Two capitalized words with a letter between them are a person with an initial, or a title: "John F Kennedy",
    "Building A Better World".
    """
    return tuple(_find(text))


def _find(text: str) -> Iterator[LetterDesignation]:
    starts: frozenset[int] | None = None
    for match in _DESIGNATIONS.finditer(text):
        head = match[1]
        if head.casefold() in STOPWORDS:
            continue
        if head[0].isupper() and _CAPITALIZED.match(text, match.end()):
            continue
        if starts is None:
            starts = frozenset(span.start for span in sentence_spans(text))
        if match.start(2) in starts:  # "… of iron. A study …"
            continue
        for letter in re.findall(r"[A-Z]\b", match[2]):
            yield LetterDesignation(Span(*match.span()), stem(head.casefold()), letter)
