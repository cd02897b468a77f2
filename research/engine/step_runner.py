"""Serves one run: an asyncio loop that claims its ready steps, executes many at once and commits their results in
groups.

Several runners may serve one run, since steps are claimed in the database. All database work of the loop is done in one
thread, one statement after another, so that the loop itself never waits for it.

A process has at most one runner for a run: a message about a run that is served here wakes its runner
(`run_for_message`).
"""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextvars import copy_context
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from math import inf
from typing import TypeVar
from uuid import UUID

from django.conf import settings

from research.db.tenancy import tenant_context
from research.db.thread_pool import borrow_writer
from research.engine.claim_and_finish_steps import (
    StepOutcome,
    advance_and_claim,
    claim,
    finish_and_claim,
    look_and_claim,
    release,
)
from research.engine.claimed_step import ClaimedStep
from research.engine.engine_threads import share_threads
from research.engine.error_boundary import attempt, log_failure
from research.engine.lease_timing import CANCEL_GRACE_S, RUNNER_LIMIT_S, STEP_LIMIT_S
from research.engine.leases import Leases
from research.engine.outbox import RUNNER_QUEUES, requeue
from research.engine.pipeline_registry import (
    Pipeline,
    StepResult,
    StepWork,
    SyncHandler,
    facts_of_run,
    pipeline_for,
    pipeline_of_run,
)
from research.engine.run_step import SPENT, at_step, handler_of, is_async, work_of
from research.engine.states.run_status import Situation, situation_of
from research.engine.states.step_failures import Failure
from research.engine.states.transitions import force_cancel, reconsider
from research.engine.wakeup import Wakeup
from research.engine.worker_slots import SlotRequest, WorkerSlots
from research.models import Queue, Run, State
from research.runtime import event_loops
from research.runtime.fault_injection import FaultPoint, crash_point
from research.runtime.logs import logger
from research.runtime.process_names import owner_name
from research.runtime.time_left import within

T = TypeVar("T")
log = logger(__name__)

STEPS_AT_ONCE = 300  # several times the number of concurrent model calls, since most search, read or wait
THREADS = 16  # for handlers that block, in each process
GROUP_WINDOW_S = 0.05  # steps that end within it are committed together
GROUPS_APART_S = (
    0.15  # with many steps in flight: groups that follow each other grow, and the first is not delayed
)
MANY = 10  # steps in flight from which waiting for more delays nobody
TICK_S = 1.0  # between checks of the row of the run being served
MIN_POLL_S, MAX_POLL_S = 0.05, 1.0
SHUTDOWN_S = 10
FINISHING_S = 15  # of a step's time, for what follows its last call
ALL_QUEUES = frozenset(Queue)

stopping = threading.Event()  # set when this process is to end: runners then requeue their runs


class StopReason(StrEnum):
    """The reason why a runner stopped serving."""

    OVER = "over"  # the run has ended
    WAITING = "waiting"  # for a person's answer
    IDLE = "idle"  # other processes hold the remaining steps, or these are due later
    HANDED_ON = "handed_on"  # time is up; there may be more to do
    # The run's owner has no slot left in this process; the message is sent again when one is free.
    NO_PLACE = "no_place"
    JOINED = "joined"  # another runner of this process serves the run and was woken


class RunnerFailed(RuntimeError):
    """Raised if the database is unavailable. The runner stops; its leases expire, and another runner takes over."""


@dataclass(frozen=True, slots=True)
class RunnerLimits:
    """Limits of a runner: the queues that it serves, its time limit and its waits."""

    queues: frozenset[Queue] = RUNNER_QUEUES
    limit_s: float | None = RUNNER_LIMIT_S
    stays: bool = False  # while others hold steps, checking the rows at intervals
    longest_wait_s: float = 5  # for a retry that is due soon, before leaving


