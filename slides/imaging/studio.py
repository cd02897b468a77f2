"""A browser that draws slides: started once, with one page that is used again and again, and no way to anywhere.

It is shut in as the one that reads the web is (docs/browsing.md): its own user, network and memory limit. Nobody
answers at the one socket that it could reach, its pages are offline, and scripts do not run in them.
"""

import asyncio
import base64
import socket
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, Self, TypeVar

from django.conf import settings
from playwright.async_api import BrowserContext, CDPSession, Error, Page, Route

from config.services.browser import find_browser
from research.acquisition.browsing.chromium import Chromium, start
from research.acquisition.browsing.documents import NoBrowser
from research.acquisition.browsing.flags import chromium_flags

Result = TypeVar("Result")

WIDTH, HEIGHT, SCALE = 1920, 1080, 2  # CSS px of the page; its picture has twice as many
_PLACE = "http://slide.invalid/"
_CLIP = {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT, "scale": SCALE}
SLIDE_S = 20.0  # for one slide
_READING_ONLY = frozenset({"--disable-remote-fonts", "--blink-settings=imagesEnabled=false"})
_DRAWING = ("--force-color-profile=srgb", "--font-render-hinting=none")


class NotDrawn(Exception):
    """There is no picture; str() says why, in a sentence."""


class _Nobody:
    """At the one socket that the browser can reach."""

    async def serve(self, listener: socket.socket) -> None:
        listener.close()


class Studio:
    """`with Studio() as studio: studio.png(html)`. Not for use within a running event loop."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._browser: Chromium | None = None
        self._page: Page | None = None
        self._html = ""
        self._session: CDPSession | None = None

    def __enter__(self) -> Self:
        """Raises NotDrawn where no browser starts."""
        try:
            self._run(self._open())
        except (NoBrowser, NotDrawn) as error:
            self.close()
            raise NotDrawn(f"Pictures of slides need a browser, and {error}.") from error
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
        """The document as it stands in a window of 1920×1080, in twice as many pixels. Raises NotDrawn."""
        return self._run(self._png(html))

    def ask(self, html: str, expression: str) -> Any:  # noqa: ANN401 - whatever the expression gives, as JSON
        """What a JavaScript expression finds in the document as it is drawn. Raises NotDrawn."""
        return self._run(self._ask(html, expression))

    def _run(self, work: Coroutine[Any, Any, Result]) -> Result:
        try:
            return self._runner.run(asyncio.wait_for(work, SLIDE_S))
        except (Error, TimeoutError) as error:
            said = str(error).partition("\n")[0][:300] or f"it took more than {SLIDE_S:.0f} s"
            raise NotDrawn(f"The browser did not draw this slide: {said}.") from error

    async def _open(self) -> None:
        found = find_browser(settings.PLUMBLINE_BROWSER)
        if not found.path:
            raise NoBrowser(found.lacks)
        hidden = (str(settings.PLUMBLINE_DATA),)
        self._browser = await start(found.path, _Nobody(), hidden, _flags)
        context = await _new_context(self._browser)
        # Not by set_content: each document would be bound by the policies of all before it.
        await context.route("**/*", self._answer)
        self._page = await context.new_page()
        self._session = await context.new_cdp_session(self._page)

    async def _answer(self, route: Route) -> None:
        """The slide at its place, and nothing anywhere else."""
        if route.request.url == _PLACE and route.request.is_navigation_request():
            await route.fulfill(body=self._html, content_type="text/html; charset=utf-8")
        else:
            await route.abort()

    async def _shown(self, html: str) -> Page:
        if self._page is None:
            raise NotDrawn("The studio is not open.")
        self._html = html
        await self._page.goto(_PLACE, wait_until="load")
        await self._page.evaluate("document.fonts.ready.then(() => null)")
        return self._page

    async def _png(self, html: str) -> bytes:
        await self._shown(html)
        if self._session is None:
            raise NotDrawn("The studio is not open.")
        shot = await self._session.send(
            "Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True, "clip": _CLIP}
        )
        return base64.b64decode(shot["data"])

    async def _ask(self, html: str, expression: str) -> Any:  # noqa: ANN401 - see ask
        return await (await self._shown(html)).evaluate(expression)


def _flags(port: int) -> list[str]:
    return [flag for flag in chromium_flags(port) if flag not in _READING_ONLY] + list(_DRAWING)


async def _new_context(chromium: Chromium) -> BrowserContext:
    return await chromium.browser.new_context(
        offline=True,
        java_script_enabled=False,
        viewport={"width": WIDTH, "height": HEIGHT},
        device_scale_factor=SCALE,
        color_scheme="light",
        reduced_motion="reduce",
        accept_downloads=False,
        service_workers="block",
        locale="en-US",
        timezone_id="UTC",
    )
