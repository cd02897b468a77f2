"""Decide on further search rounds: if collecting did not find enough, it searches again with other queries, deeper."""

from research.library.retrieval.hybrid_retrieval import documents
from research.llm.budgets.budget_degradations import DegradationCode
from research.models import Run, State, Step, StepStatus
from research.pipelines.report.collecting.collect_report_sources_from_parent_run import is_answered_by_parent
from research.pipelines.report.collecting.collect_report_sources_from_web import searches_web
from research.pipelines.report.degrading.save_report_tokens import give_up
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_step_names import ReportStepName

MAX_ROUNDS = 3


def is_exhausted(run: Run, config: ReportConfig) -> bool:
    """Return True if another round would find no more, or is not allowed. The first round searches the whole library.

    After another plan there is one round: the other words are in the plan.
    """
    if is_answered_by_parent(run.pk):
        return True
    most = 1 if run.replan_count else MAX_ROUNDS
    if run.state != State.COLLECTING or not searches_web(config) or run.attempt + 1 >= most:
        return True
    picked = _last_pick(run)
    if picked is None:  # the search itself failed: a retry may work
        return False
    was_answered = picked.output.get("answered") or not picked.output.get("searches")
    has_found = picked.output.get("new") or not run.attempt or _agents_kept(picked)
    return not was_answered or not has_found or give_up(run, DegradationCode.STOP_COLLECTING)


def sources_there_are(run: Run, config: ReportConfig) -> int:
    """Return the number of documents if nothing else can be searched; 0 if more can."""
    if run.state not in (State.COLLECTING, State.READING) or searches_web(config) or not config.uses_library:
        return 0
    return documents(config.scope).count()


def _last_pick(run: Run) -> Step | None:
    """Return the step that picked pages in the round that was the last to end; None before the first."""
    picks = Step.objects.filter(run=run, handler=ReportStepName.PICK_PAGES, status=StepStatus.COMPLETED)
    return picks.order_by("-step_index").first()


def _agents_kept(picked: Step) -> bool:
    """Return True if agents kept anything in the same round."""
    visit = picked.key.partition("/")[0]
    gathered = Step.objects.filter(
        run_id=picked.run_id, handler=ReportStepName.GATHER, key__startswith=f"{visit}/"
    )
    return gathered.filter(output__kept__gt=0).exists()
