"""The paths that need a real browser: popover, keys, the passage in view, polling, no script."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Literal

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Page, ViewportSize, expect

from citations.models import Claim, Section
from research.db.tenancy import tenant_context
from research.models import Run, State
from tests.often import one_in
from tests.people import join
from tests.web.browser import chromium, complaints_of
from tests.worlds import ReportWorld, add_source, cite, make_report

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Motion = Literal["no-preference", "reduce"]
WIDE: ViewportSize = {"width": 1280, "height": 900}
NARROW: ViewportSize = {"width": 320, "height": 640}
COUNT_SHIFTS = """
window.shift = 0;
new PerformanceObserver(list => { for (const entry of list.getEntries()) window.shift += entry.value; })
  .observe({type: 'layout-shift', buffered: true})
"""
FILLER = "\n\n".join(f"Paragraph {n} says nothing that anybody cites, at some length." for n in range(60))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def world(transactional_db: None) -> ReportWorld:
    return make_report(join("ada"))


@pytest.fixture
def site(live_server, world):
    """Opens pages of the running site as Ada, at a given size, with or without scripts."""
    return Site(live_server.url, world)


class Site:
    def __init__(self, url: str, world: ReportWorld) -> None:
        self.url, self.world = url, world
        self.session = Client()
        self.session.force_login(world.person.user)

    def open(
        self,
        browser: Browser,
        path: str,
        size: ViewportSize = WIDE,
        *,
        script: bool = True,
        motion: Motion = "no-preference",
    ) -> Page:
        context = browser.new_context(viewport=size, java_script_enabled=script, reduced_motion=motion)
        name = settings.SESSION_COOKIE_NAME
        context.add_cookies([{"name": name, "value": self.session.cookies[name].value, "url": self.url}])
        page = context.new_page()
        self.complaints = complaints_of(page)
        page.goto(self.url + path)
        return page

    def report(
        self,
        browser: Browser,
        size: ViewportSize = WIDE,
        *,
        script: bool = True,
        motion: Motion = "no-preference",
    ) -> Page:
        return self.open(browser, f"/runs/{self.world.run.pk}/report/", size, script=script, motion=motion)


def lengthen(world: ReportWorld, claims: int = 23) -> None:
    """More claims, up to so many, so that the report is longer than the window."""
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(state=State.VERIFYING)
        section = Section.objects.get(index=2)
        for number in range(4, claims + 1):
            text = f"Site {number} saved money in both winters, as its owners had hoped."
            source = add_source(world.run, f"{number}.txt", FILLER + "\n\n" + text, title=f"Site {number}")
            claim = Claim.objects.create(run=world.run, section=section, number=number, text=text)
            cite(claim, source, text)
            section.body["blocks"][0]["sentences"].append({"claim": str(claim.pk)})
        section.save()


def is_inside(page: Page, selector: str) -> bool:
    box = page.locator(selector).bounding_box()
    size = page.viewport_size
    assert box is not None
    assert size is not None
    fits_down = box["y"] >= -1 and box["y"] + box["height"] <= size["height"] + 1
    return fits_down and box["x"] >= -1 and box["x"] + box["width"] <= size["width"] + 1


def test_a_badge_opens_the_exact_words_inside_the_window(browser, site):
    page = site.report(browser)
    page.locator(".badge").first.click()
    mark = page.locator("#cite mark").first
    expect(mark).to_have_text("The seasonal factor stayed above two at nine sites.")
    expect(mark).to_be_visible()
    assert is_inside(page, "#cite")
    assert site.complaints == []


def test_escape_closes_and_gives_the_focus_back_to_the_badge(browser, site):
    page = site.report(browser)
    badge = page.locator(".badge").first
    badge.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#cite mark").first).to_be_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#cite') !== null")
    page.keyboard.press("Escape")
    expect(page.locator("#cite")).to_be_hidden()
    expect(badge).to_be_focused()


@pytest.mark.full
def test_another_badge_takes_the_popover_over(browser, site):
    page = site.report(browser)
    page.locator(".prose .badge").nth(1).click()
    expect(page.locator("#cite mark").first).to_have_text("Backup heaters ran for forty hours.")
    page.locator(".prose .badge").nth(2).click()
    expect(page.locator("#cite mark").first).to_have_text("Oil fell by 30 percent.")
    expect(page.locator("#cite")).to_be_visible()


def test_j_and_k_go_through_the_claims_and_enter_opens(browser, site):
    page = site.report(browser)
    badges = page.locator(".prose .badge")
    page.keyboard.press("j")
    expect(badges.nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(badges.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(badges.nth(0)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#cite mark")).to_have_count(2)
    page.keyboard.press("]")
    page.keyboard.press("]")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Source 2 of 2"
    page.keyboard.press("j")
    expect(page.locator("#cite mark").first).to_have_text("Backup heaters ran for forty hours.")
    assert site.complaints == []


def test_the_question_mark_lists_the_keys_but_not_while_typing(browser, site):
    page = site.report(browser)
    page.keyboard.press("?")
    expect(page.locator("#shortcuts")).to_be_visible()
    page = site.open(browser, "/runs/new/")
    page.locator("#id_question").press_sequentially("j?")
    expect(page.locator("#id_question")).to_have_value("j?")
    assert page.url.endswith("/runs/new/")


@pytest.mark.full
def test_single_keys_can_be_switched_off(browser, site):
    page = site.open(browser, "/help/shortcuts/")
    page.get_by_role("group", name="Single keys").get_by_role("button", name="Off").click()
    expect(page.locator("html")).to_have_attribute("data-keys", "off")
    page.goto(f"{site.url}/runs/{site.world.run.pk}/report/")
    page.keyboard.press("j")
    expect(page.locator(".prose .badge").first).not_to_be_focused()


def test_a_filter_hides_the_claims_of_a_strength(browser, site):
    page = site.report(browser)
    page.locator("#show-limited").uncheck()
    expect(page.locator("#claim-2")).to_be_hidden()
    expect(page.locator("#claim-1")).to_be_visible()


def test_view_in_source_brings_the_marked_passage_into_view(browser, site, world):
    lengthen(world)
    page = site.report(browser, {"width": 1024, "height": 900})  # too narrow for two panes
    page.locator(".prose .badge").nth(10).click()
    page.locator("#cite .view-source").first.click()
    mark = page.locator("mark.current")
    expect(mark).to_be_in_viewport()
    assert page.evaluate("scrollY") > 500
    expect(mark).to_contain_text("Site 11 saved money")
    assert site.complaints == []


@pytest.mark.full
def test_a_source_asked_for_without_a_fragment_scrolls_too(browser, site, world):
    lengthen(world)
    with tenant_context(world.person.tenant.pk):
        source = Claim.objects.get(number=20).citations.get().source_id
    page = site.open(browser, f"/sources/{source}/?claim=20")
    expect(page.locator("mark.current")).to_be_in_viewport()


def test_progress_comes_by_itself_and_nothing_moves(browser, site, world):
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(state=State.READING)
    page = site.open(browser, f"/runs/{world.run.pk}/")
    page.evaluate(COUNT_SHIFTS)
    pause = page.get_by_role("button", name="Pause")
    pause.focus()
    with tenant_context(world.person.tenant.pk):
        changed = {"state": State.SYNTHESIZING, "snapshot_version": 7, "sources_processed": 31}
        Run.objects.filter(pk=world.run.pk).update(**changed)
    expect(page.locator("#stage")).to_have_text("Stage 5 of 7: Writing", timeout=15_000)
    expect(page.locator("#counters dd").nth(1)).to_have_text("31")
    expect(pause).to_be_focused()
    assert page.evaluate("window.shift") <= 0.005
    with tenant_context(world.person.tenant.pk):
        ended = {"state": State.COMPLETED, "version": 9, "completed_at": timezone.now() + timedelta(hours=1)}
        Run.objects.filter(pk=world.run.pk).update(**ended)
    ready = page.get_by_role("link", name="Open the report")
    expect(ready).to_be_visible(timeout=15_000)
    page.evaluate("scrollTo(0, 0)")
    expect(ready).to_be_in_viewport()
    assert site.complaints == []


def test_without_script_a_badge_leads_to_the_evidence_as_a_page(browser, site):
    page = site.report(browser, script=False)
    page.locator(".badge").first.click()
    expect(page.locator("h1")).to_have_text("Claim 1")
    expect(page.locator("mark").first).to_have_text("The seasonal factor stayed above two at nine sites.")


def test_focus_goes_to_what_is_wrong_with_a_question(browser, site):
    page = site.open(browser, "/runs/new/")
    page.get_by_role("button", name="Start research").click()
    expect(page.locator("#error-summary")).to_be_focused()


def test_nothing_runs_over_at_320_pixels(browser, site):
    """One window serves all pages: a new one for each costs more than the page."""
    run = f"/runs/{site.world.run.pk}/"
    paths = ["/runs/", "/runs/new/", "/library/", "/help/", f"/sources/{site.world.trial.pk}/", run]
    page = site.open(browser, "/", NARROW)
    widths = {"/": page.evaluate("document.documentElement.scrollWidth")}
    for path in (*paths, *(f"{run}{name}/" for name in ("report", "log", "sources"))):
        page.goto(site.url + path)
        widths[path] = page.evaluate("document.documentElement.scrollWidth")
    assert {path: width for path, width in widths.items() if width > NARROW["width"]} == {}
    assert site.complaints == []


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_pages_to_read_can_be_named_with_the_keyboard_alone(browser, site, script):
    page = site.open(browser, "/runs/new/", NARROW, script=script)
    page.get_by_label("What do you want to know?").focus()
    page.keyboard.type("How long must a password be in 2025?")
    if script:  # a button comes that would add where
        expect(page.locator(".chip")).to_have_text(["+ in Europe"])
        page.keyboard.press("Tab")
    page.keyboard.press("Tab")  # a link: the library is empty
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # opens the details
    for _ in ("subtopics", "subjects to leave out", "where to look"):
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")  # from the library and pages, to the library alone
    page.keyboard.press("Tab")
    page.keyboard.type("https://10.0.0.1/" + "long" * 60)
    for _ in ("more options", "depth", "sources at most"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#error-summary")).to_contain_text("The library has no copy of")
    expect(page.get_by_label("Pages and papers that must be read")).to_be_visible()
    expect(page.get_by_label("Your library only")).to_be_checked()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_mistake_in_the_folded_options_is_in_sight_and_nothing_runs_over(browser, site, settings):
    settings.PLUMBLINE_SEARXNG_URL = "http://127.0.0.1:9"
    page = site.open(browser, "/runs/new/", NARROW)
    page.get_by_label("What do you want to know?").fill("How long must a password be in 2025?")
    page.get_by_text("Sources, length and checking").click()
    expect(page.get_by_label("Languages")).to_be_hidden()
    page.get_by_text("More options").click()
    page.get_by_label("Languages").fill("english")
    page.get_by_label("Switzerland").check()
    page.get_by_role("button", name="Start research").click()
    expect(page.locator("#error-summary")).to_be_focused()
    expect(page.get_by_label("Languages")).to_have_value("english")
    expect(page.get_by_label("Languages")).to_be_visible()
    expect(page.get_by_label("Switzerland")).to_be_checked()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


CHECKS = ("count", "coverage", "diversity", "recency", "quality", "novelty")
STOCK = {
    "checks": [
        {
            "name": name,
            "score": None if name == "novelty" else 0.5,
            "is_passed": False,
            "detail": f"Of {name}.",
        }
        for name in CHECKS
    ],
    "score": 0.5,
    "is_enough": False,
    "rounds": 1,
    "state": "collecting",
}


@pytest.mark.parametrize("size", one_in(2, [WIDE, NARROW]), ids=["wide", "narrow"])
def test_the_six_bars_come_by_themselves_beside_what_is_there(browser, site, world, size):
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(state=State.COLLECTING)
    page = site.open(browser, f"/runs/{world.run.pk}/", size)
    pause = page.get_by_role("button", name="Pause")
    pause.focus()
    page.evaluate(COUNT_SHIFTS)
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(sufficiency=STOCK, state=State.READING, snapshot_version=7)
    bars = page.get_by_role("region", name="Breadth of the sources").get_by_role("listitem")
    expect(bars).to_have_count(6, timeout=15_000)
    expect(bars.last).to_contain_text("not measured")
    expect(pause).to_be_focused()
    assert size is NARROW or page.evaluate("window.shift") <= 0.005
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert site.complaints == []
