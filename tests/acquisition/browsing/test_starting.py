"""A browser that does not start leaves nothing behind, and says why."""

import asyncio
from unittest.mock import AsyncMock, Mock

import pytest

from research.acquisition.browsing import chromium
from research.acquisition.browsing.documents import NoBrowser
from research.acquisition.browsing.shutting_in import Kind


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> AsyncMock:
    """Playwright's, which starts; the browser never does."""
    started = AsyncMock()
    monkeypatch.setattr(chromium, "async_playwright", lambda: Mock(start=AsyncMock(return_value=started)))
    monkeypatch.setattr(chromium, "kind", lambda: Kind.WALL)
    return started


def launched(monkeypatch: pytest.MonkeyPatch, *, error: BaseException) -> None:
    monkeypatch.setattr(chromium, "_launched", AsyncMock(side_effect=error))


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (TimeoutError(), "does not start within 30 s"),
        (OSError("no such file\nand more"), "does not start: no such file"),
    ],
)
def test_that_it_does_not_start_is_said_and_the_driver_stops(driver, monkeypatch, error, why):
    launched(monkeypatch, error=error)
    with pytest.raises(NoBrowser, match=f"/the/browser {why}$"):
        asyncio.run(chromium.start("/the/browser", AsyncMock()))
    driver.stop.assert_awaited_once()


def test_the_driver_stops_also_when_nobody_waits_any_longer(driver, monkeypatch):
    launched(monkeypatch, error=asyncio.CancelledError())
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(chromium.start("/the/browser", AsyncMock()))
    driver.stop.assert_awaited_once()
