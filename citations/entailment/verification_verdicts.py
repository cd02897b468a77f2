"""Decides by rules if a passage supports a claim, with reasons for the reader.

Rules decide first: no similarity outweighs a figure, date, name or negation that does not match. The rest is weighed by
`citations.entailment.support_probability`. Semantic similarity is passed in and never computed here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from citations.anchoring import AnchorMatchType
from citations.entailment.claim_alignment import (
    Alignment,
    ClaimPart,
    PartKind,
    PartState,
    align,
    surroundings,
)
from citations.entailment.near_copied_claims import other_words
from citations.entailment.omitted_qualifications import qualifications
from citations.entailment.support_probability import SupportProfile, signals
from citations.entailment.verbatim_claims import AssertionStanding, Verbatim, find_verbatim
from citations.table_claims import PassageTable, TableVerdict, find_tables, judge
from citations.text.claim_polarity import negations
from citations.text.quote_span import Span


class VerdictStatus(StrEnum):
    VERIFIED = "verified"
    PARAPHRASED_ACCURATE = "paraphrased_accurate"
    PARTIALLY_SUPPORTED = "partially_supported"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"
    UNVERIFIABLE = "unverifiable"
    UNVERIFIED = "unverified"  # not checked at the requested level


class SimilarityFunction(Protocol):
    """Semantic similarity of a claim and a passage, 0–1: the cosine with its nearest sentence."""

    def __call__(self, claim: str, passage: str, /) -> float: ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """A status with its reasons; `passage` is the index of the deciding passage and `span` lies in it.

    `support` is the probability (0–1) that the passage supports the claim, by the profile's cases.
    """

    status: VerdictStatus
    reasons: tuple[str, ...]
    support: float = 0.0
    passage: int | None = None
    span: Span | None = None
    match_type: AnchorMatchType | None = None
    parts: tuple[ClaimPart, ...] = ()


# Better evidence first; a supporting passage outweighs a silent one.
_ORDER = (
    VerdictStatus.VERIFIED,
    VerdictStatus.PARAPHRASED_ACCURATE,
    VerdictStatus.CONTRADICTED,
    VerdictStatus.PARTIALLY_SUPPORTED,
    VerdictStatus.UNSUPPORTED,
    VerdictStatus.UNVERIFIABLE,
    VerdictStatus.UNVERIFIED,
)


def judge_passage(
    claim: str, passage: str, similarity: SimilarityFunction | None, profile: SupportProfile
) -> Verdict:
    stands = find_verbatim(claim, passage)
    if stands is not None:
        return _judge_verbatim(stands)
    tables = find_tables(passage)
    if not tables:
        return _judge_alignment(claim, passage, similarity, profile)
    verdicts = [
        _judge_tables(claim, tables),
        _judge_alignment(claim, _blank_out_tables(tables, passage), similarity, profile),
    ]
    return best_of(verdicts)


def best_of(verdicts: Iterable[Verdict]) -> Verdict:
    return min(verdicts, key=lambda verdict: (_ORDER.index(verdict.status), -verdict.support))


def _blank_out_tables(tables: Sequence[PassageTable], passage: str) -> str:
    """Blank out the passage's tables, keeping offsets."""
    for table in tables:
        passage = passage[: table.span.start] + " " * len(table.span) + passage[table.span.end :]
    return passage


_STANDING = {
    AssertionStanding.ASSERTED: (VerdictStatus.VERIFIED, 1.0),
    AssertionStanding.LIMITED: (VerdictStatus.PARTIALLY_SUPPORTED, 0.4),
    AssertionStanding.DENIED: (VerdictStatus.CONTRADICTED, 0.05),
}
_TYPOGRAPHY = 0.98  # share of the support of exact words


def _judge_verbatim(stands: Verbatim) -> Verdict:
    status, support = _STANDING[stands.standing]
    support *= 1.0 if stands.anchor.match_type is AnchorMatchType.EXACT else _TYPOGRAPHY
    where = stands.anchor
    return Verdict(status, (stands.reason,), support, span=where.span, match_type=where.match_type)


