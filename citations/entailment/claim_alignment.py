"""Aligns a claim with a passage: each content part of the claim is matched, missing or in conflict.

Parts are compared, not one figure for the whole, since sentences that differ in one number, month or negation are
similar by every other measure.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from citations.entailment.claim_parts import ClaimPart, PartKind, PartState, shift_span
from citations.entailment.entailment_passage_words import PassageWords, passage_words
from citations.entailment.inverted_claims import mark_conflicting_parts
from citations.entailment.match_claim_parts import fact_parts, word_parts
from citations.text.claim_words_and_stems import content_stems
from citations.text.quote_span import Span

__all__ = ["Alignment", "ClaimPart", "PartKind", "PartState", "align", "surroundings"]

SURROUNDINGS = 1_500  # characters around the best sentences in which a word counts as said
_WINDOW = 3  # sentences that may support a claim together
_NAME_WEIGHT = 2.0  # share of a name among the other words


@dataclass(frozen=True, slots=True)
class Alignment:
    """A claim aligned with a passage.

    `window` is the span of the one to three sentences that support most, `nearest` that of the one that supports most
    alone. `coverage` (0–1) is the share of the claim's words and names that are matched, without conflicting ones.
    """

    parts: tuple[ClaimPart, ...]
    window: Span
    nearest: Span
    coverage: float

    def shift(self, by: int) -> "Alignment":
        """Return the alignment for a passage that begins `by` characters earlier."""
        if not by:
            return self
        parts = tuple(
            replace(part, source_span=shift_span(part.source_span, by)) if part.source_span else part
            for part in self.parts
        )
        return replace(
            self, parts=parts, window=shift_span(self.window, by), nearest=shift_span(self.nearest, by)
        )

    def of(self, state: PartState) -> tuple[ClaimPart, ...]:
        return tuple(part for part in self.parts if part.state is state)

    @property
    def conflicts(self) -> tuple[ClaimPart, ...]:
        return self.of(PartState.CONFLICTING)

    @property
    def missing_facts(self) -> tuple[ClaimPart, ...]:
        """Missing quantities, times and names: no similarity of the other words makes up for one."""
        return tuple(part for part in self.of(PartState.MISSING) if part.kind is not PartKind.WORD)


def align(claim: str, passage: str) -> Alignment | None:
    """Align a claim with a passage, primarily with the sentences that support most of it.

    None if they share no content word.
    """
    source = passage_words(passage)
    stems = content_stems(claim)
    window = _best_window(stems, source)
    if window is None:
        return None
    facts = tuple(fact_parts(claim, source, window))
    rest = tuple(word_parts(claim, [part.span for part in facts], source, window))
    nearest = _nearest(stems, source, window)
    parts = _remove_repeated_conflicts(mark_conflicting_parts(claim, nearest, passage, (*facts, *rest)))
    return Alignment(parts, window, nearest, _coverage(parts))


def surroundings(claim: str, passage: str) -> Span | None:
    """Return the sentences of a passage that support most of a claim, with their context; None without a common word.

    In a long text every word occurs somewhere: only those near each other count.
    """
    window = _best_window(content_stems(claim), passage_words(passage))
    if window is None:
        return None
    return Span(max(0, window.start - SURROUNDINGS), min(len(passage), window.end + SURROUNDINGS))


def _best_window(stems: frozenset[str], source: PassageWords) -> Span | None:
    """Return the run of up to three sentences that supports most; of ties the shortest, then the first."""
    best = max(
        _windows(stems, source),
        key=lambda window: (window[0], -len(window[1]), -window[1].start),
        default=None,
    )
    if best is None:
        return None
    first, last = source.sentences[best[1][0]][0], source.sentences[best[1][-1]][0]
    return Span(first.start, last.end)


def _remove_repeated_conflicts(parts: Iterable[ClaimPart]) -> tuple[ClaimPart, ...]:
    """Return the parts without a second conflict about the same words."""
    kept: dict[tuple[int, PartState], ClaimPart] = {}
    for part in parts:
        kept.setdefault((part.span.start, part.state), part)
    return tuple(kept.values())


def _windows(stems: frozenset[str], source: PassageWords) -> Iterator[tuple[int, range]]:
    """Yield runs of up to three sentences whose first and last support something, with their value."""
    carried = [each & stems for _, each in source.sentences]
    for start in (at for at, each in enumerate(carried) if each):
        together: set[str] = set()
        for length, each in enumerate(carried[start : start + _WINDOW], 1):
            together |= each
            # A longer window must earn its length: one more word for each further sentence.
            if each:
                yield len(together) - (length - 1), range(start, start + length)


def _nearest(stems: frozenset[str], source: PassageWords, window: Span) -> Span:
    """Return the sentence of the window that shares most with the claim."""
    inside = [
        (len(each & stems), -span.start, span) for span, each in source.sentences if span.within(window)
    ]
    return max(inside)[2]


def _coverage(parts: Iterable[ClaimPart]) -> float:
    total = found = 0.0
    for part in parts:
        if part.kind in (PartKind.WORD, PartKind.NAME) and part.state is not PartState.CONFLICTING:
            weight = _NAME_WEIGHT if part.kind is PartKind.NAME else 1.0
            total += weight
            found += weight * (part.state is PartState.MATCHED)
    return found / total if total else 0.0
