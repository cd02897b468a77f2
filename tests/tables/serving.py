"""A forked process that serves one table until it ends, or dies at the point that its environment names.

Of the handlers' executions one in ten fails, by the seed.
"""

import random
from uuid import UUID

from research.engine import claim_and_finish_steps
from research.engine.pipeline_registry import AsyncHandler, StepResult, StepWork, register
from research.engine.states.step_failures import StepError
from research.engine.step_runner import drive
from research.engine.sweeper import expire_leases
from research.ops.health_warm_up import load_code
from research.pipelines.table.pipeline import TablePipeline
from research.pipelines.table.table_step_names import TableStepName

load_code()  # once for all

FAULTS = 0.1
FAILING = (TableStepName.FILL_ROW, TableStepName.FILL_ROW_AGAIN)


class Faulty(TablePipeline):
    """A handler that fails, and may succeed the next time."""

    def __init__(self, seed: str) -> None:
        own = {name: faulty(TablePipeline.handlers[name], seed) for name in FAILING}
        self.handlers = {**TablePipeline.handlers, **own}


def faulty(handler: AsyncHandler, seed: str) -> AsyncHandler:
    async def do(work: StepWork) -> StepResult:
        if random.Random(f"{seed} {work.key} {work.attempt}").random() < FAULTS:
            raise StepError("TIMEOUT", "Nothing came in time.")
        return await handler(work)

    return do


def main(tenant: str, run: str, seed: str) -> None:
    claim_and_finish_steps.retry_delay_s = at_once(claim_and_finish_steps.retry_delay_s)
    register(Faulty(seed))
    expire_leases(UUID(tenant))
    drive(UUID(tenant), UUID(run))


def serve_without_faults(tenant: str, run: str) -> None:
    expire_leases(UUID(tenant))
    drive(UUID(tenant), UUID(run))


def at_once(delay):
    """The lifecycle's retries, without the waiting between them."""
    return lambda failure, before: None if delay(failure, before) is None else 0.0