def _judge_alignment(
    claim: str, passage: str, similarity: SimilarityFunction | None, profile: SupportProfile
) -> Verdict:
    near = surroundings(claim, passage)
    near_text = near.cut(passage) if near else ""
    alignment = align(claim, near_text)
    if near is None or alignment is None:
        return Verdict(VerdictStatus.UNSUPPORTED, ("The passage speaks of something else.",))
    likeness = similarity(claim, near_text) if similarity is not None else None
    chance = profile.probability(signals(claim, near_text, alignment, likeness))
    nearest = alignment.nearest.cut(near_text)
    status, reasons = _grade_claim(claim, alignment, nearest, chance, profile)
    if status is VerdictStatus.PARAPHRASED_ACCURATE and similarity is not None:
        others = other_words(claim, nearest, alignment, similarity)
        status, reasons = _judge_other_words(others) if others else (status, reasons)
    support = profile.cap_probability(
        chance, is_accurate=status is VerdictStatus.PARAPHRASED_ACCURATE, conflicts=bool(alignment.conflicts)
    )
    placed = alignment.shift(near.start)
    return Verdict(status, reasons, support, span=placed.window, parts=placed.parts)


def _judge_other_words(others: Iterable[tuple[ClaimPart, str]]) -> tuple[VerdictStatus, tuple[str, ...]]:
    reasons = tuple(f"The source says “{old}”, the claim says “{new.text}”." for new, old in others)
    return VerdictStatus.PARTIALLY_SUPPORTED, reasons


def _grade_claim(
    claim: str, found: Alignment, nearest: str, chance: float, profile: SupportProfile
) -> tuple[VerdictStatus, tuple[str, ...]]:
    if found.conflicts:
        contradicts = found.coverage >= profile.same_thing
        reasons = tuple(_conflict_reason(part) for part in found.conflicts)
        return (VerdictStatus.CONTRADICTED if contradicts else VerdictStatus.UNSUPPORTED), reasons
    partly = found.coverage >= profile.partly
    lesser = VerdictStatus.PARTIALLY_SUPPORTED if partly else VerdictStatus.UNSUPPORTED
    if lacking := _find_missing_facts(claim, found):
        return lesser, tuple(f"“{part.text}” is not in the source." for part in lacking)
    if chance < profile.accurate:
        return lesser, (_describe_missing_words(found) if partly else "The passage does not say this.",)
    qualified = tuple(qualifications(claim, nearest))
    if qualified:
        return VerdictStatus.PARTIALLY_SUPPORTED, qualified
    return VerdictStatus.PARAPHRASED_ACCURATE, (
        "Every figure, date, name and negation is matched in the source.",
    )


def _find_missing_facts(claim: str, found: Alignment) -> tuple[ClaimPart, ...]:
    """Return missing facts, except the name that a claim begins with: a passage refers to it as "he" or "the band"."""
    return tuple(part for part in found.missing_facts if not _is_subject(part, claim))


def _is_subject(part: ClaimPart, claim: str) -> bool:
    opens = part.span.start <= len(claim) * 0.15
    return part.kind is PartKind.NAME and opens and not negations(claim[: part.span.start])


def _conflict_reason(part: ClaimPart) -> str:
    if part.kind is PartKind.POLARITY:
        return f"Claim and source differ in saying yes or no about “{part.text}”."
    return f"The source says “{part.source}”, the claim says “{part.text}”."


def _describe_missing_words(found: Alignment) -> str:
    missing = [part.text for part in found.of(PartState.MISSING)]
    if not missing:
        return "The words are in the source, but it does not put them together this way."
    return "Not in the source: " + ", ".join(f"“{text}”" for text in missing[:5]) + "."


_BY_TABLE = {
    TableVerdict.TRUE: VerdictStatus.PARAPHRASED_ACCURATE,
    TableVerdict.FALSE: VerdictStatus.CONTRADICTED,
    TableVerdict.UNKNOWN: VerdictStatus.UNSUPPORTED,
}


def _judge_tables(claim: str, tables: Sequence[PassageTable]) -> Verdict:
    """Return the verdict of the table that supports the claim best."""
    findings = [judge(claim, table) for table in tables]
    best = max(findings, key=lambda finding: finding.probability)
    span = best.spans[0] if best.spans else None
    return Verdict(_BY_TABLE[best.verdict], (best.reason,), best.probability, span=span)
