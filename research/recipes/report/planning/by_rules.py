"""Planning: the facets of the question and of the library become subtopics, each with the queries that look for it."""

from dataclasses import asdict, replace

from research.agents.extractive import planner
from research.agents.extractive.question import analyse
from research.lifecycle.recipe import StepResult, StepWork
from research.models import Run
from research.models.schemas import Plan, PlannedSection, Subtopic
from research.recipes.report.config import ReportConfig
from research.recipes.report.scope import planning_scope
from research.retrieval import cards, rarity
from research.tenancy import tenant_context

WEB_CONFIDENCE = 0.9  # of a plan whose sources are found later; below 0.8 the owner would be asked


def make_plan(work: StepWork) -> StepResult:
    plan = extractive_plan(work)

    def save() -> None:
        Run.objects.filter(pk=work.run_id).update(plan=plan.model_dump(mode="json"))

    return StepResult(
        {"subtopics": [one.name for one in plan.subtopics]}, save=save, activity="Planning the search"
    )


def extractive_plan(work: StepWork) -> Plan:
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        config = ReportConfig.model_validate(run.config)
        question, scope = analyse(run.topic), planning_scope(config, run.pk)
        drawn = planner.plan(question, cards(scope), rarity(question, scope), config.target_sources)
    if config.uses_web:  # what the web holds is not known before it is searched
        sources = max(drawn.estimated_sources, config.target_sources)
        drawn = replace(drawn, confidence=max(drawn.confidence, WEB_CONFIDENCE), estimated_sources=sources)
    return as_stored(drawn)


def as_stored(drawn: planner.Plan) -> Plan:
    """The plan as the run keeps it. Reading one's own documents costs nothing."""
    return Plan(
        goal=drawn.goal,
        subtopics=[
            Subtopic.model_validate(
                {**asdict(topic), "name": topic.name[:300], "queries": list(topic.queries)}
            )
            for topic in drawn.subtopics
        ],
        outline=[PlannedSection(**asdict(section)) for section in drawn.outline],
        estimated_sources=drawn.estimated_sources,
        estimated_cost_usd=0.0,
        confidence=drawn.confidence,
    )
