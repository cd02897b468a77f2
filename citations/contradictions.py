"""Finds claims about one thing that cannot both hold, the kind of conflict, and the stronger side.

Precision goes before recall: another year, unit, population or version is another statement. If one work or publisher
gives two values at two times, that is a change and is labelled so.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import lru_cache
from itertools import product

from simplemma import is_known

from citations.claim_confidence import corroboration
from citations.contradiction.candidate_claim_pairs import Neighbours, candidate_pairs
from citations.contradiction.claim_comparison_measures import names_place, places_overlap
from citations.contradiction.claim_statement_conflicts import ConflictKind, SentenceConflict, difference
from citations.dates.find_dates import Period, find_times
from citations.entities.entities import find_entities
from citations.entities.find_place_entities import place_key
from citations.find_quantities import find_quantities
from citations.text.claim_polarity import Force, force
from citations.text.claim_words_and_stems import content_stems, words

__all__ = [
    "Assertion",
    "ConflictKind",
    "DetectedContradiction",
    "ClaimRelation",
    "Resolution",
    "SideScores",
    "find_contradictions",
]

MARGIN = 0.3  # lead from which on the report follows the stronger side
_FORGOTTEN_YEARS = 10.0  # a source of that age has no recency left
_OWN = re.compile(
    r"\bdefaults?\b|\bthis (?:project|library|package|client|module|plugin|tool|release|version|implementation)\b",
    re.IGNORECASE,
)
_DETAILS = 5  # names, figures and times that make a claim fully specific


class ClaimRelation(StrEnum):
    CONTRADICTION = "contradiction"
    CHANGE = "change"  # the same work or publisher at another time


class Resolution(StrEnum):
    RESOLVED = "resolved"
    PRESENTED_BOTH = "presented_both"


@dataclass(frozen=True, slots=True)
class Assertion:
    """A claim with facts about its source. `authority` is 0–1, `independent_others` is the number of agreeing sources.

    `work` is the document without its revision (strength.work_key), `publisher` the name under which it counts once,
    `title` the document's: it gives the place of a claim that names none.
    """

    id: str
    text: str
    source: str
    authority: float
    independent_others: int = 0
    published: Period | None = None
    publisher: str = ""
    work: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class SideScores:
    """The scores of one side of a contradiction: four figures from 0 to 1, and their weighted sum."""

    authority: float
    recency: float
    corroboration: float
    specificity: float

    @property
    def score(self) -> float:
        known = 0.30 * self.authority + 0.20 * self.recency
        return round(known + 0.35 * self.corroboration + 0.15 * self.specificity, 4)


@dataclass(frozen=True, slots=True)
class DetectedContradiction:
    """Two claims in conflict. `winner` is the id of the side that the report follows; None if both are presented."""

    claim_a: str
    claim_b: str
    relation: ClaimRelation
    difference: SentenceConflict
    side_a: SideScores
    side_b: SideScores
    resolution: Resolution
    winner: str | None
    note: str

    @property
    def kind(self) -> ConflictKind:
        return self.difference.kind

    @property
    def margin(self) -> float:
        return round(abs(self.side_a.score - self.side_b.score), 4)


def find_contradictions(
    claims: Sequence[Assertion], *, today: date, neighbours: Neighbours | None = None
) -> tuple[DetectedContradiction, ...]:
    """Return all conflicts among the claims, in their order.

    `neighbours` gives for a claim id the ids of its nearest claims by embedding with their cosine; without it only
    claims that share words are compared. Near-linear in the number of claims.
    """
    by_id: Mapping[str, Assertion] = {claim.id: claim for claim in claims}
    stems = {claim.id: content_stems(claim.text) for claim in claims}
    contradictions = []
    for first, second, cosine in candidate_pairs(stems, neighbours or {}):
        a, b = by_id[first], by_id[second]
        if a.source == b.source:
            continue  # sentences of one document are read together, and qualify each other
        if _each_speaks_of_its_own(a, b) or not _are_of_one_setting(a, b):
            continue
        different = difference(a.text, b.text, cosine)
        if different is not None:
            contradictions.append(_resolve_contradiction(a, b, different, today))
    return tuple(contradictions)


def _resolve_contradiction(
    a: Assertion, b: Assertion, different: SentenceConflict, today: date
) -> DetectedContradiction:
    sides = _side(a, today), _side(b, today)
    if _is_change(a, b):
        return _change(a, b, different, sides)
    margin = sides[0].score - sides[1].score
    if abs(margin) <= MARGIN:
        outcome = Resolution.PRESENTED_BOTH
        return DetectedContradiction(
            a.id,
            b.id,
            ClaimRelation.CONTRADICTION,
            different,
            *sides,
            outcome,
            None,
            _describe_both(different),
        )
    winner, other = (a, b) if margin > 0 else (b, a)
    note = f"Another source reports differently ({different.text}): “{other.text}”"
    outcome = Resolution.RESOLVED
    return DetectedContradiction(
        a.id, b.id, ClaimRelation.CONTRADICTION, different, *sides, outcome, winner.id, note
    )


def _each_speaks_of_its_own(a: Assertion, b: Assertion) -> bool:
    """True if two documents speak of their own things: two products' defaults, the guarantees of two heat pumps."""
    if _is_one_work(a, b) or _name_one_thing(a, b):
        return False
    if _OWN.search(a.text) and _OWN.search(b.text):
        return True
    if max(force(a.text), force(b.text)) >= Force.SHOULD:  # rules apply to everyone
        return False
    mine, theirs = (_special(claim.title) - _special(claim.publisher) for claim in (a, b))
    return bool(mine and theirs) and not (_special(a.text) & _special(b.text))


