"""A finished run goes on because its owner wants more of it: rows or a column of a table, or another try of a row.

It is the same run. What it has stays as it is; that it was opened again, by whom and for what, is a step of its log.
"""

from django.db.models import F
from django.db.models.functions import Now

from research.lifecycle.context import visit_key
from research.lifecycle.logs import logger
from research.lifecycle.reasons import OPENED_AGAIN, Why
from research.lifecycle.recipe import JsonObject
from research.lifecycle.transitions import LostRace, enter
from research.models import AgentRole, Queue, Run, State, Step, StepStatus

log = logger(__name__)


def open_again(run: Run, to: State, wanted: JsonObject) -> None:
    """Needs the run's row locked and the run finished. Raises LostRace where it is not."""
    if not run.is_finished:
        raise LostRace(f"run {run.pk} is {run.state}: it has not ended")
    _keep_why(run, Why(OPENED_AGAIN, to, wanted))
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
        step_count=run.step_count,
        updated_at=Now(),
    )
    if not opened:
        raise LostRace(f"run {run.pk} is no longer {run.state} in version {run.version}")
    log.info("run_opened_again", run=str(run.pk), was=str(run.state), to=str(to))
    run.refresh_from_db()
    enter(run, to, frozenset())


def _keep_why(run: Run, why: Why) -> None:
    """The end that it had is a visit like any other, which is over now."""
    Step.objects.create(
        run=run,
        step_index=run.step_count,
        key=visit_key(run),
        queue=Queue.CONTROL,
        handler=f"state.{run.state}",
        agent_role=AgentRole.ORCHESTRATOR,
        max_attempts=1,
        status=StepStatus.COMPLETED,
        output=why.stored(),
        started_at=run.state_entered_at,
        completed_at=Now(),
    )
    run.step_count += 1
