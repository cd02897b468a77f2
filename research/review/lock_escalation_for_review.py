"""An escalation and its run, locked for a decision, and the check whether it can still be decided."""

from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from research.engine.pipeline_registry import pipeline_for
from research.engine.states.state_exit_conditions import MAX_REPLANS
from research.engine.states.transitions import lock_run
from research.models import Escalation, EscalationStatus, ReviewItem, Run, State


class DecisionRefused(Exception):
    """The decision is not possible, or no longer; str(error) tells the user why. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class EscalationQuestion:
    run: Run
    asked: Escalation

    def check_open(self) -> None:
        """Raise DecisionRefused if the escalation can no longer be decided."""
        if self.asked.status == EscalationStatus.EXPIRED or self._is_late:
            raise DecisionRefused(_("Its deadline has passed; the run goes on without an answer."))
        if self.asked.status not in (EscalationStatus.OPEN, EscalationStatus.CLOSED):
            raise DecisionRefused(_("%(name)s has decided it already.") % {"name": self.decider})
        if self.run.state == State.CANCELLED or self.run.cancel_at is not None:
            raise DecisionRefused(_("The run was cancelled meanwhile."))
        if self.run.state == State.FAILED:
            raise DecisionRefused(_("The run has failed meanwhile."))

    @property
    def _is_late(self) -> bool:
        """Return True if the deadline has passed and the sweep has not expired the escalation yet."""
        return self.asked.status == EscalationStatus.OPEN and self.asked.deadline <= timezone.now()

    @property
    def decider(self) -> str:
        return self.asked.decided_by.get_username() if self.asked.decided_by else ""

    @property
    def may_replan(self) -> bool:
        return may_replan(self.run)


def may_replan(run: Run) -> bool:
    """Return True if a reviewer may ask for a new plan."""
    is_left = run.replan_count < MAX_REPLANS and State.REPLANNING in pipeline_for(run.kind).states
    return run.is_waiting and is_left and run.cancel_at is None


def lock_question(run_id: UUID, escalation_id: UUID) -> EscalationQuestion:
    """Lock a run and its escalation, the run's row first as everywhere."""
    run = lock_run(run_id)
    rows = Escalation.objects.select_for_update(no_key=True, of=("self",))
    asked = rows.get(pk=escalation_id)
    if run is None:
        raise Escalation.DoesNotExist
    return EscalationQuestion(run, asked)


def lock_item(item_id: UUID, run: Run) -> ReviewItem:
    rows = ReviewItem.objects.select_for_update(no_key=True, of=("self",))
    item = rows.get(pk=item_id)  # related rows are loaded where they are needed
    item.run = run
    return item
