"""Claims, renews, releases and finishes steps: each is a filtered UPDATE under a lease and a fencing token, by the
database's clock.

Claims and renewals wait for no lock, so that they never block the finishing of steps, or the reverse. Steps are
finished many in one transaction: results, counters, children, messages and fan-in are stored together or not at all.
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from research.db.bulk_sql import open_prepared_cursor, texts
from research.db.tenancy import tenant_context
from research.engine.batch_save import run_in_batches
from research.engine.claimed_step import ClaimedStep
from research.engine.error_boundary import attempt, drop_broken_connection
from research.engine.insert_steps import Parenthood, add_children
from research.engine.lease_timing import LEASE_S
from research.engine.outbox import RUNNER_QUEUES, enqueue
from research.engine.pipeline_registry import (
    FailedStep,
    Following,
    FollowsFailures,
    StepResult,
    StepUsage,
    pipeline_for,
)
from research.engine.states.run_status import Situation, read_situation
from research.engine.states.step_failure_mail import mail_failure
from research.engine.states.step_failures import Failure, retry_delay_s
from research.engine.states.transitions import (
    LONG,
    end,
    end_if_idle,
    fail_visit,
    lock_run,
    pass_state,
)
from research.models import FINISHED, Queue, Run, State, StepStatus
from research.runtime.fault_injection import FaultPoint, crash_point
from research.runtime.process_names import owner_name

MAX_ACTIVITY = 300  # the column's length

Parameters = dict[str, str | int | float | UUID | list[str] | list[UUID] | list[int]]

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
    with tenant_context(tenant_id):
        steps = _claim_in_transaction(tenant_id, run_id, queues=queues, owner=owner, most=most)
    if steps:
        crash_point(FaultPoint.AFTER_CLAIM)
    return steps


def look_and_claim(
    tenant_id: UUID, run_id: UUID, *, queues: Collection[Queue], owner: str, most: int
) -> tuple[Situation | None, list[ClaimedStep]]:
    """Read the run's status, None if it is gone, and claim steps as `claim` does, in one transaction."""
    with tenant_context(tenant_id):
        seen = read_situation(run_id)
        steps = _claim_in_transaction(tenant_id, run_id, queues=queues, owner=owner, most=most)
    if steps:
        crash_point(FaultPoint.AFTER_CLAIM)
    return seen, steps


def _claim_in_transaction(
    tenant_id: UUID, run_id: UUID, *, queues: Collection[Queue], owner: str, most: int
) -> list[ClaimedStep]:
    """Claim steps as `claim` does, in the current transaction: the caller has them once it is committed."""
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
    with open_prepared_cursor() as cursor:
        cursor.execute(CLAIM_IN_ORDER if set(queues) == {Queue.READING} else CLAIM, parameters)
        # Django's connections return JSON as text.
        return [ClaimedStep(*(*row[:-1], json.loads(row[-1]), asked_at)) for row in cursor.fetchall()]


def _claim_and_pass_states(
    tenant_id: UUID, run_id: UUID, *, queues: frozenset[Queue], owner: str, most: int
) -> list[ClaimedStep]:
    """Claim steps in the current transaction, pass the states that have nothing left to wait for, and claim what is
    ready then. Needs the run's row locked.

    A state that cannot be passed is returned among the claimed steps.
    """
    claimed: list[ClaimedStep] = []
    is_passed = True
    while is_passed and len(claimed) < most:
        found = _claim_in_transaction(tenant_id, run_id, queues=queues, owner=owner, most=most - len(claimed))
        left = [step for step in found if not _is_passed(step, queues)]
        is_passed = len(left) < len(found)
        claimed += left
    return claimed


def _is_passed(step: ClaimedStep, served: frozenset[Queue]) -> bool:
    if not step.is_state or step.is_spent:
        return False
    return not isinstance(attempt(lambda: _pass_in_savepoint(step, served)), Failure)


def _pass_in_savepoint(step: ClaimedStep, served: frozenset[Queue]) -> None:
    with transaction.atomic():
        pass_state(step, served)


