"""The steps that follow an instruction, by their stored names. Imports little, for modules that only request them."""

from uuid import UUID

from research.engine.pipeline_registry import StepDraft
from research.models import AgentRole, State
from research.pipelines.report.report_step_names import ReportStepName

HEEDED = (State.COLLECTING, State.READING, State.ANALYZING)  # states that read instructions when they begin
SEARCHED = (State.COLLECTING, State.READING)  # states in which more searches are possible


def instruction_draft(instruction_id: UUID, *, is_opening: bool = False) -> StepDraft:
    """Return the step of an instruction. `is_opening`: the state's own steps come after it, and see what it changed."""
    return StepDraft(
        f"instruct.{instruction_id}",
        ReportStepName.FOLLOW_INSTRUCTION,
        AgentRole.PLANNER,
        input={"instruction": str(instruction_id), "is_opening": is_opening},
    )


def begin_draft(key: str) -> StepDraft:
    """Return the step that begins the state's own steps."""
    return StepDraft(key, ReportStepName.BEGIN_STATE, AgentRole.ORCHESTRATOR)
