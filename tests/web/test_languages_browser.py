"""Pages hold what other languages put into them: longer words, and lines that begin at the right.

`make test` looks at every other page in one of the languages, with PLUMBLINE_TEST_FULL at all in all of them.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.often import IS_FULL
from tests.people import join
from tests.pseudo import PSEUDO, RIGHT_TO_LEFT
from tests.web.browser import chromium
from tests.web.tongues import addresses, session_cookie, speak_pseudo, worlds

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NARROW, WIDE = 320, 1280
LANGUAGES = [
    (PSEUDO, "ltr", (NARROW, WIDE)),
    (RIGHT_TO_LEFT, "rtl", (NARROW, WIDE)),
    ("de", "ltr", (NARROW,)),
]
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


def faults(page: Page, address: str, widths: tuple[int, ...]) -> Iterator[str]:
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        for found in page.evaluate(OUTSIDE):
            yield f"{address} at {width} px: {found}"


# German words are long and do not break: where there is little room.
@pytest.mark.parametrize(
    ("language", "direction", "widths"),
    LANGUAGES,
    ids=["pseudo", "right to left", "german"],
)
def test_no_page_is_wider_than_the_window(
    browser, live_server, settings, tmp_path, language, direction, widths
):
    speak_pseudo(settings, tmp_path)
    person = join("ada")
    pages = addresses(list(worlds(person)))
    if not IS_FULL:
        pages = pages[LANGUAGES.index((language, direction, widths)) :: 2 * len(LANGUAGES)]
    headers = {"Accept-Language": language}
    context = browser.new_context(
        base_url=live_server.url, extra_http_headers=headers, reduced_motion="reduce"
    )
    context.add_cookies([session_cookie(person, live_server.url)])
    page, found = context.new_page(), list[str]()
    for address in pages:
        page.goto(address, wait_until="load")
        spoken = page.evaluate("[document.documentElement.lang, document.documentElement.dir]")
        assert spoken == [language, direction], address
        found += faults(page, address, widths)
    context.close()
    assert found == []
