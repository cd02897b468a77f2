"""Rendering of fetched pages in Chromium, which is started when needed."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from django.conf import settings
from playwright.async_api import BrowserContext, Error

from config.services.browser_service import find_browser
from research.fetching.browser.browse_open_page import OpenPage, TooLong
from research.fetching.browser.browser_document import Documents, NoBrowser
from research.fetching.browser.browser_egress_proxy import Egress, EgressAllowance
from research.fetching.browser.browser_routes import RequestLog, Routes
from research.fetching.browser.chromium import STOP_S, Chromium, start
from research.fetching.denied_addresses import AddressRules, address_rules
from research.fetching.fetched_page_content import FetchedPage, FetchError
from research.fetching.ssrf_guard import Dial, Resolve, dial, resolve
from research.models.schemas import Rendering, RenderingWish

TOTAL_S = 30.0  # of a page in the browser
SETTLE_S = 5.0  # each time, for the page to stop changing
MAX_BYTES = 30_000_000  # over the proxy, for each page
IDLE_S = 60.0  # after which the browser is stopped
MAX_PAGES = 50  # after which a new browser is started


@dataclass(frozen=True, slots=True)
class RenderingLimits:
    total_s: float = TOTAL_S
    settle_s: float = SETTLE_S
    bytes_over: int = MAX_BYTES
    at_once: int = 2
    idle_s: float = IDLE_S
    pages: int = MAX_PAGES


DEFAULT_LIMITS = RenderingLimits()


class Renderer:
    """A renderer of pages in Chromium, for one event loop.

    `path` is Chromium's executable, or "" if there is none.
    """

    def __init__(
        self,
        path: str,
        rules: AddressRules,
        *,
        lacks: str = "none is installed",
        hidden: Sequence[str] = (),
        limits: RenderingLimits = DEFAULT_LIMITS,
        resolve: Resolve = resolve,
        dial: Dial = dial,
    ) -> None:
        self._path = path
        self._lacks = lacks
        self._hidden = hidden
        self._limits = limits
        self._new_egress = partial(Egress, rules, resolve=resolve, dial=dial)
        self._slots = asyncio.Semaphore(limits.at_once)
        self._starting = asyncio.Lock()
        self._running: _Running | None = None

    async def aclose(self) -> None:
        async with self._starting:
            await self._stop()

    async def render(
        self, page: FetchedPage, wish: RenderingWish, documents: Documents, total_s: float | None = None
    ) -> FetchedPage:
        """Return the page after its scripts have run and `wish` was done. Raises FetchError, NoBrowser."""
        async with self._slots:
            running = await self._ready()
            running.users += 1
            try:
                return await self._render_in_context(
                    running, page, wish, documents, total_s or self._limits.total_s
                )
            finally:
                running.users -= 1
                self._rest(running)

    async def _render_in_context(
        self,
        running: "_Running",
        page: FetchedPage,
        wish: RenderingWish,
        documents: Documents,
        total_s: float,
    ) -> FetchedPage:
        passage = running.egress.open(self._limits.bytes_over)
        try:
            async with asyncio.timeout(total_s):
                context = await running.chromium.new_context(passage)
                try:
                    return await self._read(
                        running, context, passage, Routes(page, documents, RequestLog()), wish
                    )
                finally:
                    await running.close(context)
        except TimeoutError as error:
            words = f"The browser did not finish loading the page within {total_s:g} s."
            raise FetchError("BROWSER_TIMEOUT", words, is_retryable=True) from error
        except TooLong as error:
            raise FetchError("TOO_LARGE", "The page is not read: it is larger than 10 MB.") from error
        except Error as error:
            first = str(error).splitlines()[0][:200]
            raise FetchError("EXTRACTION_FAILED", f"The browser could not show the page: {first}") from error
        finally:
            running.egress.close(passage)

    async def _read(
        self,
        running: "_Running",
        context: BrowserContext,
        passage: EgressAllowance,
        routes: Routes,
        wish: RenderingWish,
    ) -> FetchedPage:
        page = await context.new_page()
        await routes.guard(context, page)
        await page.goto(routes.first.url, wait_until="commit")
        looking = await context.new_cdp_session(page)
        html, controls, picture = await OpenPage(page, looking, routes, self._limits.settle_s).read(wish)
        for place, reason in passage.refused.items():
            routes.diary.refuse(f"{place}: {reason}")
        rendering = Rendering(
            browser=running.chromium.version, wish=wish, log=routes.diary.lines, controls=controls
        )
        data = html.encode("utf-8", "replace")
        url = routes.resolve_shown_url(page.url) if wish.actions else routes.at or routes.first.url
        return FetchedPage(url, "text/html", "page.html", data, rendering, picture)

    async def _ready(self) -> "_Running":
        async with self._starting:
            running = self._running
            if running is not None and running.is_worn(self._limits.pages) and not running.users:
                await self._stop()
            if self._running is None or not self._running.chromium.is_running:
                await self._stop()
                self._running = await self._start_browser()
            self._running.pages += 1
            self._running.keep()
            return self._running

    async def _start_browser(self) -> "_Running":
        if not self._path:
            raise NoBrowser(self._lacks)
        async with AsyncExitStack() as unless_started:
            egress = self._new_egress()
            unless_started.push_async_callback(egress.aclose)
            chromium = await start(self._path, egress, self._hidden)
            unless_started.pop_all()
            return _Running(chromium, egress)

    def _rest(self, running: "_Running") -> None:
        """Stop the browser after an idle time."""
        running.keep()
        running.resting = asyncio.create_task(self._retire(running))

    async def _retire(self, running: "_Running") -> None:
        await asyncio.sleep(self._limits.idle_s)
        running.resting = None  # not to be cancelled any more
        async with self._starting:
            if self._running is running and not running.users:
                await self._stop()

    async def _stop(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.keep()
            await running.chromium.stop()
            await running.egress.aclose()


def new_renderer() -> Renderer:
    """Return a renderer with the settings' limits.

    Chromium sees neither the data folder nor our user's home.
    """
    hidden = (str(settings.PATHS.data), str(settings.PATHS.run), str(Path.home()))
    limits = RenderingLimits(at_once=settings.PLUMBLINE_BROWSER_PAGES)
    found = find_browser(settings.PLUMBLINE_BROWSER)
    return Renderer(found.path, address_rules(), lacks=found.lacks, hidden=hidden, limits=limits)


@dataclass(slots=True, eq=False)
class _Running:
    chromium: Chromium
    egress: Egress
    users: int = 0
    pages: int = 0
    resting: "asyncio.Task[None] | None" = None

    def is_worn(self, most_pages: int) -> bool:
        return self.pages >= most_pages

    def keep(self) -> None:
        if self.resting is not None:
            self.resting.cancel()
            self.resting = None

    async def close(self, context: BrowserContext) -> None:
        """Close a context. If that hangs, kill the browser."""
        try:
            async with asyncio.timeout(STOP_S):
                await context.close()
        except (TimeoutError, Error):
            self.chromium.control.close()
