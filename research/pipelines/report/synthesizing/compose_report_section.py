"""Compose a section from a model's draft so that every sentence is sourced, or states nothing. Pure.

A restated claim is compared with the words that it cites and stays only if the rules find it verified or accurately
restated; else the claim's own text replaces it. A number that no claim has is rejected. What the draft leaves out is
added: no claim of the analysis disappears because a model did not use it. A draft in which something was rejected keeps
the order of the analysis, and so does the short answer.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from uuid import UUID

from research.extractive.standalone_sentences import flaw
from research.pipelines.common.check_restated_report_words import restates
from research.pipelines.common.report_model_answers import DraftedParagraph, SectionAnswer
from research.pipelines.report.report_length import word_count
from research.pipelines.report.synthesizing.report_connecting_sentences import is_connection

MAX_PARAGRAPHS = 40


@dataclass(frozen=True, slots=True)
class ClaimContext:
    """A claim that the section is written from, with the words around its quotes."""

    id: UUID
    number: int  # as the model sees it
    text: str
    windows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ComposedSentence:
    """A claim in these words, or a connection (`claim` None)."""

    text: str
    claim: UUID | None = None


Paragraph = tuple[ComposedSentence, ...]


@dataclass(frozen=True, slots=True)
class ComposedSection:
    """A section in reading order. The counts are of what the draft had and the section does not."""

    paragraphs: tuple[Paragraph, ...]
    added: tuple[ComposedSentence, ...] = ()  # claims that the draft left out
    unknown: int = 0  # claim numbers that do not exist
    reworded: int = 0  # restatements with another meaning
    dropped: int = 0  # connections that stated something

    @property
    def has_faults(self) -> bool:
        """True if something in the draft was rejected."""
        return bool(self.unknown or self.reworded or self.dropped)

    @property
    def texts(self) -> dict[UUID, str]:
        """Return each claim's text as the section has it, in reading order."""
        whole = (*(sentence for paragraph in self.paragraphs for sentence in paragraph), *self.added)
        return {sentence.claim: sentence.text for sentence in whole if sentence.claim is not None}


def list_claims(claims: Sequence[ClaimContext]) -> ComposedSection:
    """Return a section without a writer: its claims as they are."""
    return ComposedSection((), tuple(ComposedSentence(claim.text, claim.id) for claim in claims))


def compose(
    draft: SectionAnswer,
    claims: Sequence[ClaimContext],
    heading: str = "",
    most_words: float = inf,
    *,
    is_ordered: bool = False,
) -> ComposedSection:
    """Compose the section.

    A paragraph beyond the word limit is replaced by its claims' own text. With `is_ordered` the claims stay in their
    order.
    """
    checker = _ParagraphChecker({claim.number: claim for claim in claims}, heading)
    paragraphs = [checker.paragraph(paragraph) for paragraph in draft.paragraphs[:MAX_PARAGRAPHS]]
    kept = tuple(_choose_fitting([paragraph for paragraph in paragraphs if paragraph], claims, most_words))
    composed = ComposedSection(
        kept, _select_unused_claims(claims, kept), checker.unknown, checker.reworded, checker.dropped
    )
    if (is_ordered or composed.has_faults) and not _is_in_order(composed, claims):
        return _in_order(composed, claims)
    return composed


def _select_unused_claims(
    claims: Sequence[ClaimContext], paragraphs: Sequence[Paragraph]
) -> tuple[ComposedSentence, ...]:
    written = {sentence.claim for paragraph in paragraphs for sentence in paragraph}
    return tuple(ComposedSentence(claim.text, claim.id) for claim in claims if claim.id not in written)


def _is_in_order(composed: ComposedSection, claims: Sequence[ClaimContext]) -> bool:
    return list(composed.texts) == [claim.id for claim in claims]


def _in_order(composed: ComposedSection, claims: Sequence[ClaimContext]) -> ComposedSection:
    """Return the claims as the draft words them, in their own order, without the draft's connections.

    If the draft rewords none, nothing of it is left.
    """
    texts = composed.texts
    is_worded = any(texts[claim.id] != claim.text for claim in claims)
    connections = sum(sentence.claim is None for paragraph in composed.paragraphs for sentence in paragraph)
    sentences = tuple(ComposedSentence(texts[claim.id], claim.id) for claim in claims)
    return replace(
        composed,
        paragraphs=(sentences,) if is_worded else (),
        added=() if is_worded else sentences,
        dropped=composed.dropped + connections,
    )


def _choose_fitting(
    paragraphs: Iterable[Paragraph], claims: Sequence[ClaimContext], most_words: float
) -> Iterator[Paragraph]:
    """Yield the first paragraphs that leave room for all other claims as they are."""
    own = {claim.id: word_count([claim.text]) for claim in claims}
    room = most_words - sum(own.values())
    for paragraph in paragraphs:
        replaced = sum(own[sentence.claim] for sentence in paragraph if sentence.claim is not None)
        room -= word_count(sentence.text for sentence in paragraph) - replaced
        if room < 0:
            return
        yield paragraph


class _ParagraphChecker:
    """Checks one paragraph after the other, and counts what it changes."""

    def __init__(self, claims: Mapping[int, ClaimContext], heading: str) -> None:
        self._claims = claims
        self._heading = heading
        self.used: set[int] = set()
        self.unknown = self.reworded = self.dropped = 0

    def paragraph(self, draft: DraftedParagraph) -> Paragraph:
        """Check the claims first, since connections are judged by them; empty if the paragraph has no claim."""
        sentences = list(self._build_sentences(draft))
        cited = [sentence.text for sentence in sentences if sentence.claim is not None]
        if not cited:
            self.dropped += len(sentences)
            return ()
        kept = [
            sentence
            for sentence in sentences
            if sentence.claim or is_connection(sentence.text, cited, self._heading)
        ]
        self.dropped += len(sentences) - len(kept)
        return _without_loose_end(kept)

    def _build_sentences(self, draft: DraftedParagraph) -> Iterator[ComposedSentence]:
        for sentence in draft.sentences:
            text = " ".join(sentence.text.split())
            if sentence.claim == 0:
                yield ComposedSentence(text)
            elif sentence.claim not in self._claims:
                self.unknown += 1
            elif sentence.claim not in self.used:
                self.used.add(sentence.claim)
                yield self._claim(self._claims[sentence.claim], text)

    def _claim(self, claim: ClaimContext, text: str) -> ComposedSentence:
        if text != claim.text and not (
            _stands_alone(claim, text) and restates(claim.text, claim.windows, text)
        ):
            self.reworded += 1
            text = claim.text
        return ComposedSentence(text, claim.id)


def _stands_alone(claim: ClaimContext, text: str) -> bool:
    """Return False for a restatement that says "it" for what the claim names."""
    return not flaw(text) or bool(flaw(claim.text))


def _without_loose_end(sentences: Sequence[ComposedSentence]) -> Paragraph:
    """Drop a connection that leads to nothing."""
    last = max(index for index, sentence in enumerate(sentences) if sentence.claim is not None)
    return tuple(sentences[: last + 1])
