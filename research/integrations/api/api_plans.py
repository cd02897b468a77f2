"""The plan of a run: read it, and change it while the run waits for its approval."""

from typing import Annotated, Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Router
from pydantic import Field, StringConstraints

from exports.stored.translate_exported_sentences import translate_stored_text
from research.accounts.api_tokens import ApiCaller
from research.accounts.audit.write_audit_trail import record
from research.integrations.api.api_auth import DECIDES, NEEDS, caller_of
from research.integrations.api.api_json_bodies import Sent
from research.integrations.api.api_lookup import find
from research.integrations.api.api_problems import Problem
from research.integrations.api.api_schemas import Out
from research.models import Act, PlanVersion, Run, Scope, State
from research.models.schemas import Plan, Subtopic
from research.runs.run_plan_edits import MAX_STEPS, PlanEditRefused, with_goal, with_steps
from research.runs.run_plan_versions import PlanRefused, edit_plan

router = Router(tags=["plans"])
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]


class PlanStepIn(Sent):
    """A step, identified by its name: another name means another step."""

    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=150)]
    description: str = Field("", max_length=500)
    queries: list[Line] = Field(min_length=1, max_length=10)
    target_sources: int = Field(5, ge=1, le=500)
    priority: Literal["critical", "important", "supplementary"] = "important"


class PlanIn(Sent):
    """A changed plan. `version` is that of the plan it replaces, so that a later version is never overwritten."""

    version: int = Field(ge=0)
    goal: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1_000)]
    steps: list[PlanStepIn] = Field(min_length=1, max_length=MAX_STEPS)


class PlanStepOut(Out):
    name: str
    description: str
    queries: list[str]
    target_sources: int
    priority: str


class PlanOut(Out):
    """A plan. `is_editable`: the run waits for its approval; accept the question (`/questions`) to continue."""

    run: UUID
    version: int
    is_editable: bool
    goal: str
    steps: list[PlanStepOut]
    estimated_sources: int
    estimated_minutes: float
    estimated_cost_usd: float | None
    questions: list[str]  # the planner's questions
    division: str  # of the first round: divided by step, or why not: no_model, depth, simple
    notes: list[str]  # what is open: of a table that found its rows, how complete they are likely to be


def plan_out(run: Run) -> PlanOut:
    """Return the plan of a run. Raises Problem if there is none yet."""
    if run.plan is None:
        raise Problem("not_found", _("There is no plan yet."))
    plan = Plan.model_validate(run.plan)
    return PlanOut(
        run=run.pk,
        version=_version_of(run),
        is_editable=run.state == State.HUMAN_REVIEW_PLAN,
        goal=plan.goal,
        steps=[PlanStepOut.model_validate(step) for step in plan.subtopics],
        estimated_sources=plan.estimated_sources,
        estimated_minutes=plan.estimated_minutes,
        estimated_cost_usd=plan.estimated_cost_usd,
        questions=plan.clarification_questions,
        division=plan.division,
        notes=list(map(translate_stored_text, plan.risks)),
    )


def _version_of(run: Run) -> int:
    numbers = PlanVersion.objects.filter(run=run).order_by("-number").values_list("number", flat=True)
    return numbers.first() or 0


@router.get("/runs/{uuid:run_id}/plan", response=PlanOut, auth=NEEDS[Scope.READ], summary="Read a plan")
def read_plan(request: HttpRequest, run_id: UUID) -> PlanOut:
    return plan_out(find(Run.objects.all(), run_id))


@router.put("/runs/{uuid:run_id}/plan", response=PlanOut, auth=DECIDES, summary="Change a plan")
def write_plan(request: HttpRequest, run_id: UUID, wanted: PlanIn) -> PlanOut:
    """Replace the goal and all steps, in the given order."""
    return change_plan(caller_of(request), run_id, wanted)


def change_plan(caller: ApiCaller, run_id: UUID, wanted: PlanIn) -> PlanOut:
    """Replace a run's plan. Raises Problem."""
    run = find(Run.objects.select_for_update(of=("self",)), run_id)
    before = plan_out(run)
    if wanted.version != before.version:
        raise Problem("conflict", _("The plan has been changed in the meantime. Read it again."))
    plan = Plan.model_validate(run.plan)
    own = {step.name: step for step in plan.subtopics}
    steps = [_step(step, own.get(step.name)) for step in wanted.steps]
    try:
        edited = with_steps(with_goal(plan, wanted.goal), steps)
        edit_plan(run_id, caller.user(), edited, _("The plan was changed by a program."))
    except (PlanEditRefused, PlanRefused) as refusal:
        raise Problem("refused", str(refusal)) from refusal
    record(Act.PLAN_CHANGE, on=run)
    return plan_out(find(Run.objects.all(), run_id))


def _step(wanted: PlanStepIn, was: Subtopic | None) -> Subtopic:
    values = wanted.model_dump()
    return Subtopic(**values, is_asked=was.is_asked if was else False)
