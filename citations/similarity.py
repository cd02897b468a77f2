"""Whether two claims are the same, support each other, or only sound alike: a table over six gates.

The table is that of the specification, with two refinements. Whether the two are in conflict is told by laying
them against each other word by word (citations.comparing.comparison), not by their figures alone. And a claim whose
content the other holds whole is corroborated by it even where the other says much more and the cosine is low.
"""

from dataclasses import dataclass
from enum import StrEnum

from citations.comparing.gates import Gates, Statement, measure
from citations.comparing.profiles import NOMINAL, EmbeddingProfile, clash_profile, profile_for
from citations.measuring.agreement import Match

__all__ = [
    "NOMINAL", "POSSIBLE_CONTRADICTION", "SIMILAR_WORDS", "EmbeddingProfile", "Gates", "Kind", "Similarity",
    "Statement", "compare", "judge", "measure", "profile_for",
]  # fmt: skip


class Kind(StrEnum):
    DUPLICATE = "duplicate"
    CORROBORATION = "corroboration"
    RELATED = "related"
    DIFFERENT = "different"


POSSIBLE_CONTRADICTION = "possible contradiction"
SIMILAR_WORDS = "similar words, other things"


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
    return judge(measure(a, b, semantic), profile, clash_profile().model.cut)


def judge(gates: Gates, profile: EmbeddingProfile, cut: float) -> Similarity:
    """The verdict of the table; `cut` is the probability from which on two statements are in conflict."""
    likeness, entities = gates.semantic, gates.entities
    disagrees = gates.clash >= cut or gates.numbers is Match.DIFFERENT
    if likeness >= profile.duplicate and entities >= 0.7 and not disagrees and gates.numbers_match:
        return Similarity(Kind.DUPLICATE, 0.95, gates)
    if likeness >= profile.conflict and disagrees and gates.is_of_one_thing:
        return Similarity(Kind.RELATED, 0.6, gates, (POSSIBLE_CONTRADICTION,))
    if not disagrees and _supports(gates, profile):
        return Similarity(Kind.CORROBORATION, 0.85, gates)
    if likeness >= profile.related and entities >= 0.3:
        return Similarity(Kind.RELATED, 0.7, gates)
    if likeness >= profile.corroboration:
        return Similarity(Kind.DIFFERENT, 0.75, gates, (SIMILAR_WORDS,))
    return Similarity(Kind.DIFFERENT, 0.9, gates)


def _supports(gates: Gates, profile: EmbeddingProfile) -> bool:
    if gates.carried >= profile.carried and gates.semantic >= profile.related:
        return gates.same_setting
    return gates.semantic >= profile.corroboration and gates.entities >= 0.5 and gates.same_setting
