"""Rank sentences that sound like an answer of the question's type before others on the same subject. Pure.

The question's words in a sentence show its subject, but not whether it states a result, a cause or a requirement. The
weight is small, so that it decides only between sentences on the subject.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from research.extractive.candidate_sentences import Candidate
from research.extractive.sentence_ranking import ScoredCandidate
from research.pipelines.technical.technical_advice_kinds import Advice, advice_of
from research.pipelines.technical.technical_config import QuestionType

# Added to a score, which is 0.5 to 0.9 on the subject. All of a paper is on its subject, whichever words it uses.
LEANING: Mapping[QuestionType, float] = {
    QuestionType.PAPER_SUMMARY: 0.3,
    QuestionType.ERROR_RESOLUTION: 0.1,
    QuestionType.DEPENDENCY: 0.25,
    QuestionType.BEST_PRACTICES: 0.2,
}

_SOUNDS: Mapping[QuestionType, re.Pattern[str]] = {
    QuestionType.PAPER_SUMMARY: re.compile(
        r"\b(?:we|authors?) (?:also )?(?:find|found|show(?:ed)?|observed?|demonstrated?|present(?:ed)?|proposed?"
        r"|introduced?|report(?:ed)?|concluded?)\b|\b(?:results?|experiments?|findings?|evaluation) (?:\w+ )?(?:show"
        r"|suggest|indicate|demonstrate|confirm)\w*\b|\b(?:outperform\w*|improve\w*|achieve[sd]?|surpass\w*)\b"
        r"|\b(?:winn(?:er|ing)|won|best[- ]performing|top[- ]ranked|in conclusion|this paper)\b|\d\s?[%×]",
        re.I,
    ),
    QuestionType.ERROR_RESOLUTION: re.compile(
        r"\b(?:because|since|due to|caused? by|causes|happens when|occurs when|too (?:small|large|many|few)|less than"
        r"|can be (?:fixed|avoided|solved|increased|limited)|to (?:fix|avoid|solve|prevent)|workaround|instead"
        r"|make sure|increase|decrease|enable|disable|upgrade)\b",
        re.I,
    ),
    QuestionType.DEPENDENCY: re.compile(
        r"\b(?:requires?|required|supports?|supported|compatible|depends? on|minimum|tested (?:with|on))\b.*\d"
        r"|\d[\d.]*\s?\+|[<>]=?\s?\d|\d[\d.]* (?:or|and) (?:later|higher|newer|above|greater|up)\b",
        re.I,
    ),
}
# A heading, but not the title of a paper that begins with such a word.
_TELLING = re.compile(
    r"^\W*(?:[\dIVX.]+\W+)?(?:abstract|results?|findings?|conclusions?|discussion|summary)(?:\W+\w+){0,2}\W*$",
    re.I,
)


def prefer_answer_style(ranked: Sequence[ScoredCandidate], kind: QuestionType) -> list[ScoredCandidate]:
    """Raise the scores of sentences that sound like an answer of the type, and sort again, best first."""
    if kind not in LEANING:
        return list(ranked)
    more = LEANING[kind]
    leant = (
        replace(candidate, score=candidate.score + more)
        if sounds_like(candidate.candidate, kind)
        else candidate
        for candidate in ranked
    )
    return sorted(leant, key=lambda scored: -scored.score)


OFFICIAL = 0.05  # added to the score of a project's statements about itself


def prefer_official(ranked: Sequence[ScoredCandidate], official: Collection[str]) -> list[ScoredCandidate]:
    """Raise the scores of sentences from the project's own pages a little, and sort again, best first."""
    raised = (
        replace(candidate, score=candidate.score + OFFICIAL)
        if candidate.candidate.document_id in official
        else candidate
        for candidate in ranked
    )
    return sorted(raised, key=lambda candidate: -candidate.score)


def sounds_like(sentence: Candidate, kind: QuestionType) -> bool:
    """Return True if the sentence sounds like an answer of this type.

    In a paper, sentences under a heading for results count as well.
    """
    if kind is QuestionType.PAPER_SUMMARY and _TELLING.search(sentence.heading):
        return True
    if kind is QuestionType.BEST_PRACTICES:
        return advice_of(sentence.text) is not Advice.FINDING
    return kind in _SOUNDS and _SOUNDS[kind].search(sentence.text) is not None
