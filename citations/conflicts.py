"""Whether two sentences are in conflict, and how: numeric, temporal, by polarity, or by category."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache

from citations.agreement import Match, agree
from citations.alignment import Part, PartKind, align
from citations.entities import find_entities
from citations.polarity import Force, force
from citations.quantities import Quantity, find_quantities
from citations.similarity import (
    Statement,
    entity_overlap,
    numeric_match,
    places_overlap,
    times_overlap,
)
from citations.times import find_times
from citations.wording import content_stems, stem, words


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
_SAME_EVENT = 0.7
_LIKELY = 0.6  # cosine that makes up for few shared words
_COPY = 0.7  # of the words in the same order
_CODED = re.compile(r"(?=.*[a-z])(?=.*\d)")  # a name with digits: sha256, django 5.2
_PERMISSION = frozenset(stem(each) for each in ("permit", "allow", "accept", "support", "accommodate"))
_EVENT = re.compile(
    r"\b(?:born|died|founded|published|released|established|launched|introduced|opened|signed|adopted|built|"
    r"completed|created|invented|discovered|elected|began|ended|started|issued|withdrawn)\b",
    re.IGNORECASE,
)


def difference(a: str, b: str, cosine: float | None = None) -> Difference | None:
    """The conflict between two sentences; None when they agree or speak of different things."""
    shared, dice = _likeness(a, b)
    likely = cosine is not None and cosine >= _LIKELY
    if not likely and (shared < _SAME_TOPIC or dice < _SAME_WORDING):
        return None
    if not _same_things(a, b):
        return None
    return _temporal(a, b, dice) or _in_setting(a, b, dice, likely)


def _in_setting(a: str, b: str, dice: float, likely: bool) -> Difference | None:
    """Conflicts that need one time and place."""
    if not times_overlap(Statement(a), Statement(b)) or not places_overlap(a, b):
        return None
    return _numeric(a, b) or _categorical(a, b) or _polarity(a, b, dice, likely)


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
    if coded[0] - theirs and coded[1] - mine and not _swapped(a, b):
        return False
    return entity_overlap(mine, theirs) >= 0.5 or bool(_swapped(a, b))


def _names(text: str) -> frozenset[str]:
    return frozenset(entity.key for entity in find_entities(text))


def _numeric(a: str, b: str) -> Difference | None:
    mine, theirs = find_quantities(a), find_quantities(b)
    if numeric_match(mine, theirs) is not Match.DIFFERENT or _sets_another_limit(a, b):
        return None
    pairs = [(x, y) for x in mine for y in theirs if not x.is_former and not y.is_former]
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
    if dice < _SAME_EVENT or len(mine) != 1 or len(theirs) != 1 or not mine[0].conflicts(theirs[0]):
        return None
    if {each.lower() for each in _EVENT.findall(a)} & {each.lower() for each in _EVENT.findall(b)}:
        return Difference(ConflictKind.TEMPORAL, mine[0].text, theirs[0].text)
    return None


def _polarity(a: str, b: str, dice: float, likely: bool) -> Difference | None:
    if not (likely or dice >= 0.5):
        return None
    found = polarity_conflicts(a, b)
    if not found:
        return None
    return Difference(ConflictKind.POLARITY, found[0].text, found[0].source)


def _categorical(a: str, b: str) -> Difference | None:
    return next(iter(_swapped(a, b)), None)


def _swapped(a: str, b: str) -> list[Difference]:
    """Names that stand in each other's place in two sentences that are otherwise alike.

    A change at the start of the sentence is another subject and so another statement; versions are, too.
    """
    mine, theirs = words(a), words(b)
    matcher = SequenceMatcher(None, [w.stem for w in mine], [w.stem for w in theirs], False)
    if matcher.real_quick_ratio() < _COPY or matcher.ratio() < _COPY:
        return []
    return list(_swaps(a, b, matcher))


def _swaps(a: str, b: str, matcher: "SequenceMatcher[str]") -> Iterator[Difference]:
    mine, theirs = words(a), words(b)
    names = {e.span.start for e in find_entities(a)}, {e.span.start for e in find_entities(b)}
    for operation, i, j, k, m in matcher.get_opcodes():
        if operation != "replace" or i < 3 or j - i > 3 or m - k > 3:
            continue
        first, second = mine[i:j], theirs[k:m]
        both_named = any(w.span.start in names[0] for w in first) and any(
            w.span.start in names[1] for w in second
        )
        # Numbers are another kind of conflict, and dotted names are paths in code.
        if both_named and not any(w.text[0].isdecimal() or "." in w.text for w in (*first, *second)):
            left, right = (" ".join(w.text for w in side) for side in (first, second))
            yield Difference(ConflictKind.CATEGORICAL, left, right)


def polarity_conflicts(a: str, b: str) -> tuple[Part, ...]:
    """Negations and opposite words that turn one text against the other, from both sides."""
    return tuple(
        part
        for claim, passage in ((a, b), (b, a))
        if (found := align(claim, passage)) is not None
        for part in found.conflicts
        if part.kind in (PartKind.POLARITY, PartKind.WORD)
    )
