"""The confidence of a citation and of a claim: the formula, its four factors, and the caps that applied.

A cap on claims with a single source rescales the whole range, not only its top: the best source reaches the limit,
others stay below it in proportion. Otherwise nearly every such claim would be at the limit.

All values lie between 0 and 1 and are rounded to four places, so that 0.8 is 0.8 on every machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

HIGH = 0.8
MEDIUM = 0.6
AUTHORITATIVE_TIER = 2  # tiers 1 and 2 count as authoritative


class MatchKind(StrEnum):
    """The relation of a claim to the words it cites."""

    EXACT = "exact"
    NORMALIZED = "normalized"
    PARAPHRASE = "paraphrase"
    SUMMARY = "summary"
    INFERENCE = "inference"


class ConfidenceLevel(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Conflict(StrEnum):
    """The outcome of a contradiction about a claim."""

    NONE = "none"
    RESOLVED = "resolved"
    PRESENTED_BOTH = "presented_both"


@dataclass(frozen=True, slots=True)
class Cap:
    """An upper limit on confidence, with the reason a reader is shown."""

    code: str
    limit: float
    reason: str


INFERENCE_CAP = Cap("inference", 0.5, "Inferred from the source, not stated in it.")
RESOLVED_CAP = Cap(
    "contradicted_resolved", 0.8, "Another source reports differently; the stronger side is used."
)
BOTH_SIDES_CAP = Cap("both_sides", 0.6, "Sources disagree; both sides are presented.")
# Just under MEDIUM: such a claim never has more than low confidence, but its source does state it.
CREDIBILITY_CAP = Cap(
    "low_credibility",
    0.59,
    "The only source has a credibility under 6 of 10: it supports a claim only together with another.",
)
SINGLE_SOURCE_CAP = Cap("single_source", 0.69, "Only one independent source says so.")
# Under MEDIUM, like claims of little credibility.
OUTDATED_CAP = Cap(
    "outdated", 0.59, "The only source is old, or was withdrawn: a newer one may say otherwise."
)
AUTHORITY_CAP = Cap("few_authoritative", 0.9, "Fewer than three authoritative sources say so.")


@dataclass(frozen=True, slots=True)
class Factors:
    """The four factors of a citation's confidence, each 0–1."""

    text_match: float
    context_match: float
    source_authority: float
    corroboration: float

    def compute_weighted_sum(self) -> float:
        text, context = 0.35 * self.text_match, 0.20 * self.context_match
        return round(text + context + 0.25 * self.source_authority + 0.20 * self.corroboration, 4)


@dataclass(frozen=True, slots=True)
class Confidence:
    """A confidence with its factors; `caps` are those that lowered it, lowest last."""

    value: float
    factors: Factors
    caps: tuple[Cap, ...] = ()

    @property
    def level(self) -> ConfidenceLevel:
        return level(self.value)


_ALONE = Factors(1.0, 1.0, 1.0, 0.3).compute_weighted_sum()  # the most that a source reaches alone


def level(value: float) -> ConfidenceLevel:
    if value >= HIGH:
        return ConfidenceLevel.HIGH
    return ConfidenceLevel.MEDIUM if value >= MEDIUM else ConfidenceLevel.LOW


def text_match(kind: MatchKind, similarity: float | None = None) -> float:
    """Return 1 for exact words, 0.95 for normalized ones; else the semantic similarity (0–1), at most 0.9.

    Raises ValueError if a match that is not word for word comes without a similarity.
    """
    if kind is MatchKind.EXACT:
        return 1.0
    if kind is MatchKind.NORMALIZED:
        return 0.95
    if similarity is None:
        raise ValueError(f"a match of kind {kind} needs a similarity")
    return min(0.9, _unit(similarity))


def context_match(*, has_section: bool, title_relevance: float, entity_overlap: float) -> float:
    """Return how well the passage's context fits the claim, 0.5–1: section header, source title, shared entities."""
    bonus = 0.2 * _unit(title_relevance) + 0.2 * _unit(entity_overlap)
    return min(1.0, 0.5 + 0.1 * has_section + bonus)


