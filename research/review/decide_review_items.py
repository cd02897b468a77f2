"""Decide review items. Everything runs inside the caller's `tenant_context`.

The run stays unchanged until the last item of an escalation is decided: then all decisions take effect in one
transaction and the run continues. Every act is kept as history. Rows are locked in a fixed order, the run's
first, so that reviewers, the sweep and a cancellation wait for each other and see each other's changes.
"""

from functools import partial
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from research.engine.pipeline_registry import pipeline_for
from research.engine.states.resolve_escalation import EscalationAnswer, ReviewablePipeline, settle
from research.models import (
    Escalation,
    EscalationStatus,
    ReviewAct,
    ReviewDecision,
    ReviewItem,
    ReviewKind,
    ReviewStatus,
)
from research.models.schemas import StoredDecision
from research.review.apply_review_decisions import ask_worker, takes_long
from research.review.lock_escalation_for_review import (
    DecisionRefused,
    EscalationQuestion,
    lock_item,
    lock_question,
)
from research.review.review_history import latest_of, undone_status
from research.review.review_queue import TAKEN_FOR, WAITING, TakenByAnother, check_free

__all__ = ["DecisionRefused", "answer_by_change", "decide", "decide_whole", "undo_last"]

STATUSES = {
    ReviewAct.ACCEPT: ReviewStatus.ACCEPTED,
    ReviewAct.REJECT: ReviewStatus.REJECTED,
    ReviewAct.EDIT: ReviewStatus.EDITED,
    ReviewAct.SKIP: ReviewStatus.SKIPPED,
}
# Of these a rejection ends the run; a claim or a side of a conflict that is rejected just leaves the report.
STOPPING = frozenset({ReviewKind.PLAN, ReviewKind.GAP})


@transaction.atomic
def decide(
    item_id: UUID, by: User, act: ReviewAct, decision: StoredDecision, *, by_worker: bool = False
) -> ReviewItem:
    """Accept, edit, reject or skip one item. Repeating the same act by the same person changes nothing.

    With `by_worker`, time-consuming consequences are left to a worker, so that the person does not wait.
    Raises DecisionRefused and ReviewItem.DoesNotExist.
    """
    question, item = _lock_question_and_item(item_id)
    if _is_said_already(item, by, act, decision):
        return item
    question.check_open()
    _check(item, by, act, decision)
    _store(item, by, act, decision)
    if not _select_waiting_items(question.asked).exists():
        _settle(question, _answer(question.asked, by, decision.note), by_worker=by_worker)
    item.refresh_from_db()
    return item


def _settle(question: EscalationQuestion, answer: EscalationAnswer, *, by_worker: bool) -> None:
    is_put_off = by_worker and answer.takes_effect and takes_long(question.asked)
    settle(question.run, question.asked, answer, is_put_off=is_put_off)
    if is_put_off:
        transaction.on_commit(partial(ask_worker, question.asked.tenant_id, question.asked.pk))


def _lock_question_and_item(item_id: UUID) -> tuple[EscalationQuestion, ReviewItem]:
    """Lock an item and its escalation. Raises ReviewItem.DoesNotExist."""
    run_id, escalation_id = ReviewItem.objects.values_list("run_id", "escalation_id").get(pk=item_id)
    question = lock_question(run_id, escalation_id)
    return question, lock_item(item_id, question.run)


def _is_said_already(item: ReviewItem, by: User, act: ReviewAct, decision: StoredDecision) -> bool:
    """Return True if the same decision is already stored, as when a form is submitted twice."""
    same = item.status == STATUSES.get(act) and item.decided_by == by
    return same and item.status != ReviewStatus.SKIPPED and item.decision == decision.model_dump(mode="json")


def _check(item: ReviewItem, by: User, act: ReviewAct, decision: StoredDecision) -> None:
    """Raise DecisionRefused if the item can't be decided in this way."""
    if act not in STATUSES:
        raise DecisionRefused(_("A single item can be accepted, edited, rejected or skipped."))
    if item.status not in WAITING:
        name = item.decided_by.get_username() if item.decided_by else ""
        raise DecisionRefused(_("%(name)s has already decided it.") % {"name": name})
    try:
        check_free(item, by)
    except TakenByAnother as taken:
        raise DecisionRefused(_("%(name)s is reviewing it.") % {"name": taken.name}) from taken
    if act is ReviewAct.REJECT and not decision.note.strip():
        raise DecisionRefused(_("Say why you reject it."))
    if act is not ReviewAct.SKIP and (reason := _refusal(item, act, decision)):
        raise DecisionRefused(reason)


def _refusal(item: ReviewItem, act: ReviewAct, decision: StoredDecision) -> str:
    """Return the objection of the run's pipeline to the decision, or an empty string."""
    recipe = pipeline_for(item.run.kind)
    return recipe.refusal(item, act, decision) if isinstance(recipe, ReviewablePipeline) else ""


def _store(item: ReviewItem, by: User, act: ReviewAct, decision: StoredDecision) -> None:
    stored = decision.model_dump(mode="json")
    is_skipped = act is ReviewAct.SKIP
    ReviewItem.objects.filter(pk=item.pk).update(
        status=STATUSES[act],
        decision=None if is_skipped else stored,
        decided_by=None if is_skipped else by,
        decided_at=None if is_skipped else Now(),
        taken_by=None,
        taken_until=None,
        updated_at=Now(),
    )
    ReviewDecision.objects.create(escalation_id=item.escalation_id, item=item, act=act, by=by, detail=stored)


def _select_waiting_items(asked: Escalation) -> QuerySet[ReviewItem]:
    return ReviewItem.objects.filter(escalation=asked, status__in=WAITING)


