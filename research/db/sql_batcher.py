"""Batches of database work that steps request at nearly the same time, stored in one transaction a tick.

One thread of the process does the work of all kinds and runs, for each workspace in one transaction; the first at once
if the last is some time ago. So a single request waits for nobody, and what fifty steps store costs one commit.
"""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
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
TICK_S, SHORT_TICK_S = 0.1, 0.02
MANY = 10  # requests in a tick, from which on the next one is long; fewer are stored sooner, since steps wait for them
WAVE = (
    30  # requests that wait, from which on a long tick ends: more than come in one while calls end one by one
)
MAX_AT_ONCE = 100  # what a batch locks stays locked until its commit
LOCK_WAIT_S = 0.2  # others store long uploads and pages in transactions of seconds


@dataclass(frozen=True, slots=True)
class Batcher(Generic[W, R]):
    """Collects requests of one kind from any event loop of the process.

    `together` does those of one tenant, which is set, and returns the outcome of each. If it fails, `alone` does them
    one by one and sets the tenant itself; without it, `together` gets each of them. A batch that is not durable may be
    lost if the server crashes within a second.
    """

    tenant_of: Callable[[W], UUID]
    together: Callable[[Sequence[W]], Sequence[R]]
    alone: Callable[[W], R] | None = None
    is_durable: bool = True
    _waiting: "deque[_Request[W, R]]" = field(default_factory=deque)
    _own_thread: ProcessLocal[RowThreads] = field(
        default_factory=lambda: ProcessLocal(lambda: RowThreads(1, "batches"))
    )

    async def do(self, wanted: W) -> R:
        """Do the work of one request in the next batch, and return its outcome or raise its error.

        A batch that has begun is finished even if its caller is cancelled.
        """
        future: Future[R] = Future()
        self._waiting.append((wanted, future))
        # After the tasks that are to run now: steps that begin together are in one batch.
        asyncio.get_running_loop().call_soon(_writer.get().add, self)
        return await asyncio.wrap_future(future)

    def take(self) -> "list[_Part[W, R]]":
        """Take the requests that wait, MAX_AT_ONCE at most, as a part for each tenant."""
        batch = [self._waiting.popleft() for _ in range(min(MAX_AT_ONCE, len(self._waiting)))]
        if self._waiting:
            _writer.get().add(self)
        parts: dict[UUID, _Part[W, R]] = {}
        for wanted, future in batch:
            if future.set_running_or_notify_cancel():
                tenant_id = self.tenant_of(wanted)
                part = parts.setdefault(tenant_id, _Part(tenant_id, self, [], []))
                part.wanted.append(wanted)
                part.futures.append(future)
        return list(parts.values())

    def do_apart(self, part: "_Part[W, R]") -> None:
        """Do a part in a thread of its own: what waits for a lock in it holds up no other kind of work."""
        self._own_thread.get().submit(part.do_in_own_transaction)


@dataclass(frozen=True, slots=True)
class _Part(Generic[W, R]):
    """The requests of one tenant in a batch of one kind."""

    tenant_id: UUID
    batcher: Batcher[W, R]
    wanted: list[W]
    futures: "list[Future[R]]"

    def do(self) -> "Sequence[R]":
        """Do the work in the current transaction."""
        return self.batcher.together(self.wanted)

    def do_in_own_transaction(self) -> None:
        """Do the work in a transaction of this part; if that fails, one request after the other."""
        done: Sequence[R | Exception] | Exception = result_or_error(partial(self._do_durably, self.wanted))
        if isinstance(done, Exception):
            connection.close_if_unusable_or_obsolete()
            is_alone = len(self.wanted) == 1 and self.batcher.alone is None
            done = [done] if is_alone else _do_each(self.wanted, self._do_alone)
        self.resolve(done)

    def _do_durably(self, wanted: Sequence[W]) -> Sequence[R]:
        with tenant_context(self.tenant_id, is_durable=self.batcher.is_durable):
            return self.batcher.together(wanted)

    def _do_alone(self, request: W) -> "R | Exception":
        alone = self.batcher.alone
        return result_or_error(lambda: self._do_durably([request])[0] if alone is None else alone(request))

    def resolve(self, results: "Sequence[R | Exception]") -> None:
        """Give each caller its outcome."""
        for future, result in zip(self.futures, results, strict=True):
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)


