"""A deck in a real browser and by keyboard alone: made, read, changed, brought back, taken along."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from research.db.tenancy import tenant_context
from slides.decks.deck_versions import newest
from slides.decks.make_deck import make_deck
from slides.decks.write_deck_file import make_deck_file
from slides.models import Deck, DeckFile
from tests.people import join
from tests.web.browser import chromium, complaints_of
from tests.web.test_review_browser import PATIENCE_MS, aside, go_by, open_as, press_on
from tests.worlds import ReportWorld, make_report

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with chromium() as started:
        yield started
    expect.set_options(timeout=5_000)


@pytest.fixture
def world(transactional_db: None) -> ReportWorld:
    return make_report(join("ada"))


def tab_into(page: Page, selector: str) -> None:
    """Press Tab until the field has the focus."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    pytest.fail(f"Tab never reaches {selector}")


def marks(page: Page) -> list[str]:
    """Return the marks by which the browser knows whether it has a slide's picture, one a slide."""
    return [(one.get_attribute("src") or "").partition("mark=")[2] for one in page.locator(".thumb").all()]


def measure_cover(page: Page) -> float:
    """The share of the first small frame that its slide covers."""
    slide = page.frame_locator(".thumb >> nth=0").locator(".slide").bounding_box()
    frame = page.locator(".thumb").first.bounding_box()
    assert slide
    assert frame
    return slide["width"] * slide["height"] / (frame["width"] * frame["height"])


def run_worker(world: ReportWorld) -> None:
    """The deck, or the file of it, that waits."""
    tenant_id = world.person.tenant.pk

    def work() -> None:
        with tenant_context(tenant_id):
            decks = list(Deck.objects.filter(state="waiting").values_list("pk", flat=True))
            files = list(DeckFile.objects.filter(state="waiting").values_list("pk", flat=True))
        for pk in decks:
            make_deck(tenant_id, pk)
        for pk in files:
            make_deck_file(tenant_id, pk)

    aside(work)


def get_version(world: ReportWorld) -> int:
    with tenant_context(world.person.tenant.pk):
        return newest(Deck.objects.get()).number


def at_slide(page: Page, number: int) -> None:
    expect(page.locator("#slide-heading")).to_contain_text(f"Slide {number} of")


def test_a_deck_is_made_changed_and_taken_along_by_keyboard_alone(browser, live_server, world):
    page = open_as(world.person.user, browser, f"{live_server.url}/runs/{world.run.pk}/decks/")
    wrong = complaints_of(page)
    go_by(page, "Make slides")
    expect(page.locator("#deck-state")).to_contain_text("Waiting for its turn")
    run_worker(world)
    at_slide(page, 1)  # by itself

    assert measure_cover(page) > 0.97  # all but its border
    with page.expect_navigation():
        page.keyboard.press("j")
    at_slide(page, 2)
    titles = page.locator(".thumb-words").all_inner_texts()
    go_by(page, "Down")
    at_slide(page, 3)
    assert titles[1].split(maxsplit=1)[1] in page.locator(".thumb-words").all_inner_texts()[2]

    before = marks(page)
    page.keyboard.press("e")
    page.keyboard.press("Control+A")
    page.keyboard.type("What held in January")
    go_by(page, "Save the slide")
    at_slide(page, 3)
    expect(page.frame_locator("iframe.slide-frame").locator("h2.title")).to_have_text("What held in January")
    assert [one != other for one, other in zip(before, marks(page), strict=True)].count(True) == 1

    tab_into(page, "#layout")
    page.keyboard.press("ArrowDown")
    chosen = page.locator("#layout").input_value()
    go_by(page, "Lay out")
    expect(page.locator("#layout")).to_have_value(chosen)
    expect(page.frame_locator("iframe.slide-frame").locator(f".on-{chosen}")).to_be_visible()

    assert get_version(world) == 4
    press_on(page, "Versions")
    tab_into(page, 'form:has([name=restored][value="1"]) button')
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert get_version(world) == 5
    assert page.locator(".thumb-words").all_inner_texts() == titles

    page.keyboard.press("f")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    run_worker(world)
    expect(page.locator("#mode-pptx").get_by_role("link", name="Download")).to_be_visible()  # by itself
    with page.expect_download() as loaded:
        tab_into(page, "#mode-pptx a")
        page.keyboard.press("Enter")
    assert Path(loaded.value.path()).read_bytes().startswith(b"PK")
    assert loaded.value.suggested_filename.endswith("-slides-v5.pptx")
    assert wrong == []
