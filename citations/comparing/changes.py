"""What one statement says otherwise than another: from their alignment, the places where they part.

Terms that only moved are no change. A stretch where both sides say something is a replacement, if it is short
enough to stand in one place; a stretch where one side does is an addition.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, groupby, product

from citations.comparing.pairing import Fit, Pair, fit, lay
from citations.comparing.terms import Sort, Term
from citations.language.polarity import are_opposites
from citations.language.wording import stem


class Kind(StrEnum):
    """What a change does: replaces a thing of its kind, turns the statement round, or adds to it."""

    FIGURE = "figure"
    TIME = "time"
    NAME = "name"
    OPPOSITE = "opposite"
    ORDER = "order"
    SCOPE = "scope"
    LOGIC = "logic"
    MODAL = "modal"
    WORD = "word"
    SWAP = "swap"  # two things took each other's place
    NEGATION = "negation"  # on one side only
    FORM = "form"  # another form or spelling: no difference in content
    REWRITTEN = "rewritten"  # a longer stretch on both sides
    MORE_FIGURES = "more figures"
    MORE_TIMES = "more times"
    MORE_NAMES = "more names"
    MORE_ORDER = "more order"
    MORE_SCOPE = "more scope"
    MORE_MODALS = "more modals"
    MORE_WORDS = "more words"


REPLACING = frozenset(
    {
        Kind.FIGURE,
        Kind.TIME,
        Kind.NAME,
        Kind.OPPOSITE,
        Kind.ORDER,
        Kind.SCOPE,
        Kind.LOGIC,
        Kind.MODAL,
        Kind.WORD,
    }
)
TURNING = frozenset({Kind.SWAP, Kind.NEGATION})


@dataclass(frozen=True, slots=True)
class Change:
    kind: Kind
    mine: tuple[Term, ...] = ()
    theirs: tuple[Term, ...] = ()

    @property
    def sides(self) -> tuple[str, str]:
        """The words of either side, "" where it has none."""
        first, second = (" ".join(term.text for term in side) for side in (self.mine, self.theirs))
        return first, second

    @property
    def text(self) -> str:
        return " against ".join(f"“{side}”" for side in self.sides if side)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two statements laid against each other.

    `covered` are the shares of each side's content that the other has, in any order; `in_order` is the share
    of all terms that meet in order; all 0 to 1. `shared` counts content terms that meet.
    """

    changes: tuple[Change, ...]
    covered: tuple[float, float]
    in_order: float
    shared: int

    @property
    def carried(self) -> float:
        """How much of the one that is carried better the other has."""
        return max(self.covered)

    def count(self, kinds: Iterable[Kind]) -> int:
        wanted = frozenset(kinds)
        return sum(change.kind in wanted for change in self.changes)


_TIGHT = 4  # content terms of a side that still stand in one place of the other
_ADDED = {
    Sort.FIGURE: Kind.MORE_FIGURES,
    Sort.TIME: Kind.MORE_TIMES,
    Sort.NAME: Kind.MORE_NAMES,
    Sort.ORDER: Kind.MORE_ORDER,
    Sort.SCOPE: Kind.MORE_SCOPE,
    Sort.MODAL: Kind.MORE_MODALS,
    Sort.WORD: Kind.MORE_WORDS,
    Sort.NEGATION: Kind.NEGATION,
}
_REPLACED = {
    Sort.TIME: Kind.TIME,
    Sort.FIGURE: Kind.FIGURE,
    Sort.ORDER: Kind.ORDER,
    Sort.SCOPE: Kind.SCOPE,
    Sort.LOGIC: Kind.LOGIC,
    Sort.MODAL: Kind.MODAL,
    Sort.NAME: Kind.NAME,
    Sort.WORD: Kind.WORD,
}
_MIXED = (
    (Kind.SCOPE, (Sort.SCOPE, Sort.ORDER)),  # "most" is either
    (Kind.FIGURE, (Sort.FIGURE, Sort.TIME)),
    (Kind.WORD, (Sort.WORD, Sort.NAME, Sort.FIGURE, Sort.TIME)),
)
# What a term weighs in the share that is covered; names, figures and times twice as much as a word.
_WEIGHTS = {Sort.FUNCTION: 0.0, Sort.LOGIC: 0.0, Sort.MODAL: 0.5, Sort.WORD: 1.0}
_FACT = 2.0


def compare_terms(a: str, b: str) -> Comparison:
    """Lay two statements against each other; exchanging them exchanges the sides of the result."""
    pairs = lay(a, b)
    moved = _moved(pairs)
    return Comparison(
        changes=tuple(chain(_swaps(pairs), _stretches(pairs, moved))),
        covered=(
            _covered([(pair.mine, pair.meets) for pair in pairs], moved),
            _covered([(pair.theirs, pair.meets) for pair in pairs], moved),
        ),
        in_order=_in_order(pairs),
        shared=sum(pair.meets and _is_content(pair) for pair in pairs),
    )


def _is_content(pair: Pair) -> bool:
    """Of both sides: "not" may meet the "not" of "not only", which is no content."""
    return all(side is not None and side.is_content for side in (pair.mine, pair.theirs))


def _moved(pairs: Sequence[Pair]) -> Counter[str]:
    """Keys that both sides have, at other places."""
    mine = Counter(pair.mine.key for pair in pairs if pair.mine and not pair.meets)
    theirs = Counter(pair.theirs.key for pair in pairs if pair.theirs and not pair.meets)
    return mine & theirs


