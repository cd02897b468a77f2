"""Verifies a claim against its passages, and a report by its claims."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from citations.entailment.claim_types import ClaimType, VerificationLevel, classify, is_checkable, is_checked
from citations.entailment.support_probability import SupportProfile, builtin_profile
from citations.entailment.verbatim_claims import find_verbatim
from citations.entailment.verification_verdicts import (
    SimilarityFunction,
    Verdict,
    VerdictStatus,
    best_of,
    judge_passage,
)

__all__ = [
    "ClaimType",
    "VerificationLevel",
    "Overall",
    "CitedPassage",
    "ReportVerdict",
    "SimilarityFunction",
    "VerdictStatus",
    "Verdict",
    "classify",
    "decide",
    "judge_report",
    "verify",
    "verify_each",
]


@dataclass(frozen=True, slots=True)
class CitedPassage:
    """Cited words with their neighbours. `is_readable` is False for a paywalled or unreachable source."""

    text: str
    source: str = ""
    is_readable: bool = True


_CARRYING = (VerdictStatus.VERIFIED, VerdictStatus.PARAPHRASED_ACCURATE)


def verify(
    claim: str,
    passages: Sequence[CitedPassage],
    *,
    level: VerificationLevel = VerificationLevel.STANDARD,
    similarity: SimilarityFunction | None = None,
    profile: SupportProfile | None = None,
) -> Verdict:
    """Check a claim against its passages; the best of them decides. Without a profile the built-in one is used."""
    each = verify_each(claim, passages, level=level, similarity=similarity, profile=profile)
    return decide(each, passages, level)


def verify_each(
    claim: str,
    passages: Sequence[CitedPassage],
    *,
    level: VerificationLevel = VerificationLevel.STANDARD,
    similarity: SimilarityFunction | None = None,
    profile: SupportProfile | None = None,
) -> tuple[Verdict, ...]:
    """Return the verdict on the claim by each passage alone, in the order of the passages."""
    if not is_checkable(claim):
        reason = "The sentence states nothing that could be checked."
        return (Verdict(VerdictStatus.UNVERIFIABLE, (reason,)),) * len(passages)
    if not is_checked(classify(claim), level) and not _stands_in_any(claim, passages):
        reason = f"Claims of this kind are not checked at level {level.value}."
        return (Verdict(VerdictStatus.UNVERIFIED, (reason,)),) * len(passages)
    known = profile or builtin_profile()
    return tuple(
        replace(judge_passage(claim, passage.text, similarity, known), passage=index)
        if passage.is_readable
        else Verdict(
            VerdictStatus.UNVERIFIABLE, ("The source cannot be read: unreachable or behind a paywall.",)
        )
        for index, passage in enumerate(passages)
    )


def decide(
    verdicts: Sequence[Verdict],
    passages: Sequence[CitedPassage],
    level: VerificationLevel = VerificationLevel.STANDARD,
) -> Verdict:
    """Return the verdict on a claim from those of its passages."""
    if not verdicts:
        return Verdict(VerdictStatus.UNSUPPORTED, ("There is no passage to check against.",))
    best = best_of(verdicts)
    return _cross_referenced(best, verdicts, passages) if level is VerificationLevel.STRICT else best


def _stands_in_any(claim: str, passages: Sequence[CitedPassage]) -> bool:
    """True if the claim is a passage's own words: then it is checked at any level, whatever its type."""
    return any(passage.is_readable and find_verbatim(claim, passage.text) is not None for passage in passages)


def _cross_referenced(
    best: Verdict, verdicts: Sequence[Verdict], passages: Sequence[CitedPassage]
) -> Verdict:
    """Add reasons at the strict level if only one source says so, or another disagrees."""
    carrying = [each for each in verdicts if each.status in _CARRYING and each.passage is not None]
    sources = {passages[each.passage].source for each in carrying if each.passage is not None}
    notes = ["Only one source says so."] if len(sources) == 1 else []
    if sources and any(each.status is VerdictStatus.CONTRADICTED for each in verdicts):
        notes.append("Another passage says otherwise.")
    return replace(best, reasons=(*best.reasons, *notes))


PASSED_ACCURACY = 0.9
FAILED_ACCURACY = 0.5
_WORTH = {
    VerdictStatus.VERIFIED: 1.0,
    VerdictStatus.PARAPHRASED_ACCURATE: 1.0,
    VerdictStatus.PARTIALLY_SUPPORTED: 0.5,
    VerdictStatus.UNSUPPORTED: 0.0,
    VerdictStatus.CONTRADICTED: 0.0,
}


class Overall(StrEnum):
    PASSED = "passed"
    NEEDS_REVISION = "needs_revision"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ReportVerdict:
    """The verdict on a report. `accuracy` = (verified + paraphrased + ½ partial) / checked, 0–1; None if nothing was
    checked.
    """

    overall: Overall
    accuracy: float | None
    counts: Mapping[VerdictStatus, int]
    hallucinations: int


def judge_report(statuses: Sequence[VerdictStatus], *, hallucinations: int = 0) -> ReportVerdict:
    """Sum up the verdicts of a report's claims.

    Hallucinations are quotes that do not anchor, citations outside the evidence and URLs that are no source's. One of
    them, or a contradicted claim, keeps a report from passing. A report without any checked claim fails.
    """
    counts = Counter(statuses)
    checked = sum(counts[status] for status in _WORTH)
    if not checked:
        return ReportVerdict(Overall.FAILED, None, counts, hallucinations)
    accuracy = round(sum(worth * counts[status] for status, worth in _WORTH.items()) / checked, 4)
    return ReportVerdict(_overall(accuracy, counts, hallucinations), accuracy, counts, hallucinations)


def _overall(accuracy: float, counts: Mapping[VerdictStatus, int], hallucinations: int) -> Overall:
    if accuracy < FAILED_ACCURACY:
        return Overall.FAILED
    is_clean = not hallucinations and not counts[VerdictStatus.CONTRADICTED]
    return Overall.PASSED if is_clean and accuracy >= PASSED_ACCURACY else Overall.NEEDS_REVISION
