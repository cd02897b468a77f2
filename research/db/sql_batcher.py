"""Batches of database work that steps request at nearly the same time, each done in one transaction.

Each kind of batch has a thread of the process, which does one a tick; the first at once if the last is some time ago.
So a single request waits for nobody, and fifty that come close together cost a few commits instead of fifty.
"""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from itertools import groupby
from math import inf
from operator import itemgetter
from typing import Any, Generic, TypeAlias, TypeVar, cast
from uuid import UUID

from django.db import InterfaceError, OperationalError, connection

from research.db.tenancy import tenant_context
from research.db.thread_pool import RowThreads
from research.runtime.catching import result_or_error
from research.runtime.process_local import ProcessLocal

W = TypeVar("W")
R = TypeVar("R")
TICK_S = 0.1
MAX_AT_ONCE = 100  # what a batch locks stays locked until its commit


class Batcher(Generic[W, R]):
    """Collects requests from any event loop of the process. `act` gets those of a tick, and returns the outcome of
    each.
    """

    def __init__(self, act: Callable[[Sequence[W]], "Sequence[R | Exception]"]) -> None:
        self._act = act
        self._waiting: deque[tuple[W, Future[R]]] = deque()
        # Of its own: answers are stored while pages wait for a lock.
        self._ticker = ProcessLocal(_Ticker)

    async def do(self, wanted: W) -> R:
        """Do the work of one request in the next batch, and return its outcome or raise its error.

        A batch that has begun is finished even if its caller is cancelled.
        """
        future: Future[R] = Future()
        self._waiting.append((wanted, future))
        self._ticker.get().add(self._do_batch)
        return await asyncio.wrap_future(future)

    def _do_batch(self) -> None:
        batch = [self._waiting.popleft() for _ in range(min(MAX_AT_ONCE, len(self._waiting)))]
        if self._waiting:
            self._ticker.get().add(self._do_batch)
        going = [request for request in batch if request[1].set_running_or_notify_cancel()]
        wanted, futures = [each for each, _ in going], [future for _, future in going]
        done = result_or_error(lambda: list(zip(futures, self._act(wanted), strict=True)))
        if isinstance(done, Exception):
            done = [(future, done) for future in futures]
        for future, result in done:
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)


class _Ticker:
    """The thread that does the batches of one kind."""

    def __init__(self) -> None:
        self._rows = RowThreads(1, "batches")
        self._lock = threading.Lock()
        self._due: dict[Callable[[], None], None] = {}
        self._is_working = False
        self._began = -inf  # the last tick, by time.monotonic()

    def add(self, batch: Callable[[], None]) -> None:
        """Do a batch at the next tick, once, however often it is added until then."""
        with self._lock:
            self._due[batch] = None
            if self._is_working:
                return
            self._is_working = True
        self._rows.submit(self._work)

    def _work(self) -> None:
        while self._has_work():
            time.sleep(max(0.0, self._began + TICK_S - time.monotonic()))
            self._began = time.monotonic()
            with self._lock:
                batches, self._due = self._due, {}
            for batch in batches:
                batch()

    def _has_work(self) -> bool:
        with self._lock:
            self._is_working = bool(self._due)
            return self._is_working


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
        return result_or_error(lambda: do(tenant_id, [request])[0] if alone is None else alone(request))

    for tenant_id, same in groupby(order, key=lambda place: tenant_of(wanted[place])):
        places = list(same)
        requests = [wanted[place] for place in places]
        done: Sequence[R | Exception] | Exception = result_or_error(partial(do, tenant_id, requests))
        if isinstance(done, Exception):
            connection.close_if_unusable_or_obsolete()
            is_alone = len(requests) == 1 and alone is None
            done = [done] if is_alone else _do_each(requests, partial(do_alone, tenant_id))
        results |= zip(places, done, strict=True)
    return [results[place] for place in range(len(wanted))]


def _do_each(requests: Sequence[W], do: "Callable[[W], R | Exception]") -> "list[R | Exception]":
    """Do requests one by one. If the database is away, the rest get the first one's error: each would wait for it."""
    results: list[R | Exception] = []
    for request in requests:
        result = do(request)
        results.append(result)
        if isinstance(result, (OperationalError, InterfaceError)) and not _is_connected():
            results += [result] * (len(requests) - len(results))
            break
    return results


def _is_connected() -> bool:
    return connection.connection is not None and connection.is_usable()


async def read_together(tenant_id: UUID, act: Callable[[], R]) -> R:
    """Run `act`, which reads a few rows of a tenant, in one transaction with the others of this tick."""
    return await read_batch(tenant_id, _call_each, act)


async def read_batch(tenant_id: UUID, read: Callable[[Sequence[W]], Sequence[R]], part: W) -> R:
    """Run `read` for a part and the tenant's other parts of this kind, in the transaction of `read_together`.

    `read` returns a result for each part.
    """
    return cast("R", await _readings.do((tenant_id, read, part)))


def _call_each(acts: Sequence[Callable[[], R]]) -> list[R]:
    return [act() for act in acts]


def _read_all(readings: "Sequence[_Reading]") -> "list[object | Exception]":
    return in_one_transaction(readings, itemgetter(0), _read_kinds)


def _read_kinds(readings: "Sequence[_Reading]") -> list[object]:
    parts: dict[object, list[int]] = {}
    for place, (_tenant, read, _part) in enumerate(readings):
        parts.setdefault(read, []).append(place)
    results: dict[int, object] = {}
    for places in parts.values():
        read = readings[places[0]][1]
        results |= zip(places, read([readings[place][2] for place in places]), strict=True)
    return [results[place] for place in range(len(readings))]


_Reading: TypeAlias = tuple[UUID, Callable[[Sequence[Any]], Sequence[object]], object]
_readings: Batcher[_Reading, object] = Batcher(_read_all)
