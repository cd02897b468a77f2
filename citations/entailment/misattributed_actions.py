"""Finds claims that attribute an action to another agent than their source sentence does.

Based on the order of words around a verb; doubtful cases are not reported. "Ann beat Bob" and "Bob was beaten by Ann"
are one statement, "Bob beat Ann" is another.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from citations.entailment.split_claim_clauses import (
    FORMS_OF_BE,
    PREPOSITIONS,
    WordSubstitution,
    clause,
    content,
    ends_phrase,
    head,
    is_finite,
    phrase,
    stems,
)
from citations.text.claim_words_and_stems import Word, is_past, is_plural, stem, words

_DETERMINERS = frozenset("the a an its their his her our your my no all any some this these each".split())
_MAX_PLACES = 4  # of one verb in a sentence; more is a list


@lru_cache(maxsize=1)
def _mutual() -> frozenset[str]:
    """Return stems of reciprocal verbs, whose agents are interchangeable."""
    verbs = (
        "marry meet merge border adjoin resemble equal match agree collaborate cooperate differ divorce debate join "
        "connect link combine mix compare relate associate correlate include involve"
    )
    return frozenset(map(stem, verbs.split()))


@dataclass(frozen=True, slots=True)
class _Roles:
    """The words around one verb: `doer` is the agent, `rest` all others of the clause."""

    doer: Sequence[Word]
    rest: Sequence[Word]


def find_swapped_doers(claim: str, said: str) -> Iterator[WordSubstitution]:
    """Yield agents of a claim for whose action the sentence has another agent."""
    mine, theirs = words(claim), words(said)
    for at, verb in enumerate(mine):
        places = [place for place, word in enumerate(theirs) if word.stem == verb.stem]
        if not verb.is_content or not 0 < len(places) <= _MAX_PLACES or verb.stem in _mutual():
            continue
        is_sure = _is_verb(mine, at) or any(_is_verb(theirs, place) for place in places)
        if is_sure or _may_be_verb(mine, at):
            yield from _compare_verb_doers(
                _ActionSide(claim, mine), at, _ActionSide(said, theirs), places, is_sure
            )


@dataclass(frozen=True, slots=True)
class _ActionSide:
    text: str
    words: Sequence[Word]


def _compare_verb_doers(
    claim: _ActionSide, at: int, said: _ActionSide, places: Sequence[int], is_sure: bool
) -> Iterator[WordSubstitution]:
    of_patient = _is_passive(claim.words, at) and _agent_of(claim, at) is None
    own = _roles(claim, at, of_patient)
    doer = head(own.doer) if own else None
    if own is None or doer is None or doer.stem in stems(own.rest) or is_past(doer.text):
        return
    finite = [place for place in places if not said.words[place].text.endswith("ing")]
    found = [roles for place in finite if (roles := _roles(said, place, of_patient)) is not None]
    is_bare = not any(ends_phrase(word) for word in clause(claim.text, claim.words, at)[0][:-1])
    named = stems(said.words) if is_sure and is_bare else frozenset()
    other = _other_doer(doer, stems(own.rest), found, named)
    if other is not None:
        yield WordSubstitution(doer, other)


def _other_doer(
    doer: Word, rest: frozenset[str], found: Sequence[_Roles], named: frozenset[str]
) -> Word | None:
    """Return the agent of the action by the sentence; None if it is the claim's agent, or cannot be determined.

    A person whom the sentence names, but not as an agent, does not act in it.
    """
    if any(doer.stem in stems(each.doer) and rest & stems(each.rest) for each in found):
        return None
    for each in found:
        if doer.stem in stems(each.rest) - stems(each.doer) and rest & stems(each.doer):
            return head(each.doer)
    for each in found if doer.stem in named else ():
        if each.doer and rest & stems(each.rest) and doer.stem not in stems(each.doer):
            return head(each.doer)
    return None


def _is_verb(some: Sequence[Word], at: int) -> bool:
    """True for a verb by its form: "sold", "approved", "causes the"."""
    word = some[at]
    if word.text.islower() and is_plural(word.text):
        return word.is_content and _next(some, at) in _DETERMINERS
    return word.is_content and is_past(word.text)


def _may_be_verb(some: Sequence[Word], at: int) -> bool:
    """True for a word after a plural that may be its verb: "cats chase mice"."""
    word = some[at].text
    is_base = word.islower() and not word.endswith(("s", "ing", "er", "ly"))
    before = some[at - 1] if at else None
    follows_plural = before is not None and before.is_content and is_plural(before.text)
    return is_base and follows_plural and _next(some, at) not in PREPOSITIONS


def _next(some: Sequence[Word], at: int) -> str:
    return some[at + 1].text.lower() if at + 1 < len(some) else ""


def _roles(side: _ActionSide, at: int, of_patient: bool) -> _Roles | None:
    """Return the roles around a verb; None if its form leaves them open.

    With `of_patient` those of a passive, with the patient in place of the agent.
    """
    before, after = clause(side.text, side.words, at)
    before = [*_subject_before(side, before), *before]
    is_passive = _is_passive(side.words, at)
    if of_patient:
        return _Roles(content(before), content(after)) if is_passive else None
    if not is_passive:
        is_open = _next(side.words, at) in PREPOSITIONS  # "signed to" is ambiguous
        return None if is_open else _Roles(content(before), content(after))
    doer = _agent_of(side, at)
    if doer is None:
        return None
    return _Roles(content(doer), content([word for word in (*before, *after) if word not in doer]))


def _agent_of(side: _ActionSide, at: int) -> list[Word] | None:
    """Return the words after the "by" of a passive, with the others of a list; None if there are none."""
    _, after = clause(side.text, side.words, at)
    by = next((place for place, word in enumerate(after) if word.text.lower() == "by"), None)
    if by is None:
        return None
    listed = list(after[by + 1 :])
    following = [word for word in side.words if listed and word.start > listed[-1].start]
    while following:
        piece = [following[0], *clause(side.text, side.words, side.words.index(following[0]))[1]]
        if any(map(is_finite, piece)):
            break
        listed += piece
        following = following[len(piece) :]
    return phrase(listed)


def _subject_before(side: _ActionSide, before: Sequence[Word]) -> list[Word]:
    """Return the words of a subject before the break at which a clause begins: "Ann and" in "Ann and |Bob sold"."""
    start = before[0].start if before else None
    earlier = [word for word in side.words if start is not None and word.start < start]
    found: list[Word] = []
    while earlier:
        left = clause(side.text, side.words, len(earlier) - 1)[0]
        piece = [*left, earlier[-1]]
        if any(map(is_finite, piece)):
            break
        found = [*piece, *found]
        earlier = earlier[: -len(piece)]
    return found


def _is_passive(some: Sequence[Word], at: int) -> bool:
    near = [word.text.lower() for word in some[max(0, at - 3) : at]]
    follows_be = not some[at].text.endswith("ing") and any(each in FORMS_OF_BE for each in near)
    return _next(some, at) == "by" or follows_be
