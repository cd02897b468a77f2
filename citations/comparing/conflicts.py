"""Whether two sentences are in conflict, and how: numeric, temporal, by polarity, or by category.

Made for sentences of documents, where most that are alike say different things: precision goes before recall.
A replaced part counts only in sentences that are otherwise nearly alike, or as a figure for the same measure;
code, settings and announcements of lists are no statements.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import product

from citations.comparing.changes import REPLACING, Change, Kind
from citations.comparing.comparison import Comparison, compare_terms
from citations.comparing.dated import dated, is_aimed_at
from citations.comparing.gates import (
    Statement,
    entity_overlap,
    numeric_match,
    places_overlap,
    same_event,
    times_overlap,
)
from citations.comparing.terms import Term, terms
from citations.dating.times import find_times
from citations.language.polarity import Force, force, negations
from citations.language.wording import content_stems, stem, words
from citations.measuring.agreement import Match, agree
from citations.naming.entities import find_entities
from citations.quantities import Quantity, find_quantities


class ConflictKind(StrEnum):
    NUMERIC = "numeric"
    TEMPORAL = "temporal"
    POLARITY = "polarity"
    CATEGORICAL = "categorical"


@dataclass(frozen=True, slots=True)
class Difference:
    """How two sentences conflict: the words of either side that cannot both hold."""

    kind: ConflictKind
    mine: str
    theirs: str

    @property
    def text(self) -> str:
        return f"“{self.mine}” against “{self.theirs}”"


_SAME_TOPIC = 0.6  # share of the shorter claim's words that the other has, too
_SAME_WORDING = 0.35  # Dice coefficient below which a short claim is only contained in a long one
_LIKELY = 0.6  # cosine that makes up for few shared words, down to:
_LIKELY_TOPIC = 0.4
_SAME_EVENT = 0.7
_COPY = 0.7  # of the terms meet in order
_TURNED_COPY = 0.6  # the same where a negation or an opposite says that the rest is meant alike
_TURNED_CHANGES = 2  # the negation or opposite, and one more
_OPENING = 3  # terms in which a change is another subject and so another statement
_CODE_SHARE = 0.025  # of the characters
_CODE_MARKS = 2
_CODE = re.compile(r"[{}=<>$\\*;_|#~^]|\w\(|::")
_CODED = re.compile(r"(?=.*[a-z])(?=.*\d)")  # a name with digits: sha256, django 5.2
_PERMISSION = frozenset(stem(each) for each in ("permit", "allow", "accept", "support", "accommodate"))
_FORBIDDEN = re.compile(r"\b(?:should|shall|must|ought to)\s+(?:not|never)\b", re.IGNORECASE)
_REACH = 6  # content words


def difference(a: str, b: str, cosine: float | None = None) -> Difference | None:
    """The conflict between two sentences; None when they agree or speak of different things."""
    shared, dice = _likeness(a, b)
    on_topic = shared >= _SAME_TOPIC and dice >= _SAME_WORDING
    likely = cosine is not None and cosine >= _LIKELY and shared >= _LIKELY_TOPIC
    if not on_topic and not likely:
        return None
    if is_code(a) or is_code(b) or (_announces(a) and _announces(b)):
        return None
    found = compare_terms(a, b)
    swapped = _categorical(a, b, found)
    if swapped is None and not _same_things(a, b):
        return None
    return _temporal(a, b, dice) or _in_setting(a, b, found, swapped, on_topic)


def is_code(text: str) -> bool:
    """True for a line of a program, a setting or a formula rather than a sentence."""
    marks = len(_CODE.findall(text))
    return marks >= _CODE_MARKS and marks > _CODE_SHARE * len(text)


def _announces(text: str) -> bool:
    """It says that something follows: "There are three parameters of the index:"."""
    return text.rstrip().endswith(":")


def _in_setting(
    a: str, b: str, found: Comparison, swapped: Difference | None, on_topic: bool
) -> Difference | None:
    """Conflicts that need one time and place; figures of sentences that share few words measure other things."""
    if not times_overlap(Statement(a), Statement(b)) or not places_overlap(a, b):
        return None
    is_figured = on_topic and is_aimed_at(a) == is_aimed_at(b)
    numeric = (_of_one_time(a, b) or _replaced_figure(found) or _numeric(a, b)) if is_figured else None
    return numeric or swapped or _turned(found) or _forbidden(a, b)


def _likeness(a: str, b: str) -> tuple[float, float]:
    """Shared content words relative to the shorter sentence, and to both (Dice)."""
    mine, theirs = _topic(a), _topic(b)
    both = len(mine & theirs)
    if both < 2:
        return 0.0, 0.0
    return both / min(len(mine), len(theirs)), 2 * both / (len(mine) + len(theirs))


@lru_cache(maxsize=32_768)  # every claim of a large run, since pairs come back to each many times
def _topic(text: str) -> frozenset[str]:
    """Content words without times and numerals: what the sentence is about, not what it says of it."""
    kept, position = [], 0
    for mention in find_times(text):
        kept.append(text[position : mention.span.start])
        position = mention.span.end
    return frozenset(
        each for each in content_stems(" ".join([*kept, text[position:]])) if not each[0].isdecimal()
    )


def _same_things(a: str, b: str) -> bool:
    """True when names overlap by half, and neither side has versions or coded names of its own only."""
    mine, theirs = _names(a), _names(b)
    coded = {name for name in mine if _CODED.search(name)}, {name for name in theirs if _CODED.search(name)}
    if coded[0] - theirs and coded[1] - mine:
        return False
    return entity_overlap(mine, theirs) >= 0.5


def _names(text: str) -> frozenset[str]:
    return frozenset(entity.key for entity in find_entities(text))


def _replaced_figure(found: Comparison) -> Difference | None:
    """A figure in another's place in two sentences that are otherwise alike."""
    replaced = [change for change in found.changes if change.kind in REPLACING]
    if found.in_order < _COPY or any(change.kind is not Kind.FIGURE for change in replaced):
        return None
    pairs = (
        (mine.quantity, theirs.quantity) for one in replaced for mine, theirs in product(one.mine, one.theirs)
    )
    for mine, theirs in pairs:
        if mine and theirs and not mine.is_former and agree(mine, theirs) is Match.DIFFERENT:
            return Difference(ConflictKind.NUMERIC, _phrase(mine), _phrase(theirs))
    return None