def advance_and_claim(
    step: ClaimedStep, served: frozenset[Queue], owner: str, most: int
) -> list[ClaimedStep]:
    """Execute the step of a state as `advance` does, and claim what is ready then, in the same transaction."""
    claimed: list[ClaimedStep] = []

    def act() -> None:
        with tenant_context(step.tenant_id):
            pass_state(step, served)
            claimed.extend(
                _claim_and_pass_states(step.tenant_id, step.run_id, queues=served, owner=owner, most=most)
            )

    failure = attempt(act)
    if isinstance(failure, Failure):
        fail_visit(step, failure)
        return []
    if claimed:
        crash_point(FaultPoint.AFTER_CLAIM)
    return claimed


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


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """The outcome of one claimed step."""

    step: ClaimedStep
    result: StepResult | Failure
    began: float | None = None  # time.monotonic(); None: at its claim
    worked_s: float | None = None  # None: the time from its claim until now


def finish(outcomes: Sequence[StepOutcome], served: frozenset[Queue] = RUNNER_QUEUES) -> bool:
    """Store outcomes of one run, except those of steps that another process has claimed since. Return True if other
    steps of the run may have become ready by it.

    An outcome that cannot be stored fails its own step only. `served` are the queues whose steps the caller claims
    next; steps of other queues get a message. Raises OperationalError when the database is away.
    """
    more = attempt(lambda: _finish_together(outcomes, served))
    if isinstance(more, Failure):
        drop_broken_connection()
        more = sum(_finish_alone(outcome, served) for outcome in outcomes) > 0
    crash_point(FaultPoint.FINISH_AFTER_COMMIT)
    return more


def finish_and_claim(
    outcomes: Sequence[StepOutcome], served: frozenset[Queue], owner: str, most: int
) -> tuple[bool, list[ClaimedStep]]:
    """Store outcomes as `finish` does, pass the state if it waits for nothing more, and claim up to `most` steps that
    are ready then, all in one transaction.

    Return the claimed steps, and True if there may be more. Raises OperationalError when the database is away.
    """
    claimed: list[ClaimedStep] = []
    first = outcomes[0].step

    def claim_next() -> None:
        claimed.extend(
            _claim_and_pass_states(first.tenant_id, first.run_id, queues=served, owner=owner, most=most)
        )

    more = attempt(lambda: _finish_together(outcomes, served, claim_next if most > 0 else None))
    if isinstance(more, Failure):
        return finish(outcomes, served), []
    crash_point(FaultPoint.FINISH_AFTER_COMMIT)
    if claimed:
        crash_point(FaultPoint.AFTER_CLAIM)
    return more and len(claimed) in (0, most), claimed


def _finish_alone(outcome: StepOutcome, served: frozenset[Queue]) -> bool:
    more = attempt(lambda: _finish_together([outcome], served))
    return _finish_together([StepOutcome(outcome.step, more)], served) if isinstance(more, Failure) else more


def _finish_together(
    outcomes: Sequence[StepOutcome], served: frozenset[Queue], claim_next: Callable[[], None] | None = None
) -> bool:
    first = outcomes[0].step
    with tenant_context(first.tenant_id):
        run = lock_run(first.run_id, LONG)
        if run is None:
            return False
        flipped = _flip(first.tenant_id, outcomes)
        ours = [outcome for outcome in outcomes if outcome.step.id in flipped]
        more = bool(ours) and _store(run, ours, flipped, served)
        if more and claim_next is not None:
            claim_next()
        crash_point(FaultPoint.FINISH_BEFORE_COMMIT)
    return more


@dataclass(frozen=True, slots=True)
class FinishedStep:
    """A step that this process still held and that now has its new status."""

    parent_id: UUID | None
    status: str


# Until a step ends, its output contains only its `failures`, which are kept beside its result.
FLIP = """
UPDATE research_step AS step
SET status = done.status, error_code = done.code, error_message = done.message,
    output = CASE WHEN done.status = 'completed' THEN done.output || step.output
        ELSE jsonb_set(step.output, '{failures}', coalesce(step.output -> 'failures', '[]') || done.output)
        END,
    not_before = clock_timestamp() + done.delay * interval '1 second',
    max_attempts = step.max_attempts + (done.status = 'retrying')::int,
    completed_at = CASE WHEN done.status <> 'retrying' THEN clock_timestamp() END,
    started_at = coalesce(clock_timestamp() - done.began_ago * interval '1 second', step.started_at),
    duration_ms = coalesce(done.worked, extract(epoch FROM clock_timestamp() - step.started_at)) * 1000,
    tokens_input = step.tokens_input + done.tokens_input,
    tokens_output = step.tokens_output + done.tokens_output,
    cost_usd = coalesce(done.cost_usd, step.cost_usd), cost_credits = step.cost_credits + done.cost_credits,
    lease_owner = '', lease_until = NULL, updated_at = clock_timestamp()
FROM unnest(%s::uuid[], %s::bigint[], %s::text[], %s::text[], %s::text[], %s::jsonb[], %s::float8[],
    %s::float8[], %s::float8[], %s::int[], %s::int[], %s::numeric[], %s::numeric[])
    AS done(id, fence, status, code, message, output, delay, began_ago, worked,
        tokens_input, tokens_output, cost_usd, cost_credits)
WHERE step.id = done.id AND step.fence = done.fence AND step.status = 'running' AND step.tenant_id = %s
RETURNING step.id, step.parent_id, step.status
"""


