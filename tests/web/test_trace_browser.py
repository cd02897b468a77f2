"""The log in a real browser: nothing hangs over the edge, long things unfold by keyboard, also without scripts."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.often import one_in
from tests.people import join
from tests.web.browser import chromium
from tests.web.logged import let_everything_happen
from tests.web.test_browser import NARROW, WIDE, Site
from tests.worlds import ReportWorld, make_report

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE: ViewportSize = {"width": 375, "height": 740}
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def world(transactional_db: None) -> ReportWorld:
    """A run in which all happened that a log can tell."""
    world = make_report(join("ada"))
    let_everything_happen(world)
    return world


@pytest.fixture
def site(live_server, world):
    return Site(live_server.url, world)


def path(site: Site) -> str:
    return f"/runs/{site.world.run.pk}/log/"


@pytest.mark.parametrize("size", one_in(3, [NARROW, PHONE, WIDE]), ids=["320", "375", "1280"])
def test_nothing_hangs_over_the_edge_folded_or_not(site, browser, size):
    page = site.open(browser, path(site), size)
    assert page.evaluate(OVERFLOW) == 0
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert page.evaluate(OVERFLOW) == 0
    assert site.complaints == []


def test_a_long_output_unfolds_by_keyboard_and_without_scripts(site, browser):
    page = site.open(browser, path(site), script=False)
    page.get_by_text("Searches the web").press("Enter")
    more = page.get_by_text("All of it:")
    expect(more).to_be_visible()
    more.press("Enter")
    expect(page.locator("details.more pre")).to_contain_text("x" * 4_000)


def test_the_log_is_filtered_without_scripts_and_says_how_to_see_all_again(site, browser):
    page = site.open(browser, path(site), script=False)
    page.get_by_label("Kind").select_option("decision")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("tr.event")).to_have_count(1)
    expect(page.locator("tr.event")).to_contain_text("Changed")
    page.get_by_role("link", name="Show all").click()
    expect(page.locator("tr.event")).to_have_count(6)
