"""One-to-one matching of the claims of two versions of a report, and the change of each matched statement.

Statements with the same words match first; then those that agree (citations.claim_similarity); then those that
conflict, or are equal word for word but for one place: the same statement with another figure, date or sign. Pairs
are made from the closest on, so that no two unmatched claims are closer to each other than to their partners (Gale
and Shapley 1962: with one ranking for both sides the greedy choice is the stable one).

Only plausible pairs are compared: the nearest by embedding of either side, and those that share two of their rarer
words.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

from citations.claim_diff.claim_differences import (
    Difference,
    find_changed_spans,
    find_standing_changes,
    find_word_changes,
)
from citations.claim_diff.claim_versions import ComparableClaim
from citations.claim_similarity import SimilarityKind, judge
from citations.contradiction.candidate_claim_pairs import pairs_across
from citations.contradiction.claim_comparison_measures import ComparedClaim, build_gates
from citations.contradiction.claim_statement_changes import TermChange
from citations.contradiction.compare_claim_statements import compare_terms
from citations.contradiction.contradiction_profiles import NOMINAL, EmbeddingProfile, clash_profile
from citations.text.claim_words_and_stems import content_stems
from citations.text.quote_span import Span

if TYPE_CHECKING:
    import numpy as np

NEAREST = 4  # nearest claims of the other side, by embedding, that a claim is compared with
SHARED = 0.4  # share of the shorter one's content words below which two are not compared
# The limits for a statement that differs in one place (measured: docs/changes.md).
FRAME, FRAME_TERMS = 0.7, 3
AGREEING = frozenset({SimilarityKind.DUPLICATE, SimilarityKind.CORROBORATION})


class MatchOutcome(StrEnum):
    SAME = "same"
    REWORDED = "reworded"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class StatementPair:
    """A statement of both versions. The spans are those of its texts where they differ."""

    old: str
    new: str
    outcome: MatchOutcome
    differences: tuple[Difference, ...] = ()
    old_places: tuple[Span, ...] = ()
    new_places: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Matching:
    """Ids of claims; pairs and new ones in the order of the new version, gone ones in that of the old."""

    pairs: tuple[StatementPair, ...]
    new: tuple[str, ...]
    gone: tuple[str, ...]


class _Tie(IntEnum):
    """The way in which two claims are matched, the closest first."""

    SAME_WORDS = 0
    AGREE = 1
    ALTERED = 2


@dataclass(frozen=True, slots=True)
class _Bond:
    """Two claims that may be one statement. `closeness` grows with their similarity."""

    old: ComparableClaim
    new: ComparableClaim
    tie: _Tie
    closeness: float = 0.0
    changes: tuple[TermChange, ...] = ()

    @property
    def rank(self) -> tuple[object, ...]:
        """A sort key, smallest first, that does not depend on which of the two is older."""
        first, second = sorted((claim.text, claim.id) for claim in (self.old, self.new))
        return self.tie, -self.closeness, len(find_standing_changes(self.old, self.new)), first, second


def match(
    old: Sequence[ComparableClaim], new: Sequence[ComparableClaim], profile: EmbeddingProfile = NOMINAL
) -> Matching:
    """Match the claims of two versions. The order of the claims affects only the order of the result.

    Ids are unique within a version.
    """
    bonds = [
        bond for before, after in _candidates(old, new) if (bond := _bond(before, after, profile)) is not None
    ]
    made = _one_to_one(bonds)
    taken = {bond.old.id for bond in made.values()}
    return Matching(
        pairs=tuple(_pair(made[claim.id]) for claim in new if claim.id in made),
        new=tuple(claim.id for claim in new if claim.id not in made),
        gone=tuple(claim.id for claim in old if claim.id not in taken),
    )


def _one_to_one(bonds: list[_Bond]) -> dict[str, _Bond]:
    """Choose the pairs, by the new claim's id."""
    made: dict[str, _Bond] = {}
    taken: set[str] = set()
    for bond in sorted(bonds, key=lambda bond: bond.rank):
        if bond.new.id not in made and bond.old.id not in taken:
            made[bond.new.id] = bond
            taken.add(bond.old.id)
    return made


def _candidates(
    old: Sequence[ComparableClaim], new: Sequence[ComparableClaim]
) -> Iterator[tuple[ComparableClaim, ComparableClaim]]:
    positions = dict.fromkeys(_same_words(old, new))
    positions |= dict.fromkeys(_near(old, new))
    stems = ([content_stems(claim.text) for claim in side] for side in (old, new))
    positions |= dict.fromkeys(pairs_across(*stems))
    for mine, theirs in positions:
        yield old[mine], new[theirs]


