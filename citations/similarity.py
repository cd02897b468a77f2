"""Whether two claims are the same, support each other, or only sound alike: six gates and a table."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from citations.agreement import Match, agree
from citations.alignment import Part, PartKind, align
from citations.entities import entity_keys, find_entities
from citations.places import overlap, place_key
from citations.quantities import Quantity, find_quantities
from citations.times import Period, find_times


class Kind(StrEnum):
    DUPLICATE = "duplicate"
    CORROBORATION = "corroboration"
    RELATED = "related"
    DIFFERENT = "different"


POSSIBLE_CONTRADICTION = "possible contradiction"
SIMILAR_WORDS = "similar words, other things"


@dataclass(frozen=True, slots=True)
class EmbeddingProfile:
    """The cosine thresholds of one embedding model; each model has its own (spec: grounding.md)."""

    model_id: str
    duplicate: float = 0.92
    conflict: float = 0.85
    corroboration: float = 0.80
    related: float = 0.65

    def __post_init__(self) -> None:
        if not 0 < self.related <= self.corroboration <= self.conflict <= self.duplicate <= 1:
            raise ValueError("thresholds must rise from related over corroboration and conflict to duplicate")


NOMINAL = EmbeddingProfile("nominal")
# First setting, by a grid over the 918 labelled pairs in shared/data/grounding (2026-11): against the nominal
# figures false merges fall from 25.6 % to 23.1 %, macro-F1 rises from 53.3 to 54.2. To be replaced by the
# calibration command.
MINILM = EmbeddingProfile("all-MiniLM-L6-v2", duplicate=0.94, conflict=0.85, corroboration=0.85, related=0.50)


def profile_for(model_id: str) -> EmbeddingProfile:
    """The profile of a model by the first part of its id; the nominal figures for an unknown one."""
    return MINILM if model_id.partition("/")[0] == MINILM.model_id else NOMINAL


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim to compare. `published` dates a statement that names no time itself."""

    text: str
    published: Period | None = None


@dataclass(frozen=True, slots=True)
class Gates:
    """The six figures a verdict rests on, and the parts found in conflict.

    `numbers` is UNRELATED when there is nothing to compare; `has_same_units` when both name the same kinds of
    quantities; `conflicts` are negations and opposite words, from either side.
    """

    semantic: float
    entities: float
    numbers: Match
    has_same_units: bool
    times_overlap: bool
    places_overlap: bool
    conflicts: tuple[Part, ...] = ()

    @property
    def numbers_match(self) -> bool:
        """True when figures agree, or neither side has any."""
        return self.numbers is Match.SAME or self.numbers is Match.UNRELATED and self.has_same_units

    @property
    def disagrees(self) -> bool:
        return self.numbers is Match.DIFFERENT or bool(self.conflicts)

    @property
    def same_setting(self) -> bool:
        return self.times_overlap and self.places_overlap


@dataclass(frozen=True, slots=True)
class Similarity:
    kind: Kind
    confidence: float
    gates: Gates
    warnings: tuple[str, ...] = ()

    @property
    def is_possible_contradiction(self) -> bool:
        return POSSIBLE_CONTRADICTION in self.warnings


def compare(a: Statement, b: Statement, semantic: float, profile: EmbeddingProfile = NOMINAL) -> Similarity:
    """Compare two claims whose embeddings have the cosine `semantic`; symmetric."""
    gates = Gates(
        semantic=semantic,
        entities=entity_overlap(entity_keys(a.text), entity_keys(b.text)),
        numbers=numeric_match(find_quantities(a.text), find_quantities(b.text)),
        has_same_units=_dimensions(a.text) == _dimensions(b.text),
        times_overlap=times_overlap(a, b),
        places_overlap=places_overlap(a.text, b.text),
        conflicts=polarity_conflicts(a.text, b.text),
    )
    return _verdict(gates, profile)


def _verdict(gates: Gates, profile: EmbeddingProfile) -> Similarity:
    likeness, entities = gates.semantic, gates.entities
    agrees = gates.numbers_match and not gates.conflicts
    if likeness >= profile.duplicate and entities >= 0.7 and agrees and gates.has_same_units:
        return Similarity(Kind.DUPLICATE, 0.95, gates)
    if likeness >= profile.conflict and entities >= 0.5 and gates.same_setting and gates.disagrees:
        return Similarity(Kind.RELATED, 0.6, gates, (POSSIBLE_CONTRADICTION,))
    if likeness >= profile.corroboration and entities >= 0.5 and gates.same_setting and agrees:
        return Similarity(Kind.CORROBORATION, 0.85, gates)
    if likeness >= profile.related and entities >= 0.3:
        return Similarity(Kind.RELATED, 0.7, gates)
    if likeness >= profile.corroboration:
        return Similarity(Kind.DIFFERENT, 0.75, gates, (SIMILAR_WORDS,))
    return Similarity(Kind.DIFFERENT, 0.9, gates)


def entity_overlap(a: frozenset[str], b: frozenset[str]) -> float:
    """Jaccard index of the names of two texts; 1 when neither has any, 0.5 when only one has."""
    if not a and not b:
        return 1.0
    if not a or not b:
        return 0.5
    return len(a & b) / len(a | b)


def numeric_match(mine: Iterable[Quantity], theirs: Iterable[Quantity]) -> Match:
    """SAME when every figure that has a counterpart agrees with one; DIFFERENT when one has only others."""
    current = [each for each in theirs if not each.is_former]
    verdicts = []
    for quantity in mine:
        found = {agree(quantity, other) for other in current if not quantity.is_former} - {Match.UNRELATED}
        if found:
            verdicts.append(Match.SAME if Match.SAME in found else Match.DIFFERENT)
    if not verdicts:
        return Match.UNRELATED
    return Match.DIFFERENT if Match.DIFFERENT in verdicts else Match.SAME


def _dimensions(text: str) -> frozenset[tuple[str, str]]:
    return frozenset((each.kind.value, each.unit) for each in find_quantities(text))


def times_overlap(a: Statement, b: Statement) -> bool:
    """False when both are dated, by their words or else by publication, and their times do not meet.

    Two statements that name no time are not parted by their dates of publication alone.
    """
    if not find_times(a.text) and not find_times(b.text):
        return True
    mine, theirs = _periods(a), _periods(b)
    return not mine or not theirs or any(one.overlaps(other) for one in mine for other in theirs)


def _periods(statement: Statement) -> list[Period]:
    named = [each.period for each in find_times(statement.text) if each.period is not None]
    return named or ([statement.published] if statement.published else [])


def places_overlap(a: str, b: str) -> bool:
    """False when both name places and none of one is, contains or lies in one of the other."""
    mine, theirs = _places(a), _places(b)
    return not mine or not theirs or any(overlap(one, other) for one in mine for other in theirs)


def _places(text: str) -> set[str]:
    return {key for each in find_entities(text) if (key := place_key(each.text))}


def polarity_conflicts(a: str, b: str) -> tuple[Part, ...]:
    """Negations and opposite words that turn one text against the other, from both sides."""
    return tuple(
        part
        for claim, passage in ((a, b), (b, a))
        if (found := align(claim, passage)) is not None
        for part in found.conflicts
        if part.kind in (PartKind.POLARITY, PartKind.WORD)
    )
