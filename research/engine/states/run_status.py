"""The status of a run, for a worker that found nothing to claim."""

from dataclasses import dataclass
from uuid import UUID

from django.db import connection

from research.db.tenancy import tenant_context
from research.engine.states.state_exit_conditions import TIME_RUNS_OUT
from research.models import FINISHED, WAITING, State


@dataclass(frozen=True, slots=True)
class Situation:
    """The status of a run, read in one query."""

    state: State
    is_paused: bool
    is_cancelled: bool
    cancelled_for_s: float  # since the owner cancelled it
    time_runs_out: bool  # the time of its state, or of the run, is up: its exits must be checked
    due_in_s: float | None  # until the next retry; 0 if it is due already; None: no retry is scheduled

    @property
    def is_over(self) -> bool:
        return self.state in FINISHED

    @property
    def is_waiting(self) -> bool:
        """True if it waits for its owner or another person, so that a worker can do nothing."""
        return self.state in WAITING or self.is_paused


JUST_NOW_S = 1  # A step that fell due within it may have been missed by the claim just before.

SITUATION = """
SELECT run.state, run.paused_at IS NOT NULL, run.cancel_at IS NOT NULL,
    coalesce(extract(epoch FROM clock_timestamp() - run.cancel_at), 0),
    coalesce(clock_timestamp()
            >= run.state_entered_at + %(share)s * (run.state_deadline - run.state_entered_at)
        OR clock_timestamp() >= run.deadline, false),
    extract(epoch FROM
        min(step.not_before) FILTER (WHERE step.not_before > clock_timestamp() - %(just_now)s * interval '1 second')
        - clock_timestamp())
FROM research_run run LEFT JOIN research_step step
    ON step.run_id = run.id AND step.status IN ('pending', 'retrying')
WHERE run.id = %(run)s
GROUP BY run.id
"""


def situation_of(tenant_id: UUID, run_id: UUID) -> Situation | None:
    """Read the status; None if there is no such run."""
    with tenant_context(tenant_id):
        return read_situation(run_id)


def read_situation(run_id: UUID) -> Situation | None:
    """Do what `situation_of` does in the current transaction."""
    with connection.cursor() as cursor:
        cursor.execute(SITUATION, {"run": run_id, "share": TIME_RUNS_OUT, "just_now": JUST_NOW_S})
        row = cursor.fetchone()
    if row is None:
        return None
    state, paused, cancelled, cancelled_for_s, time_runs_out, due_in_s = row
    return Situation(
        state=State(state),
        is_paused=paused,
        is_cancelled=cancelled,
        cancelled_for_s=float(cancelled_for_s),
        time_runs_out=time_runs_out,
        due_in_s=None if due_in_s is None else max(0.0, float(due_in_s)),
    )
