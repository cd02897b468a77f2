"""The writer of a run's report: a model, or rules that arrange sentences of the sources. Chosen once, at the start."""

from enum import StrEnum
from uuid import UUID

from research.engine.states.state_exit_conditions import MAX_REVISIONS
from research.llm.model_settings import has_model
from research.models import Run
from research.pipelines.report.report_config import EvidenceConfig


class Engine(StrEnum):
    EXTRACTIVE = "extractive"
    MODEL = "model"


def choose(config: EvidenceConfig, tenant_id: UUID) -> Engine:
    """Choose the engine by the workspace's settings.

    Rules write if the run wants no model, or if the workspace has none.
    """
    return Engine.MODEL if config.engine == "auto" and has_model(tenant_id) else Engine.EXTRACTIVE


def engine_of(run: Run) -> Engine:
    """Return the engine that was chosen for the run."""
    return Engine(str(run.outcome.get("engine", Engine.EXTRACTIVE)))


def is_written_once(run: Run) -> bool:
    """Return True if the report is not rewritten after its check.

    Rules would write the same text again, and a model may revise only a limited number of times.
    """
    return engine_of(run) is Engine.EXTRACTIVE or run.revision_count >= MAX_REVISIONS
