"""The pipeline of a technical question: a report with its own plan, and results, code examples and a comparison table.

Collecting, reading, citing and verifying are those of reports, so that claims are checked in the same way.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from research.engine.pipeline_registry import Handler, Policy, StepDraft
from research.engine.states.state_machine import PATH
from research.models import AgentRole, Kind, Queue, Run, State
from research.pipelines.report.degrading.note_report_sources_unread_by_model import note_unread_by_model
from research.pipelines.report.pipeline import ReportPipeline
from research.pipelines.report.report_step_names import ReportStepName as ReportWork
from research.pipelines.technical.analyze_technical import answer_by_model, answer_by_rules, rank_sources
from research.pipelines.technical.answer.technical_answer import read_answer
from research.pipelines.technical.check_technical_links import check_link
from research.pipelines.technical.plan_technical import plan_search
from research.pipelines.technical.technical_step_names import TechnicalStepName
from research.pipelines.technical.write_technical_comparison import write_table


class TechnicalPipeline(ReportPipeline):
    kind = Kind.TECHNICAL
    states: tuple[State, ...] = (*PATH[1:-1], State.HUMAN_REVIEW_VERIFICATION)
    handlers: Mapping[str, Handler] = {
        **ReportPipeline.handlers,
        ReportWork.PLAN_BY_RULES: plan_search,
        TechnicalStepName.RANK: rank_sources,
        TechnicalStepName.CHECK_LINK: check_link,
        ReportWork.ANALYZE_BY_RULES: answer_by_rules,
        ReportWork.ANALYZE_BY_MODEL: answer_by_model,
        TechnicalStepName.COMPARE: write_table,
    }

    def policy(self, run: Run) -> Policy:
        """Return the policy: one page that answers is enough, and each query is searched once."""
        return replace(
            super().policy(run), minimum_sources=1, can_search_wider=False, search_is_exhausted=True
        )

    def steps_for(self, run: Run, state: State) -> Sequence[StepDraft]:
        match state:
            case State.PLANNING:
                return [StepDraft("plan", ReportWork.PLAN_BY_RULES, AgentRole.PLANNER)]
            case State.ANALYZING:
                note_unread_by_model(run)
                return [StepDraft("rank", TechnicalStepName.RANK, AgentRole.ANALYZER, queue=Queue.READING)]
            case State.SYNTHESIZING:
                return [_of_table(run, draft) for draft in super().steps_for(run, state)]
        return super().steps_for(run, state)


def _of_table(run: Run, draft: StepDraft) -> StepDraft:
    """Return the step's draft with the table's handler if its section has the table; others are unchanged."""
    answer = read_answer(run.outcome)
    cells = (
        {str(claim) for row in answer.comparison.cells for claim in row}
        if answer and answer.comparison
        else set()
    )
    index = draft.input.get("section")
    planned = run.outline[index]["claims"] if isinstance(index, int) else []
    is_table = bool(planned) and cells.issuperset(planned)
    return replace(draft, handler=TechnicalStepName.COMPARE, queue=Queue.AGENTS) if is_table else draft
