"""Diagrams of a technical answer as a browser draws them: in their sandboxed frame, with what they show in words."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from research.web.report.technical_page import MERMAID
from tests.people import join
from tests.web.browser import chromium, complaints_of
from tests.web.technical_world import make_technical
from tests.worlds import ReportWorld

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        not (settings.BASE_DIR / MERMAID).is_file(), reason="mermaid is not installed: npm ci"
    ),
]
PICTURES = os.environ.get("PLUMBLINE_TEST_PICTURES", "")
DRAWN_MS = 30_000  # Mermaid is large, and machines of tests are busy
SHOWN_AT_FIRST = 300  # px; the frame then gets the height of what is drawn
READ = 4.5  # contrast of text, by WCAG 2.2 AA
CONTRASTS = """root => {
    const channels = color => color.match(/[\\d.]+/g).map(Number);
    const light = ([r, g, b]) => [r, g, b].map(c => c / 255)
        .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const against = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    return [...root.querySelectorAll('g.node')].map(node => {
        const words = node.querySelector('text tspan, text, span, p');
        const look = getComputedStyle(words);
        const ink = words instanceof SVGElement ? look.fill : look.color;
        const paper = getComputedStyle(node.querySelector('rect, path, polygon')).fill;
        return against(light(channels(ink)), light(channels(paper)));
    });
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def world(transactional_db: None) -> ReportWorld:
    return make_technical(join("ada"))


def open_page(browser: Browser, url: str, world: ReportWorld, scheme: str) -> Page:
    context = browser.new_context(base_url=url, color_scheme=scheme, viewport={"width": 1280, "height": 900})
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": world.person.sign_in().cookies[name].value, "url": url}])
    return context.new_page()


def test_a_diagram_is_drawn_in_light_and_dark_without_a_complaint(browser, live_server, world):
    for scheme in ("light", "dark"):
        page = open_page(browser, live_server.url, world, scheme)
        complaints = complaints_of(page)
        page.goto(f"/runs/{world.run.pk}/report/")
        page.locator(".diagram").first.scroll_into_view_if_needed()
        drawing = page.locator(".diagram iframe").first.content_frame.get_by_role(
            "img", name="Which source says what"
        )
        expect(drawing.locator("svg")).to_be_visible(timeout=DRAWN_MS)
        if PICTURES:
            page.locator(".diagram").first.screenshot(path=Path(PICTURES) / f"diagram-{scheme}.png")
        drawn = "".join("".join(drawing.locator("g.node").all_text_contents()).split())  # lines are broken
        assert drawn == "Doheatpumpsworkbelow−15°C?KeyfindingsColdfieldtrial"
        assert page.locator(".diagram iframe").first.bounding_box()["height"] < SHOWN_AT_FIRST
        contrasts = drawing.evaluate(CONTRASTS)
        assert len(contrasts) == 3
        assert min(contrasts) >= READ
        page.get_by_text("In words").click()
        expect(page.get_by_text("Key findings: 2 claims of")).to_be_visible(timeout=DRAWN_MS)
        assert complaints == []
        page.context.close()


def test_the_frame_can_neither_read_the_site_nor_ask_for_anything(browser, live_server, world):
    page = open_page(browser, live_server.url, world, "light")
    page.goto(f"/runs/{world.run.pk}/report/")
    page.locator(".diagram").first.scroll_into_view_if_needed()
    frame = page.locator(".diagram iframe").first.content_frame.locator("body")
    expect(frame.locator("svg")).to_be_visible(timeout=DRAWN_MS)
    tried = """async () => {
        const outcome = async act => { try { await act(); return 'done'; } catch { return 'refused'; } };
        return [await outcome(() => document.cookie), await outcome(() => parent.document.title),
                await outcome(() => fetch('/account/'))];
    }"""
    assert frame.evaluate(tried) == ["refused"] * 3
    page.context.close()


@pytest.mark.full
def test_what_mermaid_does_not_understand_stays_as_it_is_written(browser, live_server, world):
    """And without scripts every diagram does."""
    page = open_page(browser, live_server.url, world, "light")
    page.goto(f"/runs/{world.run.pk}/diagrams/1/")
    expect(page.locator("#source")).to_be_visible(timeout=DRAWN_MS)
    expect(page.locator("#source")).to_contain_text("nonsense")
    assert page.locator("svg").count() == 0
    page.context.close()
