"""Plan a technical search: a report's plan by rules, which begins with the queries for the question's type."""

from django.utils import timezone

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.models import PlanTrigger, Run
from research.models.schemas import Plan, RunOutcome
from research.pipelines.common.choose_rules_or_model import choose
from research.pipelines.report.planning.plan_report_by_rules import extractive_plan
from research.pipelines.technical.technical_config import TechnicalConfig, config_of
from research.pipelines.technical.technical_queries import queries_of
from research.runs.run_plan_versions import keep_version


def plan_search(work: StepWork) -> StepResult:
    """Plan the search by rules, even if a model reads and writes: a single question shows its type by its form."""
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
    config = config_of(run)
    plan = with_queries(extractive_plan(work), queries_of(run.topic, config, timezone.now().year), config)

    def save() -> None:
        keep_version(Run.objects.get(pk=work.run_id), plan, PlanTrigger.PLANNER, "")
        outcome = RunOutcome(engine=choose(config, run.tenant_id).value)
        Run.objects.filter(pk=work.run_id).update(result=outcome.model_dump(mode="json"))

    queries = [query for subtopic in plan.subtopics for query in subtopic.queries]
    return StepResult({"queries": queries}, save=save, activity="Planning the search")


def with_queries(plan: Plan, queries: list[str], config: TechnicalConfig) -> Plan:
    """Return the plan with the queries added; a quick search keeps the first subtopic only."""
    first, *others = plan.subtopics
    first = first.model_copy(update={"queries": list(dict.fromkeys((*queries, *first.queries)))})
    kept = [] if config.depth == "quick" else others
    names = {subtopic.name for subtopic in (first, *kept)}
    outline = [section for section in plan.outline if section.heading in names]
    return plan.model_copy(update={"subtopics": [first, *kept], "outline": outline})
