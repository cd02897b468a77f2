"""What a report may be written from, and how that is ranked. Needs the tenant set."""

from uuid import UUID

from research.extractive.question import analyse
from research.extractive.ranking import Ranker
from research.library.scope import Scope
from research.models import Run
from research.recipes.report.config import ReportConfig
from research.retrieval import cards, rarity


def ranker_of(run: Run) -> Ranker:
    """Ranks sentences of what the report may be written from by how they answer its question."""
    question = analyse(run.topic)
    scope = scope_of(ReportConfig.model_validate(run.config), run.pk)
    return Ranker.of(question, cards(scope), rarity(question, scope))


def scope_of(config: ReportConfig, run_id: UUID) -> Scope:
    """The library as asked for; where the web may be used, the run's own sources."""
    return Scope(run=run_id) if config.uses_web else config.scope


def planning_scope(config: ReportConfig, run_id: UUID) -> Scope:
    """What is known before anything was searched. On the web alone that is nothing."""
    return config.scope if config.uses_library else Scope(run=run_id)
