"""What a process has one of: an event loop for pages and searches, with its pooled connections.

Each run has an event loop of its own, and connections belong to a loop (see research.llm.process). A forked process
makes its own.
"""

import asyncio
import os
import threading
from collections.abc import Coroutine, Sequence
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, TypeVar

from django.conf import settings

from research.acquisition.door import new_door
from research.acquisition.fetching import Fetcher
from research.acquisition.providers.asking import Found, search_all
from research.acquisition.providers.protocol import Filters, SearchProvider
from research.acquisition.providers.searxng import SearxngProvider
from research.acquisition.rates import Rate
from research.governance.limits import most

if TYPE_CHECKING:
    from research.acquisition.browsing.rendering import Renderer

T = TypeVar("T")


class FetchProcess:
    """Lives as long as its process; `close` is for tests."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._searches = Rate(most("searches_a_minute"))
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="pages", daemon=True)
        self._thread.start()
        self.fetcher, self._providers = asyncio.run_coroutine_threadsafe(_begin(), self._loop).result(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    @cached_property
    def renderer(self) -> "Renderer":
        """Loaded, with its driver, when a page first needs it. To be used in this process's loop."""
        from research.acquisition.browsing.rendering import new_renderer

        return new_renderer()

    async def do(self, work: Coroutine[None, None, T]) -> T:
        """Run `work` in this process's loop, from whichever loop; cancelling the one cancels the other."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    @property
    def providers(self) -> Sequence[SearchProvider]:
        """Those that the settings name; to be used in this process's loop."""
        return self._providers

    async def search(self, query: str, filters: Filters, run: str) -> Found:
        """Ask all providers, when it is the run's turn. In this process's loop."""
        await self._searches.take(run)
        return await search_all(self._providers, query, filters)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _close(self) -> None:
        if "renderer" in vars(self):
            await self.renderer.aclose()
        await self.fetcher.aclose()
        for provider in self._providers:
            await provider.aclose()


async def _begin() -> tuple[Fetcher, tuple[SearxngProvider, ...]]:
    """In the loop that they will belong to."""
    url = settings.PLUMBLINE_SEARXNG_URL
    return _new_fetcher(), (SearxngProvider(url),) if url else ()


def _new_fetcher() -> Fetcher:
    gap_s = settings.PLUMBLINE_POLITENESS_MS / 1000
    return Fetcher(
        new_door(),
        gap_s=gap_s,
        at_once=max(1, most("fetches")),
        a_minute=most("fetches_a_minute") if gap_s else inf,  # sites of one's own are not spared
        allow_loopback=settings.PLUMBLINE_ALLOW_LOOPBACK,
    )


_lock = threading.Lock()
_process: FetchProcess | None = None


def fetch_process() -> FetchProcess:
    """This process's own."""
    global _process
    with _lock:
        if _process is None or _process.pid != os.getpid():
            _process = FetchProcess()
        return _process


def close_fetch_process() -> None:
    """For tests: as after a restart."""
    global _process
    with _lock:
        process, _process = _process, None
    if process is not None and process.pid == os.getpid():
        process.close()