def _name_one_thing(a: Assertion, b: Assertion) -> bool:
    """True if a name in one title is in the other title or text."""
    return any(
        _special(first.title) & content_stems(f"{second.title} {second.text}")
        for first, second in ((a, b), (b, a))
    )


@lru_cache(maxsize=4_096)
def _special(text: str) -> frozenset[str]:
    """Return words that are probably names: in no dictionary, or capitalized among lower-case words. No places."""
    found = [word for word in words(text) if word.is_content and not word.text[0].isdecimal()]
    has_small = any(word.text.islower() for word in words(text))
    return frozenset(
        word.stem
        for place, word in enumerate(found)
        if (has_small and place and word.text[0].isupper() or not is_known(word.text.lower(), "en"))
        and place_key(word.text) is None
    )


def _are_of_one_setting(a: Assertion, b: Assertion) -> bool:
    """False if the titles name different places or times, and the claims name none."""
    if not (names_place(a.text) and names_place(b.text)) and not places_overlap(
        _select_place_text(a), _select_place_text(b)
    ):
        return False
    if _is_one_work(a, b) or find_times(a.text) or find_times(b.text):
        return True
    mine, theirs = find_times(a.title), find_times(b.title)
    return not mine or not theirs or any(first.overlaps(second) for first, second in product(mine, theirs))


def _select_place_text(claim: Assertion) -> str:
    """Return the claim's text if it names a place, else its title.

    "Night trains fell." on a page about Sweden is a statement about Sweden.
    """
    return claim.text if names_place(claim.text) else claim.title


def _is_one_work(a: Assertion, b: Assertion) -> bool:
    """True for revisions of one document, and for documents of one publisher."""
    return bool(a.work) and a.work == b.work or bool(a.publisher) and a.publisher == b.publisher


def _is_change(a: Assertion, b: Assertion) -> bool:
    """True for one work or publisher at two different times, and for two editions."""
    if a.published is None or b.published is None:
        return bool(a.work) and a.work == b.work and a.title.casefold() != b.title.casefold()
    return _is_one_work(a, b) and not a.published.overlaps(b.published)


def _change(
    a: Assertion, b: Assertion, different: SentenceConflict, sides: tuple[SideScores, SideScores]
) -> DetectedContradiction:
    if a.published is None or b.published is None:  # it is unknown which edition is newer
        return DetectedContradiction(
            a.id,
            b.id,
            ClaimRelation.CHANGE,
            different,
            *sides,
            Resolution.PRESENTED_BOTH,
            None,
            _describe_both(different),
        )
    newer = a if a.published.first > b.published.first else b
    years = sorted((a.published.first.year, b.published.first.year))
    note = f"Changed between {years[0]} and {years[1]} ({different.text}); the newer statement is used."
    return DetectedContradiction(
        a.id, b.id, ClaimRelation.CHANGE, different, *sides, Resolution.RESOLVED, newer.id, note
    )


def _describe_both(different: SentenceConflict) -> str:
    return f"Sources disagree ({different.text}); both are presented."


def _side(claim: Assertion, today: date) -> SideScores:
    return SideScores(
        authority=claim.authority,
        recency=_recency(claim.published, today),
        corroboration=corroboration(claim.independent_others),
        specificity=_specificity(claim.text),
    )


def _recency(published: Period | None, today: date) -> float:
    """Return 1 for today, falling linearly to 0 at ten years; 0 for an unknown date."""
    if published is None:
        return 0.0
    years = max(0.0, published.months_before(today) / 12)
    return round(max(0.0, 1 - years / _FORGOTTEN_YEARS), 4)


def _specificity(text: str) -> float:
    details = len(find_quantities(text)) + len(find_times(text)) + len(find_entities(text))
    return min(1.0, details / _DETAILS)
