"""The plans of a run as they were, one after another: made, edited, made anew. All inside `tenant_context`.

What two of them differ in: `difference`, re-exported from research.runs.plan_diff.
"""

from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _

from research.engine.states.replanning import Cause, can_replan, record_replan_request
from research.engine.states.transitions import enter, lock_run
from research.models import PlanTrigger, PlanVersion, Run, State
from research.models.schemas import Plan
from research.runs.plan_diff import PlanDifference, difference
from research.runs.run_estimate import terms, with_estimate

__all__ = ["PlanDifference", "PlanRefused", "difference", "edit_plan", "keep_version", "request_replan"]


class PlanRefused(ValueError):
    """The plan can't be changed so, or not now; str(error) tells the user why."""


def keep_version(
    run: Run, plan: Plan, trigger: PlanTrigger, reason: str, by: User | None = None
) -> PlanVersion:
    """Make it the run's plan. Needs the run's row locked. A run planned before there were versions gets its first."""
    latest = PlanVersion.objects.filter(run=run).aggregate(latest=Max("number"))["latest"]
    if latest is None and run.plan is not None and trigger is not PlanTrigger.PLANNER:
        PlanVersion.objects.create(run=run, number=1, plan=run.plan, trigger=PlanTrigger.PLANNER)
        latest = 1
    stored = plan.model_dump(mode="json")
    Run.objects.filter(pk=run.pk).update(plan=stored, snapshot_version=F("snapshot_version") + 1)
    run.plan = stored
    return PlanVersion.objects.create(
        run=run, number=(latest or 0) + 1, plan=stored, trigger=trigger, reason=reason, made_by=by
    )


def edit_plan(run_id: UUID, by: User, plan: Plan, note: str) -> PlanVersion:
    """A person's plan takes the place of the one that waits for consent. Raises PlanRefused."""
    with transaction.atomic():
        run = lock_run(run_id)
        if run is None or run.plan is None:
            raise PlanRefused(_("There is no plan yet."))
        if run.state != State.HUMAN_REVIEW_PLAN:
            raise PlanRefused(_("The plan can be edited only while the run waits for your consent to it."))
        return keep_version(run, _update_estimate(plan), PlanTrigger.EDIT, note, by)


def _update_estimate(plan: Plan) -> Plan:
    """Estimate the plan's cost anew if a model carries it out; one carried out by rules still costs nothing."""
    return with_estimate(plan, terms()) if plan.estimated_tokens else plan


def request_replan(run_id: UUID, by: User, note: str) -> bool:
    """Stop what the run is doing and make a new plan, with the owner's words. False: it can't be done now.

    A run that waits for a person is answered there. At most two replans a run, whoever asks.
    """
    with transaction.atomic():
        run = lock_run(run_id)
        if run is None or not can_replan(run):
            return False
        cause = Cause(PlanTrigger.USER_FEEDBACK, State(run.state), note, by.username)
        record_replan_request(run, note)
        enter(run, State.REPLANNING, frozenset(), note=cause.stored())
    return True
