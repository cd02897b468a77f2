"""Selection of the sentences that become claims: most relevant first, then diversified, without duplicates.

Sentences that say the same with the same figures are one claim with several citations. After the
first few, a claim is worth less the more its document, or something like it, has already said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from citations.strength import work_key
from research.extractive.document_cards import Cards
from research.extractive.expected_answer_kinds import NUMBER_WORD
from research.extractive.parsed_question import ParsedQuestion
from research.extractive.sentence_ranking import ScoredCandidate
from research.extractive.terms import STOP_WORDS, term_set

CLAIMS_AT_MOST = 40
FURTHER_LEADING = 3  # citations besides the first of a claim that answers
FURTHER_LATER = 1  # and of one that adds
SAME_WORDS = 0.8  # Jaccard of the words of two sentences that are one claim
SAME_AGAIN = 0.86  # cosine from which on a second statement with the same figures adds nothing
SAME_SENSE = 0.95  # cosine, with the same figures
FLOOR = 0.6  # of the best score: what lies below takes room from what another side says
ON_TOPIC = 0.45  # of the best score: what lies below is not on the question
LEADING = 5  # claims that answer, before those that add

# "One" is a number before a noun, not where it stands for somebody.
_FIGURE = re.compile(
    rf"\d+(?:[.,]\d+)*|\b(?!one (?:of|or|can|could|may|might|must|should|another)\b){NUMBER_WORD}\b"
)


@dataclass(frozen=True, slots=True)
class SelectedClaim:
    """One claim: the sentence that states it best and the others that state it too."""

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
    """At most `limit` claims, the best answer first, none with less than `floor` of its score. `ranked` comes best
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
    """The best claims, varied, with at most `limit` quotes together. `claims` come best first, with vectors.

    `works` gives for a document what it is a revision of.
    """
    return tuple(_within(_vary(claims, limit), limit, works or {}))


def _within(claims: Sequence[SelectedClaim], limit: int, works: Mapping[str, str]) -> Iterator[SelectedClaim]:
    """The first claims with their further quotes, as long as there is room.

    A later claim is not quoted from another revision of what it is quoted from: that takes the room of what others say.
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
    """One quote of each further document: a document that repeats itself adds nothing."""
    own = claim.best.candidate.document_id
    by_document = {item.candidate.document_id: item for item in reversed(claim.further)}
    return tuple(item for item in claim.further if by_document.get(item.candidate.document_id) is item
                 and item.candidate.document_id != own)  # fmt: skip


def with_other_documents(claim: SelectedClaim, most: int = FURTHER_LEADING) -> SelectedClaim:
    """The claim with its best quotes of other documents, at most so many."""
    return replace(claim, further=_of_other_documents(claim)[:most])


def join_duplicates(ranked: Sequence[ScoredCandidate]) -> list[SelectedClaim]:
    """Sentences that say the same become one claim, in the order of its best sentence."""
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


def _words(text: str) -> frozenset[str]:
    return term_set((text,)) - STOP_WORDS


def count_figures(text: str) -> Counter[str]:
    """Count the numbers of a text, as they are written."""
    return Counter(_FIGURE.findall(text.lower()))


def _is_same(item: ScoredCandidate, words: frozenset[str], figures: Counter[str], known: _ClaimGroup) -> bool:
    if _are_items(item, known.claim.best):
        return False
    if _overlap(item, known.claim.best) or _contains(words, figures, known):
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
    """Two items of one list, each shown behind the line that introduces it: they differ in little but that."""
    mine, theirs = a.candidate, b.candidate
    return mine.document_id == theirs.document_id and mine.lead is not None and mine.lead == theirs.lead


def repeats(a: ScoredCandidate, b: ScoredCandidate) -> bool:
    """True where one adds nothing to the other. With other figures it does: it may say otherwise."""
    same_figures = count_figures(a.candidate.shown) == count_figures(b.candidate.shown)
    return same_figures and not _are_items(a, b) and similarity(a, b) >= SAME_AGAIN


def _overlap(a: ScoredCandidate, b: ScoredCandidate) -> bool:
    """The same words of one document: a sentence alone, and joined to the one that points back to it."""
    mine, theirs = a.candidate, b.candidate
    return mine.document_id == theirs.document_id and mine.start < theirs.end and theirs.start < mine.end


def _contains(words: frozenset[str], figures: Counter[str], known: _ClaimGroup) -> bool:
    """One says all that the other says, in nearly its words."""
    small, large = (words, known.words) if len(words) <= len(known.words) else (known.words, words)
    return len(small) >= 5 and small <= large and (figures <= known.figures or known.figures <= figures)


def similarity(a: ScoredCandidate, b: ScoredCandidate) -> float:
    """Cosine of two sentences; 0 where one has no vector."""
    if a.vector is None or b.vector is None:
        return 0.0
    return float(a.vector @ b.vector)


def _vary(claims: Sequence[SelectedClaim], limit: int) -> list[SelectedClaim]:
    """Greedy: the best of what is left after what its document and its like have already said."""
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
    """A question about change is answered by one sentence of each revision before any second one."""
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
    """Return the revision that the claim is about: the section's version or date, else the document's date."""
    candidate = claim.best.candidate
    in_heading = re.search(r"\bv?\d+\.\d+(?:\.\d+)*\b|\b(?:19|20)\d\d\b", candidate.heading)
    if in_heading:
        return f"{candidate.document_id} {in_heading.group()}"
    card = cards.by_id.get(candidate.document_id)
    return card.published if card else ""
