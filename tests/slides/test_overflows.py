"""Nothing hangs over, in any layout and theme: as Chromium draws the HTML, and as LibreOffice draws the PPTX.

`make test` looks at a few decks in the themes of the widest and of a missing font. With PLUMBLINE_TEST_FULL it is all
decks, those of reports and those that were drawn, in all themes; `-s` tells how many slides that were.
"""

import os
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from slides.deck import DeckContent, Layout, Slide, SlidePassage
from slides.deck_to_html import slide_html, write_html
from slides.fitting import fit
from slides.imaging.slide_browser import ScreenshotBrowser
from slides.imaging.slide_overflows import overflows
from slides.outline import outline_deck
from slides.pptx.write_pptx import write_pptx
from slides.theming.deck_themes import BUILT_IN
from tests.exports.generated import NAMES as REPORTS
from tests.exports.generated import document
from tests.exports.office import program
from tests.fetching.browsing.world import CHROMIUM
from tests.often import IS_FULL
from tests.slides.generated import NAMES, deck, make_deck_content, pictures
from tests.slides.office_boxes import Rectangle, escapes, install_fonts, outside
from tests.slides.reading import open_pptx

THEMES = {theme.id: theme for theme in BUILT_IN}
IN_BROWSER = THEMES if IS_FULL else ["glacier"]
IN_OFFICE = THEMES if IS_FULL else ["alps"]


@cache
def decks() -> dict[str, DeckContent]:
    if not IS_FULL:
        return {"all_layouts": fit(deck("all_layouts"))[0], "charts": outline_deck(document("charts"))}
    made = {f"made:{name}": fit(deck(name))[0] for name in NAMES}
    made |= {
        f"drawn:{seed}": fit(make_deck_content(seed, 24, "de" if seed % 2 else "en"))[0] for seed in range(4)
    }
    return made | {f"report:{name}": outline_deck(document(name)) for name in REPORTS}


@pytest.fixture(scope="module")
def studio() -> Iterator[ScreenshotBrowser]:
    if not CHROMIUM:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with ScreenshotBrowser() as opened:
        yield opened


@pytest.mark.browser
@pytest.mark.parametrize("theme", IN_BROWSER)
def test_nothing_hangs_over_in_a_browser(theme, studio):
    found = [
        (name, over)
        for name, one in decks().items()
        for over in overflows(studio, write_html(one, THEMES[theme], pictures()).decode())
    ]
    print(f"{theme}: {len(found)} overflows on {sum(len(one.slides) for one in decks().values())} slides")
    assert found == []


@pytest.mark.browser
def test_what_hangs_over_is_found(studio):
    """The measure itself: twice the words of a budget."""
    long = SlidePassage(" ".join(["overflowing"] * 120))
    full = Slide(1, "W" * 300, Layout.QUOTE, passages=(long,))
    found = list(overflows(studio, slide_html(deck("all_layouts"), full, THEMES["zurich"], {})))
    assert {"title", "quote"} <= {over.role for over in found}
    assert {over.what for over in found} >= {"box", "footer"}


@pytest.mark.parametrize(("top", "found"), [(80, []), (600, [("Title 1", "3")])])
def test_a_title_is_told_from_the_same_words_elsewhere(top, found):
    """The measure itself: a slide without a title has its number for one, and is drawn with the number in its foot."""
    untitled = replace(deck("one_slide"), slides=(Slide(3, "", Layout.QUOTE),))
    slide = open_pptx(write_pptx(untitled, THEMES["zurich"], {})).slides[0]
    letters = [("3", Rectangle(1190, 674, 1200, 690)), ("3", Rectangle(80, top, 100, top + 40))]
    assert [(one.name, one.letter) for one in outside(3, slide, letters)] == found


@pytest.mark.parametrize("theme", IN_OFFICE)
def test_nothing_leaves_its_placeholder_in_libreoffice(theme, tmp_path):
    office, fonts = program("soffice"), tmp_path / "fonts"
    fonts.mkdir()
    environment = {**os.environ, **install_fonts(fonts)}
    files = {name: write_pptx(one, THEMES[theme], pictures()) for name, one in decks().items()}
    paths = [_store_file(tmp_path / f"{place}.pptx", data) for place, data in enumerate(files.values())]
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    command = [
        office,
        profile,
        "--headless",
        "--convert-to",
        "pdf",
        "--outdir",
        str(tmp_path),
        *map(str, paths),
    ]
    subprocess.run(command, env=environment, capture_output=True, check=True, timeout=600)
    found = [
        (name, escape)
        for (name, data), path in zip(files.items(), paths, strict=True)
        for escape in escapes(data, path.with_suffix(".pdf").read_bytes())
    ]
    print(
        f"{theme}: {len(found)} letters outside on {sum(len(one.slides) for one in decks().values())} slides"
    )
    assert found == []


def _store_file(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path
