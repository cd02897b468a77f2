"""Plan by rules: facets of the question and of the library become subtopics, each with its search queries."""

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.extractive import extractive_planner
from research.library.retrieval.hybrid_retrieval import cards, understand
from research.models import PlanTrigger, Run
from research.models.schemas import Division, Plan
from research.pipelines.report.planning.report_own_subtopics import apply_wishes
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_scope import get_planning_scope
from research.runs.run_plan_versions import keep_version

WEB_CONFIDENCE = 0.9  # confidence of a plan whose sources are found later; below 0.8 the owner would be asked


def make_plan(work: StepWork) -> StepResult:
    plan = _apply(work, extractive_plan(work)).model_copy(update={"division": Division.NO_MODEL})

    def save() -> None:
        keep_version(Run.objects.get(pk=work.run_id), plan, PlanTrigger.PLANNER, "")

    return StepResult(
        {"subtopics": [subtopic.name for subtopic in plan.subtopics]},
        save=save,
        activity="Planning the search",
    )


def _apply(work: StepWork, plan: Plan) -> Plan:
    with tenant_context(work.tenant_id):
        run = Run.objects.only("topic", "config").get(pk=work.run_id)
    return apply_wishes(plan, ReportConfig.model_validate(run.config), run.topic)


def extractive_plan(work: StepWork) -> Plan:
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        config = ReportConfig.model_validate(run.config)
        scope = get_planning_scope(config, run.pk)
        known = cards(scope)
        question, rare = understand(run.topic, scope, known)
        drawn = extractive_planner.plan(question, known, rare, config.target_sources)
    if config.uses_web:  # the number of web sources is not known before the search
        sources = max(drawn.estimated_sources, config.target_sources)
        confidence = max(drawn.confidence, WEB_CONFIDENCE)
        return drawn.model_copy(update={"confidence": confidence, "estimated_sources": sources})
    return drawn
