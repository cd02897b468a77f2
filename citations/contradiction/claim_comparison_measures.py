"""The six measures by which two claims are compared: similarity, names, figures, units, times and places."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from citations.contradiction.claim_statement_changes import REPLACING, TURNING, ChangeKind, TermChange
from citations.contradiction.claim_statement_terms import MAX_CHARACTERS, terms
from citations.contradiction.compare_claim_statements import Comparison, compare_terms
from citations.contradiction.contradiction_probability import clash
from citations.contradiction.contradiction_profiles import clash_profile
from citations.dates.find_dates import Period, find_times
from citations.entities.entities import find_entities
from citations.entities.find_place_entities import overlap, place_key
from citations.find_quantities import Quantity, find_quantities
from citations.quantities.compare_amounts import Match, agree

_VALUES = frozenset({ChangeKind.FIGURE, ChangeKind.TIME})
_THINGS = frozenset({ChangeKind.NAME, ChangeKind.WORD})
_NEAR_COPY = 0.8  # share of the terms that match in order
_ONE_EVENT = 5  # shared content terms from which near copies are about the same event, whatever they say
_OPENING = 2  # terms; a time among them ("In 2016, ...") says when the statement holds
_EVENT = re.compile(
    r"\b(?:born|died|founded|published|released|established|launched|introduced|opened|signed|adopted|built|"
    r"completed|created|invented|discovered|elected|began|ended|started|issued|withdrawn|destroyed|demolished|abolished|"
    r"crowned|married|assassinated|closed|sank|sunk|patented|ratified|repealed|merged)\b",
    re.IGNORECASE,
)
_EVENT_TO_COME = re.compile(
    r"\b(?:will|shall|would|to)\s+(?:be\s+)?(publish|release|launch|introduce|open|sign|adopt|complete|create|elect|end|start|"
    r"issue)e?d?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ComparedClaim:
    """A claim to compare.

    `published` dates a statement that names no time itself; `subject` is its context, such as its document's title and
    its heading, which tells what "the default" refers to.
    """

    text: str
    published: Period | None = None
    subject: str = ""


@dataclass(frozen=True, slots=True)
class _Facts:
    """The facts that a text names.

    `periods` are those of fully specified times; `names_time` is true if the text names any time at all.
    """

    entities: frozenset[str]
    quantities: tuple[Quantity, ...]
    periods: tuple[Period, ...]
    names_time: bool
    places: frozenset[str]

    @property
    def dimensions(self) -> frozenset[tuple[str, str]]:
        return frozenset((each.kind.value, each.unit) for each in self.quantities)


@lru_cache(maxsize=32_768)  # every claim of a large run, since pairs need each many times
def _facts(text: str) -> _Facts:
    """Return the facts named in the first MAX_CHARACTERS of a text.

    Longer texts would take too long: figures are compared each with each.
    """
    text = text[:MAX_CHARACTERS]
    entities, times = find_entities(text), find_times(text)
    return _Facts(
        entities=frozenset(entity.key for entity in entities),
        quantities=find_quantities(text),
        periods=tuple(time.period for time in times if time.period is not None),
        names_time=bool(times),
        places=frozenset(key for entity in entities if (key := place_key(entity.text))),
    )


@dataclass(frozen=True, slots=True)
class Gates:
    """The measures on which a verdict rests, and further results of comparing the words.

    `numbers` is UNRELATED if there is nothing to compare; `has_same_units` if both name the same kinds of quantities.
    `clash` is the probability (0–1) that both cannot hold, `carried` the share (0–1) of one statement's content that
    the other has. `is_one_event` is true for a near copy that can only mean the same event, so that another date or
    place in it is a conflict.
    """

    semantic: float
    entities: float
    numbers: Match
    has_same_units: bool
    times_overlap: bool
    places_overlap: bool
    clash: float
    carried: float
    is_one_event: bool
    changes: tuple[TermChange, ...] = ()

    @property
    def numbers_match(self) -> bool:
        """True if figures agree, or neither side has any."""
        return self.numbers is Match.SAME or self.numbers is Match.UNRELATED and self.has_same_units

    @property
    def same_setting(self) -> bool:
        return self.times_overlap and self.places_overlap

    @property
    def is_of_one_thing(self) -> bool:
        """True if a difference is a conflict: about one thing at one time and place, or nearly word for word."""
        if self._is_of_others:
            return False
        if self.is_one_event and (self.same_setting or self._count_changes(REPLACING | TURNING) == 1):
            return True
        return self.entities >= 0.5 and self.same_setting

    @property
    def _is_of_others(self) -> bool:
        """True for a different figure of another population, place or thing."""
        return bool(self._count_changes(_VALUES) and self._count_changes(_THINGS))

    def _count_changes(self, kinds: frozenset[ChangeKind]) -> int:
        return sum(change.kind in kinds for change in self.changes)

    @property
    def reasons(self) -> tuple[str, ...]:
        """The differences between the two statements, in words, the most important first."""
        order = list(ChangeKind)
        return tuple(change.text for change in sorted(self.changes, key=lambda each: order.index(each.kind)))


def measure(a: ComparedClaim, b: ComparedClaim, semantic: float) -> Gates:
    """Compute the gates that `judge` decides by, for a pair whose embeddings have the cosine `semantic`."""
    return build_gates(a, b, semantic, compare_terms(a.text, b.text))


def build_gates(a: ComparedClaim, b: ComparedClaim, semantic: float, found: Comparison) -> Gates:
    mine, theirs = _facts(a.text), _facts(b.text)
    return Gates(
        semantic=semantic,
        entities=entity_overlap(mine.entities, theirs.entities),
        numbers=numeric_match(mine.quantities, theirs.quantities),
        has_same_units=mine.dimensions == theirs.dimensions,
        times_overlap=times_overlap(a, b),
        places_overlap=places_overlap(a.text, b.text),
        clash=clash(found, clash_profile().model),
        carried=found.carried_share,
        is_one_event=_is_one_event(a.text, b.text, found),
        changes=found.changes,
    )


def _is_one_event(a: str, b: str, found: Comparison) -> bool:
    if found.in_order < _NEAR_COPY or found.shared < _ONE_EVENT and not same_event(a, b):
        return False
    opening = {*terms(a)[:_OPENING], *terms(b)[:_OPENING]}
    times = (change for change in found.changes if change.kind is ChangeKind.TIME)
    return not any(opening.intersection(change.mine + change.theirs) for change in times)


def same_event(a: str, b: str) -> bool:
    """True when both say that something was born, founded, published and the like."""
    mine, theirs = _events(a), _events(b)
    return bool(mine & theirs)


def _events(text: str) -> frozenset[str]:
    """Return the verbs of the events in a text, in lower case.

    Events to come appear with "to" in front ("to publish"), which tells them apart from past ones.
    """
    to_come = (f"to {verb.lower()}" for verb in _EVENT_TO_COME.findall(text))
    return frozenset((*map(str.lower, _EVENT.findall(text)), *to_come))


def entity_overlap(a: frozenset[str], b: frozenset[str]) -> float:
    """Jaccard index of the names of two texts; 1 when neither has any, 0.5 when only one has."""
    if not a and not b:
        return 1.0
    if not a or not b:
        return 0.5
    return len(a & b) / len(a | b)


def numeric_match(mine: Iterable[Quantity], theirs: Iterable[Quantity]) -> Match:
    """Return SAME if every figure that has a counterpart agrees with one; DIFFERENT if one has only others."""
    current = [each for each in theirs if not each.is_former]
    verdicts = []
    for quantity in mine:
        found = {agree(quantity, other) for other in current if not quantity.is_former} - {Match.UNRELATED}
        if found:
            verdicts.append(Match.SAME if Match.SAME in found else Match.DIFFERENT)
    if not verdicts:
        return Match.UNRELATED
    return Match.DIFFERENT if Match.DIFFERENT in verdicts else Match.SAME


def times_overlap(a: ComparedClaim, b: ComparedClaim) -> bool:
    """False if both are dated, by their words or else by publication, and their times do not meet.

    Different dates of publication alone do not separate two statements that name no time.
    """
    if not _facts(a.text).names_time and not _facts(b.text).names_time:
        return True
    mine, theirs = _periods(a), _periods(b)
    return not mine or not theirs or any(first.overlaps(second) for first in mine for second in theirs)


def _periods(statement: ComparedClaim) -> tuple[Period, ...]:
    named = _facts(statement.text).periods
    return named or ((statement.published,) if statement.published else ())


def names_place(text: str) -> bool:
    return bool(_facts(text).places)


def places_overlap(a: str, b: str) -> bool:
    """False if both name places and none of one is, contains or lies in one of the other."""
    mine, theirs = _facts(a).places, _facts(b).places
    return not mine or not theirs or any(overlap(first, second) for first in mine for second in theirs)
