"""The input of the replanning prompt: the old plan, its outcome, and the reason for another."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from citations.models import Warning as Gap
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepWork
from research.engine.states.state_counts import LEFT_ASIDE
from research.engine.states.state_replanning import Cause, cause_of
from research.engine.states.state_source_sufficiency import is_covered
from research.models import PlanTrigger, Run, Source, SourceStatus, Step, StepStatus
from research.models.schemas import Plan, RunOutcome, Subtopic
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_queries import load_answered_queries
from research.runs.run_estimate import EstimateRates, terms

MAX_GAPS = 10
WHY: Mapping[PlanTrigger, str] = {
    PlanTrigger.INSUFFICIENT_SOURCES: "The search ended with far too few sources.",
    PlanTrigger.DIMENSION_FAILURE: "Several subtopics found next to nothing of what was expected of them.",
    PlanTrigger.INSUFFICIENT_COVERAGE: "What was read covers less than half of the subtopics.",
    PlanTrigger.SCOPE_EXPANSION_NEEDED: "The plan was too narrow: it leaves out what the question names.",
    PlanTrigger.USER_FEEDBACK: "The person who asked wants another plan.",
}


@dataclass(frozen=True, slots=True)
class ReplanPromptInput:
    topic: str
    config: ReportConfig
    plan: Plan
    cause: Cause
    terms: EstimateRates  # for the plan's estimate
    found: Mapping[str, int]  # subtopic → sources that have not failed
    titles: Mapping[str, tuple[str, ...]]  # subtopic → titles of those sources
    asked: frozenset[str]  # queries that were searched for, in lower case
    gaps: tuple[str, ...]  # what the evidence lacks, in words
    failures: Mapping[str, int]  # code → number of steps that failed with it

    @property
    def reason(self) -> str:
        """The entry for the plan's history: the cause, and what the owner said."""
        return " ".join(filter(None, (WHY[self.cause.trigger], self.cause.note)))

    @property
    def thin(self) -> list[Subtopic]:
        return [
            subtopic
            for subtopic in self.plan.subtopics
            if not is_covered(self.found.get(subtopic.name, 0), subtopic.target_sources)
        ]


def load_replan_input(work: StepWork) -> ReplanPromptInput:
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        rows = Source.objects.filter(run=run).exclude(status__in=[*LEFT_ASIDE, SourceStatus.FAILED])
        titles = list(rows.order_by("created_at", "id").values_list("subtopic", "title"))
        return ReplanPromptInput(
            topic=run.topic,
            config=ReportConfig.model_validate(run.config),
            plan=Plan.model_validate(run.plan),
            cause=cause_of(work.input),
            terms=terms(),
            found=Counter(subtopic for subtopic, _title in titles),
            titles=_by_subtopic(titles),
            asked=load_answered_queries(run.pk),
            gaps=_gaps(run),
            failures=_failures(run.pk),
        )


def _by_subtopic(rows: list[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    names = dict.fromkeys(subtopic for subtopic, _title in rows)
    return {name: tuple(title for subtopic, title in rows if title and subtopic == name) for name in names}


def _gaps(run: Run) -> tuple[str, ...]:
    """Return the severe gaps, after the reasons why the sources did not answer, if they did not."""
    severe = Gap.objects.filter(run=run, kind="gap", severity="high").order_by("code", "text")
    reasons = RunOutcome.model_validate(run.outcome).reasons
    return tuple(dict.fromkeys([*reasons, *severe.values_list("text", flat=True)]))[:MAX_GAPS]


def _failures(run_id: UUID) -> Counter[str]:
    """Count the failures by code; no messages, since they may hold words of a page."""
    failed = Step.objects.filter(run_id=run_id, status=StepStatus.FAILED).exclude(error_code="")
    return Counter(failed.values_list("error_code", flat=True))
