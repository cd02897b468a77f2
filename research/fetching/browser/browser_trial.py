"""A trial start of the browser for the doctor: its driver, its sandbox."""

import asyncio
from typing import Protocol

from research.fetching.browser.browser_document import NoBrowser
from research.fetching.browser.chromium import start


class _Closable(Protocol):
    def close(self) -> None: ...


class _IdleProxy:
    """A stand-in for the proxy, which serves no requests."""

    async def serve(self, listener: _Closable) -> None:
        listener.close()


def why_not(path: str) -> str:
    """Return why the browser does not start, as the end of a sentence; "" if it starts."""
    try:
        asyncio.run(_try_browser_start(path))
    except NoBrowser as error:
        return str(error)
    return ""


async def _try_browser_start(path: str) -> None:
    browser = await start(path, _IdleProxy())
    await browser.stop()
