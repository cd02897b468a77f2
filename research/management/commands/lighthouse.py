"""`lighthouse`: audit the home page, a run, its report and a source of a fresh site with Lighthouse."""

import tempfile
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from playwright.sync_api import BrowserContext, Error, Page, sync_playwright

from config.services.browser_service import find_browser
from research.management.bench_fresh_site import address_of, site
from research.management.bench_with_lighthouse import GOALS, Lighthouse, LighthouseResult, node_for_lighthouse

SAMPLES_LIMIT_S = 600
LOOK_AGAIN_MS = 3_000
PATIENCE_MS = 180_000  # the machine is importing the samples at the same time


@dataclass(frozen=True, slots=True)
class LighthouseVisit:
    """The result of a first sign-in: pages by name, and the cookies that open them."""

    pages: Mapping[str, str]
    cookies: str


class Command(BaseCommand):
    help = (
        "Measure four pages of a fresh site with the sample library by Lighthouse, as on a phone with a slow line."
        " Exit status 1: one is below its goal."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", default=str(settings.PLUMBLINE_PORT), help="port, or the next free one")

    def handle(self, *args: object, port: str, **options: object) -> None:
        node, browser = node_for_lighthouse(), find_browser(settings.PLUMBLINE_BROWSER)
        if not browser.path:
            raise CommandError(f"Lighthouse needs Chromium: {browser.lacks}.")
        with tempfile.TemporaryDirectory(prefix="plumbline-lighthouse-") as folder:
            data = Path(folder)
            with site(data / "site", "--port", port):
                visit = look_around(address_of(data / "site"), browser.path)
                lighthouse = Lighthouse(node, browser.path, visit.cookies)
                measured = {
                    name: self._measure_page(lighthouse, name, url, data) for name, url in visit.pages.items()
                }
        missed = [
            f"{name} ({', '.join(scores.missed_goals)})"
            for name, scores in measured.items()
            if scores.missed_goals
        ]
        if missed:
            raise CommandError(f"Below the goal: {'; '.join(missed)}.")

    def _measure_page(self, lighthouse: Lighthouse, name: str, url: str, folder: Path) -> LighthouseResult:
        measured = lighthouse.measure(url, folder)
        points = ", ".join(f"{category} {measured.points(category)}" for category in GOALS)
        paint = "unknown" if measured.paint_s is None else f"{measured.paint_s:.2f} s"
        self.stdout.write(f"{name}: {points}; largest paint {paint}")
        for category in GOALS:
            for reason in measured.weak(category):
                self.stdout.write(f"  {category}: {reason}")
        return measured


def look_around(address: str, browser: str) -> LighthouseVisit:
    """Sign in with one click, wait for the sample report, and return its pages. Raises CommandError."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=browser)
        try:
            context = started.new_context()
            return _visit(context, context.new_page(), address)
        except Error as error:
            raise CommandError(f"The sample report did not come: {error.message}") from error
        finally:
            started.close()


def _visit(context: BrowserContext, page: Page, address: str) -> LighthouseVisit:
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    page.locator("main form button").first.click()
    report = _sample_report(page)
    page.goto(report)
    source = page.locator("main a[href^='/sources/']").first.evaluate("link => link.href")
    pages = {"home": address, "run": report.removesuffix("report/"), "report": report, "source": str(source)}
    cookies = (f"{cooky.get('name')}={cooky.get('value')}" for cooky in context.cookies())
    return LighthouseVisit(pages, "; ".join(cookies))


def _sample_report(page: Page) -> str:
    """Return the address of the sample report once the workers have written it."""
    link = page.locator("a[href$='/report/']")
    for _ in range(SAMPLES_LIMIT_S * 1000 // LOOK_AGAIN_MS):
        if link.count():
            return str(link.first.evaluate("link => link.href"))
        page.wait_for_timeout(LOOK_AGAIN_MS)
        page.reload()
    raise CommandError(f"The sample library gave no report within {SAMPLES_LIMIT_S} seconds.")