def corroboration(independent_others: int) -> float:
    """Return the factor for the number of independent other sources that say the same.

    By the formula 2 give 0.9 and 4 or more give 1.0.
    """
    if independent_others < 0:
        raise ValueError("a number of sources cannot be negative")
    if independent_others < 2:
        return (0.3, 0.6)[independent_others]
    return 0.8 + min(0.2, 0.05 * independent_others)


def citation_confidence(
    *,
    kind: MatchKind,
    source_authority: float,
    independent_others: int,
    similarity: float | None = None,
    has_section: bool = False,
    title_relevance: float = 0.0,
    entity_overlap: float = 0.0,
) -> Confidence:
    """Compute the confidence of a citation: 0.35 text + 0.20 context + 0.25 authority + 0.20 corroboration."""
    factors = Factors(
        text_match=text_match(kind, similarity),
        context_match=context_match(
            has_section=has_section, title_relevance=title_relevance, entity_overlap=entity_overlap
        ),
        source_authority=_unit(source_authority),
        corroboration=corroboration(independent_others),
    )
    caps = [INFERENCE_CAP] if kind is MatchKind.INFERENCE else []
    return _apply_caps(Confidence(factors.compute_weighted_sum(), factors), caps)


def claim_confidence(
    citations: Sequence[Confidence],
    *,
    independent_sources: int,
    authoritative_sources: int,
    conflict: Conflict = Conflict.NONE,
    may_stand_alone: bool = True,
    is_outdated: bool = False,
) -> Confidence:
    """Compute the confidence of a claim: that of its best citation, raised by corroboration, then capped.

    `independent_sources` counts all independent origins of the claim, including the best citation's;
    `authoritative_sources` those of them in tiers 1 and 2; `may_stand_alone` is False if none of the sources is
    credible enough to support a claim alone; `is_outdated` if all are old or were withdrawn. Raises ValueError for a
    claim without citations.
    """
    if not citations:
        raise ValueError("a claim without a citation has no confidence")
    best = max(citations, key=lambda each: each.value)
    raised = _raise_corroboration(best, corroboration(max(0, independent_sources - 1)))
    alone = _alone_caps(may_stand_alone, is_outdated) if independent_sources < 2 else []
    caps = [*best.caps, *_claim_caps(authoritative_sources, conflict), *alone]
    return _scale_to_cap(_apply_caps(raised, caps), raised.value, alone)


def _raise_corroboration(best: Confidence, allowed: float) -> Confidence:
    factors = replace(best.factors, corroboration=max(best.factors.corroboration, allowed))
    return Confidence(factors.compute_weighted_sum(), factors)


def _claim_caps(authoritative: int, conflict: Conflict) -> list[Cap]:
    candidates = (
        (authoritative < 3, AUTHORITY_CAP),
        (conflict is Conflict.RESOLVED, RESOLVED_CAP),
        (conflict is Conflict.PRESENTED_BOTH, BOTH_SIDES_CAP),
    )
    return [cap for holds, cap in candidates if holds]


def _alone_caps(may_stand_alone: bool, is_outdated: bool) -> list[Cap]:
    candidates = (
        (True, SINGLE_SOURCE_CAP),
        (is_outdated, OUTDATED_CAP),
        (not may_stand_alone, CREDIBILITY_CAP),
    )
    return [cap for holds, cap in candidates if holds]


def _apply_caps(confidence: Confidence, caps: Sequence[Cap]) -> Confidence:
    binding = sorted((cap for cap in caps if cap.limit < confidence.value), key=lambda cap: -cap.limit)
    value = min([confidence.value, *(cap.limit for cap in binding)])
    return Confidence(value, confidence.factors, tuple(binding))


def _scale_to_cap(capped: Confidence, uncapped: float, alone: Sequence[Cap]) -> Confidence:
    """Rescale the confidence of a claim with a single source so that the scale ends at the lowest of the caps `alone`.

    Without `alone`, return `capped` unchanged.
    """
    if not alone:
        return capped
    value = round(uncapped * min(cap.limit for cap in alone) / _ALONE, 4)
    applied = sorted({*capped.caps, *alone}, key=lambda cap: -cap.limit)
    return Confidence(min(capped.value, value), capped.factors, tuple(applied))


def _unit(value: float) -> float:
    return min(1.0, max(0.0, value))
