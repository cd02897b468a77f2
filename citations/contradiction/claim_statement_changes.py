"""Changes between a part of one statement and the corresponding part of another.

A part with words on both sides is a replacement, if it is short enough; with words on one side it is an addition.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, product

from citations.contradiction.align_claim_terms import TermFit, fit
from citations.contradiction.claim_statement_terms import Term, TermSort
from citations.text.claim_polarity import are_opposites
from citations.text.claim_words_and_stems import stem


class ChangeKind(StrEnum):
    """The effect of a change: it replaces a thing of its kind, inverts the statement, or adds to it."""

    FIGURE = "figure"
    TIME = "time"
    NAME = "name"
    OPPOSITE = "opposite"
    ORDER = "order"
    SCOPE = "scope"
    LOGIC = "logic"
    MODAL = "modal"
    WORD = "word"
    SWAP = "swap"  # two things are exchanged
    NEGATION = "negation"  # on one side only
    FORM = "form"  # another form or spelling: no difference in content
    REWRITTEN = "rewritten"  # a longer part on both sides
    MORE_FIGURES = "more figures"
    MORE_TIMES = "more times"
    MORE_NAMES = "more names"
    MORE_ORDER = "more order"
    MORE_SCOPE = "more scope"
    MORE_MODALS = "more modals"
    MORE_WORDS = "more words"


REPLACING = frozenset(
    {
        ChangeKind.FIGURE,
        ChangeKind.TIME,
        ChangeKind.NAME,
        ChangeKind.OPPOSITE,
        ChangeKind.ORDER,
        ChangeKind.SCOPE,
        ChangeKind.LOGIC,
        ChangeKind.MODAL,
        ChangeKind.WORD,
    }
)
TURNING = frozenset({ChangeKind.SWAP, ChangeKind.NEGATION})


@dataclass(frozen=True, slots=True)
class TermChange:
    kind: ChangeKind
    mine: tuple[Term, ...] = ()
    theirs: tuple[Term, ...] = ()

    @property
    def sides(self) -> tuple[str, str]:
        """The words of either side, "" if there are none."""
        first, second = (" ".join(term.text for term in side) for side in (self.mine, self.theirs))
        return first, second

    @property
    def text(self) -> str:
        return " against ".join(f"“{side}”" for side in self.sides if side)


_TIGHT = 4  # content terms of a side that can be one replacement
_ADDED = {
    TermSort.FIGURE: ChangeKind.MORE_FIGURES,
    TermSort.TIME: ChangeKind.MORE_TIMES,
    TermSort.NAME: ChangeKind.MORE_NAMES,
    TermSort.ORDER: ChangeKind.MORE_ORDER,
    TermSort.SCOPE: ChangeKind.MORE_SCOPE,
    TermSort.MODAL: ChangeKind.MORE_MODALS,
    TermSort.WORD: ChangeKind.MORE_WORDS,
    TermSort.NEGATION: ChangeKind.NEGATION,
}
_REPLACED = {
    TermSort.TIME: ChangeKind.TIME,
    TermSort.FIGURE: ChangeKind.FIGURE,
    TermSort.ORDER: ChangeKind.ORDER,
    TermSort.SCOPE: ChangeKind.SCOPE,
    TermSort.LOGIC: ChangeKind.LOGIC,
    TermSort.MODAL: ChangeKind.MODAL,
    TermSort.NAME: ChangeKind.NAME,
    TermSort.WORD: ChangeKind.WORD,
}
_MIXED = (
    (ChangeKind.SCOPE, (TermSort.SCOPE, TermSort.ORDER)),  # "most" is both
    (ChangeKind.FIGURE, (TermSort.FIGURE, TermSort.TIME)),
    (ChangeKind.WORD, (TermSort.WORD, TermSort.NAME, TermSort.FIGURE, TermSort.TIME)),
)


def _remove_equals(mine: list[Term], theirs: list[Term]) -> tuple[list[Term], list[Term]]:
    """Return the terms of a part without those that meet in another order."""
    kept, rest = [], list(theirs)
    for term in mine:
        match = next((other for other in rest if fit(term, other) >= TermFit.NEAR), None)
        if match is None:
            kept.append(term)
        else:
            rest.remove(match)
    return kept, rest


def changes_between(mine: list[Term], theirs: list[Term]) -> Iterator[TermChange]:
    """Yield the changes between two corresponding stretches of content terms."""
    yield from _changes(*_remove_equals(mine, theirs))


def _changes(mine: list[Term], theirs: list[Term]) -> Iterator[TermChange]:
    if not mine or not theirs:
        yield from _additions(mine, theirs)
    elif _is_one_spelling(mine, theirs):
        yield TermChange(ChangeKind.FORM, tuple(mine), tuple(theirs))
    elif max(len(mine), len(theirs)) > _TIGHT:
        yield TermChange(ChangeKind.REWRITTEN, tuple(mine), tuple(theirs))
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


def _additions(mine: list[Term], theirs: list[Term]) -> Iterator[TermChange]:
    yield from (TermChange(kind, mine=some) for kind, some in _group_by_kind(mine))
    yield from (TermChange(kind, theirs=some) for kind, some in _group_by_kind(theirs))


def _group_by_kind(added: list[Term]) -> Iterator[tuple[ChangeKind, tuple[Term, ...]]]:
    """Yield the added terms, grouped by kind of change. "All" and "each" limit nothing and count as words."""
    added = [replace(term, sort=TermSort.WORD) if term.key == "all" else term for term in added]
    sorts = {term.sort for term in added}
    yield from ((kind, _select_sort(added, sort)) for sort, kind in _ADDED.items() if sort in sorts)


def _select_sort(some: Iterable[Term], *sorts: TermSort) -> tuple[Term, ...]:
    return tuple(term for term in some if term.sort in sorts)


def _replacements(mine: list[Term], theirs: list[Term]) -> Iterator[TermChange]:
    """Yield opposites first, then things of one sort, then the remaining terms.

    A negated opposite says the same: "not possible" and "impossible".
    """
    opposites = next((pair for pair in product(mine, theirs) if _are_opposites(*pair)), None)
    if opposites:
        negations = _select_sort(chain(mine, theirs), TermSort.NEGATION)
        is_same = len(negations) == 1
        yield TermChange(ChangeKind.FORM if is_same else ChangeKind.OPPOSITE, opposites[:1], opposites[1:])
        settled = negations if is_same else ()
        mine, theirs = (
            _remove_terms(mine, (*opposites[:1], *settled)),
            _remove_terms(theirs, (*opposites[1:], *settled)),
        )
    both = {term.sort for term in mine} & {term.sort for term in theirs}
    for sort, kind in _REPLACED.items():
        if sort in both:
            first, second = _select_sort(mine, sort), _select_sort(theirs, sort)
            yield TermChange(kind, first, second)
            mine, theirs = _remove_terms(mine, first), _remove_terms(theirs, second)
    yield from _pair_other_sorts(mine, theirs)


def _are_opposites(a: Term, b: Term) -> bool:
    return are_opposites(a.key, b.key) or are_opposites(stem(a.text), stem(b.text))


def _pair_other_sorts(mine: list[Term], theirs: list[Term]) -> Iterator[TermChange]:
    """Yield replacements of another sort, such as a name for a word or a year for a figure."""
    for kind, sorts in _MIXED:
        first, second = _select_sort(mine, *sorts), _select_sort(theirs, *sorts)
        if first and second:
            yield TermChange(kind, first, second)
            mine, theirs = _remove_terms(mine, first), _remove_terms(theirs, second)
    yield from _additions(mine, theirs)


def _remove_terms(some: list[Term], taken: Sequence[Term]) -> list[Term]:
    return [term for term in some if term not in taken]
