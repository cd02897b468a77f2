"""Batches of database work that many calls request at the same time, done in one transaction.

Requests that arrive while a batch runs go into the next one.

So a single call waits for nobody, and fifty that end together cost two or three commits instead of fifty.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from typing import Generic, TypeVar
from uuid import UUID

from django.db import Error, connection

from research.db.tenancy import tenant_context
from research.db.thread_pool import RowThreads
from research.llm.budgets.budget_refusals import BudgetExceeded
from research.llm.model_errors import ModelError

W = TypeVar("W")
R = TypeVar("R")
MOST_AT_ONCE = 20  # the run's budget stays locked from the first call to the commit


class BatchRejected(Exception):
    """A batch cannot be done together because of one of its items, so each is done on its own."""


class Batcher(Generic[W, R]):
    """A batcher for one event loop. `act` runs in a database thread and returns the outcome of each item."""

    def __init__(self, rows: RowThreads, act: Callable[[Sequence[W]], "Sequence[R | Exception]"]) -> None:
        self._rows = rows
        self._act = act
        self._waiting: list[tuple[W, asyncio.Future[R]]] = []
        self._working: asyncio.Task[None] | None = None

    async def do(self, wanted: W) -> R:
        """Do the work of one item in the next batch, and return its outcome or raise its error.

        A batch that has begun is finished even if its caller is cancelled.
        """
        future: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append((wanted, future))
        if self._working is None:
            self._begin()
        return await future

    def _begin(self) -> None:
        group, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
        self._working = asyncio.create_task(self._work(group))
        self._working.add_done_callback(partial(self._end, [future for _wanted, future in group]))

    async def _work(self, group: Sequence[tuple[W, asyncio.Future[R]]]) -> None:
        done = await self._rows.do(partial(self._act, [wanted for wanted, _future in group]))
        for (_wanted, future), result in zip(group, done, strict=True):
            if future.done():
                continue
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)

    def _end(self, futures: Sequence[asyncio.Future[R]], task: asyncio.Task[None]) -> None:
        failure = asyncio.CancelledError() if task.cancelled() else task.exception()
        for future in futures:
            if failure is not None and not future.done():
                future.set_exception(failure)
        self._working = None
        if self._waiting:
            self._begin()


def in_one_transaction(
    wanted: Sequence[W],
    tenant_of: Callable[[W], UUID],
    swiftly: Callable[[Sequence[W]], Sequence[R]],
    alone: Callable[[W], R],
) -> "list[R | Exception]":
    """Run `swiftly` for all items of a tenant in one transaction.

    If one of them is not simple, run `alone` for each.
    """
    order = sorted(range(len(wanted)), key=lambda place: str(tenant_of(wanted[place])))
    results: dict[int, R | Exception] = {}
    for tenant_id, same in groupby(order, key=lambda place: tenant_of(wanted[place])):
        places = list(same)
        group = [wanted[place] for place in places]
        results |= zip(places, _of_tenant(tenant_id, group, swiftly, alone), strict=True)
    return [results[place] for place in range(len(wanted))]


def _of_tenant(
    tenant_id: UUID,
    group: Sequence[W],
    swiftly: Callable[[Sequence[W]], Sequence[R]],
    alone: Callable[[W], R],
) -> "Sequence[R | Exception]":
    try:
        with tenant_context(tenant_id):
            return swiftly(group)
    except (BatchRejected, Error):
        connection.close_if_unusable_or_obsolete()
        return [_result(alone, work) for work in group]


def _result(act: Callable[[W], R], wanted: W) -> "R | Exception":
    try:
        return act(wanted)
    except (BudgetExceeded, ModelError, Error) as error:
        return error
