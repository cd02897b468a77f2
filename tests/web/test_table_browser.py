"""The wide table in a real browser: it fills without moving anything, opens onto evidence, and goes by keys."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, expect

from research.db.tenancy import tenant_context
from research.models import ItemStatus, Run, State
from tests.often import one_in
from tests.people import join
from tests.web.browser import chromium
from tests.web.tabled import NOTHING, TableWorld, add_waiting, change, grow_table, make_table
from tests.web.test_browser import COUNT_SHIFTS, NARROW, WIDE, Site

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
POLL_MS = 2_100
FOUND = dict.fromkeys(("capital", "population", "independence"), NOTHING)
WAITING = 40  # rows: more than the window has room for


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def world(transactional_db: None) -> TableWorld:
    made = make_table(join("ada"), state=State.COLLECTING)
    grow_table(made, 2)
    add_waiting(made, WAITING)
    with tenant_context(made.person.tenant.pk):
        Run.objects.filter(pk=made.run.pk).update(started_at=timezone.now())
    return made


@pytest.fixture
def site(live_server, world) -> Site:
    return Site(live_server.url, world)


@pytest.mark.parametrize("size", one_in(2, [WIDE, NARROW]), ids=["wide", "narrow"])
def test_while_it_fills_nothing_moves_and_nothing_is_lost(browser, site, world, size):
    page = site.open(browser, "/help/", size)
    page.clock.install()
    page.clock.pause_at(timezone.now() + timedelta(seconds=1))
    page.goto(site.url + world.address)
    page.wait_for_load_state("networkidle")
    grid = page.locator(".wide")
    grid.evaluate("one => one.scrollTo(40, 300)")
    badge = page.locator("#cell-5-capital")
    badge.focus()
    page.evaluate("getSelection().selectAllChildren(document.querySelector('#row-4 td .cell-text'))")
    before = grid.evaluate("one => [one.scrollLeft, one.scrollTop]")
    page.evaluate(COUNT_SHIFTS)
    for row in (6, 7, 8):
        change(world, row - 1, status=ItemStatus.COMPLETED)  # and the row that has the focus, as it was
        change(world, row, status=ItemStatus.COMPLETED, wanted=[], result=FOUND)
        page.clock.run_for(POLL_MS)
        expect(page.locator("#stage")).to_contain_text(f"{row} of")
    assert grid.evaluate("one => [one.scrollLeft, one.scrollTop]") == before
    assert page.evaluate("getSelection().toString()") == "Oslo"
    expect(badge).to_be_focused()
    assert page.evaluate("window.shift") <= 0.005
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert site.complaints == []


def test_a_row_that_came_while_one_looked_opens_onto_its_evidence(browser, site, world):
    page = site.open(browser, "/help/")
    page.clock.install()
    page.clock.pause_at(timezone.now() + timedelta(seconds=1))
    page.goto(site.url + world.address)
    page.wait_for_load_state("networkidle")
    change(world, 6, status=ItemStatus.COMPLETED, wanted=[], result=FOUND)
    page.clock.run_for(POLL_MS)
    page.locator("#cell-6-capital").click()
    expect(page.locator("#cite")).to_contain_text("No page of the library is about it.")
    page.keyboard.press("Escape")
    expect(page.locator("#cell-6-capital")).to_be_focused()
    page.locator("#cell-1-population").click()
    expect(page.locator("#cite")).to_contain_text("What other sources say")
    assert site.complaints == []


def test_a_source_leads_back_to_its_cell_and_arrow_keys_go_on_from_there(browser, site, world):
    page = site.open(browser, f"/runs/{world.run.pk}/report/#claim-101")  # as the page of a source does
    expect(page.locator("#cell-1-capital")).to_be_focused()
    for key, cell in (
        ("ArrowRight", "1-population"),
        ("ArrowDown", "2-population"),
        ("ArrowLeft", "2-capital"),
        ("ArrowUp", "1-capital"),
        ("ArrowUp", "1-capital"),
    ):
        page.keyboard.press(key)
        expect(page.locator(f"#cell-{cell}")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#cite mark").first).to_have_text("Its capital is Oslo")


def test_the_head_and_the_items_stay_in_sight(browser, site, world):
    page = site.open(browser, world.address, NARROW)
    page.locator(".wide").evaluate("one => one.scrollTo(200, 400)")
    inside = """one => {
      const [box, grid] = [one.getBoundingClientRect(), document.querySelector('.wide').getBoundingClientRect()];
      return [Math.round(box.left - grid.left), Math.round(box.top - grid.top)];
    }"""
    assert page.locator("thead th.item").evaluate(inside) == [1, 1]
    assert page.locator("#row-9 th").evaluate(inside)[0] == 1


def test_without_scripts_a_value_leads_to_the_page_of_its_evidence(browser, site, world):
    page = site.open(browser, world.address, script=False)
    page.locator("#cell-1-capital").click()
    expect(page.locator("h1")).to_have_text("Norway: Capital")
    expect(page.locator("mark").first).to_have_text("Its capital is Oslo")
    page.get_by_role("link", name="Back to the table").click()
    page.get_by_role("link", name="Disputed 1").click()
    expect(page.locator(".wide tbody tr")).to_have_count(1)