class Runner:
    """Serves one run until nothing is left that it could execute."""

    def __init__(self, tenant_id: UUID, run_id: UUID, recipe: Pipeline, terms: RunnerLimits) -> None:
        self._tenant_id = tenant_id
        self._run_id = run_id
        self._recipe = recipe
        self._terms = terms
        self._owner = owner_name()
        self._began = self._checked_at = time.monotonic()
        self._tasks: dict[asyncio.Task[StepResult | Failure], ClaimedStep] = {}
        self._poll_s = MIN_POLL_S
        self._stored_at = -inf  # the last group, by time.monotonic()
        self._is_stale = True  # steps may have become ready since the last look at the rows
        self._leases = Leases(tenant_id, self._on_lost)
        self._wakeup = Wakeup()

    def wake_up(self) -> bool:
        """Make the runner look at the rows again; callable from any thread. Return False if it has stopped or is
        about to.
        """
        return self._wakeup.wake_up()

    async def serve(self) -> StopReason:
        self._loop = asyncio.get_running_loop()
        self._wakeup.listen(self._loop)
        with (
            borrow_writer() as self._writer,
            share_threads(THREADS) as self._handlers,
            self._leases,
            self._wakeup,
        ):
            ending = await self._serve()
            await self._finish_or_release()
        log.info("runner_left", run=str(self._run_id), ending=str(ending))
        return ending

    async def _serve(self) -> StopReason:
        while not self._time_is_up():
            taken = self._is_stale and await self._take()
            if self._tasks:
                await self._finish_some()
                await self._check_run()
            elif not taken and (ending := await self._wait_for_work()) is not None and self._wakeup.close():
                return ending
        self._wakeup.shut()
        return StopReason.HANDED_ON

    def _time_is_up(self) -> bool:
        limit = self._terms.limit_s
        return stopping.is_set() or (limit is not None and time.monotonic() - self._began > limit)

    # --- taking ---

    async def _take(self) -> bool:
        """Claim ready steps and start them; return False if there were none."""
        room = STEPS_AT_ONCE - len(self._tasks)
        if room <= 0:
            return False
        queues = self._terms.queues
        claimed = await self._database(
            lambda: claim(self._tenant_id, self._run_id, queues=queues, owner=self._owner, most=room)
        )
        self._is_stale = len(claimed) == room
        await self._begin_all(claimed)
        return bool(claimed)

    async def _begin_all(self, claimed: Sequence[ClaimedStep]) -> None:
        for step in claimed:
            self._leases.hold(step)
        for step in claimed:
            await self._begin(step)
        if claimed:
            self._poll_s = MIN_POLL_S

    async def _begin(self, step: ClaimedStep) -> None:
        if step.is_state and not step.is_spent:
            room = 0 if self._time_is_up() else STEPS_AT_ONCE - len(self._tasks)
            act = partial(advance_and_claim, step, self._terms.queues, self._owner, room)
            claimed = await self._database(act)
            self._leases.drop(step)
            self._is_stale = len(claimed) in (0, room)
            await self._begin_all(claimed)
        else:
            self._tasks[asyncio.create_task(self._do(step))] = step

    async def _do(self, step: ClaimedStep) -> StepResult | Failure:
        if step.is_spent:
            return SPENT
        # The process was suspended after the claim, and another one has the step.
        if self._leases.has_lapsed(step.id):
            raise asyncio.CancelledError
        handler, work = handler_of(self._recipe, step.handler), work_of(step, self._leases)
        with at_step(step), within(STEP_LIMIT_S - FINISHING_S, _left_in_state(step) - FINISHING_S):
            if is_async(handler):
                job: Awaitable[StepResult | Failure | None] = handler(work)
            else:
                here = copy_context()  # threads do not inherit it
                act = partial(here.run, self._do_in_thread, handler, work)
                job = asyncio.wrap_future(self._handlers.submit(act))
            result = await asyncio.wait_for(job, STEP_LIMIT_S)
        if result is None:
            raise asyncio.CancelledError
        return result

    def _do_in_thread(self, handler: SyncHandler, work: StepWork) -> StepResult | None:
        """Run the handler; return None if the lease expired before a thread was free, because others have the step
        then.
        """
        return None if self._leases.has_lapsed(work.step_id) else handler(work)

    # --- finishing ---

    async def _finish_some(self) -> None:
        """Wait for the first steps that end, and commit them together with those that end right after."""
        done, going, was_rung = await self._wakeup.wait(self._tasks, TICK_S)
        self._is_stale |= was_rung or not done
        if done and going:
            window = GROUP_WINDOW_S
            if len(going) >= MANY:
                window = max(window, GROUPS_APART_S - (time.monotonic() - self._stored_at))
            more, _going = await asyncio.wait(going, timeout=window)
            done |= more
        if not done:
            return
        ended = [(self._tasks.pop(task), task) for task in done]
        outcomes = [StepOutcome(step, _result_of(task)) for step, task in ended if not task.cancelled()]
        claimed: Sequence[ClaimedStep] = ()
        if outcomes:
            crash_point(FaultPoint.WORKED_BEFORE_FINISH)
            room = 0 if self._time_is_up() else STEPS_AT_ONCE - len(self._tasks)
            act = partial(finish_and_claim, outcomes, self._terms.queues, self._owner, room)
            has_more, claimed = await self._database(act)
            self._stored_at = time.monotonic()
            self._is_stale |= has_more
        for step, _task in ended:
            self._leases.drop(step)
        await self._begin_all(claimed)

    def _on_lost(self, step_id: UUID) -> None:
        """Handle the loss of a lease, in the heartbeat's thread."""
        self._loop.call_soon_threadsafe(self._abandon, step_id)

    def _abandon(self, step_id: UUID) -> None:
        for task, step in self._tasks.items():
            if step.id == step_id:
                task.cancel()

    async def _finish_or_release(self) -> None:
        """Finish the steps in flight; if the process is to end, release those that take longer than SHUTDOWN_S."""
        until = time.monotonic() + (SHUTDOWN_S if stopping.is_set() else STEP_LIMIT_S)
        while self._tasks and time.monotonic() < until:
            await self._finish_some()
        left = list(self._tasks.values())
        for task in self._tasks:
            task.cancel()
        if left:
            await self._database(partial(release, self._tenant_id, left))

    # --- looking around ---

    async def _read_status(self) -> Situation | None:
        self._checked_at = time.monotonic()
        return await self._database(partial(situation_of, self._tenant_id, self._run_id))

    async def _check_run(self) -> None:
        """Check from time to time, while steps are in flight, if the run was cancelled or its time is up."""
        if time.monotonic() - self._checked_at < TICK_S:
            return
        self._checked_at = time.monotonic()
        room = 0 if self._time_is_up() else STEPS_AT_ONCE - len(self._tasks)
        # A step may be due now, or the lease of another process have expired.
        look = partial(look_and_claim, queues=self._terms.queues, owner=self._owner, most=room)
        seen, claimed = await self._database(lambda: look(self._tenant_id, self._run_id))
        self._is_stale = len(claimed) == room
        await self._begin_all(claimed)
        if seen is None or seen.is_over or seen.is_cancelled:
            self._leases.stop_all()
        if seen is not None and seen.is_cancelled and seen.cancelled_for_s > CANCEL_GRACE_S:
            await self._database(partial(force_cancel, self._tenant_id, self._run_id))
        if seen is not None and seen.time_runs_out:
            await self._reconsider()

    async def _reconsider(self) -> None:
        await self._database(partial(reconsider, self._tenant_id, self._run_id, self._terms.queues))

    async def _wait_for_work(self) -> StopReason | None:
        """Wait while there is nothing to claim; return the reason to stop, or None to claim again."""
        self._is_stale = True
        seen = await self._read_status()
        if seen is None or seen.is_over:
            return StopReason.OVER
        if seen.is_cancelled or seen.time_runs_out:
            await self._reconsider()
        elif seen.is_waiting:
            return StopReason.WAITING
        if not self._terms.stays and not self._is_due_soon(seen):
            return StopReason.IDLE
        due_in_s = MAX_POLL_S if seen.due_in_s is None else seen.due_in_s
        await self._wakeup.wait((), min(self._poll_s, max(due_in_s, MIN_POLL_S)))
        self._poll_s = min(2 * self._poll_s, MAX_POLL_S)
        return None

    def _is_due_soon(self, seen: Situation) -> bool:
        return seen.due_in_s is not None and seen.due_in_s < self._terms.longest_wait_s

    async def _database(self, act: Callable[[], T]) -> T:
        """Run `act` in this runner's only writer thread. Raises RunnerFailed."""
        result = await asyncio.wrap_future(self._writer.submit(partial(attempt, act)))
        if isinstance(result, Failure):
            raise RunnerFailed(result.message)
        return result


