"""Compares two statements term by term: the shares that match, and the places where they differ.

Terms that only moved are no change.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from citations.contradiction.align_claim_terms import TermPair, lay
from citations.contradiction.claim_statement_changes import ChangeKind, TermChange, changes_between
from citations.contradiction.claim_statement_terms import Term, TermSort


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of two statements.

    `covered` are the shares of each side's content that the other has, in any order; `in_order` is the share
    of all terms that meet in order; all 0 to 1. `shared` counts content terms that meet.
    """

    changes: tuple[TermChange, ...]
    covered: tuple[float, float]
    in_order: float
    shared: int

    @property
    def carried_share(self) -> float:
        """The covered share of the statement that the other covers better."""
        return max(self.covered)

    def count(self, kinds: Iterable[ChangeKind]) -> int:
        wanted = frozenset(kinds)
        return sum(change.kind in wanted for change in self.changes)


# Weight of a term in the covered share; names, figures and times count twice.
_WEIGHTS = {TermSort.FUNCTION: 0.0, TermSort.LOGIC: 0.0, TermSort.MODAL: 0.5, TermSort.WORD: 1.0}
_FACT = 2.0


def compare_terms(a: str, b: str) -> Comparison:
    """Compare two statements; exchanging them exchanges the sides of the result."""
    pairs = lay(a, b)
    moved = _find_moved_keys(pairs)
    return Comparison(
        changes=tuple(chain(_swaps(pairs), _stretches(pairs, moved))),
        covered=(
            _compute_coverage([(pair.mine, pair.meets) for pair in pairs], moved),
            _compute_coverage([(pair.theirs, pair.meets) for pair in pairs], moved),
        ),
        in_order=_compute_order(pairs),
        shared=sum(pair.meets and _is_content(pair) for pair in pairs),
    )


def _is_content(pair: TermPair) -> bool:
    """Return True if both sides are content: "not" may meet the "not" of "not only", which is not."""
    return all(side is not None and side.is_content for side in (pair.mine, pair.theirs))


def _find_moved_keys(pairs: Sequence[TermPair]) -> Counter[str]:
    """Return keys that both sides have in different places."""
    mine = Counter(pair.mine.key for pair in pairs if pair.mine and not pair.meets)
    theirs = Counter(pair.theirs.key for pair in pairs if pair.theirs and not pair.meets)
    return mine & theirs


def _compute_coverage(side: Sequence[tuple[Term | None, bool]], moved: Counter[str]) -> float:
    total = met = 0.0
    for term, meets in side:
        if term is not None:
            weight = _WEIGHTS.get(term.sort, _FACT)
            total += weight
            met += weight * (meets or term.key in moved)
    return met / total if total else 1.0


def _compute_order(pairs: Sequence[TermPair]) -> float:
    """Return a Dice coefficient over the alignment."""
    total = sum((pair.mine is not None) + (pair.theirs is not None) for pair in pairs)
    return sum(2 * pair.meets for pair in pairs) / total if total else 1.0


def _swaps(pairs: Sequence[TermPair]) -> Iterator[TermChange]:
    """Yield terms that are exchanged: "A beat B" and "B beat A"."""
    placed = {
        (pair.mine.key, pair.theirs.key): (pair.mine, pair.theirs)
        for pair in pairs
        if pair.mine and pair.theirs and not pair.meets and pair.mine.is_content and pair.theirs.is_content
    }
    for (first, second), (mine, theirs) in placed.items():
        if first < second and (second, first) in placed:
            yield TermChange(ChangeKind.SWAP, (mine,), (theirs,))


def _stretches(pairs: Sequence[TermPair], moved: Counter[str]) -> Iterator[TermChange]:
    for meets, some in groupby(pairs, key=lambda pair: pair.meets):
        if not meets:
            stretch = list(some)
            mine = _select_unmoved_terms([pair.mine for pair in stretch], moved)
            theirs = _select_unmoved_terms([pair.theirs for pair in stretch], moved)
            yield from changes_between(mine, theirs)


def _select_unmoved_terms(side: Sequence[Term | None], moved: Counter[str]) -> list[Term]:
    return [term for term in side if term is not None and term.is_content and term.key not in moved]
