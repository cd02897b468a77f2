"""An event loop for fetching and searching, with its pooled connections, one per process.

Each run has an event loop of its own, but connections belong to one loop (see research.llm.model_process). A
forked process creates its own.
"""

import asyncio
import threading
from collections.abc import Coroutine
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from django.conf import settings
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from research.db.thread_pool import RowThreads
from research.fetching.fetch_pages import Fetcher
from research.fetching.http_client import new_http_client
from research.fetching.shared_host_limit import BEAT_S
from research.llm.budgets.budget_limits import most
from research.runtime.event_loops import new_event_loop
from research.runtime.process_local import ProcessLocal
from research.runtime.shared_redis import SharedRedis

if TYPE_CHECKING:
    from research.fetching.browser.browser_rendering import Renderer

T = TypeVar("T")
E = TypeVar("E", bound="Extension")
CONNECT_S = 2.0
ROW_THREADS = 4  # they also write files, and wait for each


class Extension(Protocol):
    """An extension that runs in the event loop of a `FetchProcess`, in which it is created and closed."""

    def __init__(self, process: "FetchProcess") -> None: ...

    async def aclose(self) -> None: ...


class FetchProcess:
    """The event loop and fetcher of one process. Lives as long as the process; `close` is for tests."""

    def __init__(self) -> None:
        self._extensions: dict[type[Extension], Extension] = {}
        self._extending = threading.Lock()
        self.rows = RowThreads(ROW_THREADS, "page-rows")
        self._loop = new_event_loop()
        self._thread = threading.Thread(target=self._run, name="pages", daemon=True)
        self._thread.start()
        self.fetcher = asyncio.run_coroutine_threadsafe(_new_fetcher(), self._loop).result(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    @cached_property
    def renderer(self) -> "Renderer":
        """The renderer, loaded with its driver when a page first needs it. Use it in this process's loop."""
        from research.fetching.browser.browser_rendering import new_renderer

        return new_renderer()

    async def do(self, work: Coroutine[None, None, T]) -> T:
        """Run `work` in this process's loop, from any other loop; cancelling the caller cancels the work."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def extension(self, kind: type[E]) -> E:
        """Return the extension of this kind, creating it on the first call.

        Must not be called from within the loop.
        """
        with self._extending:
            if kind not in self._extensions:
                self._extensions[kind] = asyncio.run_coroutine_threadsafe(
                    self._extend(kind), self._loop
                ).result(10)
            return cast(E, self._extensions[kind])

    async def _extend(self, kind: type[E]) -> E:
        return kind(self)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()
        self.rows.close()

    async def _close(self) -> None:
        if "renderer" in vars(self):
            await self.renderer.aclose()
        await self.fetcher.aclose()
        for extension in self._extensions.values():
            await extension.aclose()


async def _new_fetcher() -> Fetcher:
    """Create the fetcher. Runs in the loop that it will belong to."""
    gap_s = settings.PLUMBLINE_POLITENESS_MS / 1000
    return Fetcher(
        new_http_client(),
        gap_s=gap_s,
        at_once=max(1, most("fetches")),
        a_minute=most("fetches_a_minute") if gap_s else inf,  # no limit for one's own sites
        allow_loopback=settings.PLUMBLINE_ALLOW_LOOPBACK,
        redis=_new_redis(),
        shared=SharedRedis(settings.REDIS_LOCATION),
    )


def _new_redis() -> Redis:
    """Return a new client of the Redis in which processes coordinate their requests to a site."""
    return Redis.from_url(
        settings.REDIS_LOCATION,
        socket_connect_timeout=CONNECT_S,
        socket_timeout=BEAT_S + CONNECT_S,
        retry=Retry(NoBackoff(), 0),
    )


_process = ProcessLocal(FetchProcess)


def fetch_process() -> FetchProcess:
    """Return the instance of this process."""
    return _process.get()


def close_fetch_process() -> None:
    """Close the instance of this process, as a restart does. For tests."""
    process = _process.take()
    if process is not None:
        process.close()
