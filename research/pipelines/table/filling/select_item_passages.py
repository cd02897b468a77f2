"""Passages of an item's sources for a model to read: those that share most words with the item and the columns."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citations.text.normalizing import normalize
from research.pipelines.table.finding.found_values import ReadText

READ_CHARACTERS = 6_000  # of all sources of an item: with instructions and answer about 2 500 tokens
LONGEST = 1_200  # characters of one passage
_WORD = re.compile(r"\w{3,}")


@dataclass(frozen=True, slots=True)
class ItemPassage:
    """text[start:start + len(words)] of a source."""

    number: int  # from 1, as the model names it
    source: str
    start: int
    words: str


def passages_of(query: str, texts: Sequence[ReadText], room: int = READ_CHARACTERS) -> list[ItemPassage]:
    """Return the passages of the texts that share most words with `query`, in reading order."""
    terms = frozenset(_WORD.findall(normalize(query)))
    pieces = [(place, text.key, *piece) for place, text in enumerate(texts) for piece in _pieces(text)]
    ranked = sorted(pieces, key=lambda piece: (-_count_shared_terms(piece[3], terms), piece[0], piece[2]))
    chosen = []
    for piece in ranked:
        if len(piece[3]) <= room:
            chosen.append(piece)
            room -= len(piece[3])
    return [
        ItemPassage(number, source, start, words)
        for number, (_, source, start, words) in enumerate(
            sorted(chosen, key=lambda passage: (passage[0], passage[2])), start=1
        )
    ]


def _count_shared_terms(words: str, terms: frozenset[str]) -> int:
    return len(terms & frozenset(_WORD.findall(normalize(words))))


def _pieces(text: ReadText) -> Iterator[tuple[int, str]]:
    """Yield neighbouring blocks joined while they are short, and long blocks cut, with their offsets."""
    start = end = None
    for block in text.blocks:
        if start is not None and end is not None and block.end - start > LONGEST:
            yield from _cut(text.text, start, end)
            start = None
        start, end = block.start if start is None else start, block.end
    if start is not None and end is not None:
        yield from _cut(text.text, start, end)
    elif not text.blocks:
        yield from _cut(text.text, 0, len(text.text))


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    for place in range(start, end, LONGEST):
        yield place, text[place : min(end, place + LONGEST)]
