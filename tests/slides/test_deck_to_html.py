"""The HTML deck: one file that asks for nothing, is read without scripts, and is shown with keys."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import html
from playwright.sync_api import Browser, Page

from slides.deck import DeckContent, DeckSource, Layout, Slide, SlidePassage
from slides.deck_to_html import slide_html, write_html
from slides.fitting import fit
from slides.outline import outline_deck
from slides.theming.deck_fonts import (
    describe_missing_fonts,
    faces_for,
    find_missing_fonts,
    find_uncovered_letters,
)
from slides.theming.deck_themes import BUILT_IN, Theme
from tests.exports import generated as documents
from tests.exports import hostile
from tests.gallery.axe import violations
from tests.gallery.looking import PATIENCE_MS
from tests.slides import generated
from tests.web.browser import chromium, see

THEMES = {theme.id: theme for theme in BUILT_IN}
ZURICH = THEMES["zurich"]
HAS_FONTS = not find_missing_fonts(ZURICH)


def write_deck(deck: DeckContent, theme: Theme = ZURICH) -> bytes:
    return write_html(deck, theme, generated.pictures())


def tree_of(data: bytes | str) -> html.HtmlElement:
    text = data if isinstance(data, str) else data.decode()
    return html.document_fromstring(text)


@pytest.mark.parametrize("name", [name for name in documents.NAMES if name not in documents.LONG])
def test_all_that_a_deck_says_stands_in_its_file_and_every_reference_leads_somewhere(name: str) -> None:
    deck = outline_deck(documents.document(name))
    page = tree_of(write_deck(deck))
    text = "".join(page.text_content().split())
    for slide in deck.slides:
        assert "".join(slide.title.split()) in text
        assert all("".join(passage.text.split()) in text for passage in slide.passages)
    ids = [one.get("id") for one in page.iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    assert {one.get("href")[1:] for one in page.iter("a") if one.get("href").startswith("#")} <= set(ids)


def test_nothing_is_fetched_and_only_its_own_scripts_run() -> None:
    page = tree_of(write_deck(generated.make_deck_content(1, 16)))
    assert {one.get("src", "data:")[:5] for one in page.iter("img", "script", "iframe", "link")} == {"data:"}
    assert not [key for one in page.iter() for key in one.attrib if key.startswith("on") or key == "style"]
    (policy,) = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy


def test_hostile_text_stays_text() -> None:
    slides = tuple(
        Slide(number, text, Layout.BULLETS, passages=(SlidePassage(text, None, (1,)),), notes=text)
        for number, text in enumerate(hostile.ALL, start=1)
    )
    deck = fit(
        DeckContent(hostile.MARKUP[0], slides, (DeckSource(1, hostile.MARKUP[0], "javascript:alert(1)"),))
    )[0]
    page = tree_of(write_deck(deck))
    assert {one.tag for one in page.iter("iframe", "object", "form", "input")} == set()
    assert {one.get("href")[:1] for one in page.iter("a")} <= {"#"}
    assert len(page.xpath("//script")) <= 3


def test_a_reference_leads_to_its_original() -> None:
    page = tree_of(write_deck(outline_deck(documents.document("one_claim"))))
    assert "https://nordhaus.example/reports/1" in {one.get("href") for one in page.iter("a")}


def test_the_same_deck_gives_the_same_bytes() -> None:
    deck = generated.make_deck_content(2, 8)
    assert write_deck(deck) == write_deck(deck)


def test_one_slide_is_a_page_without_scripts() -> None:
    deck = generated.make_deck_content(1, 8)
    for slide in deck.slides:
        page = tree_of(slide_html(deck, slide, ZURICH, generated.pictures()))
        assert not list(page.iter("script"))
        assert len(page.find_class("slide")) == 1


def test_a_preview_without_fonts_is_small() -> None:
    deck = generated.make_deck_content(1, 8)
    assert len(slide_html(deck, deck.slides[0], ZURICH, {}, with_fonts=False)) < 30_000


def test_a_picture_that_is_gone_shows_its_words() -> None:
    deck = generated.make_deck_content(1, 16)
    slide = next(one for one in deck.slides if one.layout == Layout.IMAGE)
    page = tree_of(slide_html(deck, slide, ZURICH, {}))
    assert slide.image is not None
    assert slide.image.alt in page.find_class("picture")[0].text_content()


@pytest.mark.skipif(not HAS_FONTS, reason="the fonts of @fontsource are not installed")
def test_fonts_come_by_the_letters_that_are_used() -> None:
    latin = {face.path.name for face in faces_for(ZURICH, "Heat")}
    assert latin == {"inter-latin-400-normal.woff2", "inter-latin-700-normal.woff2"}
    assert "inter-greek-400-normal.woff2" in {face.path.name for face in faces_for(ZURICH, "Δ")}


def test_a_font_that_nobody_has_is_told_with_what_stands_in() -> None:
    assert find_missing_fonts(THEMES["swiss-classic"]) == (
        ("Helvetica Neue", "Helvetica, Arial, Liberation Sans, Inter"),
    )
    assert find_missing_fonts(replace(ZURICH, body_font='x"; } body { display: none'))[-1][1] == "Inter"


@pytest.mark.skipif(not HAS_FONTS, reason="the fonts of @fontsource are not installed")
def test_letters_that_no_face_has_are_told_once() -> None:
    assert find_uncovered_letters(ZURICH, "heat Δ 熱熱") == ("熱",)
    assert [*describe_missing_fonts(ZURICH, "heat")] == []
    (said,) = describe_missing_fonts(ZURICH, "熱")
    assert said.endswith("熱")
    assert "Helvetica Neue" in next(describe_missing_fonts(THEMES["swiss-classic"], "heat"))


def test_letters_of_notes_are_not_those_of_slides() -> None:
    slide = replace(
        generated.make_deck_content(1, 8).slides[0], title="Heat", notes="Ж", visual_suggestion="Ж"
    )
    assert {"H", "Ж"} & replace(generated.make_deck_content(1, 8), slides=(slide,)).letters == {"H"}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def deck_page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """A deck in all layouts, opened from a file; what it asks for or is refused fails the test."""
    file = tmp_path / "deck.html"
    file.write_bytes(write_deck(generated.make_deck_content(1, 16)))
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda one: None if one.url.startswith(("file:", "data:")) else faults.append(one.url))
    page.goto(file.as_uri())
    see(page)
    yield page
    context.close()
    assert faults == []


def at(page: Page) -> str:
    return page.locator(".at").inner_text()


@pytest.mark.browser
def test_keys_lead_through_the_deck_and_its_views(deck_page: Page) -> None:
    assert at(deck_page) == "1 / 16"
    deck_page.keyboard.press("ArrowRight")
    deck_page.keyboard.press("Space")
    assert at(deck_page) == "3 / 16"
    deck_page.keyboard.press("End")
    assert at(deck_page) == "16 / 16"
    deck_page.keyboard.press("o")
    assert deck_page.locator(".frame:visible").count() == 16
    deck_page.keyboard.press("Escape")
    assert deck_page.locator(".frame:visible").count() == 1
    deck_page.keyboard.press("Home")
    deck_page.keyboard.press("n")
    assert deck_page.locator(".behind:visible").count() == 1


@pytest.mark.browser
def test_what_is_rewritten_in_the_file_is_in_the_file_that_it_saves(deck_page: Page, tmp_path: Path) -> None:
    deck_page.keyboard.press("e")
    deck_page.locator(".frame.now .title > span").fill("Written anew, on the way")
    with deck_page.expect_download() as download:
        deck_page.get_by_role("button", name="Save as a file").click()
    download.value.save_as(tmp_path / "saved.html")
    saved = (tmp_path / "saved.html").read_text()
    assert "Written anew, on the way" in saved
    assert 'contenteditable="' not in saved
    deck_page.goto((tmp_path / "saved.html").as_uri())
    assert at(deck_page) == "1 / 16"


@pytest.mark.browser
def test_no_fault_in_any_view_and_a_page_a_slide_on_paper(deck_page: Page, tmp_path: Path) -> None:
    assert violations(deck_page) == []
    for key in ("n", "o"):
        deck_page.keyboard.press(key)
        assert violations(deck_page) == []
    data = deck_page.pdf(prefer_css_page_size=True, print_background=True)
    assert data.count(b"/Type /Page\n") + data.count(b"/Type /Page/") + data.count(b"/Type /Page ") == 16


@pytest.mark.browser
def test_charts_are_drawn_by_scripts_and_stand_there_without(deck_page: Page, browser: Browser) -> None:
    place = next(
        slide.number for slide in generated.make_deck_content(1, 16).slides if slide.layout == Layout.CHART
    )
    for _ in range(place - 1):
        deck_page.keyboard.press("ArrowRight")
    assert deck_page.locator("canvas:visible").count() == 1
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(deck_page.url.partition("#")[0])
    assert plain.locator(".slide:visible").count() == 16
    assert plain.locator(".chart svg:visible").count() > 0
    assert plain.locator(".behind table").count() > 0
    context.close()
