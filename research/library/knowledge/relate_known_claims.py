"""Relate two claims of different runs: they agree, contradict each other, or give one quantity at two times.

The rules are those of a report (`citations`). Conflicting figures of different years are a change: if a statement
names no time, the date of its source is used.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from uuid import UUID

import numpy as np
import numpy.typing as npt

from citations.claim_similarity import ComparedClaim, SimilarityKind, compare, profile_for
from citations.claim_strength import work_key
from citations.contradiction.claim_statement_conflicts import ConflictKind, SentenceConflict, difference
from citations.contradictions import Assertion, ClaimRelation, find_contradictions
from citations.dates.find_dates import Period, find_times, parse_iso
from citations.text.claim_words_and_stems import content_stems
from research.models import LinkKind, Source

PROFILE = profile_for("all-MiniLM-L6-v2")
_AGREEING = frozenset({SimilarityKind.DUPLICATE, SimilarityKind.CORROBORATION})
MAX_WORDS = 300
_MONTH, _YEAR = 27, 359  # days
_MIN_SHARED = 2  # content words of two claims that are compared
# Compared are claims that share this much of the shorter one's content words, or are this near in meaning. All related
# pairs among 918 labelled ones (grounding data) and 20,609 of 110 runs lie within.
_SHARED_SHARE, _NEAR = 0.4, 0.7


@dataclass(frozen=True, eq=False)
class KnownClaim:
    """A claim of a finished run with its first source. `places` are its quotes: text hash, start and end."""

    id: UUID
    run: UUID
    text: str
    source: Source
    places: tuple[tuple[str, int, int], ...] = ()
    vector: npt.NDArray[np.float32] | None = None

    @cached_property
    def published_period(self) -> Period | None:
        return parse_iso(self.source.published_date)

    @cached_property
    def periods(self) -> list[Period]:
        """Return the times that the claim names, or else its source's date of publication."""
        named = [time.period for time in find_times(self.text) if time.period is not None]
        return named or ([self.published_period] if self.published_period else [])

    @cached_property
    def stems(self) -> frozenset[str]:
        return content_stems(self.text)

    @cached_property
    def statement(self) -> tuple[str, ...]:
        """Return all that its relations depend on: its words, and its first source's facts and places."""
        source = self.source
        facts = (source.title, source.publisher, source.published_date, identity_of(source))
        return (self.text, *facts, repr(self.places))


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A link between two claims, with the words of each side that differ, and for a change their times."""

    kind: LinkKind
    mine: str = ""
    theirs: str = ""
    my_time: str = ""
    their_time: str = ""


def count_shared_words(a: KnownClaim, b: KnownClaim) -> int:
    """Return how many content words two claims share; 0 if these are too few for a common subject."""
    shared = len(a.stems & b.stems)
    return shared if shared >= min(_MIN_SHARED, len(a.stems), len(b.stems)) else 0


def may_be_related(a: KnownClaim, b: KnownClaim) -> bool:
    """Return False for claims that are too unlike to be related, which is quickly seen."""
    shared, shorter = len(a.stems & b.stems), min(len(a.stems), len(b.stems))
    return shared >= _SHARED_SHARE * shorter or (_cosine(a, b) or 0.0) >= _NEAR


def relate(a: KnownClaim, b: KnownClaim, today: date) -> FoundLink | None:
    """Return how the claims are related; None if they are about different things, or only related ones."""
    if _stand_on_one_quote(a, b):
        return FoundLink(LinkKind.AGREEMENT)
    conflicts = find_contradictions([_assertion(a), _assertion(b)], today=today)
    if conflicts:
        found = conflicts[0]
        is_change = found.relation is ClaimRelation.CHANGE or (
            found.kind is ConflictKind.NUMERIC and _are_apart(a.periods, b.periods)
        )
        return _link(LinkKind.CHANGE if is_change else LinkKind.CONTRADICTION, found.difference, a, b)
    if _are_apart(a.periods, b.periods):
        dated = difference(_without_times(a.text), _without_times(b.text))
        if dated is not None and dated.kind is ConflictKind.NUMERIC:
            return _link(LinkKind.CHANGE, dated, a, b)
    similarity = compare(
        ComparedClaim(a.text, a.published_period),
        ComparedClaim(b.text, b.published_period),
        _cosine(a, b),
        PROFILE,
    )
    return FoundLink(LinkKind.AGREEMENT) if similarity.kind in _AGREEING else None


def _link(kind: LinkKind, found: SentenceConflict, a: KnownClaim, b: KnownClaim) -> FoundLink:
    times = [_time_of(claim) if kind is LinkKind.CHANGE else "" for claim in (a, b)]
    return FoundLink(kind, found.mine[:MAX_WORDS], found.theirs[:MAX_WORDS], *times)


def _time_of(claim: KnownClaim) -> str:
    """Return the time of the claim as ISO 8601: a year, a month or a day; "" if it is unknown."""
    if not claim.periods:
        return ""
    period = max(claim.periods, key=lambda candidate: candidate.last)
    days = (period.last - period.first).days
    return period.first.isoformat()[: 10 if days < _MONTH else 7 if days < _YEAR else 4]


def _stand_on_one_quote(a: KnownClaim, b: KnownClaim) -> bool:
    """Return True if both quote the same words of one text and agree."""
    is_one = any(
        mine[0] == theirs[0] and mine[1] < theirs[2] and theirs[1] < mine[2]
        for mine in a.places
        for theirs in b.places
    )
    return is_one and difference(a.text, b.text) is None and a.stems == b.stems


def _assertion(claim: KnownClaim) -> Assertion:
    source = claim.source
    return Assertion(
        id=str(claim.id),
        text=claim.text,
        source=identity_of(source),
        authority=0.5,
        published=claim.published_period,
        publisher=source.publisher,
        work=work_key(source.title),
        title=source.title,
    )


def identity_of(source: Source) -> str:
    """Return the identifier of a source in all runs: its text's hash, or else its URL."""
    return source.content_hash or source.canonical_url


def _without_times(text: str) -> str:
    for time in reversed(find_times(text)):
        text = text[: time.span.start] + text[time.span.end :]
    return text


def _are_apart(mine: Sequence[Period], theirs: Sequence[Period]) -> bool:
    """Return True if the two times are in different years."""
    return bool(mine and theirs) and not any(
        first.first.year <= second.last.year and second.first.year <= first.last.year
        for first in mine
        for second in theirs
    )


def _cosine(a: KnownClaim, b: KnownClaim) -> float | None:
    if a.vector is None or b.vector is None or a.vector.shape != b.vector.shape:
        return None
    return float(a.vector @ b.vector)
