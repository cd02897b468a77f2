"""Limit the length of a report, headings not counted: claims are chosen and sections written within it. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TypeVar

from research.extractive.answer_sections import DETAIL_FLOOR, AnswerLength
from research.llm.budgets.budget_limits import most
from research.pipelines.report.report_config import ReportConfig

T = TypeVar("T")
# The length of a report by depth, if it is not given in words.
BY_DEPTH: Mapping[str, AnswerLength] = {
    "quick": AnswerLength(statements=6),
    "standard": AnswerLength(),
    "comprehensive": AnswerLength(more=20, floor=0.7),
    "exhaustive": AnswerLength(more=80, floor=0.55),
}
WORDS_OF_A_STATEMENT = 15  # at least: more are chosen than fit
SHORT, LONG = 400, 1_500  # word limits up to which only the nearest claims are used


def answer_length(config: ReportConfig) -> AnswerLength:
    """Return the length by the requested words if given, else by the depth.

    A claim is quoted from as many sources as the report wants.
    """
    length = BY_DEPTH[config.depth] if config.words is None else _by_words(config.words)
    return replace(length, sources=max(length.sources, config.sources_per_claim))


def _by_words(words: int) -> AnswerLength:
    floor = DETAIL_FLOOR if words <= SHORT else 0.7 if words <= LONG else 0.55
    return AnswerLength(more=words // WORDS_OF_A_STATEMENT, floor=floor)


def most_words(config: ReportConfig) -> int:
    """Return the most words that the report may have."""
    return min(most("words"), config.words or most("words"))


def word_count(texts: Iterable[str]) -> int:
    return sum(len(text.split()) for text in texts)


def first_within(words: int, claims: Sequence[T], text: Callable[[T], str]) -> list[T]:
    """Return the first claims, which are the best, up to so many words together; at least one."""
    ends = accumulate(word_count([text(claim)]) for claim in claims)
    return [candidate for candidate, end in zip(claims, ends, strict=True) if end <= words] or list(
        claims[:1]
    )


def share(words: int, own: int, whole: int) -> int:
    """Return a section's share of a report's words, in proportion to its claims' words (`own`) among those of all
    claims (`whole`), and at least `own`.
    """
    return max(own, words * own // max(1, whole))
