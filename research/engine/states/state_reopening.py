"""Reopens a finished run because its owner wants more of it: rows or a column of a table, or another try of a row.

It remains the same run and keeps its results; a step of its log records who reopened it and for what.
"""

from django.db.models import F
from django.db.models.functions import Now

from research.engine.pipeline_registry import JsonObject
from research.engine.states.state_exit_reasons import OPENED_AGAIN, ExitReason, add_visit
from research.engine.states.transitions import LostRace, enter
from research.models import Run, State
from research.runtime.logs import logger

log = logger(__name__)


def reopen_run(run: Run, to: State, wanted: JsonObject) -> None:
    """Reopen a finished run in state `to`. Needs its row locked. Raises LostRace if it is not finished."""
    if not run.is_finished:
        raise LostRace(f"run {run.pk} is {run.state}: it has not ended")
    add_visit(run, ExitReason(OPENED_AGAIN, to, wanted))  # the end counts as a visit, which is over now
    opened = Run.objects.filter(pk=run.pk, state=run.state, version=run.version).update(
        state=State.CREATED,
        version=F("version") + 1,
        failure_code="",
        failure_message="",
        cancel_at=None,
        paused_at=None,
        started_at=Now(),
        completed_at=None,
        duration_seconds=None,
        deadline=None,
        updated_at=Now(),
    )
    if not opened:
        raise LostRace(f"run {run.pk} is no longer {run.state} in version {run.version}")
    log.info("run_opened_again", run=str(run.pk), was=str(run.state), to=str(to))
    run.refresh_from_db()
    enter(run, to, frozenset())
