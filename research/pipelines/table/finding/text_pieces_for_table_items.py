"""Pieces of a text about as long as a paragraph, ranked by the words that they share with a query."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from citations.text.quote_normalizing import normalize
from citations.text.quote_span import Span
from research.parsing.parsed_document import TextBlock

LONGEST = 1_200  # characters of one piece
_WORD = re.compile(r"\w{3,}")


class TextPieces:
    """The pieces of a text, and which words each of them has."""

    def __init__(self, text: str, blocks: Sequence[TextBlock]) -> None:
        self.spans = tuple(_split(text, blocks))
        self._by_word: dict[str, list[int]] = {}
        for place, span in enumerate(self.spans):
            for word in words_of(span.cut(text)):
                self._by_word.setdefault(word, []).append(place)

    def count_shared_words(self, words: Iterable[str]) -> Counter[int]:
        """Return how many of the words a piece has, by the piece's index."""
        return Counter(place for word in words for place in self._by_word.get(word, ()))


def words_of(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(normalize(text)))


def _split(text: str, blocks: Sequence[TextBlock]) -> Iterator[Span]:
    """Yield neighbouring blocks joined while they are short, and long blocks cut."""
    start = end = None
    for block in blocks:
        if start is not None and end is not None and block.end - start > LONGEST:
            yield from _cut(start, end)
            start = None
        start, end = block.start if start is None else start, block.end
    if start is not None and end is not None:
        yield from _cut(start, end)
    elif not blocks:
        yield from _cut(0, len(text))


def _cut(start: int, end: int) -> Iterator[Span]:
    for place in range(start, end, LONGEST):
        yield Span(place, min(end, place + LONGEST))
