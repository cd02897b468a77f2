"""Plan again with a model: it sees the question, the old plan and its outcome, never a source."""

from dataclasses import dataclass, replace

from research.db.tenancy import in_thread
from research.engine.pipeline_registry import StepResult, StepWork
from research.models import AgentRole
from research.models.schemas import Plan
from research.pipelines.common.ask_model_in_pipeline_step import ModelQuestion, ask
from research.pipelines.common.report_model_answers import PlanAnswer
from research.pipelines.report.planning.plan_report_by_model import (
    MAX_TOKENS,
    NOTHING_TO_LOOK_FOR,
    sound_plan,
)
from research.pipelines.report.replanning.replan_report_by_rules import widen_plan
from research.pipelines.report.replanning.report_replanning_prompt import (
    WHY,
    ReplanPromptInput,
    load_replan_input,
)
from research.pipelines.report.replanning.store_new_report_plan import build_replan_result
from research.runs.run_estimate import with_estimate


@dataclass(frozen=True, slots=True)
class OldSubtopic:
    """A subtopic of the old plan, as the prompt shows it."""

    name: str
    queries: tuple[str, ...]
    found: int
    wanted: int


async def replan_by_model(work: StepWork) -> StepResult:
    told = await in_thread(lambda: load_replan_input(work))
    asked = await ask(work, question_of(told))
    plan = None if asked.answer is None else _sound(asked.answer, told)
    if plan is None:
        plan = widen_plan(told)
        asked = replace(asked, fallback=asked.fallback or NOTHING_TO_LOOK_FOR)
    plan = plan.model_copy(update={"division": told.plan.division})
    result = build_replan_result(work, told, with_estimate(plan, told.terms))
    return replace(result, output={**result.output, **asked.note}, usage=asked.usage)


def _sound(answer: PlanAnswer, told: ReplanPromptInput) -> Plan | None:
    plan = sound_plan(answer, told.topic, told.config.target_sources)
    return None if plan is None else with_what_stays(plan, told.plan)


def with_what_stays(plan: Plan, old: Plan) -> Plan:
    """Return the plan with the parts that the answer's schema lacks and what the owner requested. Pure."""
    names = {subtopic.name.casefold() for subtopic in plan.subtopics}
    headings = {section.heading.casefold() for section in plan.outline}
    asked_subtopics = [
        subtopic for subtopic in old.subtopics if subtopic.is_asked and subtopic.name.casefold() not in names
    ]
    asked_sections = [
        section for section in old.outline if section.is_asked and section.heading.casefold() not in headings
    ]
    return plan.model_copy(
        update={
            "success_criteria": old.success_criteria,
            "risks": old.risks,
            "subtopics": [*plan.subtopics, *asked_subtopics],
            "outline": [*plan.outline, *asked_sections],
        }
    )


def question_of(told: ReplanPromptInput) -> ModelQuestion[PlanAnswer]:
    values = {
        "question": told.topic,
        "sources": told.config.target_sources,
        "from_date": told.config.published_from,
        "to_date": told.config.published_to,
        "why": WHY[told.cause.trigger],
        "note": told.cause.note,
        "subtopics": [
            OldSubtopic(
                subtopic.name,
                tuple(subtopic.queries),
                told.found.get(subtopic.name, 0),
                subtopic.target_sources,
            )
            for subtopic in told.plan.subtopics
        ],
        "gaps": told.gaps,
        "failures": [f"{code}: {count}" for code, count in sorted(told.failures.items())],
    }
    return ModelQuestion(
        AgentRole.PLANNER, "planner/replan", values, PlanAnswer, MAX_TOKENS, purpose="replan"
    )
