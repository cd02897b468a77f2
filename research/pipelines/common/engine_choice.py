"""The writer of a run's report: a model, or rules that arrange sentences of the sources. Chosen once, at the start."""

from enum import StrEnum
from uuid import UUID

from research.engine.states.exit_conditions import MOST_REVISIONS
from research.llm.model_settings import has_model
from research.models import Run
from research.pipelines.report.config import EvidenceConfig


class Engine(StrEnum):
    EXTRACTIVE = "extractive"
    MODEL = "model"


def choose(config: EvidenceConfig, tenant_id: UUID) -> Engine:
    """By what the workspace has now. A run that wants no model gets none; one can't be had where none is set."""
    return Engine.MODEL if config.engine == "auto" and has_model(tenant_id) else Engine.EXTRACTIVE


def engine_of(run: Run) -> Engine:
    """As it was chosen."""
    return Engine(str(run.outcome.get("engine", Engine.EXTRACTIVE)))


def is_written_once(run: Run) -> bool:
    """Return True if the report is not to be written again after it was checked.

    Rules would write the same, and a model may revise only so often.
    """
    return engine_of(run) is Engine.EXTRACTIVE or run.revision_count >= MOST_REVISIONS
