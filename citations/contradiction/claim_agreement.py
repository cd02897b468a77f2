"""Decides if two sentences say the same of the same thing, in whatever words."""

from itertools import product

from citations.contradiction.align_claim_statements import StatementOverlap, lay_statements, meets
from citations.contradiction.claim_comparison_measures import (
    ComparedClaim,
    entity_overlap,
    places_overlap,
    times_overlap,
)
from citations.contradiction.claim_stances import stances
from citations.contradiction.claim_statement_conflicts import (
    difference,
    goes_on,
    is_code,
    limits_of,
    names_of,
    turns,
)
from citations.contradiction.parse_claim_statements import FigureRole, blank_asides, read_statement
from citations.dates.find_dates import find_times
from citations.find_quantities import find_quantities
from citations.quantities.compare_amounts import Match, states
from citations.quantities.quantity_types import Quantity
from citations.text.claim_words_and_stems import content_stems

# Shares of either side's words that the other has: of the side that says less, and of the one that says more.
_SAID, _SAID_BY_MORE = 0.85, 0.5
_LIKELY, _LIKELY_BY_MORE = (
    0.6,
    0.4,
)  # the same, for embeddings as near as those of equal statements
_NEAR = 0.8  # cosine


def may_agree(a: ComparedClaim, b: ComparedClaim) -> bool:
    """False if the two name different things in one place, or one says yes and the other no."""
    return not _align_statements(a, b).contrasts and not turns(a.text, b.text)


def say_the_same(
    a: ComparedClaim, b: ComparedClaim, semantic: float | None = None, near: float = _NEAR
) -> bool:
    """True if one sentence states all that the other does, without conflict; symmetric.

    `near` is the cosine from which two sentences are as near by embedding as those that say the same.
    """
    if any(is_code(each.text) or goes_on(each.text) for each in (a, b)):
        return False
    laid = _align_statements(a, b)
    if laid.contrasts or laid.turned or laid.limited or not _is_said_by_both(laid, semantic, near):
        return False
    if not times_overlap(a, b) or not places_overlap(a.text, b.text) or not _name_the_same(a, b):
        return False
    return _have_the_same_facts(a.text, b.text) and difference(a.text, b.text, semantic) is None


def _align_statements(a: ComparedClaim, b: ComparedClaim) -> StatementOverlap:
    """Align two statements; words of a statement's heading need not recur in its text."""
    shared = _find_shared_answer_words(a.text, b.text)
    return lay_statements(a.text, b.text, shared, (content_stems(a.subject), content_stems(b.subject)))


def _find_shared_answer_words(a: str, b: str) -> frozenset[str]:
    """Return the words by which both give the same answer: "turned off", "no ... is enabled"."""
    alike = (
        f"{mine.text} {theirs.text}"
        for mine, theirs in product(stances(blank_asides(a)), stances(blank_asides(b)))
        if (mine.question, mine.answer) == (theirs.question, theirs.answer)
    )
    own, others = read_statement(a).words, read_statement(b).words
    return frozenset(word for text in alike for word in content_stems(text) if word not in own & others)


def _is_said_by_both(laid: StatementOverlap, semantic: float | None, near: float) -> bool:
    if laid.shared < 2:
        return False
    if laid.most_covered >= _SAID and laid.least_covered >= _SAID_BY_MORE and not laid.does_other:
        return True
    is_near = semantic is not None and semantic >= near
    return is_near and laid.most_covered >= _LIKELY and laid.least_covered >= _LIKELY_BY_MORE


def _name_the_same(a: ComparedClaim, b: ComparedClaim) -> bool:
    mine, theirs = names_of(a.text), names_of(b.text)
    return entity_overlap(mine - names_of(b.subject), theirs - names_of(a.subject)) >= 0.5


def _have_the_same_facts(a: str, b: str) -> bool:
    """True if each figure and time of the one that has fewer is in the other, and none is denied on one side only."""
    first, second = read_statement(a), read_statement(b)
    if (first.roles ^ second.roles) - {FigureRole.DEFAULT} and not _are_bounded_alike(a, b):
        return False
    answer_words = frozenset().union(
        *(content_stems(each.text) for text in (a, b) for each in stances(blank_asides(text)))
    )
    if bool(_select_unshared(first.denied - answer_words, second.denied)) != bool(
        _select_unshared(second.denied - answer_words, first.denied)
    ):
        return False
    mine, theirs = find_quantities(blank_asides(a)), find_quantities(blank_asides(b))
    fewer, more = sorted((mine, theirs), key=len)
    if mine and theirs and not all(any(_is_same(x, y) for y in more) for x in fewer):
        return False
    times = find_times(blank_asides(a)), find_times(blank_asides(b))
    return not (all(times) and not any(x.overlaps(y) for x, y in product(*times)))


def _select_unshared(words: frozenset[str], others: frozenset[str]) -> list[str]:
    return [word for word in words if not any(meets(word, each) for each in others)]


def _are_bounded_alike(a: str, b: str) -> bool:
    """True for "limited to 50 MB" beside "at most 50 MB"."""
    return any(
        x.quantity.bound == y.quantity.bound and _is_same(x.quantity, y.quantity)
        for x, y in product(*limits_of(a, b))
    )


def _is_same(x: Quantity, y: Quantity) -> bool:
    """True for figures that are equal up to rounding: slightly different figures are not the same report."""
    return Match.SAME in (states(x, y), states(y, x))
