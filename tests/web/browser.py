"""Debian's Chromium, driven by Playwright; tests skip, visibly, where there is none."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connections
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1",
]


@contextmanager
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    # Where a loop runs in a thread, Django keeps that thread's connections apart. None is left open on either side:
    # it would outlive the database of its test, and be taken up again later.
    connections.close_all()
    with sync_playwright() as playwright:
        # Playwright's own loop makes Django believe that its database calls come from async code.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            yield browser
        finally:
            connections.close_all()
            browser.close()
            del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


def see(page: Page) -> None:
    """Wait until the page was painted, as somebody does who presses a key for what is on it.

    Chromium drops what is pressed before, though everything is loaded: the machine may be busy.
    """
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def complaints_of(page: Page) -> list[str]:
    """Record what goes wrong on the page from now on: errors of scripts, refusals of the content security policy."""
    found: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            found.append(message.text)

    page.on("console", note)
    page.on("pageerror", lambda error: found.append(str(error)))
    return found
