"""Who fills a table's cells: a model, or rules that find values in the sources' own words. Chosen at its start."""

from research.llm.settings import engine as configured
from research.models import Run
from research.recipes.report.engine import Engine, engine_of
from research.recipes.table.config import TableConfig

__all__ = ["Engine", "choose", "chosen_engine", "engine_of", "is_by_model"]


def choose(config: TableConfig) -> Engine:
    """By the settings as they are now. A run that wants no model gets none; one can't be had where none is set."""
    return chosen_engine(config.engine)


def chosen_engine(wanted: str) -> Engine:
    """Of any kind that is told "auto" or "extractive"."""
    has_model = configured() != Engine.EXTRACTIVE.value
    return Engine.MODEL if has_model and wanted == "auto" else Engine.EXTRACTIVE


def is_by_model(run: Run) -> bool:
    return engine_of(run) is Engine.MODEL
