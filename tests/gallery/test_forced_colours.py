"""In forced colours, a line replaces what only a background or a shadow showed."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.gallery.looking import END_TRANSITIONS, show_scene, window
from tests.gallery.rooms.reports import open_first_badge, popover
from tests.gallery.scene import Scene
from tests.web.browser import chromium

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def style(place: Locator, name: str) -> str:
    return str(place.evaluate("(one, name) => getComputedStyle(one).getPropertyValue(name)", name))


def ground(page: Page) -> str:
    return style(page.locator("body"), "background-color")


def test_the_chosen_tab_the_badge_and_the_marked_words_stand_out(browser, live_server):
    scene = Scene("reports-forced", popover, open_first_badge)
    with window(browser) as page, show_scene(scene, page, live_server.url):
        page.emulate_media(forced_colors="active")
        page.evaluate(END_TRANSITIONS)
        here = page.locator(".tabs [aria-current]")
        assert style(here, "border-block-end-width") == "3px"
        assert style(page.locator(".tabs a:not([aria-current])").first, "border-block-end-width") == "0px"
        mark = page.locator("#cite mark").first
        assert style(mark, "background-color") not in (ground(page), style(mark, "color"))
        full, hollow = (
            page.locator(".badge.limited .dots i").first,
            page.locator(".badge.limited .dots i").last,
        )
        assert style(full, "background-color") != ground(page)
        assert style(hollow, "background-color") != style(full, "background-color")
        assert style(page.locator(".claim.at"), "outline-style") == "solid"
