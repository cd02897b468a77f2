"""Group studies of the same outcome, and decide if their findings point in one direction. Pure."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from research.pipelines.synthesis.synthesis_finding_directions import (
    change_of,
    is_of_doing_without,
    quote_lack,
    strip_change,
)
from research.pipelines.synthesis.synthesis_study_outcomes import (
    is_related_outcome,
    is_same_outcome,
    outcome_terms,
)
from research.pipelines.synthesis.synthesis_study_rows import DEFINITE, Direction, Study

# Directions that do not contradict each other: a rise may be good if that is unknown.
COMPATIBLE = ({Direction.BENEFIT, Direction.HIGHER}, {Direction.HARM, Direction.LOWER})
OPPOSITE = {Direction.BENEFIT: Direction.HARM, Direction.HARM: Direction.BENEFIT}
TURNED = {**OPPOSITE, Direction.HIGHER: Direction.LOWER, Direction.LOWER: Direction.HIGHER}
OPPOSED = ({Direction.BENEFIT, Direction.HARM}, {Direction.HIGHER, Direction.LOWER})
MIN_APART = 3  # studies of a group from which one may be taken
MAX_NAMED = 2  # names of one outcome in a sentence


class Agreement(StrEnum):
    AGREE = "agree"
    DISAGREE = "disagree"
    UNLIKE = "unlike"  # studies of different exposures, whose findings are not comparable
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
        sides = self.by_direction(studies)
        if len(self.select_telling_members(studies)) < 2 or set(sides) == {Direction.MIXED}:
            return Agreement.SINGLE
        if self._compares_unlike(studies, sides):
            return Agreement.UNLIKE
        is_one = len(sides) == 1 or any(set(sides) <= compatible for compatible in COMPATIBLE)
        return Agreement.AGREE if is_one else Agreement.DISAGREE

    def members_without(self, studies: Sequence[Study]) -> frozenset[int]:
        """Return the members whose direction is that of having less of something, or none."""
        return frozenset(
            place
            for place in self.select_telling_members(studies)
            if studies[place].direction in TURNED and is_of_doing_without(studies[place].finding)
        )

    def turned_members(self, studies: Sequence[Study]) -> frozenset[int]:
        """Return the members on doing without what the others have: a benefit of theirs is harm of the thing.

        By their findings, if that makes the group one or their titles share what was studied; or by their exposures if
        that makes benefit and harm one: short weeks bring fewer sick days, overtime more.
        """
        telling = self.select_telling_members(studies)
        turned = self.members_without(studies)
        others = [place for place in telling if not is_of_doing_without(studies[place].finding)]
        if turned and others:
            sides = {studies[place].direction for place in others}
            is_one = {TURNED[studies[place].direction] for place in turned} == sides
            return turned if is_one or self._share_exposure(turned, others, studies) else frozenset()
        return self._members_with_less(studies, [p for p in telling if studies[p].direction in TURNED])

    def _share_exposure(
        self, without: Iterable[int], others: Sequence[int], studies: Sequence[Study]
    ) -> bool:
        """Return True if the others name what was studied or lacking: “low coverage” is on coverage."""
        own = read_exposures(without, studies, self.outcome)
        lacking = frozenset[str]().union(*(outcome_terms(quote_lack(studies[p].finding)) for p in without))
        named = read_exposures(others, studies, self.outcome)
        told = read_told_exposures(others, studies, self.outcome)
        return bool(own & named or (lacking - outcome_terms(self.outcome)) & (named | told))

    def _members_with_less(self, studies: Sequence[Study], members: Sequence[int]) -> frozenset[int]:
        exposures = {place: read_exposure(studies[place], self.outcome) for place in members}
        less = frozenset(place for place, exposure in exposures.items() if exposure.is_less)
        sides = {TURNED[studies[p].direction] if p in less else studies[p].direction for p in members}
        is_one_thing = all(
            exposures[place].is_more or any(exposures[place].words & exposures[other].words for other in less)
            for place in members
            if place not in less
        )
        is_settled = len({studies[place].direction for place in members}) == 2 and len(sides) == 1
        return less if is_settled and is_one_thing else frozenset()

    def _compares_unlike(self, studies: Sequence[Study], sides: dict[Direction, list[int]]) -> bool:
        """Return True if members studied different things, so that their directions cannot be compared.

        Some did without something that the others do not name; or their findings are opposite, and neither their titles
        nor their findings have an exposure in common.
        """
        without = self.members_without(studies) - self.turned_members(studies)
        if without and any(
            not is_of_doing_without(studies[place].finding) for place in self.select_telling_members(studies)
        ):
            return True
        opposed = next((pair for pair in OPPOSED if pair <= set(sides)), None)
        if opposed is None:
            return False
        first, second = (sides[side] for side in sorted(opposed))
        titles = [read_exposures(places, studies, self.outcome) for places in (first, second)]
        told = [read_told_exposures(places, studies, self.outcome) for places in (first, second)]
        if not all(titles) or titles[0] <= titles[1] or titles[1] <= titles[0]:
            return False
        if all(told):  # what a finding names was studied; a title may share the field: “light and sleep”
            return not (told[0] & (told[1] | titles[1]) or told[1] & titles[0])
        return not (titles[0] | told[0]) & (titles[1] | told[1])

    def by_direction(self, studies: Sequence[Study]) -> dict[Direction, list[int]]:
        """Return the members with a direction, by direction in order of first appearance; mixed ones last.

        Members on doing without the thing have the direction of the thing itself, if others are on that.
        """
        found: dict[Direction, list[int]] = {}
        turned = self.turned_members(studies)
        for place in self.select_telling_members(studies):
            direction = studies[place].direction
            found.setdefault(TURNED[direction] if place in turned else direction, []).append(place)
        return dict(sorted(found.items(), key=lambda side: side[0] is Direction.MIXED))


@dataclass(frozen=True, slots=True)
class Exposure:
    """What a study looked at, by its title. `is_less`: it is the lack or removal of it; `is_more`: more of it."""

    words: frozenset[str]
    is_less: bool
    is_more: bool


_LESS = re.compile(
    r"\b(?:remov(?:al|ed|ing)|withdraw\w*|ban(?:s|ned|ning)?|bare|without|absence of|lack of|clos(?:ure|ing)|abolish\w*"
    r"|abolition|cessation|shorter|short(?= (?:weeks?|hours?|days?|shifts?|working))|shorten\w*|four-day"
    r"|reduced (?:hours|working|exposure)"
    r"|fewer|less|felling|felled|discontinu\w*|withholding|low(?= )|ohne|absetzen|entfern\w*|mangel|fehlen\w*"
    r"|abschaffung|verbot\w*|kürzere\w*|weniger|verzicht\w*|wegfall)\b",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\b(?:overtime|extra|additional|longer|long(?= (?:weeks?|hours?|days?|shifts?|working))|more|excessive|überstunden"
    r"|längere\w*|zusätzlich\w*|mehr)\b",
    re.IGNORECASE,
)
_OF_STUDIES = re.compile(
    r"\b(?:a|an|and|the|in|on|of|for|with|effects?|stud(?:y|ies)|trials?|randomi[sz]ed|controlled|meta-analysis|review|survey"
    r"|cohort|evidence|impact|role|und|bei|von|auf|eine?|wirkung|studie)\b",
    re.IGNORECASE,
)


def read_exposure(study: Study, outcome: str) -> Exposure:
    """Return the exposure by the study's title without the outcome's words, else by its finding."""
    title = study.title
    words = outcome_terms(_OF_STUDIES.sub(" ", title)) - outcome_terms(f"{outcome} {study.outcome}")
    said = f"{title}. {study.finding}"
    return Exposure(words, bool(_LESS.search(title)), bool(_MORE.search(said)) and not _LESS.search(title))


def read_exposures(places: Iterable[int], studies: Sequence[Study], outcome: str) -> frozenset[str]:
    """Return the words for what several studies looked at."""
    return frozenset().union(*(read_exposure(studies[place], outcome).words for place in places))


def read_told_exposures(places: Iterable[int], studies: Sequence[Study], outcome: str) -> frozenset[str]:
    """Return the words with which findings name what was studied: those besides the outcome and its change."""
    return frozenset[str]().union(
        *(
            outcome_terms(_OF_FINDINGS.sub(" ", strip_change(studies[place].finding)))
            - outcome_terms(f"{outcome} {studies[place].outcome}")
            for place in places
        )
    )


_OF_FINDINGS = re.compile(
    r"\b(?:we|found|showed|associat\w+|relat\w+|people|participants?|patients?|groups?|adults?|children|women|men|often"
    r"|common(?:ly)?|years?|months?|weeks?|days?|minutes?|percent|than|between|compared|prozent|gruppen?|teilnehmer\w*"
    r"|patienten|kinder|erwachsene\w*|häufiger|seltener|jahre?n?|wochen?|minuten)\b",
    re.IGNORECASE,
)


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
    made = [StudyGroup(_name(places, names, group), tuple(places)) for places in members.values()]
    return [part for whole in made for part in _part_by_exposure(whole, studies)]


def _part_by_exposure(group: StudyGroup, studies: Sequence[Study]) -> list[StudyGroup]:
    """Take from a group the studies whose exposure shares no word with the others', if only they see benefit or harm.

    Noise that makes people anxious does not disagree with music that calms them.
    """
    sides = group.by_direction(studies)
    opposed = next((pair for pair in OPPOSED if pair <= set(sides)), None)
    if opposed is None or len(group.members) < MIN_APART:
        return [group]
    exposures = {place: read_exposure(studies[place], group.outcome).words for place in group.members}
    apart = tuple(
        place
        for place in min((sides[side] for side in sorted(opposed)), key=len)
        if exposures[place]
        and not any(exposures[place] & words for other, words in exposures.items() if other != place)
    )
    rest = tuple(place for place in group.members if place not in apart)
    joined = all(any(exposures[p] & exposures[o] for o in rest if o != p) for p in rest)
    if not apart or not joined:
        return [group]
    return [replace(group, members=rest), *(replace(group, members=(place,)) for place in apart)]


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