class _Writer:
    """The thread that does the batches of the process."""

    def __init__(self) -> None:
        self._rows = RowThreads(1, "writer")
        self._lock = threading.Condition()
        self._due: dict[int, Batcher[Any, Any]] = {}
        self._added = 0  # requests since the last tick
        self._is_working = False
        self._early_at = self._next_at = -inf  # by time.monotonic()

    def add(self, batcher: Batcher[Any, Any]) -> None:
        """Do a request that waits in a batcher at the next tick."""
        with self._lock:
            self._due[id(batcher)] = batcher
            self._added += 1
            if self._is_working:
                if self._added == WAVE:
                    self._lock.notify()
                return
            self._is_working = True
        self._rows.submit(self._work)

    def _work(self) -> None:
        while self._has_work():
            time.sleep(max(0.0, self._early_at - time.monotonic()))
            with self._lock:
                left_s = self._next_at - time.monotonic()
                self._lock.wait_for(lambda: self._added >= WAVE, max(0.0, left_s))
                due, self._due = self._due, {}
                self._added = 0
            began = time.monotonic()
            by_tenant: dict[UUID, list[_Part[Any, Any]]] = {}
            for batcher in due.values():
                for part in batcher.take():
                    by_tenant.setdefault(part.tenant_id, []).append(part)
            count = sum(len(part.wanted) for parts in by_tenant.values() for part in parts)
            self._early_at = began + SHORT_TICK_S
            self._next_at = began + (TICK_S if count >= MANY else SHORT_TICK_S)
            for tenant_id, parts in by_tenant.items():
                _do_together(tenant_id, parts)

    def _has_work(self) -> bool:
        with self._lock:
            self._is_working = bool(self._due)
            return self._is_working


_writer = ProcessLocal(_Writer)


def _do_together(tenant_id: UUID, parts: Sequence[_Part[Any, Any]]) -> None:
    """Do the parts of one tenant in one transaction. One that fails or waits for a lock is done apart.

    Budgets, which every call of a run changes, are locked last and thus for the shortest time: what changes them is
    durable.
    """
    left = sorted(parts, key=lambda part: part.batcher.is_durable)
    while left:
        results: list[Sequence[object]] = []
        if result_or_error(partial(_do_in_order, tenant_id, left, results)) is None:
            for part, done in zip(left, results, strict=True):
                part.resolve(done)
            return
        connection.close_if_unusable_or_obsolete()
        failed = left[len(results) : len(results) + 1] or left  # all, if they could not be committed
        left = [part for part in left if part not in failed]
        for part in failed:  # which raises the error again
            part.batcher.do_apart(part)


def _do_in_order(tenant_id: UUID, parts: Sequence[_Part[Any, Any]], results: list[Sequence[object]]) -> None:
    """Do the parts in one transaction, and add the outcomes of each to `results`."""
    is_durable = any(part.batcher.is_durable for part in parts)
    with tenant_context(tenant_id, is_durable=is_durable, lock_wait_s=LOCK_WAIT_S):
        for part in parts:
            results.append(part.do())


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


async def read_batch(tenant_id: UUID, read: Callable[[Sequence[W]], Sequence[R]], part: W) -> R:
    """Run `read` for a part and the tenant's others of this kind, in one transaction with the other reads of this tick.

    `read` returns a result for each part.
    """
    return cast("R", await _readings.do((tenant_id, read, part)))


def _read_kinds(readings: "Sequence[_Reading]") -> list[object]:
    parts: dict[object, list[int]] = {}
    for place, (_tenant, read, _part) in enumerate(readings):
        parts.setdefault(read, []).append(place)
    results: dict[int, object] = {}
    for places in parts.values():
        read = readings[places[0]][1]
        results |= zip(places, read([readings[place][2] for place in places]), strict=True)
    return [results[place] for place in range(len(readings))]


_Request: TypeAlias = tuple[W, Future[R]]
_Reading: TypeAlias = tuple[UUID, Callable[[Sequence[Any]], Sequence[object]], object]
_readings: Batcher[_Reading, object] = Batcher(itemgetter(0), _read_kinds, is_durable=False)
