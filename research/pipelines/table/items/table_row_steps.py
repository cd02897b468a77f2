"""The steps of a row: one that searches, reads and fills it, and a second look if cells are then empty or disputed."""

from collections.abc import Sequence

from research.engine.pipeline_registry import StepDraft
from research.models import AgentRole
from research.pipelines.table.table_step_names import TableStepName


def draft_row(index: int, name: str, tries: int = 0) -> StepDraft:
    """Return the step that fills a row. `tries`: how often it was tried before."""
    key = f"item.{index}.{tries}" if tries else f"item.{index}"
    return StepDraft(
        key,
        TableStepName.FILL_ROW,
        AgentRole.RESEARCHER,
        input={"item": index, "try": tries, "name": name},
        agent_id=key,
    )


def draft_second_look(index: int, name: str, tries: int, columns: Sequence[str]) -> StepDraft:
    """Return the step that looks once more for cells of a filled row."""
    first = draft_row(index, name, tries)
    return StepDraft(
        f"{first.key}/again",
        TableStepName.FILL_ROW_AGAIN,
        AgentRole.RESEARCHER,
        input={**first.input, "again": list(columns)},
        agent_id=first.key,
    )
