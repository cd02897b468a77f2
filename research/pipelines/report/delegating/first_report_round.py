"""Decides if the first round of a report is divided among researchers, one for each subtopic."""

from collections.abc import Iterator

from research.engine.pipeline_registry import StepDraft
from research.extractive.question.answer_forms import AnswerForm
from research.extractive.question.parsed_question import analyse
from research.models import AgentRole, Run
from research.models.schemas import DIVIDED_DEPTHS, Division, Plan
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_step_names import ReportStepName

_SIMPLE = frozenset({AnswerForm.FACT, AnswerForm.DEFINITION, AnswerForm.SOURCE})


def choose_division(plan: Plan, config: ReportConfig, topic: str) -> Division:
    """Return how the work on a model-written report is divided; a question that one source can answer is not."""
    if config.depth not in DIVIDED_DEPTHS:
        return Division.DEPTH
    question = analyse(topic)
    is_simple = len(question.parts) < 2 and question.form in _SIMPLE
    return Division.SIMPLE if is_simple or len(plan.subtopics) < 2 else Division.DIVIDED


def first_round_drafts(run: Run) -> Iterator[StepDraft]:
    """Yield the step that delegates the work of the first round, if it is divided."""
    is_first = not run.attempt and not run.replan_count
    if is_first and run.plan and Plan.model_validate(run.plan).division is Division.DIVIDED:
        yield StepDraft(
            "delegate", ReportStepName.DELEGATE, AgentRole.ORCHESTRATOR, input={"is_first_round": True}
        )
