"""Executes the CPU steps of a run in a prefork process until none is left.

Short steps are claimed several at a time, and those done are stored together: the rows of a step of 20 ms would
cost as much as its work. A long one is claimed alone, so that other processes get their share.
"""

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from research.engine.claim_and_finish_steps import StepOutcome, claim, finish, release
from research.engine.claimed_step import ClaimedStep
from research.engine.fair_queue import next_turn
from research.engine.helper_thread import HelperThread
from research.engine.lease_timing import RUNNER_LIMIT_S
from research.engine.leases import Leases
from research.engine.pipeline_registry import Pipeline, UnknownPipeline, pipeline_of_run
from research.engine.run_step import execute
from research.engine.states.transitions import advance
from research.engine.step_runner import StopReason
from research.models import Queue, Run
from research.runtime.fault_injection import FaultPoint, crash_point
from research.runtime.logs import logger
from research.runtime.process_names import owner_name

log = logger(__name__)

GROUP_S = 0.2  # seconds of work that are claimed and stored together
MAX_AT_ONCE = 8
# How long a process serves one run while others may wait; then the run's message goes to the end of the queue. Ten runs
# of one person thus delay another's first step by ten turns, not by ten runs.
TURN_S = 1.0


def take_turn(tenant_id: UUID, run_id: UUID, queue: Queue, limit_s: float) -> StopReason:
    """Serve the run that is due next, in response to a message about `run_id`.

    Serve `run_id` as well if the other run's turn was short. HANDED_ON: the message must be sent again. Raises
    Run.DoesNotExist and UnknownPipeline.
    """
    turn = next_turn(queue)
    if turn is not None and turn != (tenant_id, run_id):
        ending = _serve_other(*turn, queue, limit_s)
        if ending is StopReason.HANDED_ON:
            return ending
    return work_through(tenant_id, run_id, queue, limit_s)


def _serve_other(tenant_id: UUID, run_id: UUID, queue: Queue, limit_s: float) -> StopReason:
    try:
        return work_through(tenant_id, run_id, queue, limit_s)
    # The run was just deleted, or is of a kind that only a newer version supports.
    except (Run.DoesNotExist, UnknownPipeline) as error:
        log.warning("turn_without_a_run", run=str(run_id), error=type(error).__name__)
        return StopReason.IDLE


def work_through(tenant_id: UUID, run_id: UUID, queue: Queue, limit_s: float = RUNNER_LIMIT_S) -> StopReason:
    """Claim and execute steps of one queue until there are none or the time is up.

    Raises Run.DoesNotExist and UnknownPipeline.
    """
    recipe, until = pipeline_of_run(tenant_id, run_id), time.monotonic() + limit_s
    with Leases(tenant_id) as leases:
        worker = _GroupWorker(tenant_id, run_id, _StepExecutor(recipe, leases, frozenset({queue})), until)
        helper = replace(
            worker, executor=_StepExecutor(recipe, leases, frozenset({queue})), owner=owner_name()
        )
        with HelperThread(helper.do_like) as helper_thread:
            while worker.has_time:
                # Steps that the helper thread finished may have made others ready, for which no message is sent.
                if not worker.do_next(helper_thread) and not helper_thread.wait_until_idle():
                    return StopReason.IDLE
    return StopReason.HANDED_ON


@dataclass(slots=True)
class _GroupWorker:
    """Claims and executes the steps of a run, group by group, in one thread."""

    tenant_id: UUID
    run_id: UUID
    executor: "_StepExecutor"
    until: float  # time.monotonic()
    owner: str = field(default_factory=owner_name)
    most: int = 1  # steps of the next group

    @property
    def has_time(self) -> bool:
        return time.monotonic() < self.until

    def do_next(self, helper: HelperThread) -> bool:
        """Execute the next group; return False if there was none."""
        claimed = isolate_retried_step(self._claim())
        if claimed and claimed[0].attempt > 1:
            helper.wait_until_idle()  # such a step is executed alone
        is_full = len(claimed) == self.most
        self._do(claimed)
        if is_full and self.most > 1 and self.has_time:
            helper.take_on({step.handler for step in claimed if not step.is_state})
        return bool(claimed)

    def do_like(self, handlers: Collection[str]) -> bool:
        """Execute a group of steps of these handlers at their first attempt; return False if the next steps are
        others, or none.
        """
        claimed = self._claim() if self.has_time else []
        fit = [step for step in claimed if step.attempt == 1 and step.handler in handlers]
        if len(fit) < len(claimed):
            release(self.tenant_id, [step for step in claimed if step not in fit])
        self._do(fit)
        return bool(fit) and len(fit) == len(claimed)

    def _claim(self) -> list[ClaimedStep]:
        served = self.executor.served
        return claim(self.tenant_id, self.run_id, queues=served, owner=self.owner, most=self.most)

    def _do(self, claimed: Sequence[ClaimedStep]) -> None:
        began = time.monotonic()
        if claimed:
            self.executor.do(claimed)
            self.most = choose_group_size(len(claimed), time.monotonic() - began)


def isolate_retried_step(claimed: Sequence[ClaimedStep]) -> Sequence[ClaimedStep]:
    """Keep only the first of the claimed steps if an earlier execution of one of them killed its process.

    The others are released: a step that kills its process must not use up their attempts.
    """
    if len(claimed) < 2 or all(step.attempt == 1 for step in claimed):
        return claimed
    release(claimed[0].tenant_id, claimed[1:])
    return claimed[:1]


def choose_group_size(steps: int, seconds: float) -> int:
    """Return the size of the next group, 1 to MAX_AT_ONCE, that takes about GROUP_S seconds if its steps are like
    these.
    """
    return max(1, min(MAX_AT_ONCE, int(GROUP_S * steps / max(seconds, 1e-3))))


@dataclass(slots=True)
class _StepExecutor:
    """Executes claimed steps and stores their results, several in a transaction."""

    recipe: Pipeline
    leases: Leases
    served: frozenset[Queue]
    done: list[StepOutcome] = field(default_factory=list)
    _stored_at: float = 0.0

    def do(self, claimed: Sequence[ClaimedStep]) -> None:
        """Execute the steps one after another; store their results together, at the latest after GROUP_S seconds."""
        for step in claimed:
            self.leases.hold(step)
        self._stored_at = time.monotonic()
        for step in claimed:
            self._do(step)
            if time.monotonic() - self._stored_at > GROUP_S:
                self._store()
        self._store()

    def _do(self, step: ClaimedStep) -> None:
        if self.leases.has_lapsed(step.id):
            # This process was suspended after the claim, so another one has the step or will claim it.
            self.leases.drop(step)
        elif step.is_state and not step.is_spent:
            self._store()
            advance(step, self.served)
            self.leases.drop(step)
        else:
            began = time.monotonic()
            result = execute(self.recipe, step, self.leases)
            self.done.append(StepOutcome(step, result, began, time.monotonic() - began))

    def _store(self) -> None:
        if self.done:
            crash_point(FaultPoint.WORKED_BEFORE_FINISH)
            finish(self.done, self.served)
        for outcome in self.done:
            self.leases.drop(outcome.step)
        self.done, self._stored_at = [], time.monotonic()
