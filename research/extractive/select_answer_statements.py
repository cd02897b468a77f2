"""Select the sentences that become claims: most relevant first, then diversified, without duplicates.

Sentences that say the same with the same figures are one claim with several citations. After the first few, a claim
scores less the more its document, or similar claims, have already been selected.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from citations.claim_strength import work_key
from research.extractive.answer_document_cards import Cards
from research.extractive.question.expected_answer_kinds import NUMBER_WORD
from research.extractive.question.parsed_question import ParsedQuestion
from research.extractive.sentence_ranking import ScoredCandidate
from research.extractive.terms import STOP_WORDS, term_set

CLAIMS_AT_MOST = 40
FURTHER_LEADING = 3  # citations besides the first of a claim that answers
FURTHER_LATER = 1  # and of an additional claim
SAME_WORDS = 0.8  # Jaccard index of the words of two sentences that are one claim
SAME_AGAIN = 0.86  # cosine from which a second statement with the same figures adds nothing
SAME_SENSE = 0.95  # cosine from which sentences with the same figures are one claim
FLOOR = 0.6  # share of the best score below which claims would displace those of other sides
ON_TOPIC = 0.45  # share of the best score below which a claim is not on the question
LEADING = 5  # claims that answer, before additional ones

# "One" is a number before a noun, but not as a pronoun.
_FIGURE = re.compile(
    rf"\d+(?:[.,]\d+)*|\b(?!one (?:of|or|can|could|may|might|must|should|another)\b){NUMBER_WORD}\b"
)


@dataclass(frozen=True, slots=True)
class SelectedClaim:
    """A claim: the sentence that states it best, and the others that state it."""

    best: ScoredCandidate
    further: tuple[ScoredCandidate, ...] = ()

    @property
    def sentences(self) -> tuple[ScoredCandidate, ...]:
        return (self.best, *self.further)

    @property
    def document_ids(self) -> frozenset[str]:
        return frozenset(item.candidate.document_id for item in self.sentences)


@dataclass(frozen=True, slots=True)
class _ClaimGroup:
    claim: SelectedClaim
    words: frozenset[str]
    figures: Counter[str]


def select(
    ranked: Sequence[ScoredCandidate],
    question: ParsedQuestion,
    cards: Cards,
    limit: int = CLAIMS_AT_MOST,
    floor: float = FLOOR,
) -> tuple[SelectedClaim, ...]:
    """Return at most `limit` claims, best first, with at least `floor` of the best score. `ranked` is sorted best
    first, with vectors.
    """
    if not ranked:
        return ()
    least = floor * ranked[0].score
    claims = join_duplicates([item for item in ranked if item.score >= least])
    claims = _revisions_first(claims, question, cards)
    return choose(claims, limit, {card.id: work_key(card.title) for card in cards.by_id.values()})


def choose(
    claims: Sequence[SelectedClaim], limit: int, works: Mapping[str, str] | None = None
) -> tuple[SelectedClaim, ...]:
    """Return the best claims, diversified, with at most `limit` quotes together. `claims` are sorted best first, with
    vectors.

    `works`: by document, the work of which it is a revision.
    """
    return tuple(_within(_vary(claims, limit), limit, works or {}))


def _within(claims: Sequence[SelectedClaim], limit: int, works: Mapping[str, str]) -> Iterator[SelectedClaim]:
    """Yield the first claims with their further quotes, within the limit.

    A later claim is not also quoted from other revisions of its work, which would displace quotes of other sources.
    """
    room = limit
    for position, claim in enumerate(claims):
        if room < 1:
            return
        most = min(room - 1, FURTHER_LEADING if position < LEADING else FURTHER_LATER)
        further = _of_other_documents(claim)
        if position >= LEADING:
            own = works.get(claim.best.candidate.document_id)
            further = tuple(x for x in further if not own or works.get(x.candidate.document_id) != own)
        kept = further[:most]
        room -= 1 + len(kept)
        yield replace(claim, further=kept)


def _of_other_documents(claim: SelectedClaim) -> tuple[ScoredCandidate, ...]:
    """Return one quote of each further document, since a document that repeats itself adds nothing."""
    own = claim.best.candidate.document_id
    by_document = {item.candidate.document_id: item for item in reversed(claim.further)}
    return tuple(item for item in claim.further if by_document.get(item.candidate.document_id) is item
                 and item.candidate.document_id != own)  # fmt: skip


def with_other_documents(claim: SelectedClaim, most: int = FURTHER_LEADING) -> SelectedClaim:
    """Return the claim with at most `most` quotes of other documents, the best ones."""
    return replace(claim, further=_of_other_documents(claim)[:most])


def join_duplicates(ranked: Sequence[ScoredCandidate]) -> list[SelectedClaim]:
    """Merge sentences that say the same into claims, in the order of their best sentences."""
    joined: list[_ClaimGroup] = []
    for item in ranked:
        words, numbers = _words(item.candidate.shown), count_figures(item.candidate.shown)
        place = next(
            (i for i, known in enumerate(joined) if _is_same(item, words, numbers, known)),
            None,
        )
        if place is None:
            joined.append(_ClaimGroup(SelectedClaim(item), words, numbers))
        else:
            claim = joined[place].claim
            joined[place] = replace(joined[place], claim=replace(claim, further=(*claim.further, item)))
    return [known.claim for known in joined]


@lru_cache(maxsize=1_024)  # a sentence is compared with many
def _words(text: str) -> frozenset[str]:
    return term_set((text,)) - STOP_WORDS


@lru_cache(maxsize=1_024)
def count_figures(text: str) -> Counter[str]:
    """Count the numbers in a text, in their written form. The result is shared: do not change it."""
    return Counter(_FIGURE.findall(text.lower()))


def _is_same(item: ScoredCandidate, words: frozenset[str], figures: Counter[str], known: _ClaimGroup) -> bool:
    if _overlap(item, known.claim.best):
        return True
    if _are_items(item, known.claim.best):
        return False
    if _contains(words, figures, known):
        return True
    if figures.items() != known.figures.items():
        return False
    shared = len(words & known.words)
    if shared >= SAME_WORDS * len(words | known.words):
        return True
    return similarity(item, known.claim.best) >= SAME_SENSE and shared >= 0.5 * min(
        len(words), len(known.words)
    )


def _are_items(a: ScoredCandidate, b: ScoredCandidate) -> bool:
    """Return True for two items of one list, which are similar because both are shown after its introducing line."""
    mine, theirs = a.candidate, b.candidate
    return mine.document_id == theirs.document_id and mine.lead is not None and mine.lead == theirs.lead


def repeats(a: ScoredCandidate, b: ScoredCandidate) -> bool:
    """Return True if one adds nothing to the other. With different figures it does, since these may disagree."""
    same_figures = count_figures(a.candidate.shown) == count_figures(b.candidate.shown)
    return same_figures and not _are_items(a, b) and similarity(a, b) >= SAME_AGAIN


def _overlap(a: ScoredCandidate, b: ScoredCandidate) -> bool:
    """Return True for overlapping words of a document: a sentence alone, and joined to the one that refers to it."""
    mine, theirs = a.candidate, b.candidate
    return mine.document_id == theirs.document_id and mine.start < theirs.end and theirs.start < mine.end


def _contains(words: frozenset[str], figures: Counter[str], known: _ClaimGroup) -> bool:
    """Return True if one contains the other, in nearly the same words."""
    small, large = (words, known.words) if len(words) <= len(known.words) else (known.words, words)
    return len(small) >= 5 and small <= large and (figures <= known.figures or known.figures <= figures)


def similarity(a: ScoredCandidate, b: ScoredCandidate) -> float:
    """Return the cosine of two sentences; 0 if one has no vector."""
    if a.vector is None or b.vector is None:
        return 0.0
    return float(a.vector @ b.vector)


def _vary(claims: Sequence[SelectedClaim], limit: int) -> list[SelectedClaim]:
    """Select claims greedily: always the best, reduced by what its document and similar claims have already said."""
    chosen: list[SelectedClaim] = []
    seen: Counter[str] = Counter()
    nearest = [0.0] * len(claims)
    left = set(range(len(claims)))
    while left and len(chosen) < limit:
        best = max(left, key=lambda i: (_worth(claims[i], nearest[i], seen, len(chosen)), -i))
        left.discard(best)
        chosen.append(claims[best])
        seen.update(claims[best].document_ids)
        for i in left:
            nearest[i] = max(nearest[i], similarity(claims[i].best, claims[best].best))
    return chosen


def _worth(claim: SelectedClaim, nearest: float, seen: Counter[str], position: int) -> float:
    said = min(seen[id] for id in claim.document_ids)
    if position < LEADING:
        return claim.best.score - 0.05 * max(0.0, nearest - 0.6) - 0.004 * said
    # A document that the question names may say more than others.
    return (
        claim.best.score
        - 0.25 * max(0.0, nearest - 0.6)
        - 0.03 * said * (1 - 0.8 * claim.best.features.document)
    )


def _revisions_first(
    claims: list[SelectedClaim], question: ParsedQuestion, cards: Cards
) -> list[SelectedClaim]:
    """For a question about change, put one sentence of each revision before a second one of any."""
    if not question.asks_change or not claims:
        return claims
    taken: Counter[str] = Counter()
    lifted = []
    for claim in claims:
        revision = _revision(claim, cards)
        taken[revision] += 1
        bonus = 0.1 if revision and taken[revision] == 1 and claim.best.features.answer == 1.0 else 0.0
        lifted.append(replace(claim, best=replace(claim.best, score=claim.best.score + bonus)))
    return sorted(lifted, key=lambda claim: -claim.best.score)


def _revision(claim: SelectedClaim, cards: Cards) -> str:
    """Return the revision that the claim is about: its section's version or date, else its document's date."""
    candidate = claim.best.candidate
    in_heading = re.search(r"\bv?\d+\.\d+(?:\.\d+)*\b|\b(?:19|20)\d\d\b", candidate.heading)
    if in_heading:
        return f"{candidate.document_id} {in_heading.group()}"
    card = cards.by_id.get(candidate.document_id)
    return card.published if card else ""
