"""Answer an escalation as a whole, for the run's page and the API."""

from django.contrib.auth.models import User

from research.models import Escalation, PlanTrigger, PlanVersion, ReviewAct
from research.models.schemas import Plan, StoredDecision
from research.review.decide_review_items import decide_whole

WHOLE = (ReviewAct.ACCEPT, ReviewAct.REJECT, ReviewAct.REPLAN)


def answer_question(asked: Escalation, by: User, act: ReviewAct, note: str) -> ReviewAct:
    """Answer an escalation as a whole and return the act that was stored.

    Accepting a plan that was edited since the escalation counts as an edit. Time-consuming consequences are
    left to a worker. Raises DecisionRefused.
    """
    kept, decision = _decision(asked, act, note)
    decide_whole(asked.pk, by, kept, decision, by_worker=True)
    return kept


def _decision(asked: Escalation, act: ReviewAct, note: str) -> tuple[ReviewAct, StoredDecision]:
    edits = PlanVersion.objects.filter(
        run=asked.run_id, trigger=PlanTrigger.EDIT, created_at__gte=asked.created_at
    )
    if act == ReviewAct.ACCEPT and (edited := edits.order_by("-number").first()):
        return ReviewAct.EDIT, StoredDecision(note=note, plan=Plan.model_validate(edited.plan))
    return act, StoredDecision(note=note)
