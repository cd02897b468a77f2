"""Planning: the question's facets become subtopics, each with the queries that look for it."""

from django.db.models import F

from research.agents.extractive.question import analyse
from research.lifecycle.recipe import StepResult, StepWork
from research.models import Run
from research.models.schemas import Plan, Subtopic
from research.recipes.report.config import ReportConfig
from research.tenancy import tenant_context


def make_plan(work: StepWork) -> StepResult:
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
    config = ReportConfig.model_validate(run.config)
    plan = plan_for(run.topic, config.target_sources)

    def save() -> None:
        Run.objects.filter(pk=work.run_id).update(
            plan=plan.model_dump(mode="json"), snapshot_version=F("snapshot_version") + 1
        )

    return StepResult(
        {"subtopics": [one.name for one in plan.subtopics]}, save=save, activity="Planning the search"
    )


def plan_for(topic: str, target_sources: int) -> Plan:
    """One subtopic for the question as a whole and, where it asks several things, one for each."""
    question = analyse(topic)
    asked = list(dict.fromkeys([question.text, *question.parts]))
    return Plan(
        goal=question.text,
        subtopics=[
            Subtopic(
                name=text[:300],
                queries=[text],
                target_sources=target_sources,
                priority="critical" if index == 0 else "important",
            )
            for index, text in enumerate(asked)
        ],
        estimated_sources=target_sources,
        estimated_cost_usd=0.0,
    )
