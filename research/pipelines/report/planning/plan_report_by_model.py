"""Plan with a model: its plan is brought within the limits of a run. It sees the question, never a source.

The rules' queries are searched too, so that a model's plan never finds less than theirs.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from research.db.tenancy import in_thread, tenant_context
from research.engine.pipeline_registry import JsonObject, StepResult, StepWork
from research.llm.model_errors import Trouble
from research.models import AgentRole, PlanTrigger, Run
from research.models.schemas import Division, Plan, PlannedSection, RunOutcome, Subtopic
from research.pipelines.common.ask_model_in_pipeline_step import FallbackReason, ModelQuestion, ask
from research.pipelines.common.choose_rules_or_model import Engine
from research.pipelines.common.report_model_answers import PlanAnswer, SubtopicAnswer
from research.pipelines.report.delegating.first_report_round import choose_division
from research.pipelines.report.planning.plan_report_by_rules import extractive_plan
from research.pipelines.report.planning.report_own_subtopics import apply_wishes
from research.pipelines.report.record_report_fallbacks import FACTOR
from research.pipelines.report.report_config import ReportConfig
from research.runs.run_estimate import EstimateRates, terms, with_estimate
from research.runs.run_plan_versions import keep_version

MAX_SUBTOPICS, MAX_QUERIES = 8, 3  # more than 10 subtopics would ask the owner first
MAX_NAME, MAX_QUERY_LENGTH, MAX_QUESTION_LENGTH = 150, 300, 300  # characters
MAX_QUESTIONS = 3
WORDS = (60, 600)  # of a section
MAX_TOKENS = 3_000
NOTHING_TO_LOOK_FOR = FallbackReason(
    Trouble.INVALID_OUTPUT.value, "The model's plan names nothing to look for."
)
TRUSTED = 0.9  # confidence of a plan that fits its schema; below 0.8 the owner would be asked


@dataclass(frozen=True, slots=True)
class PlanPromptInput:
    """The input of the planner's prompt."""

    topic: str
    config: ReportConfig
    terms: EstimateRates  # for the plan's estimate

    def question(self) -> ModelQuestion[PlanAnswer]:
        values = {
            "question": self.topic,
            "sources": self.config.target_sources,
            "from_date": self.config.published_from,
            "to_date": self.config.published_to,
        }
        return ModelQuestion(AgentRole.PLANNER, "planner/report", values, PlanAnswer, MAX_TOKENS)


async def draft_plan(work: StepWork) -> StepResult:
    told = await in_thread(lambda: _load_prompt_input(work))
    asked = await ask(work, told.question())
    by_rules = await in_thread(lambda: extractive_plan(work))
    plan = None if asked.answer is None else sound_plan(asked.answer, told.topic, told.config.target_sources)
    if plan is None:
        plan = lower_plan_confidence(by_rules)
        asked = replace(asked, fallback=asked.fallback or NOTHING_TO_LOOK_FOR)
    else:
        plan = with_queries_of(plan, by_rules)
    wished = apply_wishes(plan, told.config, told.topic)
    back = [] if asked.answer is None else list(questions_back(asked.answer))
    division = Division.NO_MODEL
    if asked.fallback is None:
        division = await in_thread(lambda: choose_division(wished, told.config, told.topic))
    plan = wished.model_copy(update={"clarification_questions": back, "division": division})
    estimated = with_estimate(plan, told.terms)

    def save() -> None:
        outcome = RunOutcome(engine=Engine.MODEL.value).model_dump(mode="json")
        Run.objects.filter(pk=work.run_id).update(result=outcome)
        keep_version(Run.objects.get(pk=work.run_id), estimated, PlanTrigger.PLANNER, "")

    output: JsonObject = {"subtopics": [subtopic.name for subtopic in plan.subtopics], **asked.note}
    return StepResult(output, save=save, activity="Planning the search", usage=asked.usage)


def _load_prompt_input(work: StepWork) -> PlanPromptInput:
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        return PlanPromptInput(run.topic, ReportConfig.model_validate(run.config), terms())


def lower_plan_confidence(plan: Plan) -> Plan:
    return plan.model_copy(update={"confidence": round(plan.confidence * FACTOR, 4)})


def sound_plan(answer: PlanAnswer, topic: str, target_sources: int) -> Plan | None:
    """Return the plan within our limits; None if it names nothing to look for. The question itself is always asked."""
    subtopics = list(_subtopics(answer, target_sources))[:MAX_SUBTOPICS]
    if not subtopics:
        return None
    first = subtopics[0]
    first.queries = list(dict.fromkeys([topic[:MAX_QUERY_LENGTH], *first.queries]))
    return Plan(
        goal=_line(answer.goal, 1_000) or topic,
        subtopics=subtopics,
        outline=list(_outline(answer, subtopics)),
        estimated_sources=target_sources,
        confidence=TRUSTED,
    )


def with_queries_of(plan: Plan, by_rules: Plan) -> Plan:
    """Return the plan with the queries of the rules' plan beside its own, under its first subtopic."""
    known = {query.casefold() for subtopic in plan.subtopics for query in subtopic.queries}
    queries = dict.fromkeys(query for subtopic in by_rules.subtopics for query in subtopic.queries)
    first, *others = plan.subtopics
    more = [query for query in queries if query.casefold() not in known]
    widened = first.model_copy(update={"queries": [*first.queries, *more]})
    return plan.model_copy(update={"subtopics": [widened, *others]})


def questions_back(answer: PlanAnswer) -> Iterator[str]:
    """Yield the questions that the planner needs answered first, worded for a person."""
    lines = dict.fromkeys(_line(question, MAX_QUESTION_LENGTH) for question in answer.questions)
    yield from [line for line in lines if line][:MAX_QUESTIONS]


def _subtopics(answer: PlanAnswer, target_sources: int) -> Iterator[Subtopic]:
    share = max(1, target_sources // max(1, min(len(answer.subtopics), MAX_SUBTOPICS)))
    seen: set[str] = set()
    for subtopic in answer.subtopics:
        name, queries = _line(subtopic.name, MAX_NAME), _queries(subtopic)
        if name and queries and name.casefold() not in seen:
            seen.add(name.casefold())
            yield Subtopic(
                name=name,
                description=_line(subtopic.description, 500),
                queries=queries,
                target_sources=share,
                priority=subtopic.priority,
            )


def _queries(subtopic: SubtopicAnswer) -> list[str]:
    lines = (_line(query, MAX_QUERY_LENGTH) for query in subtopic.queries)
    return list(dict.fromkeys(line for line in lines if line))[:MAX_QUERIES]


def _outline(answer: PlanAnswer, subtopics: list[Subtopic]) -> Iterator[PlannedSection]:
    """Yield a section for each subtopic, under the model's heading if it gave one."""
    planned = {section.subtopic: section for section in reversed(answer.outline)}
    for number, subtopic in enumerate(subtopics, start=1):
        given = planned.get(number)
        heading = _line(given.heading, MAX_NAME) if given else ""
        words = given.target_words if given else 150
        yield PlannedSection(
            heading=heading or subtopic.name,
            subtopic=subtopic.name,
            target_words=min(max(words, WORDS[0]), WORDS[1]),
        )


def _line(text: str, longest: int) -> str:
    return " ".join(text.split())[:longest].strip()
