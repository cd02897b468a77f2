"""The items of a review, in their order: a plan, contradictions, gaps, claims.

Each item stores the reason why it is asked about, and what was shown.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from citations.claim_confidence import MEDIUM
from citations.models import Claim, ClaimStatus, Contradiction, ContradictionStatus, Resolution, Strength
from citations.models import Warning as Gap
from research.engine.pipeline_registry import Json
from research.engine.states.state_exit_conditions import DEAR, MAX_SOURCES, MAX_SUBTOPICS, TRUSTED
from research.models import Escalation, ReviewItem, ReviewKind, Run
from research.models.schemas import Plan

# Rules of questions that a person requests.
MARKING = "marking_claims"  # see research.review.calibration_review
ON_REQUEST = "review_on_request"  # see research.review.request_review
FAILED = (ClaimStatus.UNSUPPORTED, ClaimStatus.CONTRADICTED)
# Claims that a requested review is about.
IN_DOUBT = (
    Q(verification_status__in=[*FAILED, ClaimStatus.PARTIALLY_SUPPORTED])
    | Q(contradiction_status=ContradictionStatus.PRESENTED_BOTH)
    | Q(confidence__lt=MEDIUM)
)


@dataclass(frozen=True, slots=True)
class ReviewItemDraft:
    """A review item to be created. `shown` keeps the words, so that a decision can be understood when the rows have
    changed.
    """

    reason: str
    shown: dict[str, Json] = field(default_factory=dict)
    claim: Claim | None = None
    contradiction: Contradiction | None = None


def items_for(kind: ReviewKind, run: Run, asked: Escalation) -> list[ReviewItem]:
    """Build the unsaved items of a question, in the order in which they are reviewed. Needs the tenant set."""
    return [
        ReviewItem(
            run=run,
            escalation=asked,
            position=position,
            kind=kind,
            reason=draft.reason,
            shown=draft.shown,
            claim=draft.claim,
            contradiction=draft.contradiction,
        )
        for position, draft in enumerate(_questions(kind, run, asked), 1)
    ]


def _questions(kind: ReviewKind, run: Run, asked: Escalation) -> Iterable[ReviewItemDraft]:
    match kind:
        case ReviewKind.PLAN:
            return _plan(run, asked)
        case ReviewKind.CONTRADICTION:
            return _contradictions(run)
        case ReviewKind.GAP:
            return _gaps(run)
        case ReviewKind.CLAIM:
            return _claims(asked.rule, run)


def _plan(run: Run, asked: Escalation) -> Iterator[ReviewItemDraft]:
    plan = Plan.model_validate(run.plan)
    reasons = [*plan.clarification_questions, *_explain_consent(asked.context)]
    otherwise = _("You wished to see the plan before anything is spent.")
    if asked.rule == "pilot_release":
        reasons, otherwise = [], _("The pilot is done, and the other rows wait to be released.")
    yield ReviewItemDraft(
        " ".join(reasons) or otherwise,
        {"plan": plan.model_dump(mode="json")},
    )


def _explain_consent(facts: Mapping[str, float | None]) -> Iterator[str]:
    """Yield the reasons for which a plan needs consent, from the question's figures (`escalation.facts_of`)."""
    share, subtopics = facts["cost_share"], facts["subtopics"] or 0
    sources, trust = facts["estimated_sources"] or 0, facts["plan_confidence"] or 0
    if share is not None and share > DEAR:
        yield _("It would take %(share)d %% of your credits.") % {"share": round(100 * share)}
    if subtopics > MAX_SUBTOPICS:
        yield _("It has %(count)d parts.") % {"count": subtopics}
    if sources > MAX_SOURCES:
        yield _("It would read %(count)d sources.") % {"count": sources}
    if trust < TRUSTED:
        yield _("The planner is not sure of it (%(trust).2f).") % {"trust": trust}


def _contradictions(run: Run) -> Iterator[ReviewItemDraft]:
    rows = Contradiction.objects.filter(run=run, resolution=Resolution.OPEN).select_related(
        "claim_a", "claim_b"
    )
    for row in rows.order_by("created_at", "id"):
        reason = _("Two sources differ, and neither is clearly the stronger one (margin %(margin).2f).")
        shown: dict[str, Json] = {
            "claim_a": str(row.claim_a_id),
            "claim_b": str(row.claim_b_id),
            "a": row.claim_a.text,
            "b": row.claim_b.text,
            "note": row.note,
            "margin": row.margin,
        }
        yield ReviewItemDraft(reason % {"margin": row.margin}, shown, contradiction=row)


def _gaps(run: Run) -> Iterator[ReviewItemDraft]:
    for row in Gap.objects.filter(run=run, kind="gap", severity="high").order_by("code", "created_at", "id"):
        yield ReviewItemDraft(row.text, {"code": row.code, "text": row.text, "advice": row.advice})


def _claims(rule: str, run: Run) -> Iterator[ReviewItemDraft]:
    """Yield claims without a source first, then those that failed, then weakly supported ones; each in the report's
    order.
    """
    placed = Claim.objects.filter(run=run, section__isnull=False).annotate(cited=Count("citations"))
    claims = list(placed.order_by("number", "position", "id"))
    asked = [(claim, reason) for claim in claims if (reason := _explain_review(claim, rule))]
    for claim, reason in sorted(asked, key=lambda pair: _rank(pair[0])):
        shown: dict[str, Json] = {
            "text": claim.text,
            "number": claim.number,
            "status": claim.verification_status,
            "note": claim.verification_note,
            "confidence": claim.confidence,
            "strength": claim.strength,
        }
        yield ReviewItemDraft(reason, shown, claim=claim)


def _is_cited(claim: Claim) -> bool:
    return bool(getattr(claim, "cited", 0))


def _rank(claim: Claim) -> int:
    if not _is_cited(claim):
        return 0
    return 1 if claim.verification_status in FAILED else 2


def _explain_review(claim: Claim, rule: str) -> str:
    """Return the reason to ask about the claim; empty if there is none."""
    if not _is_cited(claim):
        return _("No source of this run has these words.")
    if claim.verification_status == ClaimStatus.CONTRADICTED:
        return _("Its source says otherwise.")
    if claim.verification_status == ClaimStatus.UNSUPPORTED:
        return _("Its source does not support it.")
    if rule == "low_verification_confidence" and claim.strength == Strength.LIMITED:
        return _("Limited: one independent source says so.")
    if rule == MARKING:
        return _("Every claim is to be marked as right or wrong.")
    return _explain_doubt(claim) if rule == ON_REQUEST else ""


def _explain_doubt(claim: Claim) -> str:
    """Return the reason why the claim is in doubt; empty if it is not. Failed claims are handled before."""
    if claim.contradiction_status == ContradictionStatus.PRESENTED_BOTH:
        return _("Sources disagree about it; both sides are presented.")
    if claim.verification_status == ClaimStatus.PARTIALLY_SUPPORTED:
        return _("Its source supports it only in part.")
    if claim.confidence is not None and claim.confidence < MEDIUM:
        return _("Its confidence is low (%(confidence).2f).") % {"confidence": claim.confidence}
    return ""