def _flip(tenant_id: UUID, outcomes: Sequence[StepOutcome]) -> Mapping[UUID, FinishedStep]:
    """Set the new status of the steps whose fencing token is still ours: done, failed or to be retried."""
    columns = map(texts, zip(*map(_row, outcomes), strict=True))
    with open_prepared_cursor() as cursor:
        cursor.execute(FLIP, [*columns, tenant_id])
        return {row[0]: FinishedStep(*row[1:]) for row in cursor.fetchall()}


def _row(outcome: StepOutcome) -> tuple[object, ...]:
    began_ago = None if outcome.began is None else time.monotonic() - outcome.began
    times = (began_ago, outcome.worked_s)
    return (
        outcome.step.id,
        outcome.step.fence,
        *_end(outcome.step, outcome.result),
        *times,
        *_usage(outcome.result),
    )


def _end(step: ClaimedStep, result: StepResult | Failure) -> tuple[object, ...]:
    """Return status, code, message, output, and the seconds until the next try (None: no more tries)."""
    if isinstance(result, StepResult):
        return StepStatus.COMPLETED, "", "", json.dumps(result.output), None
    delay_s = retry_delay_s(result, step.failures)
    status = StepStatus.FAILED if delay_s is None else StepStatus.RETRYING
    return status, result.code, result.message, json.dumps(result.record(step.attempt, delay_s)), delay_s


def _usage(result: StepResult | Failure) -> tuple[object, ...]:
    use = result.usage if isinstance(result, StepResult) else StepUsage()
    return use.tokens_input, use.tokens_output, use.cost_usd, use.cost_credits


def _store(
    run: Run, ours: Sequence[StepOutcome], flipped: Mapping[UUID, FinishedStep], served: frozenset[Queue]
) -> bool:
    """Store what follows from the new statuses; return True if steps became ready, or will be tried again."""
    results = [our.result for our in ours if isinstance(our.result, StepResult)]
    run_in_batches([result.save for result in results if result.save is not None])
    grown = add_children(
        run, [(parenthood, row.parent_id) for parenthood, row in _collect_parents(run, ours, flipped)]
    )
    ended = Counter(row.parent_id for row in flipped.values() if row.status != StepStatus.RETRYING)
    ready = grown.ready + _fan_in(grown.waiting, ended, run)
    _note_progress(run, [result.activity for result in results])
    crash_point(FaultPoint.FAN_IN_BEFORE_OUTBOX)
    _mail_failures(run, ours, flipped)
    _end_run_if_fatal(run, ours, flipped)
    elsewhere = [queue for queue in ready if queue not in served]
    if Queue.CONTROL in elsewhere and _is_state_passed_here(run, served):
        elsewhere = [queue for queue in elsewhere if queue != Queue.CONTROL]
    enqueue(run.pk, elsewhere, f"{ours[0].step.id}.{ours[0].step.fence}")
    return bool(ready) or any(row.status == StepStatus.RETRYING for row in flipped.values())


def _is_state_passed_here(run: Run, served: frozenset[Queue]) -> bool:
    """Pass the state that has nothing left to wait for, which another process would do a message later.

    Return False, and change nothing, if it cannot be passed: the process that gets the message records why.
    """
    return attempt(lambda: _pass_waiting_state(run, served)) is True


def _pass_waiting_state(run: Run, served: frozenset[Queue]) -> bool:
    queues, owner = [Queue.CONTROL], owner_name()
    with transaction.atomic():
        found = _claim_in_transaction(run.tenant_id, run.pk, queues=queues, owner=owner, most=1)
        if any(step.is_spent for step in found):
            transaction.set_rollback(True)
            return False
        for step in found:
            pass_state(step, served)
    return bool(found)


