"""Studies that looked at the same outcome, and whether their findings point in one direction."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from citations.text.wording import content_stems
from research.pipelines.synthesis.studies import DEFINITE, Direction, Study

ALIKE = 0.5  # share of the words of two outcomes that both have, from which they are one


class Agreement(StrEnum):
    AGREE = "agree"
    DISAGREE = "disagree"
    SINGLE = "single"  # one study, or none that points anywhere


@dataclass(frozen=True, slots=True)
class StudyGroup:
    """Studies by their places in the table, in its order, and the outcome as the first of them calls it."""

    outcome: str
    members: tuple[int, ...]

    def select_definite_members(self, studies: Sequence[Study]) -> tuple[int, ...]:
        """Those whose finding points in one direction."""
        return tuple(place for place in self.members if studies[place].direction in DEFINITE)

    def agreement(self, studies: Sequence[Study]) -> Agreement:
        directed = self.select_definite_members(studies)
        if len(directed) < 2:
            return Agreement.SINGLE
        same = len({studies[place].direction for place in directed}) == 1
        return Agreement.AGREE if same else Agreement.DISAGREE

    def by_direction(self, studies: Sequence[Study]) -> dict[Direction, list[int]]:
        """In the order in which the directions first appear."""
        found: dict[Direction, list[int]] = {}
        for place in self.select_definite_members(studies):
            found.setdefault(studies[place].direction, []).append(place)
        return found


def group_studies(studies: Sequence[Study]) -> list[StudyGroup]:
    """By outcome: two that share half of their words or more are one, also by way of a third. No outcome joins none."""
    stems = [content_stems(study.outcome) for study in studies]
    group = list(range(len(studies)))
    for place, mine in enumerate(stems):
        for other in range(place):
            if _alike(mine, stems[other]) and group[other] != group[place]:
                old, new = sorted((group[place], group[other]), reverse=True)
                group = [new if one == old else one for one in group]
    members: dict[int, list[int]] = {}
    for place, name in enumerate(group):
        members.setdefault(name, []).append(place)
    return [StudyGroup(studies[places[0]].outcome, tuple(places)) for places in members.values()]


def _alike(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    whole = mine | theirs
    return bool(mine and theirs) and len(mine & theirs) / len(whole) >= ALIKE
