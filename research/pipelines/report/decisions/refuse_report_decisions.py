"""Reasons to refuse a decision on a report. Changes nothing. Runs inside the caller's `tenant_context`."""

from copy import copy
from uuid import UUID

from django.utils.translation import gettext as _

from citations.models import Citation, Claim, ClaimStatus
from citations.verification import VerificationLevel
from research.library.retrieval.library_passage_similarity import NearestSentence
from research.models import ReviewAct, ReviewItem, ReviewKind
from research.models.schemas import StoredDecision
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.common.verifying.check_report_claims import JudgedClaim, judge_text
from research.pipelines.report.report_config import ReportConfig

STANDS = frozenset({ClaimStatus.VERIFIED, ClaimStatus.PARAPHRASED_ACCURATE})


def why_refused(item: ReviewItem, act: ReviewAct, decision: StoredDecision) -> str:
    """Return the reason why the item can't be decided so; empty if it can."""
    match ReviewKind(item.kind):
        case ReviewKind.CLAIM:
            return _about_claim(item, act, decision)
        case ReviewKind.CONTRADICTION:
            return _about_conflict(item, act, decision)
        case ReviewKind.GAP if act is ReviewAct.EDIT:
            return _("A gap can't be edited: go on with it, reject it, or have the run planned anew.")
        case ReviewKind.PLAN if act is ReviewAct.EDIT and decision.plan is None:
            return _("Change the plan first, or accept it as it is.")
    return ""


def _about_claim(item: ReviewItem, act: ReviewAct, decision: StoredDecision) -> str:
    claim = _claim(item, is_edited=act is ReviewAct.EDIT)
    if claim is None or claim.section_id is None:
        return "" if act is ReviewAct.REJECT else _("The sentence is no longer in the report.")
    if act is ReviewAct.ACCEPT and not Citation.objects.filter(claim=claim).exists():
        return _("No source has words for this sentence, so it can't stay: drop it, or reject the report.")
    return why_not_corrected(claim, decision.text) if act is ReviewAct.EDIT else ""


def _claim(item: ReviewItem, *, is_edited: bool) -> Claim | None:
    """Return the claim of an item; None if it is gone.

    Without a correction only its presence matters, which is checked at every key that a reviewer presses.
    """
    rows = Claim.objects.defer("embedding") if is_edited else Claim.objects.only("section_id")
    return rows.filter(pk=item.claim_id).first() if item.claim_id else None


def why_not_corrected(claim: Claim, text: str) -> str:
    """Return the reason why the claim can't be corrected to `text`, or "" if it can.

    The text is checked against the words that the claim cites, as any claim is.
    """
    text = " ".join(text.split())
    if not text:
        return _("Write the corrected sentence.")
    if text == claim.text:
        return _("The sentence is as it was: correct it, accept it, or drop it.")
    judged = judge_reworded_claim(claim, text)
    if judged.is_made_up:
        return _("The sentence cites no source that a correction could stand on: drop it.")
    if judged.status in STANDS:
        return ""
    reasons = " ".join(judged.verdict.reasons)
    return _("Its sources do not support that: %(reasons)s") % {"reasons": reasons}


def judge_reworded_claim(claim: Claim, text: str) -> JudgedClaim:
    """Judge the claim as if it had this text. Needs the tenant set."""
    rows = Citation.objects.filter(claim=claim).select_related("source__content", "chunk")
    other = copy(claim)
    other.text = text
    level = VerificationLevel(ReportConfig.model_validate(claim.run.config).fact_check)
    citations = tuple(rows.order_by("citation_index"))
    return judge_text(other, citations, level, NearestSentence(builtin_embedder()))


def _about_conflict(item: ReviewItem, act: ReviewAct, decision: StoredDecision) -> str:
    if act is not ReviewAct.EDIT:
        return ""
    if decision.winner is None:
        return _("Choose the side that is right, or have both presented.")
    return "" if decision.winner in _sides(item) else _("That claim is not one of the two sides.")


def _sides(item: ReviewItem) -> tuple[UUID, UUID]:
    return UUID(item.shown["claim_a"]), UUID(item.shown["claim_b"])
