"""Claiming, renewing and releasing steps: a filtered UPDATE sets a lease and a fencing token by the database's
clock.

No statement here waits for a lock, so that claims and heartbeats never block the finishing of steps, or the
reverse.
"""

import json
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.conf import settings
from django.db import connection

from research.db.bulk_sql import open_prepared_cursor
from research.db.tenancy import tenant_context
from research.engine.lease_timing import LEASE_S
from research.engine.pipeline_registry import JsonObject
from research.models import FINISHED, Queue
from research.runtime.fault_injection import FaultPoint, crash_point

Parameters = dict[str, str | int | float | UUID | list[str] | list[UUID] | list[int]]


@dataclass(frozen=True, slots=True)
class ClaimedStep:
    """A step that this process may finish as long as the stored fencing token equals `fence`."""

    id: UUID
    tenant_id: UUID
    run_id: UUID
    key: str
    handler: str
    queue: str
    attempt: int
    max_attempts: int
    fence: int
    failures: int  # orderly shutdowns of workers, after which the step was tried again
    time_left_s: float | None  # until its state's time is up; None: it belongs to a state still to come
    input: JsonObject
    # time.monotonic() before the claim, a lower bound of the start of the lease
    asked_at: float = field(compare=False)

    @property
    def is_spent(self) -> bool:
        """True if too many workers died while they executed the step: it fails without another try."""
        return self.attempt > self.max_attempts

    @property
    def is_state(self) -> bool:
        """True if the step represents a visit of a state: state transitions execute it, not a handler."""
        return self.handler.startswith("state.")


# An expired lease may be taken over; the former holder's fencing token no longer matches.
# MATERIALIZED: a plain subquery may be run once more for each row of a join, and would lock beyond its LIMIT.
# The conditions on status repeat what the lines below them say: PostgreSQL needs them to choose the partial index.
_CLAIM = """
WITH free AS MATERIALIZED (
    SELECT s.id FROM research_step s
    WHERE s.tenant_id = %(tenant)s AND s.run_id = %(run)s AND {of_queue}
        AND s.pending_children = 0 AND s.status IN ('pending', 'retrying', 'running')
        AND (s.status <> 'running' AND coalesce(s.not_before <= clock_timestamp(), true)
            OR s.status = 'running' AND s.lease_until < clock_timestamp())
        AND EXISTS (SELECT FROM research_run r WHERE r.id = %(run)s
            AND r.cancel_at IS NULL AND r.paused_at IS NULL AND r.state <> ALL(%(finished)s))
        AND (%(region)s = '' OR EXISTS (
            SELECT FROM research_tenant t WHERE t.id = %(tenant)s AND t.region IN ('', %(region)s)))
    ORDER BY {order} LIMIT %(most)s
    FOR NO KEY UPDATE OF s SKIP LOCKED
), taken AS (
    UPDATE research_step AS step
    SET status = 'running', attempt = step.attempt + 1, fence = step.fence + 1, lease_owner = %(owner)s,
        lease_until = clock_timestamp() + %(lease)s * interval '1 second', not_before = NULL,
        started_at = clock_timestamp(), updated_at = clock_timestamp()
    FROM free
    WHERE step.id = free.id
    RETURNING step.*
)
SELECT id, tenant_id, run_id, key, handler, queue, attempt, max_attempts, fence,
    coalesce(jsonb_array_length(output -> 'failures'), 0),
    CASE WHEN parent_id IS NOT NULL THEN (
        SELECT extract(epoch FROM least(r.state_deadline, r.deadline) - clock_timestamp())::float8
        FROM research_run r WHERE r.id = %(run)s) END,
    input
FROM taken ORDER BY step_index
"""
# Fetches come last: pages arrive faster than they are read, and until they do models can be asked about the others.
CLAIM = _CLAIM.format(of_queue="s.queue = ANY(%(queues)s)", order="s.tool_name = 'browse', s.step_index")
# For a queue with one kind of step: the index has this order, so that only the first few rows are read.
CLAIM_IN_ORDER = _CLAIM.format(of_queue="s.queue = (%(queues)s::text[])[1]", order="s.step_index")