def _answer(asked: Escalation, by: User, note: str) -> EscalationAnswer:
    """Combine the decisions on a question's items into its answer."""
    rows = ReviewItem.objects.filter(escalation=asked).values_list("kind", "status")
    if any(kind in STOPPING and status == ReviewStatus.REJECTED for kind, status in rows):
        return EscalationAnswer(EscalationStatus.REJECTED, ReviewAct.REJECT, note, by)
    if all(status == ReviewStatus.ACCEPTED for _kind, status in rows):
        return EscalationAnswer(EscalationStatus.APPROVED, ReviewAct.ACCEPT, note, by)
    return EscalationAnswer(EscalationStatus.REVISED, ReviewAct.EDIT, note, by)


@transaction.atomic
def undo_last(by: User) -> ReviewItem | None:
    """Undo the user's latest act and return its item, claimed for the user; None if there is no act.

    Raises DecisionRefused if the act has taken effect or somebody has decided the item since.
    """
    latest = latest_of(by)
    if latest is None:
        return None
    if latest.item_id is None:
        raise DecisionRefused(
            _("Your last decision was about a whole question and has already taken effect.")
        )
    question, item = _lock_question_and_item(latest.item_id)
    question.check_open()
    status = undone_status(item, latest)
    if status is None:
        raise DecisionRefused(_("Somebody has decided it in the meantime."))
    ReviewItem.objects.filter(pk=item.pk).update(
        status=status,
        decision=None,
        decided_by=None,
        decided_at=None,
        taken_by=by,
        taken_until=Now() + TAKEN_FOR,
        updated_at=Now(),
    )
    undone = StoredDecision()
    ReviewDecision.objects.create(
        escalation=question.asked, item=item, act=ReviewAct.UNDO, by=by, detail=undone.model_dump(mode="json")
    )
    item.refresh_from_db()
    return item


@transaction.atomic
def decide_whole(
    escalation_id: UUID, by: User, act: ReviewAct, decision: StoredDecision, *, by_worker: bool = False
) -> Escalation:
    """Accept the rest of an escalation, edit its plan, reject it, or have the run planned again.

    `by_worker` as in `decide`. Raises DecisionRefused and Escalation.DoesNotExist.
    """
    run_id = Escalation.objects.values_list("run_id", flat=True).get(pk=escalation_id)
    question = lock_question(run_id, escalation_id)
    escalation = question.asked
    if (
        escalation.status == WHOLE.get(act)
        and escalation.decided_by == by
        and (escalation.decision or {}).get("act") == act
    ):
        return escalation  # sent twice
    question.check_open()
    _check_whole(question, act, decision)
    if act in (ReviewAct.ACCEPT, ReviewAct.EDIT):
        _decide_rest(question, by, act, decision)
    stored = decision.model_dump(mode="json")
    ReviewDecision.objects.create(escalation=escalation, act=act, by=by, detail=stored)
    _settle(question, _whole(escalation, by, act, decision.note), by_worker=by_worker)
    escalation.refresh_from_db()
    return escalation


@transaction.atomic
def answer_by_change(escalation_id: UUID, by: User, decision: StoredDecision) -> None:
    """Answer an escalation with an edit, because its subject was changed elsewhere.

    Raises DecisionRefused and Escalation.DoesNotExist.
    """
    run_id = Escalation.objects.values_list("run_id", flat=True).get(pk=escalation_id)
    question = lock_question(run_id, escalation_id)
    question.check_open()
    for item in _select_waiting_items(question.asked):
        _store(item, by, ReviewAct.EDIT, decision)
    stored = decision.model_dump(mode="json")
    ReviewDecision.objects.create(escalation=question.asked, act=ReviewAct.EDIT, by=by, detail=stored)
    _settle(
        question,
        EscalationAnswer(EscalationStatus.REVISED, ReviewAct.EDIT, decision.note, by),
        by_worker=False,
    )


WHOLE = {
    ReviewAct.ACCEPT: EscalationStatus.APPROVED,
    ReviewAct.EDIT: EscalationStatus.REVISED,
    ReviewAct.REJECT: EscalationStatus.REJECTED,
    ReviewAct.REPLAN: EscalationStatus.REVISED,
}


def _check_whole(question: EscalationQuestion, act: ReviewAct, decision: StoredDecision) -> None:
    """Raise DecisionRefused if the escalation can't be decided in this way."""
    if act not in WHOLE:
        raise DecisionRefused(_("A question as a whole can be accepted, edited, rejected or planned again."))
    if act is ReviewAct.REJECT and not decision.note.strip():
        raise DecisionRefused(_("Say why you reject it."))
    if act in (ReviewAct.REJECT, ReviewAct.REPLAN) and not question.run.is_waiting:
        raise DecisionRefused(_("The run has continued: decide the items one by one."))
    if act is ReviewAct.REPLAN and not question.may_replan:
        raise DecisionRefused(_("This run cannot be replanned again."))


def _decide_rest(question: EscalationQuestion, by: User, act: ReviewAct, decision: StoredDecision) -> None:
    """Decide every undecided item. Raises DecisionRefused for the first that can't be decided in this way."""
    for item in (
        _select_waiting_items(question.asked).select_related("run", "taken_by", "claim").order_by("position")
    ):
        _check(item, by, act, decision)
        _store(item, by, act, decision)


def _whole(asked: Escalation, by: User, act: ReviewAct, note: str) -> EscalationAnswer:
    if act in (ReviewAct.REJECT, ReviewAct.REPLAN):
        return EscalationAnswer(WHOLE[act], act, note, by)
    return _answer(asked, by, note)
