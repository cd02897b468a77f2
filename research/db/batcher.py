"""Batches of database work that steps request at nearly the same time, done in one transaction.

A batch begins at once if the last one is some time ago, otherwise with the next tick. So a single request waits for
nobody, and fifty that come close together cost a few commits instead of fifty.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from itertools import groupby
from math import inf
from typing import Generic, TypeVar
from uuid import UUID

from django.db import connection

from research.db.tenancy import tenant_context
from research.db.thread_pool import RowThreads

W = TypeVar("W")
R = TypeVar("R")
TICK_S = 0.1
MOST_AT_ONCE = 50  # what a batch locks stays locked until its commit


class Batcher(Generic[W, R]):
    """Collects requests from any event loop or thread of the process. `act` runs in a database thread and returns the
    outcome of each request.
    """

    def __init__(self, rows: RowThreads, act: Callable[[Sequence[W]], "Sequence[R | Exception]"]) -> None:
        self._rows = rows
        self._act = act
        self._lock = threading.Lock()
        self._waiting: list[tuple[W, Future[R]]] = []
        self._is_working = False
        self._began = -inf  # the last batch, by time.monotonic()

    async def do(self, wanted: W) -> R:
        """Do the work of one request in the next batch, and return its outcome or raise its error.

        A batch that has begun is finished even if its caller is cancelled.
        """
        future: Future[R] = Future()
        with self._lock:
            self._waiting.append((wanted, future))
            is_first, self._is_working = not self._is_working, True
        if is_first:
            self._rows.submit(self._work)
        return await asyncio.wrap_future(future)

    def _work(self) -> None:
        while (batch := self._take()) is not None:
            _do_batch(self._act, [request for request in batch if request[1].set_running_or_notify_cancel()])

    def _take(self) -> "list[tuple[W, Future[R]]] | None":
        """Return the requests that came until the next tick; None if there are none."""
        with self._lock:
            count = len(self._waiting)
            self._is_working = count > 0
        if not count:
            return None
        if count < MOST_AT_ONCE:
            time.sleep(max(0.0, self._began + TICK_S - time.monotonic()))
        with self._lock:
            batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
        self._began = time.monotonic()
        return batch


def _do_batch(
    act: Callable[[Sequence[W]], "Sequence[R | Exception]"], batch: Sequence[tuple[W, Future[R]]]
) -> None:
    try:
        results = act([wanted for wanted, _future in batch]) if batch else ()
    except Exception as error:  # noqa: BLE001 - each caller gets it
        results = [error] * len(batch)
    for (_wanted, future), result in zip(batch, results, strict=True):
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)


def in_one_transaction(
    wanted: Sequence[W],
    tenant_of: Callable[[W], UUID],
    together: Callable[[Sequence[W]], Sequence[R]],
    alone: Callable[[W], R] | None = None,
    *,
    is_durable: bool = True,
) -> "list[R | Exception]":
    """Run `together` for all requests of a tenant in one transaction, in which it may find the tenant set.

    If that fails, run `alone` for each, which sets the tenant itself; without it, `together` for each.
    """
    order = sorted(range(len(wanted)), key=lambda place: str(tenant_of(wanted[place])))
    results: dict[int, R | Exception] = {}

    def do(tenant_id: UUID, requests: Sequence[W]) -> Sequence[R]:
        with tenant_context(tenant_id, is_durable=is_durable):
            return together(requests)

    def do_alone(tenant_id: UUID, request: W) -> "R | Exception":
        try:
            return do(tenant_id, [request])[0] if alone is None else alone(request)
        except Exception as error:  # noqa: BLE001 - its caller gets it
            return error

    for tenant_id, same in groupby(order, key=lambda place: tenant_of(wanted[place])):
        places = list(same)
        requests = [wanted[place] for place in places]
        done: Sequence[R | Exception]
        try:
            done = do(tenant_id, requests)
        except Exception as error:  # noqa: BLE001 - told by those that fail alone, too
            connection.close_if_unusable_or_obsolete()
            is_alone = len(requests) == 1 and alone is None
            done = [error] if is_alone else [do_alone(tenant_id, request) for request in requests]
        results |= zip(places, done, strict=True)
    return [results[place] for place in range(len(wanted))]
