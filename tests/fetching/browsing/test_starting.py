"""A browser that does not start leaves nothing behind, and says why."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import AsyncMock, Mock

import pytest

from research.fetching.browser import chromium
from research.fetching.browser.browser_document import NoBrowser
from research.fetching.browser.browser_sandbox import SandboxKind
from research.fetching.browser.browser_trial import why_not


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> AsyncMock:
    """Playwright's, which starts; the browser never does."""
    started = AsyncMock()
    monkeypatch.setattr(chromium, "async_playwright", lambda: Mock(start=AsyncMock(return_value=started)))
    monkeypatch.setattr(chromium, "kind", lambda: SandboxKind.ISOLATED)
    return started


def fail_launch(monkeypatch: pytest.MonkeyPatch, *, error: BaseException) -> None:
    monkeypatch.setattr(chromium, "_launch_browser", AsyncMock(side_effect=error))


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (TimeoutError(), "does not start within 30 s"),
        (OSError("no such file\nand more"), "does not start: no such file"),
    ],
)
def test_that_it_does_not_start_is_said_and_the_driver_stops(driver, monkeypatch, error, why):
    fail_launch(monkeypatch, error=error)
    with pytest.raises(NoBrowser, match=f"/the/browser {why}$"):
        asyncio.run(chromium.start("/the/browser", AsyncMock()))
    driver.stop.assert_awaited_once()


def test_the_driver_stops_also_when_nobody_waits_any_longer(driver, monkeypatch):
    fail_launch(monkeypatch, error=asyncio.CancelledError())
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(chromium.start("/the/browser", AsyncMock()))
    driver.stop.assert_awaited_once()


@pytest.fixture
def fresh_driver_check() -> Iterator[None]:
    chromium.driver_lacks.cache_clear()
    yield
    chromium.driver_lacks.cache_clear()


@pytest.fixture
def faulty_driver(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fresh_driver_check: None) -> Path:
    """A program that lacks a library, as the dynamic linker says it."""
    program = tmp_path / "node"
    program.write_text(
        "#!/bin/sh\necho 'node: error while loading shared libraries: libatomic.so.1' >&2\nexit 127\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", str(program))
    return program


def test_a_driver_that_lacks_a_library_is_no_browser_and_the_doctor_hears_why(faulty_driver):
    with pytest.raises(NoBrowser, match=r"what drives it does not start: .*libatomic\.so\.1"):
        asyncio.run(chromium.start("/the/browser", AsyncMock()))
    assert "libatomic.so.1" in why_not("/the/browser")


def test_a_driver_that_is_no_program_is_no_browser_either(faulty_driver):
    faulty_driver.chmod(0o600)
    with pytest.raises(NoBrowser, match=r"what drives it does not start: .*Permission denied"):
        asyncio.run(chromium.start("/the/browser", AsyncMock()))


def test_the_driver_that_is_installed_lacks_nothing(fresh_driver_check):
    assert chromium.driver_lacks() == ""
