"""Compares the words of two statements: what both say, and where they are about different things or conditions."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from citations.contradiction.align_claim_terms import is_form
from citations.contradiction.parse_claim_statements import (
    ClauseKind,
    Phrase,
    SentenceReading,
    is_light,
    read_statement,
)
from citations.text.claim_polarity import are_opposites
from citations.text.claim_words_and_stems import are_kin, stem

_RECENT = 256  # pairs; each is needed again within one comparison
_SLOTS = frozenset(
    "in on for from to with without under at of between among during per within against".split()
)
_LIMITING = frozenset({"with", "without", "for", "under", "except"})
_SAME_CONDITION = 0.5  # share of the words of either condition


@dataclass(frozen=True, slots=True)
class StatementOverlap:
    """The overlap of two statements: what both say and what only one says.

    `mine` and `theirs` are the words that only one side says, `covered` the shares of each side's words that both say,
    `shared` the number of words that both say. `contrasts` are words in corresponding places that name different
    things, conditions or groups; `turned` opposite words that both say of their thing. `does_other` is true if each
    does something that the other does not, `is_conditional` if only one side has a condition or is about a part,
    `limited` also if it says so in passing.
    """

    mine: frozenset[str]
    theirs: frozenset[str]
    covered: tuple[float, float]
    contrasts: tuple[tuple[str, str], ...]
    turned: tuple[tuple[str, str], ...]
    does_other: bool
    limited: bool
    is_conditional: bool
    are_of_agents_only: bool
    shared: int

    @property
    def least_covered(self) -> float:
        return min(self.covered)

    @property
    def most_covered(self) -> float:
        return max(self.covered)


@lru_cache(maxsize=_RECENT)
def lay_statements(
    a: str,
    b: str,
    consumed: frozenset[str] = frozenset(),
    told: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset()),
) -> StatementOverlap:
    """Compare two statements.

    `consumed` are words that are compared elsewhere and count for neither side, `told` the words of the context of
    each.
    """
    mine, theirs = read_statement(a), read_statement(b)
    mine_only = _unmet(mine, theirs) - consumed - told[1]
    theirs_only = _unmet(theirs, mine) - consumed - told[0]
    turned = tuple(_find_opposites(mine, theirs, mine_only, theirs_only))
    mine_only -= {word for word, _ in turned}
    theirs_only -= {other for _, other in turned}
    return StatementOverlap(
        mine=mine_only,
        theirs=theirs_only,
        covered=(
            _compute_coverage(mine, mine_only, consumed, turned, 0),
            _compute_coverage(theirs, theirs_only, consumed, turned, 1),
        ),
        contrasts=tuple(_contrasts(mine, theirs, mine_only, theirs_only)),
        turned=turned,
        does_other=bool(mine_only & mine.verbs and theirs_only & theirs.verbs),
        limited=_is_limited(mine, theirs, mine_only) or _is_limited(theirs, mine, theirs_only),
        is_conditional=_is_parted(mine, theirs, mine_only) or _is_parted(theirs, mine, theirs_only),
        are_of_agents_only=_are_of_agents(mine, theirs, mine_only, theirs_only),
        shared=len(mine.words - mine_only - {word for word, _ in turned}),
    )


_SAME_LINES = """
end terminate cancel
remove delete erase
guarantee warranty
error exception
choose select pick
show display
send transmit
reject refuse decline
happen occur
store save
travel ride
forbid prohibit ban
increase rise grow climb growth
decrease fall decline drop reduce reduction lower
"""
_SAME = {stem(word): number for number, line in enumerate(_SAME_LINES.split("\n")) for word in line.split()}


@lru_cache(maxsize=65_536)
def meets(first: str, second: str) -> bool:
    """True for stems of one word, of one family, or of synonyms."""
    if first == second or first in _SAME and _SAME[first] == _SAME.get(second):
        return True
    return first[:1] == second[:1] and (is_form(first, second) or are_kin(first, second))


def _unmet(mine: SentenceReading, theirs: SentenceReading) -> frozenset[str]:
    rest = theirs.words
    return frozenset(
        word
        for word in mine.words - rest
        if not is_light(word) and not any(meets(word, other) for other in rest)
    )


def _compute_coverage(
    reading: SentenceReading,
    only: frozenset[str],
    consumed: frozenset[str],
    turned: tuple[tuple[str, str], ...],
    side: int,
) -> float:
    weighed = (
        {word for word in reading.words if not is_light(word)} - consumed - {pair[side] for pair in turned}
    )
    return 1 - len(only & weighed) / len(weighed) if weighed else 1.0


def _find_opposites(
    mine: SentenceReading, theirs: SentenceReading, mine_only: frozenset[str], theirs_only: frozenset[str]
) -> Iterator[tuple[str, str]]:
    """Yield opposite words, one from each side, except mere attributes: "in the north", "old houses"."""
    for first, second in product(sorted(mine_only), sorted(theirs_only)):
        if are_opposites(first, second) and not (
            _is_attribute(first, mine) and _is_attribute(second, theirs)
        ):
            yield first, second


def _is_attribute(word: str, reading: SentenceReading) -> bool:
    """True for a word before a head, or after a preposition."""
    if word in reading.verbs:
        return False
    places = [phrase for phrase in reading.phrases if word in phrase.words]
    return all(
        word != phrase.head or phrase.preposition in _SLOTS or _is_plain_subject(phrase, reading)
        for phrase in places
    )


def _is_plain_subject(phrase: Phrase, reading: SentenceReading) -> bool:
    """True for "exports" in "exports rose", not for "a rise in exports"."""
    if not phrase.opens:
        return False
    following = next((each for each in reading.phrases if each.governor == phrase.head), None)
    return following is None or following.preposition not in ("in", "of")


def _contrasts(
    mine: SentenceReading, theirs: SentenceReading, mine_only: frozenset[str], theirs_only: frozenset[str]
) -> Iterator[tuple[str, str]]:
    for phrase, other in product(mine.phrases, theirs.phrases):
        ours, others = _own(phrase, mine_only), _own(other, theirs_only)
        if ours and others and _stand_in_one_place(phrase, other, ours, others):
            yield " ".join(ours), " ".join(others)
    if _have_different_conditions(mine, theirs):
        yield "condition", "condition"


def _are_of_agents(
    mine: SentenceReading, theirs: SentenceReading, mine_only: frozenset[str], theirs_only: frozenset[str]
) -> bool:
    """True if nothing but the subjects contrast."""
    rest = [[phrase for phrase in reading.phrases if not phrase.opens] for reading in (mine, theirs)]
    return not any(
        _stand_in_one_place(first, second, _own(first, mine_only), _own(second, theirs_only))
        for first, second in product(*rest)
        if _own(first, mine_only) and _own(second, theirs_only)
    )


def _own(phrase: Phrase, only: frozenset[str]) -> list[str]:
    return [word for word in phrase.words if word in only]


def _stand_in_one_place(first: Phrase, second: Phrase, ours: list[str], others: list[str]) -> bool:
    heads = first.head in ours, second.head in others
    if not any(heads) and meets(first.head, second.head):  # the treatment group, the placebo group
        return not ({*ours} <= first.participles or {*others} <= second.participles)  # "memorized" says less
    if not all(heads):
        return False
    are_apart = len(ours) == len(first.words) and len(others) == len(second.words)
    if not are_apart:  # removes old backups, removes inactive accounts
        return bool({*first.words} & {*second.words})
    if first.opens and second.opens:
        return True
    if first.preposition != second.preposition or first.clause is not second.clause:
        return False
    if first.preposition in _SLOTS and first.preposition != "of":
        return True
    return bool(first.governor) and meets(first.governor, second.governor)


def _have_different_conditions(mine: SentenceReading, theirs: SentenceReading) -> bool:
    first, second = mine.condition, theirs.condition
    return bool(first and second) and not (_is_said(first, theirs) or _is_said(second, mine))


def _is_said(condition: frozenset[str], other: SentenceReading) -> bool:
    weighed = [word for word in condition if not is_light(word)]
    said = sum(any(meets(word, each) for each in other.words) for word in weighed)
    return not weighed or said >= _SAME_CONDITION * len(weighed)


def _is_parted(mine: SentenceReading, theirs: SentenceReading, only: frozenset[str]) -> bool:
    """True for a condition that the other side lacks, or a subject that is only a part of the other's."""
    return not _is_said(mine.condition, theirs) or bool(mine.limits & only)


def _is_limited(mine: SentenceReading, theirs: SentenceReading, only: frozenset[str]) -> bool:
    """True for a condition or a part that the other side lacks: "guide dogs", "with a special licence"."""
    if _is_parted(mine, theirs, only):
        return True
    if mine.has_early_figure and not theirs.has_early_figure:
        return True
    return any(
        (phrase.preposition in _LIMITING and phrase.head in only)
        or (phrase.opens and phrase.head not in only and bool(_own(phrase, only)))
        for phrase in mine.phrases
        if phrase.clause is ClauseKind.MAIN
    )
