"""Passages of an item's sources for a model to read: those that share most words with the item and the columns."""

from collections.abc import Sequence
from dataclasses import dataclass

from research.pipelines.table.finding.found_table_values import ReadText
from research.pipelines.table.finding.text_pieces_for_table_items import words_of

READ_CHARACTERS = 6_000  # of all sources of an item: with instructions and answer about 2 500 tokens


@dataclass(frozen=True, slots=True)
class ItemPassage:
    """text[start:start + len(words)] of a source."""

    number: int  # from 1, as the model names it
    source: str
    start: int
    words: str


def passages_of(query: str, texts: Sequence[ReadText], room: int = READ_CHARACTERS) -> list[ItemPassage]:
    """Return the passages of the texts that share most words with `query`, in reading order."""
    terms, ranked = words_of(query), []
    for place, text in enumerate(texts):
        shared = text.pieces.count_shared_words(terms)
        ranked += [(-shared[index], place, span) for index, span in enumerate(text.pieces.spans)]
    chosen = []
    for _, place, span in sorted(ranked, key=lambda piece: (piece[0], piece[1], piece[2].start)):
        if len(span) <= room:
            chosen.append((place, span))
            room -= len(span)
    return [
        ItemPassage(number, texts[place].key, span.start, span.cut(texts[place].text))
        for number, (place, span) in enumerate(
            sorted(chosen, key=lambda passage: (passage[0], passage[1].start)), start=1
        )
    ]