def _same_words(old: Sequence[ComparableClaim], new: Sequence[ComparableClaim]) -> Iterator[tuple[int, int]]:
    at: Mapping[str, list[int]] = _index_by_wording(new)
    for mine, claim in enumerate(old):
        yield from ((mine, theirs) for theirs in at.get(claim.wording, ()))


def _index_by_wording(some: Sequence[ComparableClaim]) -> dict[str, list[int]]:
    at: defaultdict[str, list[int]] = defaultdict(list)
    for number, claim in enumerate(some):
        at[claim.wording].append(number)
    return at


def _near(old: Sequence[ComparableClaim], new: Sequence[ComparableClaim]) -> Iterator[tuple[int, int]]:
    """Yield for each claim the nearest of the other side; ties all count."""
    mine = [number for number, claim in enumerate(old) if claim.vector is not None]
    theirs = [number for number, claim in enumerate(new) if claim.vector is not None]
    if not mine or not theirs:
        return
    import numpy as np  # imported here, because most web processes never compare

    first = np.stack([np.asarray(old[number].vector, dtype=np.float64) for number in mine])
    second = np.stack([np.asarray(new[number].vector, dtype=np.float64) for number in theirs])
    # Rounded, so that the order of summation decides nothing.
    cosines = np.round(first @ second.T, 6)
    near_me, near_them = _limits(cosines), _limits(cosines.T)
    rows, columns = np.nonzero((cosines >= near_me[:, None]) | (cosines >= near_them[None, :]))
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        yield mine[row], theirs[column]


def _limits(
    cosines: "np.ndarray[tuple[int, int], np.dtype[np.float64]]",
) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Return for each row the value of the last of its nearest."""
    import numpy as np

    most = min(NEAREST, cosines.shape[1])
    return -np.partition(-cosines, most - 1, axis=1)[:, most - 1]


def _bond(old: ComparableClaim, new: ComparableClaim, profile: EmbeddingProfile) -> _Bond | None:
    """Return the pair; None if the two are not one statement."""
    if old.wording == new.wording:
        return _Bond(old, new, _Tie.SAME_WORDS)
    semantic = _likeness(old, new)
    if semantic is None or semantic < profile.related:
        return None
    # In a fixed order, so that exchanging the versions only exchanges the sides of the result.
    is_turned = old.text > new.text
    first, second = (new.text, old.text) if is_turned else (old.text, new.text)
    laid = compare_terms(first, second)
    gates = build_gates(ComparedClaim(first), ComparedClaim(second), semantic, laid)
    judgement = judge(gates, profile, clash_profile().model.cut)
    changes = tuple(map(_swap_sides, laid.changes)) if is_turned else laid.changes
    closeness = round(semantic + laid.in_order, 6)
    if judgement.kind in AGREEING:
        return _Bond(old, new, _Tie.AGREE, closeness, changes)
    is_frame = laid.in_order >= FRAME and laid.shared >= FRAME_TERMS
    if judgement.is_possible_contradiction or is_frame:
        return _Bond(old, new, _Tie.ALTERED, closeness, changes)
    return None


def _likeness(old: ComparableClaim, new: ComparableClaim) -> float | None:
    """Return the cosine, or without embeddings the share of common words; None for too few of those."""
    mine, theirs = content_stems(old.text), content_stems(new.text)
    shared = len(mine & theirs)
    if shared < SHARED * min(len(mine), len(theirs)):
        return None
    if old.vector is None or new.vector is None:
        return 2 * shared / max(1, len(mine) + len(theirs))
    return round(float(old.vector @ new.vector), 6)


def _swap_sides(change: TermChange) -> TermChange:
    return TermChange(change.kind, change.theirs, change.mine)


def _pair(bond: _Bond) -> StatementPair:
    agree = bond.tie is not _Tie.ALTERED
    words = find_word_changes(bond.changes, agree=agree) if bond.tie is not _Tie.SAME_WORDS else ()
    differences = (*words, *find_standing_changes(bond.old, bond.new))
    return StatementPair(
        bond.old.id,
        bond.new.id,
        _outcome(bond, differences),
        differences,
        find_changed_spans(bond.changes, is_new=False),
        find_changed_spans(bond.changes, is_new=True),
    )


def _outcome(bond: _Bond, differences: Sequence[Difference]) -> MatchOutcome:
    if differences:
        return MatchOutcome.CHANGED
    return MatchOutcome.SAME if bond.tie is _Tie.SAME_WORDS else MatchOutcome.REWORDED
