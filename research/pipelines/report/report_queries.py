"""The search queries of a run: those of its plan, and its question itself."""

from dataclasses import dataclass
from uuid import UUID

from research.models import Run, Step, StepStatus
from research.models.schemas import Plan
from research.pipelines.report.report_step_names import ReportStepName
from research.search.search_or_reuse_pages import ReuseMode


@dataclass(frozen=True, slots=True)
class Query:
    """A search query, and the subtopic that it is for."""

    text: str
    subtopic: str


def queries_of(run: Run) -> tuple[Query, ...]:
    """Return the queries of the run. The question counts for the first subtopic."""
    subtopics = Plan.model_validate(run.plan).subtopics
    planned = [Query(text, subtopic.name) for subtopic in subtopics for text in subtopic.queries]
    return tuple(dict.fromkeys([*planned, Query(run.topic, subtopics[0].name)]))


def load_answered_queries(run_id: UUID) -> frozenset[str]:
    """Return the queries that were answered, in lower case: by the library, the web, or saved pages.

    Repeating one would find the same; a failed one may be asked again. Needs the tenant set.
    """
    searches = Step.objects.filter(run_id=run_id, status=StepStatus.COMPLETED)
    answered = searches.filter(handler__in=[ReportStepName.SEARCH_LIBRARY, ReportStepName.SEARCH_WEB])
    planned = searches.filter(handler=ReportStepName.PLAN_WEB).values_list("output__decisions", flat=True)
    reused = [
        decision["query"]
        for decisions in planned
        for decision in decisions or ()
        if decision["decision"] == ReuseMode.REUSE.value
    ]
    return frozenset(text.casefold() for text in (*answered.values_list("input__query", flat=True), *reused))
