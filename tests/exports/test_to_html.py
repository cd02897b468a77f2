"""The HTML file in a browser without a network: nothing is asked for, evidence opens, no fault that axe finds."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import html
from playwright.sync_api import Browser, BrowserContext, Page, expect

from exports.formats.export_options import ExportOptions
from exports.formats.to_html import write
from tests.exports import hostile
from tests.exports.generated import LONG, NAMES, document
from tests.gallery.axe import violations
from tests.gallery.looking import PATIENCE_MS, overflow
from tests.often import one_in
from tests.web.browser import chromium

LOOKED_AT = ("contradictions", "right_to_left", "table_and_prose", "charts", "findings", "insufficient")
MOST = 1_000_000  # bytes, for three hundred claims
FETCHES = ("src", "srcset", "data", "poster", "background", "action", "formaction", "xlink:href")
PLACES_OF_FETCHES = ("script", "img", "iframe", "object", "embed", "audio", "video", "form", "base")


def write_html(name: str, **options: object) -> bytes:
    return write(document(name), ExportOptions(**options), lambda _share: None)


def tree_of(data: bytes) -> html.HtmlElement:
    return html.document_fromstring(data, parser=html.HTMLParser(encoding="utf-8"))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in LONG])
def test_nothing_in_it_is_fetched_nothing_runs_and_every_badge_opens_something(name):
    data = write_html(name)
    page = tree_of(data)
    assert [one.tag for one in page.iter(*PLACES_OF_FETCHES)] == []
    assert [one for one in page.iter() for key in one.attrib if key in FETCHES or key.startswith("on")] == []
    assert [one.get("href") for one in page.iter("link")] == ["data:,"]
    assert b"url(" not in data
    assert b"@import" not in data
    ids = [one.get("id") for one in page.iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    assert {one.get("popovertarget") for one in page.find_class("badge")} <= set(ids)


@pytest.mark.parametrize("name", ["hostile", "hostile_sources", "table_hostile"])
def test_links_lead_to_the_web_or_to_a_place_in_the_file(name):
    page = tree_of(write_html(name))
    ids = {one.get("id") for one in page.iter() if one.get("id")}
    targets = {one.get("href") for one in page.iter("a")}
    assert {target for target in targets if not target.startswith(("https://", "http://", "#"))} == set()
    assert {target[1:] for target in targets if target.startswith("#")} <= ids


def test_what_texts_hold_stands_there_as_text():
    text = " ".join(tree_of(write_html("hostile")).text_content().split())
    assert [one for one in hostile.MARKUP if " ".join(one.split()) not in text] == []


def test_three_hundred_claims_take_less_than_a_megabyte():
    assert len(write_html("three_hundred_claims")) < MOST


def test_the_same_report_gives_the_same_bytes():
    assert write_html("contradictions") == write_html("contradictions")


def test_without_the_appendix_the_quotes_stand_alone():
    assert b"Eleven homes" in write_html("one_claim")
    assert b"Eleven homes" not in write_html("one_claim", include_appendix=False)
    assert b"<mark>Oil fell by 30 percent.</mark>" in write_html("one_claim", include_appendix=False)


def test_without_sources_there_is_no_list_of_them():
    assert b'id="references"' in write_html("one_claim")
    assert b'id="references"' not in write_html("one_claim", include_sources=False)


def test_the_words_of_the_file_are_in_the_readers_language():
    page = write_html("one_claim", language="de").decode()
    assert '<html lang="de"' in page
    assert "Wie das entstanden ist" in page


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with chromium() as started:
        yield started
    expect.set_options(timeout=5_000)


@pytest.fixture
def open_html(browser, tmp_path) -> Iterator["Opened"]:
    found = Opened(browser, tmp_path)
    yield found
    found.close()


class Opened:
    """Opens a file from the disk, without a network, and keeps what the browser asks for and complains of."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser, self.folder = browser, folder
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.contexts: list[BrowserContext] = []

    def __call__(self, name: str, **context: object) -> Page:
        path = self.folder / f"{name}.html"
        path.write_bytes(write_html(name))
        self.contexts.append(self.browser.new_context(offline=True, reduced_motion="reduce", **context))
        page = self.contexts[-1].new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.goto(path.as_uri())
        page.screenshot()  # as `see`, which needs scripts: what is pressed before a page was painted is dropped
        return page

    def close(self) -> None:
        for context in self.contexts:
            context.close()


@pytest.mark.browser
def test_evidence_opens_without_scripts_or_a_network_and_closes_again(open_html):
    page = open_html("many_citations", java_script_enabled=False)
    badge, evidence = page.locator(".prose .badge"), page.locator("#evidence-1")
    expect(evidence).to_be_hidden()
    badge.focus()
    page.keyboard.press("Enter")
    expect(evidence).to_be_visible()
    expect(evidence.locator("mark").last).to_have_text("It says so twice.")
    page.keyboard.press("Escape")
    expect(evidence).to_be_hidden()
    assert [one.rpartition("/")[2] for one in open_html.asked] == ["many_citations.html"]
    assert open_html.complaints == []


@pytest.mark.browser
@pytest.mark.parametrize("name", one_in(2, LOOKED_AT))
def test_no_fault_in_light_or_dark_narrow_or_large_with_evidence_open_or_closed(open_html, name):
    page = open_html(name)
    faults = violations(page) + overflow(page)
    page.emulate_media(color_scheme="dark")
    if page.locator(".report .badge").count():
        page.locator(".report .badge").first.click()
    assert faults + violations(page) == []
    assert open_html.complaints == []


@pytest.mark.browser
def test_on_paper_the_evidence_is_a_list(open_html):
    page = open_html("one_source")
    page.emulate_media(media="print")
    expect(page.locator("#evidence-9 mark")).to_be_visible()
    expect(page.locator("#evidence-9 .cite-close")).to_be_hidden()
    expect(page.get_by_role("heading", name="Evidence", exact=True)).to_be_visible()


@pytest.mark.browser
def test_claims_are_filtered_without_scripts(open_html):
    page = open_html("contradictions", java_script_enabled=False)
    page.get_by_role("checkbox", name="Only disputed").check()
    expect(page.locator("#claim-3")).to_be_hidden()
    expect(page.locator("#claim-1")).to_be_visible()
