"""Run tasks in waves: those that are ready run in parallel; one more step waits for them and begins the next wave."""

from collections.abc import Mapping, Sequence

from pydantic import Field, TypeAdapter

from research.agents.agent_delegation_plan import Json, PlannedStep, ready
from research.engine.pipeline_registry import StepDraft
from research.llm.budgets.budget_limits import most
from research.models import AgentRole
from research.models.schemas import StoredSchema
from research.pipelines.report.report_step_names import ReportStepName

_OUTPUTS = TypeAdapter(dict[str, Json])


class DelegatedTask(StoredSchema):
    """Input of a step that one agent does. `outputs`: the results of the steps that it waited for, by their ids."""

    goal: str
    step: PlannedStep
    outputs: dict[str, Json] = Field(default_factory=dict)


class Wave(StoredSchema):
    """Input of a step that waits for a wave. `ended`: the outputs of earlier steps by their ids; null if one failed.

    `is_request`: what the agents name as missing is searched for once more before the report is written. `is_support`:
    sections are rewritten from what the agents find.
    """

    goal: str
    steps: list[PlannedStep]
    ended: dict[str, Json] = Field(default_factory=dict)
    number: int = 1
    is_request: bool = False
    is_support: bool = False

    @property
    def turn(self) -> Sequence[PlannedStep]:
        """The steps that can be started now; empty at the end."""
        return ready(self.steps, self.ended, max(1, most("agents")))

    def drafts(self) -> list[StepDraft]:
        return [self._draft(step) for step in self.turn]

    def _draft(self, step: PlannedStep) -> StepDraft:
        outputs = {
            id: output for id, output in self.ended.items() if id in step.waits_for and output is not None
        }
        task = DelegatedTask(goal=self.goal, step=step, outputs=outputs)
        given = task.model_dump(mode="json")
        return StepDraft(
            f"delegate/{step.id}",
            ReportStepName.DO_TASK,
            step.role,
            input=given,
            agent_id=f"{step.role}-{step.id}",
        )

    def after(self) -> StepDraft | None:
        """Return the step that waits for the wave; if no step is left, the one that uses the findings, or None."""
        if not self.turn:
            return StepDraft("rewrite", ReportStepName.REWRITE, AgentRole.WRITER) if self.is_support else None
        key = f"delegate/gather.{self.number}"
        return StepDraft(
            key, ReportStepName.GATHER, AgentRole.ORCHESTRATOR, input=self.model_dump(mode="json")
        )

    def next(self, came: Mapping[str, object]) -> "Wave":
        """Return the wave after this one, given the outputs of its steps."""
        return self.model_copy(
            update={"ended": self.ended | _OUTPUTS.validate_python(came), "number": self.number + 1}
        )
