"""The versions of a run's plan: created, edited, replanned. All functions need `tenant_context`."""

from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _

from research.engine.states.state_replanning import Cause, can_replan, record_replan_request
from research.engine.states.transitions import enter, lock_run
from research.models import PlanTrigger, PlanVersion, Run, State
from research.models.schemas import Plan
from research.runs.run_estimate import terms, with_estimate
from research.runs.run_plan_diff import PlanDifference, difference

__all__ = ["PlanDifference", "PlanRefused", "difference", "edit_plan", "keep_version", "request_replan"]


class PlanRefused(ValueError):
    """The plan cannot be changed in this way, or not now; str(error) tells the user why."""


def keep_version(
    run: Run, plan: Plan, trigger: PlanTrigger, reason: str, by: User | None = None
) -> PlanVersion:
    """Store a version and make it the run's plan. Needs the run's row locked.

    A run that was planned before versions existed gets a first version, too.
    """
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
    """Replace the plan that awaits approval by a person's version. Raises PlanRefused."""
    with transaction.atomic():
        run = lock_run(run_id)
        if run is None or run.plan is None:
            raise PlanRefused(_("There is no plan yet."))
        if run.state != State.HUMAN_REVIEW_PLAN:
            raise PlanRefused(_("The plan can be edited only while the run waits for your consent to it."))
        return keep_version(run, _update_estimate(plan), PlanTrigger.EDIT, note, by)


def _update_estimate(plan: Plan) -> Plan:
    """Update the plan's cost estimate if a model will execute it; a plan executed by rules still costs nothing."""
    return with_estimate(plan, terms()) if plan.estimated_tokens else plan


def request_replan(run_id: UUID, by: User, note: str) -> bool:
    """Stop the run's current work and have it planned again with the owner's note.

    Return False if that is impossible now. For a run that waits for a person, this is the answer. A run is replanned
    at most twice, whoever requests it.
    """
    with transaction.atomic():
        run = lock_run(run_id)
        if run is None or not can_replan(run):
            return False
        cause = Cause(PlanTrigger.USER_FEEDBACK, State(run.state), note, by.username)
        record_replan_request(run, note)
        enter(run, State.REPLANNING, frozenset(), note=cause.to_json())
    return True