def _of_one_time(a: str, b: str) -> Difference | None:
    """Two figures that either side gives for the same time, whatever they are at other times."""
    if len(find_times(a)) < 2 and len(find_times(b)) < 2:
        return None
    pairs = [(x, y) for x, y in product(dated(a), dated(b)) if x.is_of_same_time(y) and x.may_meet(y)]
    apart = ((x, y) for x, y in pairs if agree(x.quantity, y.quantity) is Match.DIFFERENT)
    agreed = {id(x) for x, y in pairs if agree(x.quantity, y.quantity) is Match.SAME}
    first = next(((x, y) for x, y in apart if id(x) not in agreed), None)
    if first is None or _sets_another_limit(a, b):
        return None
    return Difference(ConflictKind.NUMERIC, *(_phrase(each.quantity) for each in first))


def _numeric(a: str, b: str) -> Difference | None:
    mine, theirs = find_quantities(a), find_quantities(b)
    if numeric_match(mine, theirs) is not Match.DIFFERENT or _sets_another_limit(a, b):
        return None
    meeting = [(x, y) for x, y in product(dated(a), dated(b)) if x.may_meet(y)]
    both = [(x.quantity, y.quantity) for x, y in meeting]
    pairs = [(x, y) for x, y in both if not x.is_former and not y.is_former]
    if any(agree(x, y) is Match.SAME for x, y in pairs):
        return None  # they agree in one figure of the thing, and tell more in another
    first = next((pair for pair in pairs if agree(*pair) is Match.DIFFERENT), None)
    return None if first is None else Difference(ConflictKind.NUMERIC, *map(_phrase, first))