def _left_in_state(step: ClaimedStep) -> float:
    return inf if step.time_left_s is None else step.time_left_s


def _result_of(task: asyncio.Task[StepResult | Failure]) -> StepResult | Failure:
    error = task.exception()
    return task.result() if error is None else log_failure(error)


def serve(tenant_id: UUID, run_id: UUID, terms: RunnerLimits = RunnerLimits()) -> StopReason:
    """Serve a run from this thread within the given limits.

    Raises Run.DoesNotExist, UnknownPipeline and RunnerFailed.
    """
    return event_loops.run(Runner(tenant_id, run_id, pipeline_of_run(tenant_id, run_id), terms).serve())


_runners_lock = threading.Lock()
_runners: dict[UUID, Runner] = {}
_slots = WorkerSlots(settings.PLUMBLINE_AGENT_THREADS)


def run_for_message(tenant_id: UUID, run_id: UUID) -> StopReason:
    """Serve a run because of a message, unless a runner of this process does already.

    Raises Run.DoesNotExist, UnknownPipeline and RunnerFailed.
    """
    with _runners_lock:
        known = _runners.get(run_id)
        if known is not None and known.wake_up():
            return StopReason.JOINED
    facts = facts_of_run(tenant_id, run_id)
    recipe = pipeline_for(facts.kind)  # importing it may take longer than a transaction may stay open
    request = SlotRequest(tenant_id, run_id, facts.owner_id)
    if not _slots.claim(request):
        return StopReason.NO_PLACE
    try:
        return _serve_registered(Runner(tenant_id, run_id, recipe, RunnerLimits()), run_id)
    finally:
        if (waiting := _slots.release(request)) is not None:
            requeue(waiting.tenant_id, waiting.run_id, Queue.AGENTS)


def _serve_registered(runner: Runner, run_id: UUID) -> StopReason:
    with _runners_lock:
        _runners[run_id] = runner
    try:
        return event_loops.run(runner.serve())
    finally:
        with _runners_lock:
            if _runners.get(run_id) is runner:
                del _runners[run_id]


def drive(tenant_id: UUID, run_id: UUID, *, queues: Collection[Queue] = ALL_QUEUES) -> State:
    """Serve a run in this process until it has ended or waits for a person; return its state.

    Workers may serve it at the same time. Raises Run.DoesNotExist, UnknownPipeline and RunnerFailed.
    """
    serve(tenant_id, run_id, RunnerLimits(queues=frozenset(queues), limit_s=None, stays=True))
    with tenant_context(tenant_id):
        return State(Run.objects.values_list("state", flat=True).get(pk=run_id))
