"""The table: one prompt asked of many items. Which work each state holds, and who does it.

Collecting holds all of an item: its sources are found and read, its cells filled and checked, in one step for each row
(`filling.fill_table_row`). The rows together are summed up in synthesizing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from uuid import UUID

from django.db.models import Q

from citations.models import Citation, Claim
from research.engine.pipeline_registry import (
    FailedStep,
    Following,
    Handler,
    Policy,
    StepDraft,
    StepResult,
    StepWork,
)
from research.models import (
    AgentRole,
    Escalation,
    EscalationStatus,
    Item,
    Kind,
    Queue,
    ReviewAct,
    ReviewItem,
    Run,
    State,
)
from research.models.schemas import StoredDecision
from research.pipelines.common.pipeline_export_step import MAKE_FILE, file_drafts, make_file
from research.pipelines.table.filling.fill_table_row import fill_row
from research.pipelines.table.filling.fill_table_row_again import fill_row_again
from research.pipelines.table.gathering.fetch_table_item_pages import fetch_page
from research.pipelines.table.items.finish_table_row import fail_what_is_left, follow_failed_rows
from research.pipelines.table.items.table_row_lanes import draft_rows, touch
from research.pipelines.table.listing.table_list_steps import read_lists, search_lists
from research.pipelines.table.plan_table import plan_table
from research.pipelines.table.propose_table import propose_table
from research.pipelines.table.synthesizing.summarize_table import sum_up
from research.pipelines.table.synthesizing.word_table_insights_by_model import tell_insights
from research.pipelines.table.table_config import TableConfig
from research.pipelines.table.table_refusals import TableRefused
from research.pipelines.table.table_row_credits import reserve_rows
from research.pipelines.table.table_step_names import RETIRED, TableStepName
from research.review.lock_escalation_for_review import DecisionRefused

INCOMPLETE = "A table needs rows and columns: add them on its page."
_PLANNING = {
    "given": TableStepName.PLAN,
    "model": TableStepName.PROPOSE,
    "list": TableStepName.SEARCH_LISTS,
}


def drop_retired_step(_work: StepWork) -> StepResult:
    """Do nothing of what an earlier version has begun: rows that are then left open are taken up in one step each."""
    return StepResult()


class TablePipeline:
    kind = Kind.TABLE
    states = (
        State.PLANNING,
        State.COLLECTING,
        State.SYNTHESIZING,
        State.EXPORTING,
        State.HUMAN_REVIEW_PLAN,
    )
    handlers: Mapping[str, Handler] = {
        TableStepName.PLAN: plan_table,
        TableStepName.PROPOSE: propose_table,
        TableStepName.SEARCH_LISTS: search_lists,
        TableStepName.READ_LISTS: read_lists,
        TableStepName.FETCH_PAGE: fetch_page,
        TableStepName.FILL_ROW: fill_row,
        TableStepName.FILL_ROW_AGAIN: fill_row_again,
        # all rows together
        TableStepName.SUM_UP: sum_up,
        TableStepName.TELL_INSIGHTS: tell_insights,
        # its files
        MAKE_FILE: make_file,
        **dict.fromkeys(RETIRED, drop_retired_step),
    }

    def policy(self, run: Run) -> Policy:
        config = TableConfig.model_validate(run.config)
        return Policy(
            auto_approve=config.plan_approval == "automatic",
            asks_people=config.reviews != "never",
            asks_about_doubts=config.reviews == "ask",
            can_search_wider=False,
            is_written_once=True,
        )

    def refusal(self, item: ReviewItem, act: ReviewAct, decision: StoredDecision) -> str:
        """Items and columns are edited on the table's own page; a question about them can be accepted or rejected."""
        if act is ReviewAct.EDIT:
            return "Change the rows and columns on the table's page."
        if act is not ReviewAct.ACCEPT:
            return ""
        return "" if is_complete(item.run) else INCOMPLETE

    def apply(self, run: Run, asked: Escalation, items: Sequence[ReviewItem]) -> None:
        """Release the other rows if a pilot was approved; a pilot revised on its page has its first rows refilled.

        The rows of a proposal that is accepted as it is are reserved for now. Raises DecisionRefused.
        """
        if asked.rule == "pilot_release" and asked.status != EscalationStatus.REVISED:
            touch(run, Q(is_held=True), is_held=False)
        config = TableConfig.model_validate(run.config)
        if asked.rule == "high_cost_approval" and config.proposal != "given":
            try:
                reserve_rows(run, config, Item.objects.filter(run=run).count())
            except TableRefused as refused:
                raise DecisionRefused(str(refused)) from refused

    def words_behind(self, run_id: UUID, claims: Sequence[Claim]) -> Sequence[Citation]:
        return ()

    def follow_failed(self, run: Run, failed: Sequence[FailedStep]) -> Sequence[Following]:
        return follow_failed_rows(run, failed)

    def steps_for(self, run: Run, state: State) -> Sequence[StepDraft]:
        return list(_STEPS[state](run)) if state in _STEPS else []


def is_complete(run: Run) -> bool:
    """It has rows and columns: what a model proposed may lack them."""
    return bool(run.config.get("fields")) and Item.objects.filter(run=run).exists()


def _plan(run: Run) -> Iterator[StepDraft]:
    step = _PLANNING[TableConfig.model_validate(run.config).proposal]
    yield StepDraft("plan", step, AgentRole.PLANNER)


def _sum_up(run: Run) -> Iterator[StepDraft]:
    fail_what_is_left(run.pk)
    yield StepDraft("sum_up", TableStepName.SUM_UP, AgentRole.ANALYZER, queue=Queue.READING)


_STEPS: Mapping[State, Callable[[Run], Iterator[StepDraft]]] = {
    State.PLANNING: _plan,
    State.COLLECTING: draft_rows,
    State.SYNTHESIZING: _sum_up,
    State.EXPORTING: file_drafts,
}
