"""The sweeper: recovers runs that no process serves after expired leases, lost messages or reached limits.

Every process may sweep; one at a time does. A sweep is safe to repeat at any time.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from uuid import UUID

from django.db import Error, connection, connections

from research.db.tenancy import SweepTarget, tenant_context, tenants_with
from research.engine.claim_and_finish_steps import Parameters
from research.engine.error_boundary import attempt_each
from research.engine.lease_timing import CANCEL_GRACE_S, REPUBLISH_AFTER_S
from research.engine.outbox import enqueue
from research.engine.states.resolve_escalation import expire as expire_questions
from research.engine.states.state_exit_conditions import TIME_RUNS_OUT
from research.engine.states.transitions import force_cancel, reconsider
from research.llm.budgets.budgets import release_dead
from research.llm.call_store.close_model_calls import forget_late_answers
from research.models import FINISHED
from research.runtime.fault_injection import FaultPoint, crash_point
from research.runtime.logs import logger
from research.runtime.process_names import dead

LEADER_LOCK = 0x706C756D  # an advisory lock number that nothing else uses
log = logger(__name__)


@dataclass(frozen=True, slots=True)
class Sweep:
    """The number of things of each kind that one sweep handled."""

    expired: int = 0  # expired leases
    woken: int = 0  # runs that got another wake-up
    reconsidered: int = 0  # runs at a limit, or cancelled
    released: int = 0  # reservations of calls that nobody will settle
    forgotten: int = 0  # model answers that came after the end of their run
    unanswered: int = 0  # questions to people whose deadline has passed

    def __add__(self, other: "Sweep") -> "Sweep":
        return Sweep(
            self.expired + other.expired,
            self.woken + other.woken,
            self.reconsidered + other.reconsidered,
            self.released + other.released,
            self.forgotten + other.forgotten,
            self.unanswered + other.unanswered,
        )


def sweep() -> Sweep | None:
    """Sweep all workspaces, one after another; None if another process is sweeping."""
    with _leadership() as leads:
        if not leads:
            return None
        sweeps = (partial(sweep_tenant, tenant_id) for tenant_id in tenants_with(SweepTarget.RUNS))
        done = sum(attempt_each(sweeps), Sweep())
    if replace(done, reconsidered=0) != Sweep():  # waiting runs are checked each time
        log.info("swept", **asdict(done))
    return done


@contextmanager
def _leadership() -> Iterator[bool]:
    """Yield True if this process is the leader, for as long as a transaction on a connection of its own lasts.

    A pooler may lend connections by transaction, so no session lock is used. If the leader stalls, the server ends its
    transaction (`idle_in_transaction_session_timeout`); two processes may sweep then, which does no harm.
    """
    own = connections["default"].copy()
    try:
        own.set_autocommit(False)
        with own.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LEADER_LOCK])
            leads = bool(cursor.fetchone()[0])
        yield leads
    finally:
        with suppress(Error):
            own.rollback()
        own.close()


def sweep_tenant(tenant_id: UUID) -> Sweep:
    released = release_dead(tenant_id, dead)
    with tenant_context(tenant_id):
        forgotten = forget_late_answers()
    expired = expire_leases(tenant_id)
    unanswered = expire_questions(tenant_id)
    at_limit = (
        partial(force_cancel if is_overdue else reconsider, tenant_id, run_id)
        for run_id, is_overdue in _runs_at_a_limit(tenant_id)
    )
    reconsidered = sum(1 for _run in attempt_each(at_limit))
    if expired:
        crash_point(FaultPoint.SWEPT_BEFORE_PUBLISH)
    woken = _wake(tenant_id)
    return Sweep(expired, woken, reconsidered, released, forgotten, unanswered)


HOLDERS = "SELECT DISTINCT lease_owner FROM research_step WHERE tenant_id = %s AND status = 'running'"

# `not_before` is set to now, so that the wake-up below finds the step due.
EXPIRE = """
WITH late AS MATERIALIZED (
    SELECT id, lease_until FROM research_step
    WHERE tenant_id = %s AND status = 'running' AND (lease_until < clock_timestamp() OR lease_owner = ANY(%s))
    FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE research_step AS step
SET status = 'retrying', lease_owner = '', lease_until = NULL, not_before = clock_timestamp(),
    error_code = 'LEASE_EXPIRED', error_message = 'Whoever did it stopped giving signs of life.',
    updated_at = clock_timestamp()
FROM late
WHERE step.id = late.id
RETURNING step.run_id, late.lease_until
"""

# The time in which nobody worked on a run counts towards no time limit.
EXTEND = """
UPDATE research_run AS run
SET deadline = run.deadline + gap.length, state_deadline = run.state_deadline + gap.length,
    state_entered_at = run.state_entered_at + gap.length
FROM (
    SELECT run_id, clock_timestamp() - max(until) AS length
    FROM unnest(%(runs)s::uuid[], %(until)s::timestamptz[]) AS left_off(run_id, until) GROUP BY run_id
) AS gap
WHERE run.id = gap.run_id AND gap.length > interval '0' AND run.state <> ALL(%(finished)s) AND run.paused_at IS NULL
    AND NOT EXISTS (SELECT FROM research_step busy WHERE busy.run_id = run.id AND busy.status = 'running')
"""


def expire_leases(tenant_id: UUID) -> int:
    """Free the steps whose lease has expired, or whose holder was a process of this machine and has ended.

    The time limits of runs that nobody else works on move on by the time since.
    """
    with tenant_context(tenant_id), connection.cursor() as cursor:
        cursor.execute(HOLDERS, [tenant_id])
        gone = dead(row[0] for row in cursor.fetchall())
        cursor.execute(EXPIRE, [tenant_id, gone])
        freed = cursor.fetchall()
    if freed:
        runs, until = zip(*freed, strict=True)
        # Apart: who finishes steps locks the run before them.
        with tenant_context(tenant_id), connection.cursor() as cursor:
            cursor.execute(
                EXTEND, {"runs": [*runs], "until": [*until], "finished": [str(state) for state in FINISHED]}
            )
    return len(freed)


AT_A_LIMIT = """
SELECT id, coalesce(cancel_at < clock_timestamp() - %(grace)s * interval '1 second', false)
FROM research_run
WHERE tenant_id = %(tenant)s AND state <> ALL(%(finished)s)
    AND (cancel_at IS NOT NULL OR paused_at IS NULL AND (clock_timestamp()
        >= state_entered_at + %(share)s * (state_deadline - state_entered_at)
    OR clock_timestamp() >= deadline
    OR state LIKE 'human_review%%'))
"""


def _runs_at_a_limit(tenant_id: UUID) -> list[tuple[UUID, bool]]:
    """Return runs whose exits must be checked, and for each whether it is cancelled and still not over."""
    facts: Parameters = {
        "tenant": tenant_id,
        "finished": [str(state) for state in FINISHED],
        "share": TIME_RUNS_OUT,
        "grace": 2 * CANCEL_GRACE_S,
    }
    with tenant_context(tenant_id), connection.cursor() as cursor:
        cursor.execute(AT_A_LIMIT, facts)
        return [(run_id, is_overdue) for run_id, is_overdue in cursor.fetchall()]


# Steps ready for long, or due again after a failure or an expired lease, on a queue where nobody works for the run.
FORGOTTEN = """
SELECT step.run_id, step.queue, count(*),
    floor(extract(epoch FROM clock_timestamp()) / %(every)s)::bigint
FROM research_step step JOIN research_run run ON run.id = step.run_id
WHERE step.tenant_id = %(tenant)s AND step.status IN ('pending', 'retrying') AND step.pending_children = 0
    AND run.state <> ALL(%(finished)s) AND run.cancel_at IS NULL AND run.paused_at IS NULL
    AND (step.status = 'retrying' AND coalesce(step.not_before, step.created_at) <= clock_timestamp()
        OR coalesce(step.not_before, step.created_at) < clock_timestamp() - %(every)s * interval '1 second')
    AND NOT EXISTS (
        SELECT 1 FROM research_step busy
        WHERE busy.run_id = step.run_id AND busy.queue = step.queue AND busy.status = 'running'
    )
GROUP BY step.run_id, step.queue
"""


def _wake(tenant_id: UUID) -> int:
    """Send another wake-up for steps that nobody claimed, at most once a period for each queue of a run."""
    facts: Parameters = {
        "tenant": tenant_id,
        "finished": [str(state) for state in FINISHED],
        "every": REPUBLISH_AFTER_S,
    }
    with tenant_context(tenant_id), connection.cursor() as cursor:
        cursor.execute(FORGOTTEN, facts)
        rows = cursor.fetchall()
        for run_id, queue, count, period in rows:
            enqueue(run_id, [queue] * count, f"sweep.{period}")
    return len(rows)
