"""The report reader in a real browser: the source beside the report, search, filters, where the popover stands."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from citations.models import Claim
from research.db.tenancy import tenant_context
from tests.often import IS_FULL
from tests.people import join
from tests.web.browser import chromium
from tests.web.test_browser import NARROW, WIDE, Site, lengthen
from tests.worlds import ReportWorld, make_report

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CLAIMS = 60
SLOW = 30_000  # ms
# Opens every n-th badge at the window's top, middle and bottom. Returns what hangs out of the window, or covers
# its badge, as "number at place: what".
OPENINGS = """
async (step) => {
  const found = [];
  const cite = document.getElementById("cite");
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const until = async (isSo) => { for (let n = 0; n < 600 && !isSo(); n++) await frame(); return isSo(); };
  const header = document.querySelector(".frame-header");
  const top = getComputedStyle(header).position === "sticky" ? header.offsetHeight : 0;
  const places = { top: top + 8, middle: innerHeight / 2, bottom: innerHeight - 40 };
  let openings = 0;
  for (const [number, badge] of [...document.querySelectorAll(".prose .badge")].entries()) {
    if (number % step) continue;
    for (const [name, y] of Object.entries(places)) {
      scrollBy(0, badge.getBoundingClientRect().top - y);
      badge.click();
      await until(() => cite.querySelector(`[data-claim="${number + 1}"] mark`));
      await frame(); await frame();
      openings += 1;
      const at = `${number + 1} at ${name}: `;
      const box = cite.getBoundingClientRect();
      const isInside = box.top >= -1 && box.left >= -1 && box.bottom <= innerHeight + 1 && box.right <= innerWidth + 1;
      if (!isInside) found.push(at + "out of the window");
      const own = badge.getBoundingClientRect();
      const shown = document.elementFromPoint(own.left + own.width / 2, own.top + 2)?.closest(".badge");
      if (shown !== badge) found.push(at + "badge covered");
      cite.hidePopover();
    }
  }
  return [openings, found];
}
"""
SMALL_TARGETS = """
() => [...document.querySelectorAll("button, summary, input, .viewer-bar a, .contents a, .cite a")]
  .filter((one) => one.checkVisibility())
  .map((one) => [one, (one.closest("label") ?? one).getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.height < 24 || box.width < 24))
  .map(([one, box]) => `${one.outerHTML.slice(0, 80)} ${box.width}x${box.height}`)
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def world(transactional_db: None) -> ReportWorld:
    return make_report(join("ada"))


@pytest.fixture
def site(live_server, world) -> Site:
    return Site(live_server.url, world)


def open_evidence(page: Page, number: int) -> None:
    page.locator(f"#claim-{number} + .badge").click()
    expect(page.locator("#cite .view-source").first).to_be_visible()


def view_source(page: Page, number: int) -> None:
    open_evidence(page, number)
    page.keyboard.press("v")
    claim = page.locator(f"#source-pane [data-claim='{number}']")
    expect(claim).to_be_attached(timeout=SLOW)  # the first source loads what counts its voices
    expect(page.locator("#source-pane mark.current")).to_be_in_viewport()


def test_the_source_moves_alone_beside_the_report(browser, site, world):
    lengthen(world, 24)
    page = site.report(browser)
    page.locator("#claim-11 + .badge").scroll_into_view_if_needed()
    before = page.evaluate("[scrollY, location.href]")
    view_source(page, 11)
    assert page.evaluate("[scrollY, location.href]") == before
    expect(page.locator("#source-pane mark.current")).to_have_text(
        "Site 11 saved money in both winters, as its owners had hoped."
    )
    expect(page.locator("#source-pane")).to_be_focused()
    view_source(page, 12)
    expect(page.locator("#source-pane h2").first).to_have_text("Site 12")
    page.keyboard.press("Escape")
    expect(page.locator("#source-pane")).to_be_hidden()
    expect(page.locator("#claim-12 + .badge")).to_be_focused()
    assert page.evaluate("[scrollY, location.href]") == before
    assert site.complaints == []


@pytest.mark.full
def test_passages_follow_each_other_in_the_pane(browser, site, world):
    page = site.report(browser, {"width": 1920, "height": 1080})
    view_source(page, 1)
    pane = page.locator("#source-pane")
    expect(pane).to_contain_text("passage 1 of 3")
    pane.get_by_role("link", name="Next passage").click()
    expect(pane).to_contain_text("passage 2 of 3")
    expect(pane.get_by_role("link", name="Next passage")).to_be_focused()
    expect(page.locator("#claim-2")).to_have_class("claim limited beside")
    pane.get_by_role("button", name="Close the source").click()
    expect(page.locator("#claim-1 + .badge")).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert site.complaints == []


def test_a_look_at_the_living_source_can_be_asked_for_in_the_pane(browser, site, world, monkeypatch):
    monkeypatch.setattr("celery.current_app.send_task", lambda *_given, **_more: None)
    page = site.report(browser)
    view_source(page, 2)
    pane = page.locator("#source-pane")
    pane.get_by_text("Saved copy", exact=False).first.click()
    pane.get_by_role("button", name="Check whether the quotes are still there").click()
    expect(pane).to_contain_text("The source is being checked again.")
    assert "/report/" in page.url
    assert site.complaints == []


