"""A browser for a module's tests, in an event loop that lives as long; skips, visibly, where there is none."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest

from config.services.browser_service import find_browser
from research.fetching.browser.browser_rendering import Renderer, RenderingLimits
from research.fetching.denied_addresses import AddressRules
from research.fetching.fetched_page_content import FetchedPage, FetchError, page_of
from research.fetching.http_client import FetchResponse
from research.models.schemas import PageAction, RenderingWish
from tests.fetching.site import Site

T = TypeVar("T")
CHROMIUM = find_browser("").path
LIMITS = RenderingLimits(total_s=20, settle_s=2.5, bytes_over=3_000_000)


class Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def do(self, work: Coroutine[None, None, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(120)

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()


@contextmanager
def run_loop() -> Iterator[Loop]:
    if not CHROMIUM:
        pytest.skip("chromium is not installed: apt-get install chromium")
    loop = Loop()
    yield loop
    loop.stop()


class Reader:
    """Has pages of local sites rendered. `opened` are the documents that pages led to."""

    def __init__(self, loop: Loop, limits: RenderingLimits = LIMITS) -> None:
        self.loop = loop
        self.renderer = Renderer(CHROMIUM, AddressRules(allow_loopback=True), limits=limits)
        self.opened: list[str] = []

    def render(
        self,
        site: Site,
        path: str,
        *actions: PageAction,
        wait_for: str = "",
        scroll: bool = False,
        total_s: float | None = None,
    ) -> FetchedPage:
        """Raises FetchError."""
        self.opened.clear()
        wish = RenderingWish(wait_for=wait_for, scroll=scroll, actions=list(actions))
        page = self._fetch(site, f"{site.base}{path}")
        return self.loop.do(self.renderer.render(page, wish, self._document(site), total_s))

    def _document(self, site: Site) -> Callable[[str], Coroutine[None, None, FetchedPage]]:
        async def document(url: str) -> FetchedPage:
            self.opened.append(url)
            return self._fetch(site, url)

        return document

    @staticmethod
    def _fetch(site: Site, url: str) -> FetchedPage:
        """Return the site's content there, without a request."""
        said = site.pages.get(url.removeprefix(site.base).partition("?")[0])
        if said is None or callable(said):
            raise FetchError("PAGE_NOT_FOUND", "The site has no such page.")
        body = said.body.encode() if isinstance(said.body, str) else said.body
        return page_of(FetchResponse(url, 200, {"content-type": said.kind}, body))

    def close(self) -> None:
        self.loop.do(self.renderer.aclose())


def act(do: str, selector: str = "", text: str = "") -> PageAction:
    return PageAction.model_validate({"do": do, "selector": selector, "text": text})
