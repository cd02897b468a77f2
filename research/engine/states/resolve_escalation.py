"""Resolves an escalation, by an answer or by its deadline, in one transaction with all consequences."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol, runtime_checkable
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import F
from django.db.models.functions import Now

from citations.models import Citation, Claim
from research.db.tenancy import tenant_context
from research.engine.error_boundary import attempt_each
from research.engine.outbox import enqueue_knowledge
from research.engine.pipeline_registry import pipeline_for
from research.engine.states.step_failures import Failure
from research.engine.states.transitions import end, lock_run, reconsider
from research.models import (
    Escalation,
    EscalationStatus,
    Fallback,
    ReviewAct,
    ReviewItem,
    Run,
    State,
)
from research.models.base_models import new_id
from research.models.schemas import StoredDecision
from research.runtime.fault_injection import FaultPoint, crash_point
from research.runtime.logs import logger

OVER = frozenset({State.FAILED, State.CANCELLED})  # states of a run in which nothing is decided any more
log = logger(__name__)


@runtime_checkable
class ReviewablePipeline(Protocol):
    """A pipeline whose runs people review. Its methods are called in a transaction with the run's row locked."""

    def refusal(self, item: ReviewItem, act: ReviewAct, decision: StoredDecision) -> str:
        """Return the reason why the item cannot be decided so; empty if it can. Changes nothing."""

    def apply(self, run: Run, asked: Escalation, items: Sequence[ReviewItem]) -> None:
        """Apply the decisions on these items, which are all items of the question.

        Items without a decision stay as they would be without a person.
        """

    def words_behind(self, run_id: UUID, claims: Sequence[Claim]) -> Sequence[Citation]:
        """Return unsaved citations to support the claims that are not cited yet."""


@dataclass(frozen=True, slots=True)
class EscalationAnswer:
    """An answer to a question as a whole."""

    status: EscalationStatus
    act: ReviewAct
    note: str
    by: User

    @property
    def takes_effect(self) -> bool:
        """True if the decisions on single items apply: not if the run is replanned or ends."""
        return self.act is not ReviewAct.REPLAN and self.status is not EscalationStatus.REJECTED


def settle(run: Run, asked: Escalation, answer: EscalationAnswer, *, is_put_off: bool = False) -> None:
    """Close the question: apply its decisions and let the run go on. Needs both rows locked.

    With `is_put_off` this happens when `work_in` is called; the run waits until then.
    """
    asked.status, asked.decided_by = answer.status, answer.by
    asked.decision = {"act": answer.act.value, "note": answer.note, "by": answer.by.get_username()}
    changed = {"status": asked.status, "decision": asked.decision, "decided_by": asked.decided_by}
    waits = is_put_off and answer.takes_effect
    changed |= {"work_in_at": Now() if waits else None, "work_in_tries": 0}
    Escalation.objects.filter(pk=asked.pk).update(**changed, decided_at=Now(), updated_at=Now())
    if answer.takes_effect and not waits:
        _apply(run, asked)
    log.info("person_decided", run=str(run.pk), rule=asked.rule, status=str(answer.status))
    _go_on(run)
    crash_point(FaultPoint.DECIDED_BEFORE_COMMIT)


def work_in(tenant_id: UUID, escalation_id: UUID) -> bool:
    """Apply a decision that was put off, and let the run go on. Return False if there was nothing left to do.
    Idempotent.
    """
    with tenant_context(tenant_id):
        run = lock_run(Escalation.objects.values_list("run_id", flat=True).get(pk=escalation_id))
        put_off = Escalation.objects.filter(pk=escalation_id, work_in_at__isnull=False)
        asked = put_off.select_for_update(no_key=True).first()
        if run is None or asked is None:
            return False
        if run.state not in OVER:
            _apply(run, asked)
        put_off.update(work_in_at=None, updated_at=Now())
        log.info("decision_worked_in", run=str(run.pk), rule=asked.rule)
        _go_on(run)
        crash_point(FaultPoint.DECIDED_BEFORE_COMMIT)
    return True


def give_up(tenant_id: UUID, escalation_id: UUID, failure: Failure) -> None:
    """Record that the decision cannot be applied: a run that waits for it fails; a finished report stays as it is."""
    with tenant_context(tenant_id):
        run = lock_run(Escalation.objects.values_list("run_id", flat=True).get(pk=escalation_id))
        put_off = Escalation.objects.filter(pk=escalation_id, work_in_at__isnull=False)
        asked = put_off.select_for_update(no_key=True).first()
        if run is None or asked is None:
            return
        decision = {**(asked.decision or {}), "problem": failure.message}
        put_off.update(work_in_at=None, decision=decision, updated_at=Now())
        log.warning("decision_not_worked_in", run=str(run.pk), rule=asked.rule, code=failure.code)
        if run.is_waiting:
            end(run, State.FAILED, failure.code, failure.message)
        Run.objects.filter(pk=run.pk).update(snapshot_version=F("snapshot_version") + 1)


def _apply(run: Run, asked: Escalation) -> None:
    recipe = pipeline_for(run.kind)
    if isinstance(recipe, ReviewablePipeline):
        rows = ReviewItem.objects.filter(escalation=asked).order_by("position")
        recipe.apply(run, asked, list(rows.select_related("decided_by", "claim", "contradiction")))
    if run.state == State.COMPLETED:
        enqueue_knowledge(run.pk, f"decision.{new_id()}")


def _go_on(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(snapshot_version=F("snapshot_version") + 1)
    reconsider(run.tenant_id, run.pk)


def expire(tenant_id: UUID) -> int:
    """Close the questions whose deadline has passed, apply their fallbacks, and return their number. Idempotent."""
    with tenant_context(tenant_id):
        due = Escalation.objects.filter(status=EscalationStatus.OPEN, deadline__lte=Now())
        late = list(due.order_by("deadline").values_list("pk", "run_id"))
    return sum(attempt_each(partial(_expire, tenant_id, *ids) for ids in late))


def _expire(tenant_id: UUID, escalation_id: UUID, run_id: UUID) -> bool:
    with tenant_context(tenant_id):
        run = lock_run(run_id)
        open_still = Escalation.objects.filter(
            pk=escalation_id, status=EscalationStatus.OPEN, deadline__lte=Now()
        )
        asked = open_still.select_for_update(no_key=True).first()
        if run is None or asked is None:
            return False  # decided in the meantime
        asked.status = EscalationStatus.EXPIRED
        open_still.update(status=asked.status, updated_at=Now())
        if asked.fallback != Fallback.FAIL and run.state not in OVER:
            _apply(run, asked)  # decisions made so far are applied
        log.info("question_expired", run=str(run.pk), rule=asked.rule, then=str(asked.fallback))
        _go_on(run)
    return True
