"""PPTX: what PowerPoint finds in it."""

from functools import cache

import pytest
from pptx.util import Emu

from slides.deck import Layout
from slides.pptx.write import write_pptx
from slides.themes import BUILT_IN
from tests.exports.office import schema_errors
from tests.slides.generated import NAMES, deck, pictures
from tests.slides.reading import opened

THEMES = {theme.id: theme for theme in BUILT_IN}


@cache
def made(name: str, theme: str = "zurich") -> bytes:
    return write_pptx(deck(name), THEMES[theme], pictures())


@pytest.mark.parametrize("name", NAMES)
def test_the_schema_objects_to_nothing(name, tmp_path):
    path = tmp_path / "deck.pptx"
    path.write_bytes(made(name))
    assert schema_errors(path) == []


@pytest.mark.parametrize("theme", THEMES)
def test_no_theme_breaks_the_schema(theme, tmp_path):
    path = tmp_path / "deck.pptx"
    path.write_bytes(made("all_layouts", theme))
    assert schema_errors(path) == []


def test_it_is_wide_and_has_the_eight_layouts_and_no_other():
    read = opened(made("all_layouts"))
    assert (read.slide_width, read.slide_height) == (Emu(12192000), Emu(6858000))
    assert [layout.name for layout in read.slide_layouts] == [layout.value.title() for layout in Layout]


def test_each_slide_stands_on_the_layout_of_its_name():
    read = opened(made("all_layouts"))
    assert [slide.slide_layout.name.lower() for slide in read.slides] == [
        slide.layout for slide in deck("all_layouts").slides
    ]
