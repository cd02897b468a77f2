"""Splits passages into pages within a budget, without leaving anything out or changing the order. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from slides.deck import SlidePassage
from slides.fitting.measure_slide_text import lines, load
from slides.fitting.slide_budgets import TextBudget

Page = tuple[SlidePassage, ...]
# Where a text may be split, in order of preference: after a sentence, after a clause, between words.
_SEAMS = (re.compile(r"(?<=[.!?。！？])\s+"), re.compile(r"(?<=[,;:–—、；])\s+"), re.compile(r"\s+"))


def keeps(passages: Sequence[SlidePassage], budget: TextBudget) -> bool:
    loads = [load(passage.text) for passage in passages]
    return (
        len(loads) <= budget.items
        and sum(loads) <= budget.words
        and max(loads, default=0) <= budget.words_each
        and (not budget.lines or high(passages, budget) <= budget.lines)
    )


def high(passages: Sequence[SlidePassage], budget: TextBudget) -> float:
    """Return the height in lines of the budget; 0 for a single passage, for which counting its words suffices."""
    return (
        0.0
        if len(passages) < 2
        else lines((passage.text for passage in passages), budget.letters, budget.gap)
    )


def pack(passages: Sequence[SlidePassage], budget: TextBudget) -> tuple[Page, ...]:
    """Return as few pages as the order allows, of about equal length. Passages longer than a page are split."""
    pieces = [piece for passage in passages for piece in split_passage(passage, budget.words_each)]
    pages = _fill_pages(pieces, budget)
    fullest = max(map(_words, pages), default=0)
    for words in range(max((load(piece.text) for piece in pieces), default=0), fullest):
        leaner = _fill_pages(
            pieces, replace(budget, words=words, items=_even(len(pieces), len(pages), budget))
        )
        if len(leaner) <= len(pages):
            return leaner
    return pages


def split_passage(passage: SlidePassage, words: int) -> Iterator[SlidePassage]:
    """Yield the passage in pieces of at most `words` words, each with the passage's claim and sources."""
    rest = passage.text
    while load(rest) > words:
        head, rest = _split_at_seam(rest, words)
        yield replace(passage, text=head)
    yield replace(passage, text=rest)


def _words(page: Page) -> int:
    return sum(load(passage.text) for passage in page)


def _even(items: int, pages: int, budget: TextBudget) -> int:
    return min(budget.items, -(-items // pages)) if pages else budget.items


def _fill_pages(pieces: Sequence[SlidePassage], budget: TextBudget) -> tuple[Page, ...]:
    pages: list[Page] = []
    for piece in pieces:
        if pages and keeps((*pages[-1], piece), budget):
            pages[-1] = (*pages[-1], piece)
        else:
            pages.append((piece,))
    return tuple(pages)


def _split_at_seam(text: str, words: int) -> tuple[str, str]:
    """Split off a head of at most `words` words, at the best place that leaves it at least half full."""
    for seam in _SEAMS:
        ends = [found for found in seam.finditer(text) if load(text[: found.start()]) <= words]
        least = words / 2 if seam is not _SEAMS[-1] else 1
        if ends and load(text[: ends[-1].start()]) >= least:
            return text[: ends[-1].start()], text[ends[-1].end() :]
    return _split_between_characters(text, words)


def _split_between_characters(text: str, words: int) -> tuple[str, str]:
    """Split between characters: for a single word longer than a page, or a script without blanks."""
    first, last = 1, len(text)
    while first < last:
        middle = (first + last + 1) // 2
        first, last = (middle, last) if load(text[:middle]) <= words else (first, middle - 1)
    return text[:first], text[first:]
