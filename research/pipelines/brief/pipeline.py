"""The pipeline of a brief: one pass over a finished task's result, without loops or further sources."""

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from citations.models import Citation, Claim
from research.engine.pipeline_registry import Handler, Policy, StepDraft
from research.models import AgentRole, Escalation, Kind, Queue, ReviewAct, ReviewItem, Run, State
from research.models.schemas import StoredDecision
from research.pipelines.brief.brief_step_names import BriefStepName
from research.pipelines.brief.check_brief import check
from research.pipelines.brief.plan_brief import take_in
from research.pipelines.brief.write_brief import write_by_model, write_by_rules
from research.pipelines.common.choose_rules_or_model import Engine, engine_of
from research.pipelines.common.given_pipeline import refusal_of_marks
from research.pipelines.common.pipeline_export_step import MAKE_FILE, file_drafts, make_file


class BriefPipeline:
    kind = Kind.BRIEF
    states = (State.PLANNING, State.SYNTHESIZING, State.VERIFYING, State.EXPORTING)
    handlers: Mapping[str, Handler] = {
        BriefStepName.TAKE_IN: take_in,
        BriefStepName.WRITE_BY_RULES: write_by_rules,
        BriefStepName.WRITE_BY_MODEL: write_by_model,
        BriefStepName.CHECK: check,
        MAKE_FILE: make_file,
    }

    def policy(self, run: Run) -> Policy:
        return Policy(asks_people=False, can_search_wider=False, is_written_once=True)

    def refusal(self, item: ReviewItem, act: ReviewAct, decision: StoredDecision) -> str:
        return refusal_of_marks(act)

    def apply(self, run: Run, asked: Escalation, items: Sequence[ReviewItem]) -> None:
        """Do nothing: a brief asks nobody, and reviewers' marks do not change it."""

    def words_behind(self, run_id: UUID, claims: Sequence[Claim]) -> Sequence[Citation]:
        return ()

    def steps_for(self, run: Run, state: State) -> Sequence[StepDraft]:
        return list(_drafts(run, state))


def _drafts(run: Run, state: State) -> Iterator[StepDraft]:
    if state is State.PLANNING:
        yield StepDraft("take_in", BriefStepName.TAKE_IN, AgentRole.PLANNER, queue=Queue.READING)
    elif state is State.SYNTHESIZING:
        if engine_of(run) is Engine.MODEL:
            yield StepDraft("write", BriefStepName.WRITE_BY_MODEL, AgentRole.WRITER)
        else:
            yield StepDraft("write", BriefStepName.WRITE_BY_RULES, AgentRole.WRITER, queue=Queue.READING)
    elif state is State.VERIFYING:
        yield StepDraft("check", BriefStepName.CHECK, AgentRole.VERIFIER, queue=Queue.READING)
    elif state is State.EXPORTING:
        yield from file_drafts(run)
