"""A browser that renders slides: started once, isolated, with two pages that are reused.

It is sandboxed like the browser that reads the web (docs/browsing.md), with its own user, network and memory limit.
The only socket that it can reach belongs to a server that never answers; its pages are offline and run no scripts.
"""

import asyncio
import base64
import socket
from collections import deque
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Self, TypeVar

from django.conf import settings
from playwright.async_api import BrowserContext, CDPSession, Error, Page, Route

from config.services.browser_service import find_browser
from research.fetching.browser.browser_document import NoBrowser
from research.fetching.browser.chromium import Chromium, start
from research.fetching.browser.chromium_flags import chromium_flags

Result = TypeVar("Result")

WIDTH, HEIGHT, SCALE = 1920, 1080, 2  # CSS px of the page; the rendered picture has twice as many
AT_ONCE = 2  # pages; one would leave a second core idle during rendering and encoding
_PLACE = "http://slide.invalid/"
_CLIP = {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT, "scale": SCALE}
SLIDE_S = 20.0  # for one slide
_READING_ONLY = frozenset({"--disable-remote-fonts", "--blink-settings=imagesEnabled=false"})
_DRAWING = ("--force-color-profile=srgb", "--font-render-hinting=none")


class ScreenshotError(Exception):
    """Raised when no picture can be rendered; str() is a sentence that says why."""


class _SilentServer:
    """A server that never answers, at the only socket that the browser can reach."""

    async def serve(self, listener: socket.socket) -> None:
        listener.close()


class _Sheet:
    """A browser page that shows one document after another."""

    def __init__(self, page: Page, session: CDPSession) -> None:
        self._page, self._session = page, session
        self._html = ""

    @classmethod
    async def create(cls, chromium: Chromium) -> Self:
        """Create the page in a context of its own, and so in its own window: pages in the background are not
        rendered.
        """
        context = await _new_context(chromium)
        page = await context.new_page()
        sheet = cls(page, await context.new_cdp_session(page))
        # set_content is not used: the policies of all earlier documents would apply to each new one.
        await page.route("**/*", sheet._answer)
        return sheet

    async def png(self, html: str) -> bytes:
        await self._show(html)
        shot = await self._session.send(
            "Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True, "clip": _CLIP}
        )
        return base64.b64decode(shot["data"])

    async def ask(self, html: str, expression: str) -> Any:  # noqa: ANN401 - see Studio.ask
        await self._show(html)
        return await self._page.evaluate(expression)

    async def _show(self, html: str) -> None:
        self._html = html
        await self._page.goto(_PLACE, wait_until="load")
        await self._page.evaluate("document.fonts.ready.then(() => null)")

    async def _answer(self, route: Route) -> None:
        """Answer with the slide for the slide's URL, and with nothing for any other."""
        if route.request.url == _PLACE and route.request.is_navigation_request():
            await route.fulfill(body=self._html, content_type="text/html; charset=utf-8")
        else:
            await route.abort()


class ScreenshotBrowser:
    """A browser for screenshots: `with ScreenshotBrowser() as studio: studio.png(html)`.

    It cannot be used within a running event loop.
    """

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._browser: Chromium | None = None
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._free: list[_Sheet] = []

    def __enter__(self) -> Self:
        """Start the browser. Raises ScreenshotError if it cannot be started."""
        try:
            self._run(self._open())
        except (NoBrowser, ScreenshotError) as error:
            self.close()
            raise ScreenshotError(f"Pictures of slides need a browser, and {error}.") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        if self._browser is not None:
            self._runner.run(self._browser.stop())
            self._browser = None
        self._runner.close()

    def png(self, html: str) -> bytes:
        """Render the document in a window of 1920×1080, with twice as many pixels. Raises ScreenshotError."""
        return next(self.pngs([html]))

    def pngs(self, documents: Iterable[str]) -> Iterator[bytes]:
        """Render the documents like `png`, in order, two at a time. Raises ScreenshotError."""
        under_way: deque[asyncio.Task[bytes]] = deque()
        try:
            for html in documents:
                under_way.append(self._run(self._start_drawing(html)))
                if len(under_way) > AT_ONCE:  # waits for a free page, so that no page is idle
                    yield self._run(_await_task(under_way.popleft()))
            while under_way:
                yield self._run(_await_task(under_way.popleft()))
        finally:
            for task in under_way:
                task.cancel()

    def ask(self, html: str, expression: str) -> Any:  # noqa: ANN401 - whatever the expression gives, as JSON
        """Return the value of a JavaScript expression in the rendered document. Raises ScreenshotError."""
        return self._run(self._evaluate_expression(html, expression))

    def _run(self, work: Coroutine[Any, Any, Result]) -> Result:
        limit = SLIDE_S * AT_ONCE  # enough for two that are rendered concurrently
        try:
            return self._runner.run(asyncio.wait_for(work, limit))
        except (Error, TimeoutError) as error:
            said = str(error).partition("\n")[0][:300] or f"it took more than {limit:.0f} s"
            raise ScreenshotError(f"The browser did not draw this slide: {said}.") from error

    async def _open(self) -> None:
        found = find_browser(settings.PLUMBLINE_BROWSER)
        if not found.path:
            raise NoBrowser(found.lacks)
        hidden = (str(settings.PLUMBLINE_DATA),)
        self._browser = await start(found.path, _SilentServer(), hidden, _flags)

    async def _start_drawing(self, html: str) -> "asyncio.Task[bytes]":
        return asyncio.create_task(self._draw_png(html))

    async def _draw_png(self, html: str) -> bytes:
        async with self._page() as sheet:
            return await sheet.png(html)

    async def _evaluate_expression(self, html: str, expression: str) -> Any:  # noqa: ANN401 - see ask
        async with self._page() as sheet:
            return await sheet.ask(html, expression)

    @asynccontextmanager
    async def _page(self) -> AsyncIterator[_Sheet]:
        """Yield one of AT_ONCE pages, which are created at first use."""
        if self._browser is None:
            raise ScreenshotError("The studio is not open.")
        async with self._turns:
            sheet = self._free.pop() if self._free else await _Sheet.create(self._browser)
            try:
                yield sheet
            finally:
                self._free.append(sheet)


async def _await_task(task: "asyncio.Task[bytes]") -> bytes:
    return await task


def _flags(port: int) -> list[str]:
    return [flag for flag in chromium_flags(port) if flag not in _READING_ONLY] + list(_DRAWING)


async def _new_context(chromium: Chromium) -> BrowserContext:
    return await chromium.browser.new_context(
        offline=True,
        java_script_enabled=False,
        viewport={"width": WIDTH, "height": HEIGHT},
        # Only the picture is twice as large; at that size each earlier frame would also be more expensive.
        device_scale_factor=1,
        color_scheme="light",
        reduced_motion="reduce",
        accept_downloads=False,
        service_workers="block",
        locale="en-US",
        timezone_id="UTC",
    )
