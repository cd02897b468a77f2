"""Few words stand larger, in every form that slides are written in."""

import pytest
from lxml import html

from slides.deck import DeckContent, Layout, Slide, SlidePassage
from slides.deck_to_html import slide_html
from slides.fitting.slide_emphasis import is_large
from slides.pptx.write_pptx import write_pptx
from slides.theming.deck_themes import BUILT_IN
from tests.slides.reading import open_pptx

FEW = Slide(1, "In short", Layout.BULLETS, passages=(SlidePassage("Output fell by 12 percent.", 1, (1,)),))
MANY = Slide(
    2, "Then", Layout.BULLETS, passages=tuple(SlidePassage(f"Site {n} held.", n, (1,)) for n in range(4))
)
DECK = DeckContent("?", (FEW, MANY))


@pytest.mark.parametrize(
    ("layout", "passages", "is_sources", "expected"),
    [
        (Layout.CONTENT, ("One short sentence.",), False, True),
        (Layout.BULLETS, ("One.", "Another."), False, True),
        (Layout.BULLETS, ("One.", "Another.", "A third."), False, False),
        (Layout.CONTENT, ("word " * 58,), False, False),
        (Layout.CONTENT, ("A. Lind, 2024.",), True, False),
        (Layout.CONTENT, (), False, False),
        (Layout.QUOTE, ("One.",), False, False),
    ],
)
def test_what_is_large(layout, passages, is_sources, expected):
    slide = Slide(1, "?", layout, passages=tuple(map(SlidePassage, passages)), is_sources=is_sources)
    assert is_large(slide) is expected


def test_the_page_sets_them_larger():
    pages = [
        html.document_fromstring(slide_html(DECK, one, BUILT_IN[0], {}, with_fonts=False))
        for one in (FEW, MANY)
    ]
    assert [len(page.find_class("is-large")) for page in pages] == [1, 0]


def test_powerpoint_sets_them_larger():
    first, second = open_pptx(write_pptx(DECK, BUILT_IN[0], {})).slides
    sizes = [
        slide.placeholders[1].element.txBody.findall(".//{*}lstStyle//{*}defRPr") for slide in (first, second)
    ]
    assert [[one.get("sz") for one in found] for found in sizes] == [["3000"], []]
