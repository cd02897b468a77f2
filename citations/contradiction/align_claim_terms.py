"""Aligns two statements term by term, in order.

Equal terms are matched first; between them forms of one word, and terms that replace each other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from citations.contradiction.claim_statement_terms import Term, TermSort, terms
from citations.text.quote_normalizing import measure_common_prefix


class TermFit(IntEnum):
    """The degree to which two terms match; higher is better."""

    NONE = 0
    PLACE = 1  # one replaces the other
    NEAR = 2  # forms of one word, or one time in more detail
    SAME = 3


@dataclass(frozen=True, slots=True)
class TermPair:
    """One position of the alignment; one side is None if the other has no counterpart."""

    mine: Term | None
    theirs: Term | None
    fit: TermFit

    @property
    def meets(self) -> bool:
        return self.fit >= TermFit.NEAR


# Value of aligning two terms; a gap costs nothing, so any allowed pair is worth having.
_CONTENT = {TermFit.SAME: 40, TermFit.NEAR: 30, TermFit.PLACE: 6, TermFit.NONE: 0}
_FUNCTION = {TermFit.SAME: 12, TermFit.NEAR: 10, TermFit.PLACE: 0, TermFit.NONE: 0}
_OTHER_SORT = 3
_PREFIX = 4
_ALIKE = 0.75


def lay(a: str, b: str) -> tuple[TermPair, ...]:
    """Align two statements, in the order of both; exchanging them exchanges the sides of each pair."""
    if a > b:  # so that ties are broken in the same way
        return tuple(TermPair(pair.theirs, pair.mine, pair.fit) for pair in lay(b, a))
    return tuple(_align_terms(terms(a), terms(b)))


def _align_terms(mine: Sequence[Term], theirs: Sequence[Term]) -> Iterator[TermPair]:
    """Yield equal terms first; then the terms between two of them."""
    i = j = 0
    for next_i, next_j in (*_anchors(mine, theirs), (len(mine), len(theirs))):
        if i < next_i or j < next_j:
            yield from _between(mine[i:next_i], theirs[j:next_j])
        if next_i < len(mine) and next_j < len(theirs):
            yield TermPair(mine[next_i], theirs[next_j], TermFit.SAME)
        i, j = next_i + 1, next_j + 1


def _anchors(mine: Sequence[Term], theirs: Sequence[Term]) -> list[tuple[int, int]]:
    """Return the positions of equal terms that are in the same order on both sides and have the greatest weight."""
    head = _common(mine, theirs)
    tail = _common(mine[head:][::-1], theirs[head:][::-1])
    ends = len(mine) - tail, len(theirs) - tail
    inner = _heaviest(mine[head : ends[0]], theirs[head : ends[1]])
    anchors = [(place, place) for place in range(head)]
    anchors += [(head + i, head + j) for i, j in inner]
    return anchors + [(ends[0] + place, ends[1] + place) for place in range(tail)]


def _common(mine: Sequence[Term], theirs: Sequence[Term]) -> int:
    count = 0
    for first, second in zip(mine, theirs, strict=False):
        if first.key != second.key:
            break
        count += 1
    return count


def _heaviest(mine: Sequence[Term], theirs: Sequence[Term]) -> list[tuple[int, int]]:
    """Return the heaviest common subsequence of keys (Wagner and Fischer 1974, with weights)."""
    keys = [term.key for term in theirs]
    best = [[0] * (len(theirs) + 1)]
    for term in reversed(mine):
        weight = _CONTENT[TermFit.SAME] if term.is_content else _FUNCTION[TermFit.SAME]
        best.append(_row(term.key, weight, keys, best[-1]))
    best.reverse()
    return list(_steps(mine, keys, best))


def _row(key: str, weight: int, keys: list[str], below: list[int]) -> list[int]:
    """Compute one row of the table, from its end."""
    row, right = [0], 0
    for j in range(len(keys) - 1, -1, -1):
        down = below[j]
        right = max(down, right)
        if keys[j] == key:
            right = max(right, below[j + 1] + weight)
        row.append(right)
    row.reverse()
    return row


def _steps(mine: Sequence[Term], keys: list[str], best: list[list[int]]) -> Iterator[tuple[int, int]]:
    i = j = 0
    while i < len(mine) and j < len(keys):
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            yield i, j
            i, j = i + 1, j + 1


def _between(mine: Sequence[Term], theirs: Sequence[Term]) -> Iterator[TermPair]:
    """Yield the best alignment (Needleman and Wunsch 1970) of two parts without an equal term in order."""
    i = j = 0
    if mine and theirs:
        best = _table(mine, theirs)
        while i < len(mine) and j < len(theirs):
            worth = value(mine[i], theirs[j])
            if worth and best[i][j] == best[i + 1][j + 1] + worth:
                yield TermPair(mine[i], theirs[j], fit(mine[i], theirs[j]))
                i, j = i + 1, j + 1
            elif best[i][j] == best[i + 1][j]:
                yield TermPair(mine[i], None, TermFit.NONE)
                i += 1
            else:
                yield TermPair(None, theirs[j], TermFit.NONE)
                j += 1
    yield from (TermPair(each, None, TermFit.NONE) for each in mine[i:])
    yield from (TermPair(None, each, TermFit.NONE) for each in theirs[j:])


def _table(mine: Sequence[Term], theirs: Sequence[Term]) -> list[list[int]]:
    """Compute the alignment table: the value of the best alignment of the rest, from each pair of positions on."""
    best = [[0] * (len(theirs) + 1) for _ in range(len(mine) + 1)]
    for i in range(len(mine) - 1, -1, -1):
        row, below = best[i], best[i + 1]
        for j in range(len(theirs) - 1, -1, -1):
            row[j] = max(below[j], row[j + 1], below[j + 1] + value(mine[i], theirs[j]))
    return best


def value(a: Term, b: Term) -> int:
    """Return the value of a pair of terms in an alignment; 0 if they cannot be aligned."""
    if TermSort.FUNCTION in (a.sort, b.sort):
        return _FUNCTION[fit(a, b)] if a.sort is b.sort else 0
    found = fit(a, b)
    if found is TermFit.PLACE and a.sort is not b.sort:
        return _OTHER_SORT
    return _CONTENT[found]


def fit(a: Term, b: Term) -> TermFit:
    if a.key == b.key:
        return TermFit.SAME
    if _are_times_nested(a, b) or _same_amount(a, b):
        return TermFit.NEAR
    words = {TermSort.WORD, TermSort.NAME}
    if a.sort in words and b.sort in words and is_form(a.key, b.key):
        return TermFit.NEAR
    return TermFit.PLACE


def _are_times_nested(a: Term, b: Term) -> bool:
    """True if one time names what the other names, and perhaps more."""
    if not a.time or not b.time or (a.time.end is None) != (b.time.end is None):
        return False
    ends = [(a.time.start, b.time.start)]
    if a.time.end and b.time.end:
        ends.append((a.time.end, b.time.end))
    return all(first.covers(second) for first, second in ends) or all(
        second.covers(first) for first, second in ends
    )


def _same_amount(a: Term, b: Term) -> bool:
    """True for one amount written in two ways, or rounded on one side."""
    first, second = a.quantity, b.quantity
    if not first or not second or first.unit != second.unit:
        return False
    if ("percent" in (first.kind, second.kind)) and first.kind is not second.kind:
        return False
    step = max(first.step, second.step)
    exact = 1e-9 * max(abs(first.high), abs(second.high))
    slack = step / 2 if first.step != second.step else exact
    return abs(first.low - second.low) <= slack and abs(first.high - second.high) <= slack


def is_form(a: str, b: str) -> bool:
    """True for two spellings or derived forms of one word; symmetric."""
    if min(len(a), len(b)) < _PREFIX or not (a.isalpha() and b.isalpha()):
        return False
    shared = measure_common_prefix(a, b)
    if shared >= _PREFIX and shared >= _ALIKE * max(len(a), len(b)):
        return True
    return shared >= 1 and _one_edit(a, b) and min(len(a), len(b)) >= 5


def _one_edit(a: str, b: str) -> bool:
    short, long = sorted((a, b), key=len)
    at = measure_common_prefix(short, long)
    return short[at + (len(short) == len(long)) :] == long[at + 1 :]
