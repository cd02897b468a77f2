"""Admit a model's notes as claims only if the source carries them. Pure: rules decide, not the model.

The quote must be in the source. The claim's own words are kept if the rules find that the place verifies them or
that they restate it accurately; else the source's own sentence replaces them, since the model pointed at it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from citations.anchoring import Anchor, anchor
from citations.text.quote_normalizing import normalize
from citations.text.quote_span import Span
from research.extractive.candidate_sentences import Candidate, Statements
from research.extractive.candidate_sentences import RankedChunk as Found
from research.library.library_frozen_text import blocks_of
from research.models import Content
from research.parsing.parse_sentences import sentences
from research.pipelines.common.check_restated_report_words import carries
from research.pipelines.common.report_claim_alignment import surroundings
from research.pipelines.common.report_source_readings import SourceReading

_WORD = re.compile(r"\w(?:[\w.,'-]*\w)?")
NOT_CARRIED = "Its source does not say it."


@dataclass(frozen=True, slots=True)
class ProposedClaim:
    """A claim as a model noted it. `near`: the offset of the passage that it names for its quote."""

    text: str
    quote: str
    near: int = 0
    subtopic: int = 0
    answers: bool = False


@dataclass(frozen=True, slots=True)
class AdmittedClaim:
    """A claim based on text[start:end] of its source. `sentence` is what is ranked: the place's own words."""

    text: str
    start: int
    end: int
    sentence: Candidate
    subtopic: int = 0
    answers: bool = False
    similarity: float = 1.0  # of the quote to the source's words
    vector: str = ""  # of the sentence in its context: float32, in base 64


@dataclass(frozen=True, slots=True)
class RefusedClaim:
    """A claim that no source carries, and the reason."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class UnplacedClaim:
    """A claim whose quote is not in the source that was read, but perhaps in another."""

    proposed: ProposedClaim


def admit(
    proposed: Sequence[ProposedClaim], reading: SourceReading
) -> Iterator[AdmittedClaim | RefusedClaim | UnplacedClaim]:  # fmt: skip
    """Yield one verdict for each proposal, in order."""
    matcher = ClaimMatcher(reading)
    for claim in proposed:
        hint = claim.near or None
        found = anchor(claim.quote, reading.text, hint) or anchor_own_words(claim, reading, hint)
        yield UnplacedClaim(claim) if found is None else matcher.judge_claim(claim, found)


def anchor_own_words(claim: ProposedClaim, reading: SourceReading, hint: int | None = None) -> Anchor | None:
    """Find the claim's own words, letter by letter, in case the source says them, whatever its quote was."""
    words = claim.text.strip().rstrip(".")
    return anchor(words, reading.text, hint, closely=False, with_omissions=False)


class ClaimMatcher:
    """A source prepared for many claims: its sentences are found once."""

    def __init__(self, reading: SourceReading) -> None:
        self._text = reading.text.text
        self._content: Content | None = reading.source.content
        self._document = str(reading.source.library_document_id)
        blocks = blocks_of(reading.source.content) if reading.source.content else []
        self._statements = Statements(self._document, self._text, sentences(self._text, blocks))

    def judge_claim(self, claim: ProposedClaim, quote_anchor: Anchor) -> AdmittedClaim | RefusedClaim:
        sentence = self._sentence_at(quote_anchor.span)
        for text, span in self._wordings(claim, quote_anchor.span, sentence):
            if self._is_carried(text, span):
                likeness = quote_anchor.similarity if span == quote_anchor.span else 1.0
                return AdmittedClaim(
                    text, span.start, span.end, sentence, claim.subtopic, claim.answers, likeness
                )
        return RefusedClaim(claim.text, NOT_CARRIED)

    def _wordings(self, claim: ProposedClaim, quote: Span, sentence: Candidate) -> Iterator[tuple[str, Span]]:
        """Yield the model's words with its quote; then the source's own sentence; then the quote alone.

        The model's words are skipped if they repeat what was misquoted: the rules allow a new word or another bound in
        a restatement, and would pass "fell below 99.5" for the source's "fell below 1.9".
        """
        if not _words(claim.text) & (_words(claim.quote) - _words(quote.cut(self._text))):
            yield _flat(claim.text), quote
        yield _flat(sentence.text), Span(sentence.start, sentence.end)
        yield _flat(quote.cut(self._text)), quote

    def _is_carried(self, text: str, span: Span) -> bool:
        return carries([surroundings(self._content, span).cut(self._text)], text)

    def _sentence_at(self, span: Span) -> Candidate:
        """Return the sentence or sentences that contain the span, as one candidate."""
        found = self._statements.within([Found(span.start, span.end, 1.0)])
        if not found:
            return Candidate(self._document, span.start, span.end, span.cut(self._text), chunk_score=1.0)
        first, last = found[0], found[-1]
        return replace(first, end=last.end, text=self._text[first.start : last.end], after=last.after)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(normalize(text)))


def _flat(text: str) -> str:
    return " ".join(text.split())