def _covered(side: Sequence[tuple[Term | None, bool]], moved: Counter[str]) -> float:
    total = met = 0.0
    for term, meets in side:
        if term is not None:
            weight = _WEIGHTS.get(term.sort, _FACT)
            total += weight
            met += weight * (meets or term.key in moved)
    return met / total if total else 1.0


def _in_order(pairs: Sequence[Pair]) -> float:
    """A Dice coefficient over the places of the alignment."""
    total = sum((pair.mine is not None) + (pair.theirs is not None) for pair in pairs)
    return sum(2 * pair.meets for pair in pairs) / total if total else 1.0


def _swaps(pairs: Sequence[Pair]) -> Iterator[Change]:
    """Terms that took each other's place: "A beat B" and "B beat A"."""
    placed = {
        (pair.mine.key, pair.theirs.key): (pair.mine, pair.theirs)
        for pair in pairs
        if pair.mine and pair.theirs and not pair.meets and pair.mine.is_content and pair.theirs.is_content
    }
    for (one, other), (mine, theirs) in placed.items():
        if one < other and (other, one) in placed:
            yield Change(Kind.SWAP, (mine,), (theirs,))


def _stretches(pairs: Sequence[Pair], moved: Counter[str]) -> Iterator[Change]:
    for meets, some in groupby(pairs, key=lambda pair: pair.meets):
        if not meets:
            stretch = list(some)
            mine = _unmoved([pair.mine for pair in stretch], moved)
            theirs = _unmoved([pair.theirs for pair in stretch], moved)
            yield from _stretch(*_without_equals(mine, theirs))


def _unmoved(side: Sequence[Term | None], moved: Counter[str]) -> list[Term]:
    return [term for term in side if term is not None and term.is_content and term.key not in moved]


def _without_equals(mine: list[Term], theirs: list[Term]) -> tuple[list[Term], list[Term]]:
    """The terms of a stretch but for those that meet after all, in another order."""
    kept, rest = [], list(theirs)
    for term in mine:
        match = next((other for other in rest if fit(term, other) >= Fit.NEAR), None)
        if match is None:
            kept.append(term)
        else:
            rest.remove(match)
    return kept, rest


def _stretch(mine: list[Term], theirs: list[Term]) -> Iterator[Change]:
    if not mine or not theirs:
        yield from _additions(mine, theirs)
    elif _is_one_spelling(mine, theirs):
        yield Change(Kind.FORM, tuple(mine), tuple(theirs))
    elif max(len(mine), len(theirs)) > _TIGHT:
        yield Change(Kind.REWRITTEN, tuple(mine), tuple(theirs))
        yield from _additions(mine, theirs)
    else:
        yield from _replacements(mine, theirs)


def _is_one_spelling(mine: Sequence[Term], theirs: Sequence[Term]) -> bool:
    """True for "pop corn" and "popcorn", "WHO" and "World Health Organization"."""
    first, second = ("".join(term.text for term in side).casefold() for side in (mine, theirs))
    if first.replace(".", "") == second.replace(".", ""):
        return True
    return _are_initials(mine, second) or _are_initials(theirs, first)


def _are_initials(name: Sequence[Term], letters: str) -> bool:
    return len(name) > 1 and "".join(term.text[0] for term in name).casefold() == letters


def _additions(mine: list[Term], theirs: list[Term]) -> Iterator[Change]:
    yield from (Change(kind, mine=some) for kind, some in _by_kind(mine))
    yield from (Change(kind, theirs=some) for kind, some in _by_kind(theirs))


def _by_kind(added: list[Term]) -> Iterator[tuple[Kind, tuple[Term, ...]]]:
    """What was added, by its kind. "All" and "each" limit nothing, so that they count as words."""
    added = [replace(term, sort=Sort.WORD) if term.key == "all" else term for term in added]
    sorts = {term.sort for term in added}
    yield from ((kind, _of_sort(added, sort)) for sort, kind in _ADDED.items() if sort in sorts)


def _of_sort(some: Iterable[Term], *sorts: Sort) -> tuple[Term, ...]:
    return tuple(term for term in some if term.sort in sorts)


def _replacements(mine: list[Term], theirs: list[Term]) -> Iterator[Change]:
    """Opposites first, then things of one sort, then what is left of either side."""
    opposites = next((pair for pair in product(mine, theirs) if _are_opposites(*pair)), None)
    if opposites:
        yield Change(Kind.OPPOSITE, opposites[:1], opposites[1:])
        mine, theirs = _without(mine, opposites[:1]), _without(theirs, opposites[1:])
    both = {term.sort for term in mine} & {term.sort for term in theirs}
    for sort, kind in _REPLACED.items():
        if sort in both:
            first, second = _of_sort(mine, sort), _of_sort(theirs, sort)
            yield Change(kind, first, second)
            mine, theirs = _without(mine, first), _without(theirs, second)
    yield from _of_other_sorts(mine, theirs)


def _are_opposites(a: Term, b: Term) -> bool:
    return are_opposites(a.key, b.key) or are_opposites(stem(a.text), stem(b.text))


def _of_other_sorts(mine: list[Term], theirs: list[Term]) -> Iterator[Change]:
    """A name for a word, a year for a figure: what is left where both sides still say something."""
    for kind, sorts in _MIXED:
        first, second = _of_sort(mine, *sorts), _of_sort(theirs, *sorts)
        if first and second:
            yield Change(kind, first, second)
            mine, theirs = _without(mine, first), _without(theirs, second)
    yield from _additions(mine, theirs)


def _without(some: list[Term], taken: Sequence[Term]) -> list[Term]:
    return [term for term in some if term not in taken]
