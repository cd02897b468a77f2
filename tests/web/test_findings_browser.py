"""The pages of evidence in a real browser: they fit, run no broken script, and are ordered by keyboard."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from citations.models import Contradiction
from research.db.tenancy import tenant_context
from research.models import Source
from tests.often import one_in
from tests.people import join
from tests.web.browser import chromium, complaints_of
from tests.web.growing import grow
from tests.worlds import ReportWorld, make_report

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PICTURES = os.environ.get("PLUMBLINE_TEST_PICTURES", "")
PAGES = ("evidence", "sources", "contradictions", "warnings", "report")
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
GATES = {
    "mine": LONG,
    "theirs": "21 percent",
    "circumstances": [{"circumstance": "place", "mine": [LONG], "theirs": ["Norway"], "standing": "apart"}],
}
SCORES = {"authority": 0.8, "recency": 0.5, "corroboration": 0.7, "specificity": 0.6}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def world(transactional_db: None) -> ReportWorld:
    world = make_report(join("ada"))
    grow(world, 3)
    with tenant_context(world.person.tenant.pk):
        Source.objects.filter(title="Report 4").update(published_date="1990-05")
        Contradiction.objects.update(gates=GATES, scores_a=SCORES, scores_b=SCORES, margin=0.1)
    return world


def open_page(browser: Browser, url: str, world: ReportWorld, width: int, *, script: bool = True) -> Page:
    context = browser.new_context(
        viewport={"width": width, "height": 900}, base_url=url, java_script_enabled=script
    )
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": world.person.sign_in().cookies[name].value, "url": url}])
    return context.new_page()


def keep_picture(page: Page, name: str) -> None:
    if PICTURES:
        width = page.evaluate("innerWidth")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=Path(PICTURES) / f"{name}-{width}-{scheme}.png", full_page=True)


@pytest.mark.parametrize("width", one_in(2, [320, 1280]))
def test_nothing_is_wider_than_the_window_and_no_script_complains(browser, live_server, world, width):
    page = open_page(browser, live_server.url, world, width)
    complaints = complaints_of(page)
    for name in PAGES:
        page.goto(f"/runs/{world.run.pk}/{name}/")
        keep_picture(page, name)
        for details in page.locator("main details").all():
            details.evaluate("one => { one.open = true; }")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    assert complaints == []


def test_a_drawing_holds_its_words(browser, live_server, world):
    page = open_page(browser, live_server.url, world, 320)
    page.goto(f"/runs/{world.run.pk}/evidence/")
    outside = """svg => [...svg.querySelectorAll('text')].filter(text => {
        const a = svg.getBoundingClientRect(), b = text.getBoundingClientRect();
        return b.left < a.left - 1 || b.right > a.right + 1 || b.top < a.top - 1 || b.bottom > a.bottom + 1;
    }).length"""
    drawings = page.locator(".chart svg").all()
    assert [drawing.evaluate(outside) for drawing in drawings] == [0, 0]


def test_rows_are_ordered_by_keyboard_and_lead_to_the_quote_without_a_script(browser, live_server, world):
    page = open_page(browser, live_server.url, world, 1280, script=False)
    page.goto(f"/runs/{world.run.pk}/evidence/")
    page.get_by_role("columnheader").get_by_role("link", name="Source").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/evidence/?sort=source#table-heading")
    first = page.locator(".evidence-table tbody tr").first
    expect(first).to_contain_text("[1]")
    first.locator(".of-quote a").click()
    page.wait_for_url("**/sources/**")
    expect(page.locator("mark.current")).to_have_text("The seasonal factor stayed above two at nine sites.")
