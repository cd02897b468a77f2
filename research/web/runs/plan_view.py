"""A run's plan as its page shows it: a version, its changes, and the estimated effort of each step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from research.llm.budgets.budget_estimates import likely_minutes
from research.models import Escalation, EscalationStatus, EscalationType, PlanVersion, Run, State
from research.models.schemas import Plan, Subtopic
from research.runs.run_plan_diff import PlanDifference, difference
from research.web.runs.plan_forms import GoalForm, StepForm

NEW = "new"  # prefix of the form for another step


@dataclass(frozen=True, slots=True)
class StepView:
    """A step with its share of the plan's cost; None if it is unknown."""

    number: int  # from 1
    step: Subtopic
    cost: float | None
    change: str  # compared with the version before: added, changed, moved, or empty
    form: StepForm

    @property
    def prefix(self) -> str:
        return prefix_of(self.number - 1)

    @property
    def up(self) -> str:
        """Return the name of the control that moves the step up, so that a URL can focus it."""
        return f"{self.prefix}-up"

    @property
    def down(self) -> str:
        return f"{self.prefix}-down"


@dataclass(frozen=True, slots=True)
class PlanView:
    run: Run
    plan: Plan
    version: PlanVersion | None  # None if the plan is older than versions
    versions: Sequence[PlanVersion]  # newest first, without their plans
    steps: tuple[StepView, ...]
    difference: PlanDifference | None  # from the version before; None for the first version
    question: Escalation | None  # the open question that asks for consent to the plan
    goal_form: GoalForm
    new_form: StepForm

    @property
    def number(self) -> int:
        return self.version.number if self.version else 1

    @property
    def minutes(self) -> tuple[int, int]:
        """Return the estimated duration in minutes, from and to; (0, 0) means less than one."""
        return likely_minutes(self.plan.estimated_minutes)

    @property
    def is_latest(self) -> bool:
        return not self.versions or self.number == self.versions[0].number

    @property
    def is_editable(self) -> bool:
        return self.is_latest and self.run.state == State.HUMAN_REVIEW_PLAN and self.run.cancel_at is None


def prefix_of(index: int) -> str:
    return f"step-{index + 1}"


def plan_view(
    run: Run, wanted: int | None = None, typed: Mapping[str, GoalForm | StepForm] | None = None
) -> PlanView | None:
    """Return the requested version, by default the latest; None if there is no such plan.

    `typed` holds a refused form by its prefix.
    """
    versions = list(
        PlanVersion.objects.filter(run=run).select_related("made_by").defer("plan").order_by("-number")
    )
    number = wanted or (versions[0].number if versions else 1)
    plans = _plans(run, number) if versions else _single_plan(run)
    if number not in plans:
        return None
    return _view(run, versions, plans, number, typed or {})


def _view(
    run: Run,
    versions: Sequence[PlanVersion],
    plans: Mapping[int, Plan],
    number: int,
    typed: Mapping[str, GoalForm | StepForm],
) -> PlanView:
    plan, before = plans[number], plans.get(number - 1)
    new_in_it = None if before is None else difference(before, plan)
    new_form = typed.get(NEW)
    return PlanView(
        run=run,
        plan=plan,
        version=next((version for version in versions if version.number == number), None),
        versions=versions,
        steps=_steps(plan, new_in_it, typed),
        difference=new_in_it,
        question=_question(run),
        goal_form=_goal_form(plan, typed.get("goal")),
        new_form=new_form if isinstance(new_form, StepForm) else StepForm(prefix=NEW),
    )


def _goal_form(plan: Plan, typed: GoalForm | StepForm | None) -> GoalForm:
    return typed if isinstance(typed, GoalForm) else GoalForm(initial={"goal": plan.goal}, prefix="goal")


def _plans(run: Run, number: int) -> dict[int, Plan]:
    """Return the version and the one before it."""
    rows = PlanVersion.objects.filter(run=run, number__in=[number - 1, number])
    return {row.number: Plan.model_validate(row.plan) for row in rows}


def _single_plan(run: Run) -> dict[int, Plan]:
    return {} if run.plan is None else {1: Plan.model_validate(run.plan)}


def _question(run: Run) -> Escalation | None:
    if run.state != State.HUMAN_REVIEW_PLAN:
        return None
    asked = Escalation.objects.filter(run=run, type=EscalationType.BLOCKING, status=EscalationStatus.OPEN)
    return asked.order_by("-created_at").first()


def _steps(
    plan: Plan, new_in_it: PlanDifference | None, typed: Mapping[str, GoalForm | StepForm]
) -> tuple[StepView, ...]:
    target_sources = sum(subtopic.target_sources for subtopic in plan.subtopics)
    usd = plan.estimated_cost_usd
    steps = []
    for index, step in enumerate(plan.subtopics):
        form = typed.get(prefix_of(index))
        steps.append(
            StepView(
                number=index + 1,
                step=step,
                cost=None if usd is None else usd * step.target_sources / target_sources,
                change=_change(step, new_in_it),
                form=form if isinstance(form, StepForm) else StepForm(step=step, prefix=prefix_of(index)),
            )
        )
    return tuple(steps)


def _change(step: Subtopic, new_in_it: PlanDifference | None) -> str:
    if new_in_it is None:
        return ""
    rows = new_in_it.subtopics
    if step in rows.added:
        return "added"
    if any(step == change.after for change in rows.changed):
        return "changed"
    return "moved" if any(step == change.after for change in rows.moved) else ""
