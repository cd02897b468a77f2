"""Alignment of a claim with a passage: each content part of the claim is matched, missing or in conflict.

The comparison is by parts and not by one figure for the whole, since sentences that differ in one number,
month or negation are alike in every measure of likeness.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from citations.entailment.matching import fact_parts, word_parts
from citations.entailment.parts import ClaimPart, PartKind, PartState, shift_span
from citations.entailment.passage_words import PassageWords, passage_words
from citations.entailment.turning import mark_conflicting_parts
from citations.text.normalizing import Span
from citations.text.wording import content_stems

__all__ = ["Alignment", "ClaimPart", "PartKind", "PartState", "align", "surroundings"]

SURROUNDINGS = 1_500  # characters on either side of the best sentences in which a word counts as said
_WINDOW = 3  # sentences that may carry a claim together
_NAME_WEIGHT = 2.0  # of a name among the other words


@dataclass(frozen=True, slots=True)
class Alignment:
    """A claim laid against a passage.

    `window` are offsets of the one to three sentences that carry most, `nearest` those of the one that carries most
    alone. `coverage` (0–1) is the share of the claim's words and names that are matched, conflicting ones left out.
    """

    parts: tuple[ClaimPart, ...]
    window: Span
    nearest: Span
    coverage: float

    def moved(self, by: int) -> "Alignment":
        """The same, in a passage that begins `by` characters earlier."""
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
        """Missing quantities, times and names: no likeness of the other words makes up for one."""
        return tuple(part for part in self.of(PartState.MISSING) if part.kind is not PartKind.WORD)


def align(claim: str, passage: str) -> Alignment | None:
    """Lay a claim against a passage, first of all against the sentences that carry most of it.

    None when they share no content word.
    """
    source = passage_words(passage)
    stems = content_stems(claim)
    window = _best_window(stems, source)
    if window is None:
        return None
    facts = tuple(fact_parts(claim, source, window))
    rest = tuple(word_parts(claim, [part.span for part in facts], source, window))
    nearest = _nearest(stems, source, window)
    parts = _once(mark_conflicting_parts(claim, nearest, passage, (*facts, *rest)))
    return Alignment(parts, window, nearest, _coverage(parts))


def surroundings(claim: str, passage: str) -> Span | None:
    """The sentences of a passage that carry most of a claim with what stands around them; None for no word.

    In a long text every word stands somewhere: only those near each other say something together.
    """
    window = _best_window(content_stems(claim), passage_words(passage))
    if window is None:
        return None
    return Span(max(0, window.start - SURROUNDINGS), min(len(passage), window.end + SURROUNDINGS))


def _best_window(stems: frozenset[str], source: PassageWords) -> Span | None:
    """The run of up to three sentences that carries most; of equals the shortest, then the first."""
    found = max(
        _windows(stems, source),
        key=lambda window: (window[0], -len(window[1]), -window[1].start),
        default=None,
    )
    if found is None:
        return None
    first, last = source.sentences[found[1][0]][0], source.sentences[found[1][-1]][0]
    return Span(first.start, last.end)


def _once(parts: Iterable[ClaimPart]) -> tuple[ClaimPart, ...]:
    """The parts without a second conflict about the same words."""
    kept: dict[tuple[int, PartState], ClaimPart] = {}
    for part in parts:
        kept.setdefault((part.span.start, part.state), part)
    return tuple(kept.values())


def _windows(stems: frozenset[str], source: PassageWords) -> Iterator[tuple[int, range]]:
    """Runs of up to three sentences, of which the first and the last carry something, with what they are worth."""
    carried = [each & stems for _, each in source.sentences]
    for start in (at for at, each in enumerate(carried) if each):
        together: set[str] = set()
        for length, each in enumerate(carried[start : start + _WINDOW], 1):
            together |= each
            # A longer window must earn its length: one more word for each more sentence.
            if each:
                yield len(together) - (length - 1), range(start, start + length)


def _nearest(stems: frozenset[str], source: PassageWords, window: Span) -> Span:
    """The sentence of the window that shares most with the claim."""
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