def test_a_source_that_is_gone_is_shown_as_the_page_that_says_so(browser, site, world):
    page = site.report(browser)
    open_evidence(page, 2)
    link = page.locator("#cite .view-source")
    page.evaluate(
        "(link) => { link.href = link.href.replace(/[0-9a-f]{12}\\/\\?/, '000000000000/?') }",
        link.element_handle(),
    )
    link.click()
    expect(page.locator("h1")).to_have_text("There is nothing here")


def test_search_counts_goes_on_and_leaves_at_the_claim(browser, site, world):
    lengthen(world, 24)
    page = site.report(browser)
    page.keyboard.press("/")
    field, told = page.get_by_label("Search in this report"), page.locator("#find [role=status]")
    expect(field).to_be_focused()
    field.fill("SAVED  money")
    expect(told).to_have_text("1 of 21")
    page.keyboard.press("Shift+Enter")
    expect(told).to_have_text("21 of 21")
    expect(page.locator("#claim-24")).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(told).to_have_text("2 of 21")
    assert page.evaluate("CSS.highlights.get('found').size") == 21
    page.keyboard.press("Escape")
    expect(page.locator("#claim-5 + .badge")).to_be_focused()
    assert page.evaluate("CSS.highlights.size") == 0
    page.keyboard.press("k")
    expect(page.locator("#claim-4 + .badge")).to_be_focused()
    assert site.complaints == []


@pytest.mark.parametrize(
    ("words", "told"),
    [("costs", "1 of 1"), ("no such words", "Not found"), ("(a+)+$ [", "Not found"), (" ", "")],
)
def test_search_takes_headings_and_any_characters(browser, site, words, told):
    page = site.report(browser, NARROW)
    page.keyboard.press("/")
    page.get_by_label("Search in this report").fill(words)
    expect(page.locator("#find [role=status]")).to_have_text(told)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert site.complaints == []


def test_search_finds_a_long_name_though_it_may_break(browser, site, world):
    with tenant_context(world.person.tenant.pk):
        Claim.objects.filter(number=1).update(text="It is django.contrib.auth.hashers.ScryptPasswordHasher.")
    page = site.report(browser, NARROW)
    page.keyboard.press("/")
    page.get_by_label("Search in this report").fill("auth.hashers.scrypt")
    expect(page.locator("#find [role=status]")).to_have_text("1 of 1")
    [found] = page.evaluate("[...CSS.highlights.get('found')].map(range => range.toString())")
    assert found == "auth.hashers.Scrypt"
    assert site.complaints == []


def test_search_opens_what_is_folded(browser, site):
    page = site.report(browser)
    page.get_by_role("button", name="Search in this report").click()
    page.keyboard.type("no language model was used")
    expect(page.locator("#method")).to_have_attribute("open", "")
    expect(page.get_by_text("No language model was used.")).to_be_in_viewport()


def test_only_disputed_claims_can_be_shown_and_keys_keep_to_them(browser, site, world):
    with tenant_context(world.person.tenant.pk):
        Claim.objects.filter(number=3).update(contradiction_status="human")
    page = site.report(browser)
    note = page.get_by_text("Some claims are hidden by the filter.")
    expect(note).to_be_hidden()
    page.get_by_label("Only disputed").check()
    expect(page.locator("#claim-2")).to_be_hidden()
    expect(note).to_be_visible()
    page.locator("h1").click()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator("#claim-3 + .badge")).to_be_focused()


@pytest.mark.full
def test_the_contents_are_at_hand_in_a_narrow_window_too(browser, site):
    page = site.report(browser, NARROW)
    page.keyboard.press("t")
    expect(page.locator("#contents-narrow")).to_be_focused()
    page.locator(".contents-narrow").get_by_role("link", name="Costs").click()
    expect(page.locator("#section-2 h2")).to_be_in_viewport()


SIZES: tuple[ViewportSize, ...] = (
    NARROW,
    {"width": 768, "height": 1024},
    WIDE,
    {"width": 1920, "height": 1080},
)


def test_wherever_a_badge_stands_its_popover_is_inside_and_the_badge_visible(browser, site, world):
    lengthen(world, CLAIMS)
    step = 1 if IS_FULL else 20
    page = site.report(browser, motion="reduce")
    for size in SIZES:  # in one browser's cache: the words are asked for once, not at each width
        page.set_viewport_size(size)
        page.reload()
        openings, found = page.evaluate(OPENINGS, step)
        assert (openings, found) == (3 * CLAIMS / step, []), size


def test_what_is_pressed_is_24_pixels_wide_and_high(browser, site, world):
    for size in (WIDE, NARROW):
        page = site.report(browser, size)
        open_evidence(page, 1)
        assert page.evaluate(SMALL_TARGETS) == []
    page = site.report(browser)
    view_source(page, 1)
    assert page.evaluate(SMALL_TARGETS) == []
