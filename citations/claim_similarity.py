"""Similarity of two claims: the same, supporting each other, or only sounding alike, by a table over six measures.

The table has two refinements. Conflicts are found by comparing the words
(citations.contradiction.compare_claim_statements), not only figures. And a claim whose content the other contains is
corroborated by it even if the other says much more and the cosine is low.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from citations.contradiction.claim_agreement import may_agree, say_the_same
from citations.contradiction.claim_comparison_measures import ComparedClaim, Gates, measure, times_overlap
from citations.contradiction.claim_statement_changes import ChangeKind as Change
from citations.contradiction.claim_statement_conflicts import (
    ConflictKind,
    SentenceConflict,
    answer_otherwise,
    difference,
)
from citations.contradiction.contradiction_profiles import (
    NOMINAL,
    EmbeddingProfile,
    clash_profile,
    profile_for,
)
from citations.quantities.compare_amounts import Match

__all__ = [
    "NOMINAL", "POSSIBLE_CONTRADICTION", "SIMILAR_WORDS", "EmbeddingProfile", "Gates", "SimilarityKind", "Similarity",
    "ComparedClaim", "compare", "judge", "measure", "profile_for",
]  # fmt: skip


class SimilarityKind(StrEnum):
    DUPLICATE = "duplicate"
    CORROBORATION = "corroboration"
    RELATED = "related"
    DIFFERENT = "different"


_AGREEING = frozenset({SimilarityKind.DUPLICATE, SimilarityKind.CORROBORATION})
_ADDING = frozenset(
    {Change.FORM, Change.MORE_WORDS, Change.MORE_NAMES, Change.MORE_FIGURES, Change.MORE_TIMES}
)
POSSIBLE_CONTRADICTION = "possible contradiction"
SIMILAR_WORDS = "similar words, other things"


@dataclass(frozen=True, slots=True)
class Similarity:
    kind: SimilarityKind
    confidence: float
    gates: Gates
    warnings: tuple[str, ...] = ()
    conflict: SentenceConflict | None = None  # the words of either side that cannot both hold, if known

    @property
    def is_possible_contradiction(self) -> bool:
        return POSSIBLE_CONTRADICTION in self.warnings


def compare(
    a: ComparedClaim, b: ComparedClaim, semantic: float | None = None, profile: EmbeddingProfile = NOMINAL
) -> Similarity:
    """Compare two claims whose embeddings have the cosine `semantic`; symmetric.

    Without a cosine only words decide, which misses paraphrases.
    """
    cut = clash_profile().model.cut
    judgement = judge(measure(a, b, profile.related if semantic is None else semantic), profile, cut)
    if judgement.kind in _AGREEING and _adds_only(judgement.gates) and not answer_otherwise(a.text, b.text):
        return judgement  # most pairs of a large run: nothing is replaced, so that nothing can conflict
    conflict = _conflict(a, b, semantic)
    if conflict is not None:
        return replace(
            judgement,
            kind=SimilarityKind.RELATED,
            confidence=0.6,
            warnings=(POSSIBLE_CONTRADICTION,),
            conflict=conflict,
        )
    if judgement.is_possible_contradiction or _disagree(judgement.gates, cut):
        return judgement
    if judgement.kind in _AGREEING:
        return (
            judgement if may_agree(a, b) else replace(judgement, kind=SimilarityKind.RELATED, confidence=0.7)
        )
    if say_the_same(a, b, semantic, profile.corroboration):
        return replace(judgement, kind=SimilarityKind.CORROBORATION, confidence=0.85, warnings=())
    return judgement


def _adds_only(gates: Gates) -> bool:
    """True if one side says what the other does, and perhaps more."""
    added = [change for change in gates.changes if change.kind is not Change.FORM]
    is_more = all(change.kind in _ADDING for change in added)
    return is_more and not (any(change.mine for change in added) and any(change.theirs for change in added))


def _conflict(a: ComparedClaim, b: ComparedClaim, semantic: float | None) -> SentenceConflict | None:
    """Return the conflict of two statements if their times overlap, or if it is temporal: one event with two dates."""
    found = difference(a.text, b.text, semantic)
    is_of_one_time = found is not None and (found.kind is ConflictKind.TEMPORAL or times_overlap(a, b))
    return found if is_of_one_time else None


def _disagree(gates: Gates, cut: float) -> bool:
    return gates.clash >= cut or gates.numbers is Match.DIFFERENT


def judge(gates: Gates, profile: EmbeddingProfile, cut: float) -> Similarity:
    """Return the verdict of the table; `cut` is the probability from which on two statements conflict."""
    likeness, entities = gates.semantic, gates.entities
    disagrees = _disagree(gates, cut)
    if likeness >= profile.duplicate and entities >= 0.7 and not disagrees and gates.numbers_match:
        return Similarity(SimilarityKind.DUPLICATE, 0.95, gates)
    if likeness >= profile.conflict and disagrees and gates.is_of_one_thing:
        return Similarity(SimilarityKind.RELATED, 0.6, gates, (POSSIBLE_CONTRADICTION,))
    if not disagrees and _supports(gates, profile):
        return Similarity(SimilarityKind.CORROBORATION, 0.85, gates)
    if likeness >= profile.related and entities >= 0.3:
        return Similarity(SimilarityKind.RELATED, 0.7, gates)
    if likeness >= profile.corroboration:
        return Similarity(SimilarityKind.DIFFERENT, 0.75, gates, (SIMILAR_WORDS,))
    return Similarity(SimilarityKind.DIFFERENT, 0.9, gates)


def _supports(gates: Gates, profile: EmbeddingProfile) -> bool:
    if gates.carried >= profile.carried and gates.semantic >= profile.related:
        return gates.same_setting
    return gates.semantic >= profile.corroboration and gates.entities >= 0.5 and gates.same_setting