def claim(
    tenant_id: UUID, run_id: UUID, *, queues: Collection[Queue], owner: str, most: int
) -> list[ClaimedStep]:
    """Claim up to `most` ready steps of a run, oldest first, fetches last.

    Claim nothing of a run that is cancelled, paused or finished, or whose workspace stores its data in another region
    than this process's.
    """
    parameters: Parameters = {
        "owner": owner,
        "lease": LEASE_S,
        "tenant": tenant_id,
        "run": run_id,
        "queues": [str(queue) for queue in queues],
        "finished": [str(state) for state in FINISHED],
        "region": settings.PLUMBLINE_REGION,
        "most": most,
    }
    asked_at = time.monotonic()
    with tenant_context(tenant_id), open_prepared_cursor() as cursor:
        cursor.execute(CLAIM_IN_ORDER if set(queues) == {Queue.READING} else CLAIM, parameters)
        # Django's connections return JSON as text.
        steps = [ClaimedStep(*(*row[:-1], json.loads(row[-1]), asked_at)) for row in cursor.fetchall()]
    if steps:
        crash_point(FaultPoint.AFTER_CLAIM)
    return steps


RENEW = """
WITH held AS MATERIALIZED (
    SELECT s.id FROM research_step s JOIN unnest(%(ids)s::uuid[], %(fences)s::bigint[]) AS mine(id, fence)
        ON s.id = mine.id AND s.fence = mine.fence
    WHERE s.tenant_id = %(tenant)s AND s.status = 'running'
    FOR NO KEY UPDATE OF s SKIP LOCKED
)
UPDATE research_step AS step SET lease_until = clock_timestamp() + %(lease)s * interval '1 second'
FROM held
WHERE step.id = held.id
"""
STILL_HELD = """
SELECT s.id FROM research_step s JOIN unnest(%(ids)s::uuid[], %(fences)s::bigint[]) AS mine(id, fence)
    ON s.id = mine.id AND s.fence = mine.fence
WHERE s.tenant_id = %(tenant)s AND s.status = 'running'
"""


def renew(tenant_id: UUID, held: Mapping[UUID, int]) -> frozenset[UUID]:
    """Renew the leases of `held` (step → fence) in one statement. Returns the steps whose lease is lost.

    A step that is being finished at this moment is neither renewed nor lost.
    """
    ids = list(held)
    parameters: Parameters = {
        "lease": LEASE_S,
        "tenant": tenant_id,
        "ids": ids,
        "fences": [held[step_id] for step_id in ids],
    }
    with tenant_context(tenant_id, is_durable=False), connection.cursor() as cursor:
        cursor.execute(RENEW, parameters)
        if cursor.rowcount == len(ids):
            return frozenset()
        cursor.execute(STILL_HELD, parameters)
        return frozenset(ids) - {row[0] for row in cursor.fetchall()}


RELEASE = """
UPDATE research_step AS step
SET status = 'pending', attempt = greatest(step.attempt - 1, 0), fence = step.fence + 1, lease_owner = '',
    lease_until = NULL, not_before = clock_timestamp(), updated_at = clock_timestamp()
FROM unnest(%(ids)s::uuid[], %(fences)s::bigint[]) AS mine(id, fence)
WHERE step.id = mine.id AND step.fence = mine.fence AND step.status = 'running'
    AND step.tenant_id = %(tenant)s
"""


def release(tenant_id: UUID, steps: Sequence[ClaimedStep]) -> None:
    """Release claimed steps that were not executed, as if they had not been claimed, because the worker shuts down in
    order.
    """
    parameters: Parameters = {
        "tenant": tenant_id,
        "ids": [step.id for step in steps],
        "fences": [step.fence for step in steps],
    }
    with tenant_context(tenant_id), connection.cursor() as cursor:
        cursor.execute(RELEASE, parameters)
