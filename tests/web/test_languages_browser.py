"""Pages hold what other languages put into them: longer words, and lines that begin at the right."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.people import join
from tests.pseudo import PSEUDO, RIGHT_TO_LEFT
from tests.web.browser import chromium
from tests.web.tongues import addresses, session_cookie, speak_pseudo, worlds

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDTHS = (320, 1280)
# What reaches out of the window, outermost first; what scrolls within a box of its own does not.
OUTSIDE = """() => {
  const room = document.documentElement.clientWidth;
  const isBox = e => getComputedStyle(e).overflowX !== 'visible';
  const scrolls = e => e && e !== document.body && (isBox(e) || scrolls(e.parentElement));
  if (document.documentElement.scrollWidth <= room) return [];
  return [...document.querySelectorAll('body *')].filter(e => {
    const box = e.getBoundingClientRect();
    return box.width && (box.right > room + 1 || box.left < -1) && !scrolls(e.parentElement);
  }).slice(0, 3).map(e => e.outerHTML.slice(0, 160));
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def faults(page: Page, address: str) -> Iterator[str]:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for found in page.evaluate(OUTSIDE):
            yield f"{address} at {width} px: {found}"


@pytest.mark.parametrize(("language", "direction"), [(PSEUDO, "ltr"), (RIGHT_TO_LEFT, "rtl"), ("de", "ltr")])
def test_no_page_is_wider_than_the_window(browser, live_server, settings, tmp_path, language, direction):
    speak_pseudo(settings, tmp_path)
    person = join("ada")
    pages = addresses(list(worlds(person)))
    context = browser.new_context(
        base_url=live_server.url, extra_http_headers={"Accept-Language": language}, reduced_motion="reduce"
    )
    context.add_cookies([session_cookie(person, live_server.url)])
    page, found = context.new_page(), list[str]()
    for address in pages:
        page.goto(address, wait_until="load")
        assert page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == [
            language,
            direction,
        ]
        found += faults(page, address)
    context.close()
    assert found == []
