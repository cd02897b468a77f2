"""Keeps only those rows of tables that are about the things that a question names."""

import re
from collections.abc import Sequence

from research.extractive.candidate_sentences import Candidate
from research.extractive.question.parsed_question import ParsedQuestion
from research.extractive.sentence_ranking import ScoredCandidate
from research.extractive.terms import term_set

# Asks about things that it does not name: "Which lake is deeper than Loke?", but not "In which year …?"
_OF_OTHERS = re.compile(
    r"\b(?:(?<!\bin )(?<!\bat )(?<!\bof )(?<!\bon )which|who|than|others?|compare[ds]?|versus|vs|rank\w*|among"
    r"|most|least|each|every|all|both|between)\b",
    re.IGNORECASE,
)


def omit_other_rows(question: ParsedQuestion, ranked: Sequence[ScoredCandidate]) -> list[ScoredCandidate]:
    """Leave out rows of other things of a document in which some row is of a thing that the question names."""
    if _OF_OTHERS.search(question.wording):
        return list(ranked)
    asked = term_set((question.wording,))
    named = [_count_named(item.candidate, asked) for item in ranked]
    most: dict[str, int] = {}
    for item, count in zip(ranked, named, strict=True):
        document = item.candidate.document_id
        most[document] = max(most.get(document, 0), count)
    return [
        item
        for item, count in zip(ranked, named, strict=True)
        if item.candidate.row is None or count == most[item.candidate.document_id]
    ]


def _count_named(candidate: Candidate, asked: frozenset[str] | set[str]) -> int:
    """Return how many of the parts of a row's name the question names; 0 for what is no row."""
    parts = [term_set((part,)) for part in candidate.row.name.split(", ")] if candidate.row else []
    return sum(bool(part) and part <= asked for part in parts)
