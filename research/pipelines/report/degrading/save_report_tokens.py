"""Do less if tokens run short: record the degradation that the budget calls for, and apply it."""

from dataclasses import replace

from research.llm.budgets.budget_degradations import (
    DegradationCode,
    RunProgress,
    next_degradation,
    record_degradation,
)
from research.llm.budgets.budget_status import status_of
from research.models import Run, State
from research.pipelines.report.report_config import ReportConfig


def give_up(run: Run, code: DegradationCode) -> bool:
    """Record the degradation if it is due, and return True if it applies from now on. Runs inside `tenant_context`."""
    applied = frozenset(degradation["code"] for degradation in run.degradations)
    if code in applied:
        return True
    progress = _progress(run, applied)
    if code is DegradationCode.SHALLOW_EXTRACTION:
        progress = replace(progress, sources_unread=1)  # the one that asks
    measure = next_degradation(status_of(run.pk), progress)
    if measure is None or measure.code is not code:
        return False
    record_degradation(run.pk, measure)
    return True


def _progress(run: Run, applied: frozenset[str]) -> RunProgress:
    return RunProgress(
        state=State(run.state),
        sources_found=run.sources_found,
        target_sources=ReportConfig.model_validate(run.config).target_sources,
        sections_total=run.total_sections,
        sections_written=run.sections_completed,
        applied=applied,
    )
