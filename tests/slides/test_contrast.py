"""Each word of a slide can be read on what it really stands on, as the browser draws it."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from slides.deck import DeckContent
from slides.deck_to_html import slide_html
from slides.imaging.slide_browser import ScreenshotBrowser
from slides.theming.deck_colours import contrast, to_hex
from slides.theming.deck_theme_palettes import TEXT
from slides.theming.deck_themes import BUILT_IN
from tests.fetching.browsing.world import CHROMIUM
from tests.often import IS_FULL
from tests.slides.generated import deck, pictures

pytestmark = pytest.mark.browser
THEMES = BUILT_IN if IS_FULL else BUILT_IN[:1]  # the red one has the least room
# Of each element with words of its own: its class, its colour, and the ground below its first letter.
_SEEN = """
[...document.querySelectorAll('.slide *:not([aria-hidden] *, [aria-hidden], svg *)')]
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .map((one) => {
    const place = one.getClientRects()[0];
    const below = document.elementsFromPoint(place.left + 1, (place.top + place.bottom) / 2);
    const grounds = below.map((each) => getComputedStyle(each).backgroundColor);
    const ground = grounds.find((each) => each !== 'rgba(0, 0, 0, 0)');
    return [one.className || one.tagName, getComputedStyle(one).color, ground];
  })
"""


@pytest.fixture(scope="module")
def studio() -> Iterator[ScreenshotBrowser]:
    if not CHROMIUM:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with ScreenshotBrowser() as opened:
        yield opened


def split_slides() -> DeckContent:
    """All layouts, each slide as the first of two."""
    made = deck("all_layouts")
    return replace(made, slides=tuple(replace(slide, part=(1, 2)) for slide in made.slides))


def as_hex(colour: str) -> str:
    return to_hex([float(part) for part in re.findall(r"[\d.]+", colour)[:3]])


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.id)
def test_every_word_has_the_contrast_of_the_gate_where_it_stands(theme, studio):
    made = split_slides()
    seen = [
        (slide.layout.value, name, as_hex(ink), as_hex(ground))
        for slide in made.slides
        for name, ink, ground in studio.ask(slide_html(made, slide, theme, pictures()), _SEEN)
    ]
    assert ("title", "part") in {(layout, name) for layout, name, _ink, _ground in seen}
    assert [one for one in seen if contrast(one[2], one[3]) < TEXT] == []
