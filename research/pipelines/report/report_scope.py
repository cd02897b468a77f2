"""The scope that a report may be written from, and its ranking. Needs the tenant set."""

from uuid import UUID

from research.extractive.sentence_ranking import Ranker
from research.library.library_scope import LibraryScope
from research.library.retrieval.hybrid_retrieval import cards, understand
from research.models import Run
from research.pipelines.report.report_config import ReportConfig


def ranker_of(run: Run, topic: str = "") -> Ranker:
    """Return a ranker of the sentences in the report's scope by how they answer its question, or `topic`."""
    scope = scope_of(ReportConfig.model_validate(run.config), run.pk)
    known = cards(scope)
    question, rare = understand(topic or run.topic, scope, known)
    return Ranker.of(question, known, rare)


def scope_of(config: ReportConfig, run_id: UUID) -> LibraryScope:
    """Return the library as requested; if the web may be used, the run's own sources."""
    return LibraryScope(run=run_id) if config.uses_web else config.scope


def get_planning_scope(config: ReportConfig, run_id: UUID) -> LibraryScope:
    """Return the scope that is known before anything was searched. On the web alone it is empty."""
    return config.scope if config.uses_library else LibraryScope(run=run_id)
