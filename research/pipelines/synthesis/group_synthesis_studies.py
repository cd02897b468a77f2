"""Group studies of the same outcome, and decide if their findings point in one direction. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from research.pipelines.synthesis.synthesis_finding_directions import change_of, is_of_doing_without
from research.pipelines.synthesis.synthesis_study_outcomes import (
    is_related_outcome,
    is_same_outcome,
    outcome_terms,
)
from research.pipelines.synthesis.synthesis_study_rows import DEFINITE, Direction, Study

# Directions that do not contradict each other: a rise may be good if that is unknown.
COMPATIBLE = ({Direction.BENEFIT, Direction.POSITIVE}, {Direction.HARM, Direction.NEGATIVE})
OPPOSITE = {Direction.BENEFIT: Direction.HARM, Direction.HARM: Direction.BENEFIT}
MAX_NAMED = 2  # names of one outcome in a sentence


class Agreement(StrEnum):
    AGREE = "agree"
    DISAGREE = "disagree"
    SINGLE = "single"  # one study with a direction, or none


@dataclass(frozen=True, slots=True)
class StudyGroup:
    """Studies by their indexes in the table, in its order, and the outcome as the first of them calls it."""

    outcome: str
    members: tuple[int, ...]

    def select_telling_members(self, studies: Sequence[Study]) -> tuple[int, ...]:
        """Return the members whose finding has one or more directions."""
        telling = DEFINITE | {Direction.MIXED}
        return tuple(place for place in self.members if studies[place].direction in telling)

    def agreement(self, studies: Sequence[Study]) -> Agreement:
        """Return how far the members agree. A mixed study disagrees with any study that has one direction."""
        sides = set(self.by_direction(studies))
        if len(self.select_telling_members(studies)) < 2 or sides == {Direction.MIXED}:
            return Agreement.SINGLE
        is_one = len(sides) == 1 or any(sides <= compatible for compatible in COMPATIBLE)
        return Agreement.AGREE if is_one else Agreement.DISAGREE

    def turned_members(self, studies: Sequence[Study]) -> frozenset[int]:
        """Return the members on doing without what the others have: a benefit of theirs is harm of the thing."""
        telling = self.select_telling_members(studies)
        without = frozenset(place for place in telling if is_of_doing_without(studies[place].finding))
        is_apart = any(studies[place].direction in OPPOSITE for place in telling if place not in without)
        turned = frozenset(place for place in without if studies[place].direction in OPPOSITE)
        return turned if is_apart else frozenset()

    def by_direction(self, studies: Sequence[Study]) -> dict[Direction, list[int]]:
        """Return the members with a direction, by direction in order of first appearance; mixed ones last.

        Members on doing without the thing have the direction of the thing itself, if others are on that.
        """
        found: dict[Direction, list[int]] = {}
        turned = self.turned_members(studies)
        for place in self.select_telling_members(studies):
            direction = studies[place].direction
            found.setdefault(OPPOSITE[direction] if place in turned else direction, []).append(place)
        return dict(sorted(found.items(), key=lambda side: side[0] is Direction.MIXED))


def group_studies(studies: Sequence[Study]) -> list[StudyGroup]:
    """Group studies by outcome, transitively; then single studies of related outcomes.

    Related outcomes are measured side by side. If a study names no outcome, what has changed according to its finding
    counts; without that it joins no group.
    """
    names = [study.outcome or change_of(study.finding) for study in studies]
    terms = [outcome_terms(name) for name in names]
    group = _join(list(range(len(studies))), terms, is_same_outcome)
    alone = {place for place in range(len(studies)) if group.count(group[place]) == 1}
    related = _join(
        group,
        [own_terms if at in alone else frozenset() for at, own_terms in enumerate(terms)],
        is_related_outcome,
    )
    members: dict[int, list[int]] = {}
    for place, name in enumerate(related):
        members.setdefault(name, []).append(place)
    return [StudyGroup(_name(places, names, group), tuple(places)) for places in members.values()]


def _join(
    group: Sequence[int],
    terms: Sequence[frozenset[str]],
    is_one: Callable[[frozenset[str], frozenset[str]], bool],
) -> list[int]:
    joined = list(group)
    for place, mine in enumerate(terms):
        for other in range(place):
            if joined[other] != joined[place] and is_one(mine, terms[other]):
                old, new = sorted((joined[place], joined[other]), reverse=True)
                joined = [new if number == old else number for number in joined]
    return joined


def _name(places: Sequence[int], names: Sequence[str], group: Sequence[int]) -> str:
    """Return the shortest name of each outcome in the group, since longer names include how it was measured."""
    shortest: dict[int, str] = {}
    for place in places:
        name = names[place].strip(" .")
        if name and len(name) < len(shortest.get(group[place], name + " ")):
            shortest[group[place]] = name
    return " / ".join(list(shortest.values())[:MAX_NAMED])
