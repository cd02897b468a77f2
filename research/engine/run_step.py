"""Executes the handler of one claimed step."""

import asyncio
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from research.engine.claimed_step import ClaimedStep
from research.engine.error_boundary import attempt
from research.engine.lease_timing import STEP_LIMIT_S
from research.engine.leases import Leases
from research.engine.pipeline_registry import AsyncHandler, Handler, Pipeline, StepResult, StepWork
from research.engine.states.step_failures import Failure, StepError
from research.engine.step_time_limit import time_limit
from research.runtime.log_context import at, of_step
from research.runtime.tracing import span

if TYPE_CHECKING:
    from typing_extensions import TypeIs

SPENT = Failure("ATTEMPTS_SPENT", "The worker process crashed repeatedly at this step.")


def handler_of(recipe: Pipeline, name: str) -> Handler:
    """Return the handler. Raises StepError if the pipeline that made the step no longer has it."""
    try:
        return recipe.handlers[name]
    except KeyError:
        raise StepError("INVALID_REQUEST", f"There is no handler for {name}.") from None


def work_of(step: ClaimedStep, leases: Leases) -> StepWork:
    return StepWork(
        step_id=step.id,
        run_id=step.run_id,
        tenant_id=step.tenant_id,
        key=step.key,
        handler=step.handler,
        input=step.input,
        attempt=step.attempt,
        fence=step.fence,
        is_stopped=partial(leases.is_stopped, step.id),
    )


@contextmanager
def at_step(step: ClaimedStep) -> Iterator[None]:
    """Add the step to the log context, and trace its duration as a span."""
    here = of_step(step.tenant_id, step.run_id, step.key)
    facts = {"run": here.run, "step": step.key, "tenant": here.tenant, "queue": step.queue}
    with at(here), span(step.handler, here, facts | {"attempt": str(step.attempt)}):
        yield


def execute(recipe: Pipeline, step: ClaimedStep, leases: Leases) -> StepResult | Failure:
    """Execute one step in this thread; no transaction is open."""
    if step.is_spent:
        return SPENT
    return attempt(lambda: _call_in_time(recipe, step, leases))


def _call_in_time(recipe: Pipeline, step: ClaimedStep, leases: Leases) -> StepResult:
    with time_limit(STEP_LIMIT_S):
        return _call(recipe, step, leases)


def _call(recipe: Pipeline, step: ClaimedStep, leases: Leases) -> StepResult:
    handler, work = handler_of(recipe, step.handler), work_of(step, leases)
    with at_step(step):
        return _call_handler(handler, work)


def _call_handler(handler: Handler, work: StepWork) -> StepResult:
    return asyncio.run(handler(work)) if is_async(handler) else handler(work)


def is_async(handler: Handler) -> "TypeIs[AsyncHandler]":
    return inspect.iscoroutinefunction(handler)
