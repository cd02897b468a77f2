"""A process's shared resources for model calls: an event loop, a client and a limiter per server, and threads
for database work.

Each run has an event loop of its own, but connections belong to one loop. So all calls of a process run in
this loop and share its pooled connections. A forked process creates its own.
"""

import asyncio
import hashlib
import threading
from collections.abc import Callable, Coroutine, Sequence
from typing import TypeVar
from uuid import UUID
from weakref import WeakValueDictionary

from django.conf import settings
from django.utils.crypto import salted_hmac
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from research.db.sql_batcher import Batcher, read_batch
from research.db.thread_pool import RowThreads
from research.llm.call_store import model_call_rows
from research.llm.limiter.model_call_slots import Slots
from research.llm.limiter.provider_limiter import ProviderLimiter
from research.llm.limiter.provider_limits import RequestLimits
from research.llm.limiter.shared_limiter import BEAT_S, SharedLimiter
from research.llm.model_requests import ModelCallRequest
from research.llm.model_settings import Endpoint, Models, models_of
from research.llm.provider.completion_replies import ServerProperties
from research.llm.provider.openai_client import OpenAiModel
from research.runtime.event_loops import new_event_loop
from research.runtime.process_local import ProcessLocal

T = TypeVar("T")
ROW_THREADS = 4  # each has a database connection; there are two cores
CONNECT_S = 2.0


class ModelProcess:
    """The event loop and clients of one process. Lives as long as the process; `close` is for tests."""

    def __init__(self) -> None:
        self._loop = new_event_loop()
        self._rows = RowThreads(ROW_THREADS, "model-rows")
        self._claims: Batcher[ModelCallRequest, model_call_rows.Found] = Batcher(
            model_call_rows.tenant_of_request, model_call_rows.claim_together, model_call_rows.claim
        )
        self._stores: Batcher[model_call_rows.CallOutcome, None] = Batcher(
            lambda outcome: outcome.claimed.tenant_id, model_call_rows.store_together, model_call_rows.store
        )
        self._models: dict[Endpoint, OpenAiModel] = {}
        self._limiters: dict[tuple[str, RequestLimits], ProviderLimiter] = {}
        self._properties: dict[str, asyncio.Future[ServerProperties]] = {}  # of servers, by base URL
        self._slots: WeakValueDictionary[UUID, Slots] = WeakValueDictionary()
        self._claimed_ahead: WeakValueDictionary[tuple[UUID, int], Slots] = WeakValueDictionary()
        self._redis: Redis | None = None
        self._thread = threading.Thread(target=self._run, name="models", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    async def do(self, work: Coroutine[None, None, T]) -> T:
        """Run `work` in this process's loop, from any other loop; cancelling the caller cancels the work."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def wait_for(self, work: Coroutine[None, None, T]) -> T:
        """Run `work` in this process's loop, and block until it is done.

        For threads without an event loop.
        """
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def rows(self, act: Callable[[], T]) -> T:
        """Run database work in a thread. Once begun it is finished, even if the caller is cancelled."""
        return await self._rows.do(act)

    async def claim(self, asked: ModelCallRequest) -> model_call_rows.Found:
        """Run `model_call_rows.claim`, in one batch with other calls claimed at this moment."""
        return await self._claims.do(asked)

    async def store(self, ending: model_call_rows.CallOutcome) -> None:
        """Run `model_call_rows.store`, in one batch with other calls that end at this moment."""
        await self._stores.do(ending)

    async def models(self, tenant_id: UUID) -> Models | None:
        """Run `models_of`, in one statement for all calls of a workspace that begin at this moment.

        Raises ModelError.
        """
        return await read_batch(tenant_id, _read_models, tenant_id)

    def model(self, endpoint: Endpoint) -> OpenAiModel:
        if endpoint not in self._models:
            self._models[endpoint] = OpenAiModel(endpoint, settings.PLUMBLINE_MODEL_TIMEOUT_SECONDS)
        return self._models[endpoint]

    def slots(self, run_id: UUID, most: int) -> Slots:
        """Return the slots of a run, which live as long as one of its calls uses them."""
        return self._slots.setdefault(run_id, Slots(most))

    async def claimed_ahead(self, run_id: UUID, endpoint: Endpoint) -> Slots:
        """Return what limits a run's calls that are claimed, or about to be, and have no slot yet: as many as the
        server has slots, which may all become free at once.
        """
        most = (await self.limiter(endpoint)).limits.at_once
        return self._claimed_ahead.setdefault((run_id, most), Slots(most))

    async def limiter(self, endpoint: Endpoint) -> ProviderLimiter:
        """Return the limiter of an endpoint, one for each account at a server."""
        most = settings.PLUMBLINE_MODEL_CALLS_AT_ONCE
        told = await self._count_slots(endpoint)  # it says more than this, which the client observes
        slots = endpoint.at_once or told
        limits = RequestLimits(min(most, slots or most), settings.PLUMBLINE_MODEL_CALLS_A_MINUTE)
        key = (provider_name(endpoint), limits)
        if key not in self._limiters:
            self._limiters[key] = ProviderLimiter(
                SharedLimiter(self._connect_redis(), key[0], limits), limits
            )
        return self._limiters[key]

    async def _count_slots(self, endpoint: Endpoint) -> int | None:
        """Return how many requests a server in this network answers concurrently; None if it does not say so.

        Each process asks once.
        """
        if not endpoint.is_local:
            return None
        if endpoint.base_url not in self._properties:
            asked = asyncio.ensure_future(self.model(endpoint).ask_properties())
            self._properties[endpoint.base_url] = asked
        return (await asyncio.shield(self._properties[endpoint.base_url])).slots

    def _connect_redis(self) -> Redis:
        if self._redis is None:
            self._redis = Redis.from_url(
                settings.REDIS_LOCATION,
                socket_connect_timeout=CONNECT_S,
                socket_timeout=BEAT_S + CONNECT_S,
                retry=Retry(NoBackoff(), 0),
            )
        return self._redis

    def close(self) -> None:
        """Stop the thread and close everything in it."""
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()
        self._rows.close()

    async def _close(self) -> None:
        for limiter in self._limiters.values():
            await limiter.close()
        for model in self._models.values():
            await model.close()
        if self._redis is not None:
            await self._redis.aclose()


def _read_models(tenant_ids: Sequence[UUID]) -> list[Models | None]:
    return [models_of(tenant_ids[0])] * len(tenant_ids)


def provider_name(endpoint: Endpoint) -> str:
    """Return an identifier that is the same in all processes, and from which the key can't be derived."""
    key = salted_hmac("research.llm.provider", endpoint.api_key, algorithm="sha256").hexdigest()
    return hashlib.sha256(f"{endpoint.base_url} {key}".encode()).hexdigest()[:20]


_process = ProcessLocal(ModelProcess)


def model_process() -> ModelProcess:
    """Return the instance of this process."""
    return _process.get()


def close_model_process() -> None:
    """Close the instance of this process, as a restart does. For tests."""
    process = _process.take()
    if process is not None:
        process.close()
