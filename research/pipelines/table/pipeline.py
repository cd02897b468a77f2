"""The table: one prompt asked of many items. Which work each state holds, and who does it.

Collecting holds all of an item: its sources are found and read, its cells filled and checked, each item by steps of
its own (`items.table_item_steps`). The rows together are summed up in synthesizing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from uuid import UUID

from django.db.models import Q

from citations.models import Citation, Claim
from research.engine.pipeline_registry import Handler, Policy, StepDraft
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
from research.pipelines.table.filling.fill_table_cells_by_model import fill_cells
from research.pipelines.table.filling.fill_table_cells_by_rules import find_values
from research.pipelines.table.gathering.fetch_table_item_pages import fetch_page
from research.pipelines.table.gathering.search_library_for_table_item import search_library
from research.pipelines.table.gathering.search_table_item_again import search_again
from research.pipelines.table.gathering.search_web_for_table_item import search_web
from research.pipelines.table.items.finish_table_item import end_item, fail_what_is_left
from research.pipelines.table.items.table_item_lanes import lane_drafts, open_lanes, touch
from research.pipelines.table.listing.table_list_steps import read_lists, search_lists
from research.pipelines.table.plan_table import plan_table
from research.pipelines.table.propose_table import propose_table
from research.pipelines.table.synthesizing.summarize_table import sum_up
from research.pipelines.table.synthesizing.word_table_insights_by_model import tell_insights
from research.pipelines.table.table_config import TableConfig
from research.pipelines.table.table_refusals import TableRefused
from research.pipelines.table.table_row_credits import reserve_rows
from research.pipelines.table.table_step_names import TableStepName
from research.review.lock_escalation_for_review import DecisionRefused

INCOMPLETE = "A table needs rows and columns: add them on its page."
_PLANNING = {
    "given": TableStepName.PLAN,
    "model": TableStepName.PROPOSE,
    "list": TableStepName.SEARCH_LISTS,
}


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
        # an item
        TableStepName.OPEN_LANES: open_lanes,
        TableStepName.SEARCH_LIBRARY: search_library,
        TableStepName.SEARCH_WEB: search_web,
        TableStepName.FETCH_PAGE: fetch_page,
        TableStepName.FIND_CELLS: find_values,
        TableStepName.FILL_CELLS: fill_cells,
        TableStepName.SEARCH_AGAIN: search_again,
        TableStepName.END_ITEM: end_item,
        # all rows together
        TableStepName.SUM_UP: sum_up,
        TableStepName.TELL_INSIGHTS: tell_insights,
        # its files
        MAKE_FILE: make_file,
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
    State.COLLECTING: lane_drafts,
    State.SYNTHESIZING: _sum_up,
    State.EXPORTING: file_drafts,
}