def _mail_failures(run: Run, ours: Sequence[StepOutcome], flipped: Mapping[UUID, FinishedStep]) -> None:
    """Mail the owner about failures, except those that end the run: their mail is sent at its end.

    A failure that a handler worked around is in its output as `fallback`.
    """
    for our in ours:
        if isinstance(our.result, Failure):
            if not our.result.is_fatal and flipped[our.step.id].status == StepStatus.FAILED:
                mail_failure(run, our.result.code, our.result.message)
        elif isinstance(done_without := our.result.output.get("fallback"), Mapping):
            mail_failure(run, str(done_without["code"]), str(done_without["message"]))


def _collect_parents(
    run: Run, ours: Sequence[StepOutcome], flipped: Mapping[UUID, FinishedStep]
) -> list[tuple[Parenthood, FinishedStep]]:
    done = [(our.step, our.result) for our in ours if isinstance(our.result, StepResult)]
    failed = [
        (our.step, our.result)
        for our in ours
        if isinstance(our.result, Failure) and flipped[our.step.id].status == StepStatus.FAILED
    ]
    after = run_in_batches([_get_following(result) for _, result in done])
    steps = [step for step, _ in (*done, *failed)]
    return [
        (Parenthood(step.key, way.children, way.then), flipped[step.id])
        for step, ways in zip(steps, [*after, *_follow_failed(run, failed)], strict=True)
        for way in ([ways] if isinstance(ways, Following) else ways)
        if way.children or way.then
    ]


def _follow_failed(run: Run, failed: Sequence[tuple[ClaimedStep, Failure]]) -> Sequence[Following]:
    steps = [
        FailedStep(step.key, step.handler, step.input, failure.code, failure.message)
        for step, failure in failed
    ]
    if steps:
        pipeline = pipeline_for(run.kind)
        if isinstance(pipeline, FollowsFailures):
            return pipeline.follow_failed(run, steps)
    return [Following()] * len(steps)


def _get_following(result: StepResult) -> Callable[[], Following | Sequence[Following]]:
    return result.follow or (lambda: Following(result.children, result.then))


FAN_IN = """
UPDATE research_step AS step
SET pending_children = step.pending_children + change.by, updated_at = clock_timestamp(),
    not_before = CASE WHEN step.pending_children + change.by = 0 THEN clock_timestamp() END
FROM unnest(%s::uuid[], %s::int[]) AS change(id, by)
WHERE step.id = change.id AND step.run_id = %s AND step.status = 'pending'
RETURNING step.pending_children, step.queue
"""


def _fan_in(more: Counter[UUID], ended: Counter[UUID | None], run: Run) -> list[str]:
    """Update the number of steps that each waiting step waits for; return the queue of each that became ready."""
    # A step that ended and was replaced by another does not change the number.
    change = {
        step_id: more[step_id] - ended[step_id]
        for step_id in {*more, *ended}
        if step_id and more[step_id] != ended[step_id]
    }
    crash_point(FaultPoint.FAN_IN)
    if not change:
        return []
    with open_prepared_cursor() as cursor:
        cursor.execute(FAN_IN, [list(change), texts(change.values()), run.pk])
        return [queue for pending, queue in cursor.fetchall() if pending == 0]


NOTE_PROGRESS = """
UPDATE research_run SET step_count = %(steps)s::int, snapshot_version = snapshot_version + 1,
    current_activity = coalesce(nullif(%(said)s::text, ''), current_activity), updated_at = statement_timestamp()
WHERE id = %(run)s
"""


def _note_progress(run: Run, activities: Sequence[str]) -> None:
    said = next(filter(None, reversed(activities)), "")[:MAX_ACTIVITY]
    with open_prepared_cursor() as cursor:
        cursor.execute(NOTE_PROGRESS, {"run": run.pk, "steps": run.step_count, "said": said})


def _end_run_if_fatal(run: Run, ours: Sequence[StepOutcome], flipped: Mapping[UUID, FinishedStep]) -> None:
    fatal = [
        our.result
        for our in ours
        if isinstance(our.result, Failure)
        # Without the step of its state, the run would never continue.
        and (our.result.is_fatal or our.step.is_state)
        and flipped[our.step.id].status == StepStatus.FAILED
    ]
    if run.is_finished:
        return
    if fatal:
        end(run, State.FAILED, fatal[0].code, fatal[0].message)
    elif run.cancel_at is not None:
        end_if_idle(run)
