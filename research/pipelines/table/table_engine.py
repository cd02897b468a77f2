"""The engine that fills a table's cells, chosen at its start: a model, or rules that find values in the sources."""

from uuid import UUID

from research.llm.model_settings import has_model
from research.models import Run
from research.pipelines.common.choose_rules_or_model import Engine, engine_of
from research.pipelines.table.table_config import TableConfig

__all__ = ["Engine", "choose", "resolve_engine", "engine_of", "is_by_model"]


def choose(config: TableConfig, tenant_id: UUID) -> Engine:
    """Return the engine that fills a table's cells: a model only if the run wants one and the workspace has one."""
    return resolve_engine(config.engine, tenant_id)


def resolve_engine(wanted: str, tenant_id: UUID) -> Engine:
    """Return the engine for a wish of "auto" or "extractive", for any kind of run that has this choice.

    A model does the work only for "auto", and only if the workspace has one.
    """
    return Engine.MODEL if wanted == "auto" and has_model(tenant_id) else Engine.EXTRACTIVE


def is_by_model(run: Run) -> bool:
    return engine_of(run) is Engine.MODEL