def _phrase(quantity: Quantity) -> str:
    bound = "" if quantity.bound.value == "exact" else f"{quantity.bound.value} "
    return bound + quantity.text


def _sets_another_limit(a: str, b: str) -> bool:
    """True for "permit at least 64" beside "require at least 8", and for "should" beside "shall"."""
    forces = {force(a), force(b)} - {Force.NONE}
    return bool(content_stems(a) & _PERMISSION) != bool(content_stems(b) & _PERMISSION) or len(forces) > 1


def _temporal(a: str, b: str, dice: float) -> Difference | None:
    """The same event at two times; of anything but an event, another time is another statement."""
    mine, theirs = find_times(a), find_times(b)
    if dice < _SAME_EVENT:
        dice = _likeness(_without_tail(a), _without_tail(b))[1]
    if dice < _SAME_EVENT or len(mine) != 1 or len(theirs) != 1 or not mine[0].conflicts(theirs[0]):
        return None
    if same_event(a, b):
        return Difference(ConflictKind.TEMPORAL, mine[0].text, theirs[0].text)
    return None


def _without_tail(text: str) -> str:
    """Up to the comma after the time of an event: ", seven weeks later than planned" tells more of the same event."""
    times = find_times(text)
    comma = text.find(", ", times[-1].span.end) if times else -1
    return text if comma < 0 else text[:comma]


def _turned(found: Comparison) -> Difference | None:
    """One negation or opposite in sentences that say the same otherwise; two take each other back."""
    if found.in_order < _TURNED_COPY or found.carried < _SAME_EVENT:
        return None
    turns = [change for change in found.changes if change.kind in (Kind.NEGATION, Kind.OPPOSITE)]
    if len(turns) != 1 or found.count(set(Kind) - {Kind.FORM}) > _TURNED_CHANGES:
        return None
    mine, theirs = turns[0].sides
    return Difference(ConflictKind.POLARITY, mine or "(without)", theirs or "(without)")


def _forbidden(a: str, b: str) -> Difference | None:
    """Two rules of which one demands what the other tells not to do."""
    if min(force(a), force(b)) < Force.SHOULD:
        return None
    mine, theirs = _forbids(a), _forbids(b)
    if bool(mine) == bool(theirs) or negations(a if theirs else b):
        return None
    if len((mine or theirs) & content_stems(a) & content_stems(b)) < 2:
        return None
    return Difference(ConflictKind.POLARITY, _rule(a, bool(mine)), _rule(b, bool(theirs)))


def _forbids(text: str) -> frozenset[str]:
    """The next content words after "shall not" and the like."""
    match = _FORBIDDEN.search(text)
    if match is None:
        return frozenset()
    rest = [word.stem for word in words(text) if word.span.start >= match.end() and word.is_content]
    return frozenset(rest[:_REACH])


def _rule(text: str, forbids: bool) -> str:
    modal = "must" if force(text) is Force.MUST else "should"
    return f"{modal} not" if forbids else modal


def _categorical(a: str, b: str, found: Comparison) -> Difference | None:
    """A name in another's place, in two sentences that are otherwise alike.

    A change at the start of a sentence is another subject, and so another statement.
    """
    replaced = [change for change in found.changes if change.kind in REPLACING]
    if not replaced or found.in_order < _COPY or any(change.kind is not Kind.NAME for change in replaced):
        return None
    for change in replaced:
        if _opens(a, change.mine) or _opens(b, change.theirs) or not _is_other_name(change):
            return None
    return Difference(ConflictKind.CATEGORICAL, *replaced[0].sides)


def _opens(text: str, some: Sequence[Term]) -> bool:
    opening = terms(text)[:_OPENING]
    return any(term in opening for term in some)


def _is_other_name(change: Change) -> bool:
    """False for paths in code, and for "Sec." and "Section"."""
    short, long = sorted((side.casefold() for side in change.sides), key=len)
    if short.isalpha() and long.startswith(short):
        return False
    return not any("." in term.text or term.text[0].isdecimal() for term in change.mine + change.theirs)
