"""A model's second opinion on a claim that the rules leave open, and how far it counts (spec: grounding.md). Pure.

It must quote the passage. It may lower a grade freely, except that of a sentence in its source's own words. It may
raise one only to "paraphrased accurately", and only if its quote stands in the passage and no figure, date, name or
negation differs.
"""

from dataclasses import replace

from citations.anchoring import anchor
from citations.entailment.claim_alignment import PartKind, PartState
from citations.entailment.support_probability import SupportProfile, builtin_profile
from citations.verification import Verdict, VerdictStatus
from research.pipelines.common.report_model_answers import Opinion

NEAR = 0.4  # share of the threshold of support from which a claim is open, and not just unsupported
MAX_REASON = 300
_FACTS = frozenset({PartKind.QUANTITY, PartKind.TIME, PartKind.NAME, PartKind.POLARITY})
_OPEN = frozenset({VerdictStatus.PARTIALLY_SUPPORTED, VerdictStatus.UNSUPPORTED, VerdictStatus.UNVERIFIABLE})
_SAID = {
    "partly": VerdictStatus.PARTIALLY_SUPPORTED,
    "not_supported": VerdictStatus.UNSUPPORTED,
    "contradicted": VerdictStatus.CONTRADICTED,
}
# Best first: an opinion lowers the grade if its own comes later.
_ORDER = (
    VerdictStatus.VERIFIED,
    VerdictStatus.PARAPHRASED_ACCURATE,
    VerdictStatus.PARTIALLY_SUPPORTED,
    VerdictStatus.UNVERIFIABLE,
    VerdictStatus.UNSUPPORTED,
    VerdictStatus.CONTRADICTED,
)


def has_mismatch(verdict: Verdict) -> bool:
    """Return True if a figure, date, name or negation of the claim conflicts with the passage or is not in it."""
    return any(
        part.state is PartState.CONFLICTING or (part.state is PartState.MISSING and part.kind in _FACTS)
        for part in verdict.parts
    )


def is_open(verdict: Verdict, profile: SupportProfile | None = None) -> bool:
    """Return True if the passage narrowly fails to support the claim, by its wording alone: no fact is against it."""
    threshold = (profile or builtin_profile()).accurate
    if verdict.status not in _OPEN or verdict.passage is None or has_mismatch(verdict):
        return False
    return verdict.status is VerdictStatus.PARTIALLY_SUPPORTED or verdict.support >= NEAR * threshold


def adjust_verdict(verdict: Verdict, opinion: Opinion, passage: str, *, may_lower: bool = True) -> Verdict:
    """Return the verdict after the opinion. An opinion that may not count changes nothing."""
    explanation = " ".join(opinion.reason.split())[:MAX_REASON]
    reason = f"A model that compared the two: {explanation}" if explanation else "A model compared the two."
    if opinion.verdict == "supported":
        return _raise_verdict(verdict, opinion, passage, reason)
    lower = _SAID[opinion.verdict]
    if not may_lower or _ORDER.index(lower) <= _ORDER.index(verdict.status):
        return verdict
    return replace(verdict, status=lower, reasons=(reason, *verdict.reasons))


def _raise_verdict(verdict: Verdict, opinion: Opinion, passage: str, reason: str) -> Verdict:
    is_above = verdict.status in (VerdictStatus.VERIFIED, VerdictStatus.PARAPHRASED_ACCURATE)
    if is_above or verdict.status not in _OPEN or has_mismatch(verdict):
        return verdict
    if anchor(opinion.quote, passage) is None:
        return verdict
    return replace(verdict, status=VerdictStatus.PARAPHRASED_ACCURATE, reasons=(reason,))
