"""Delegate work to agents in a run with a model.

In the first round of a deep run a researcher looks after each subtopic of the plan. In a further round agents look for
what the searches did not find, as the orchestrator divides it. Each task is a separate step, so that agents work in
parallel on any worker, and a killed one resumes where it was. What they keep is read like everything else.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from research.agents.agent_delegation_plan import AgentPlan
from research.db.tenancy import in_tenant
from research.engine.pipeline_registry import StepDraft, StepResult, StepWork
from research.engine.states.state_source_stats import load_source_stats
from research.models import AgentRole, Run, Step
from research.models.schemas import Plan
from research.pipelines.common.ask_model_in_pipeline_step import ModelQuestion, ask
from research.pipelines.common.choose_rules_or_model import Engine, engine_of
from research.pipelines.report.collecting.collect_report_sources_from_web import thin_subtopics
from research.pipelines.report.delegating.divide_report_among_agents import (
    MAX_TASKS,
    Short,
    divide_by_subtopic,
    divide_work,
)
from research.pipelines.report.delegating.report_agent_task_waves import Wave
from research.pipelines.report.looking_again.open_report_parts import is_looking_again, load_requests
from research.pipelines.report.looking_again.search_open_report_parts import reword_open_parts
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_queries import load_answered_queries
from research.pipelines.report.report_step_names import ReportStepName

MAX_TOKENS = 2_000
OPEN = "A part of the question that nothing answers yet"
REQUESTED = "Evidence that the writer of a section or the verifier asked for"


def delegation_drafts(run: Run) -> Iterator[StepDraft]:
    """Yield one step if a model writes the report and a part of the question is open, or a subtopic is short of
    sources. The latter once per run, beside the first round: the same agents would look in the same places.
    """
    if engine_of(run) is not Engine.MODEL:
        return
    delegations = Step.objects.filter(run=run, handler=ReportStepName.DELEGATE)
    was_done = delegations.exclude(input__has_key="is_first_round").exists()
    if is_looking_again(run) or (not was_done and thin_subtopics(run)):
        yield StepDraft("delegate", ReportStepName.DELEGATE, AgentRole.ORCHESTRATOR)


@dataclass(frozen=True, slots=True)
class _OrchestratorPromptInput:
    """The input of the orchestrator's prompt."""

    topic: str
    config: ReportConfig
    short: Sequence[Short]

    def question(self) -> ModelQuestion[AgentPlan]:
        values = {
            "question": self.topic,
            "from_date": self.config.published_from,
            "to_date": self.config.published_to,
            "subtopics": [asdict(short) for short in self.short],
            "most": MAX_TASKS,
        }
        return ModelQuestion(AgentRole.ORCHESTRATOR, "orchestrator/report", values, AgentPlan, MAX_TOKENS)


async def delegate(work: StepWork) -> StepResult:
    """Divide the work among agents.

    If the model fails, the round has only its searches. Raises ModelError for a temporary failure.
    """
    if work.input.get("is_first_round"):
        return await in_tenant(work.tenant_id, lambda: _divide_first_round(Run.objects.get(pk=work.run_id)))
    told = await in_tenant(work.tenant_id, lambda: _load_prompt_input(Run.objects.get(pk=work.run_id)))
    if not told.short:
        return StepResult({"tasks": 0})
    asked = await ask(work, told.question())
    if asked.fallback is not None:
        return StepResult({"tasks": 0, **asked.note})
    wave = Wave(goal=told.topic, steps=divide_work(asked.answer, told.short))
    return StepResult(
        {"tasks": len(wave.steps), "subtopics": [short.name for short in told.short]},
        children=wave.drafts(),
        then=wave.after(),
        activity="Searching further for what was not found",
        usage=asked.usage,
    )


def _divide_first_round(run: Run) -> StepResult:
    """Give each subtopic of the plan to a researcher; the planner has divided the question already."""
    subtopics = Plan.model_validate(run.plan).subtopics
    wave = Wave(goal=run.topic, steps=divide_by_subtopic(subtopics))
    return StepResult(
        {"tasks": len(wave.steps), "subtopics": [subtopic.name for subtopic in subtopics]},
        children=wave.drafts(),
        then=wave.after(),
        activity="Dividing the work by subtopic",
    )


def _load_prompt_input(run: Run) -> _OrchestratorPromptInput:
    config = ReportConfig.model_validate(run.config)
    if is_looking_again(run):
        requested = set(load_requests(run))
        open_parts = [
            Short(part.part, REQUESTED if part.part in requested else OPEN, part.queries, 0, 1)
            for part in reword_open_parts(run)
        ]
        return _OrchestratorPromptInput(run.topic, config, open_parts)
    thin, answered_queries = set(thin_subtopics(run)), load_answered_queries(run.pk)
    source_counts = Counter(stat.subtopic for stat in load_source_stats(run))
    short = [
        Short(
            subtopic.name,
            subtopic.description,
            tuple(query for query in subtopic.queries if query.casefold() in answered_queries),
            source_counts[subtopic.name],
            subtopic.target_sources,
        )
        for subtopic in Plan.model_validate(run.plan).subtopics
        if subtopic.name in thin
    ]
    return _OrchestratorPromptInput(run.topic, config, short)
