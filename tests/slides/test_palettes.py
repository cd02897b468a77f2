"""Two gates on every theme: text is read on what it stands on, series of charts are told apart by everyone."""

from dataclasses import replace
from itertools import combinations

import pytest
from django.utils.translation import override
from hypothesis import given, settings
from hypothesis import strategies as st

from slides.theming.deck_colours import contrast
from slides.theming.deck_series_colours import APART, SERIES, distances, series_of
from slides.theming.deck_theme_palettes import SHAPE, TEXT, NoSeries, Palette, palette_of
from slides.theming.deck_theme_problems import complaints
from slides.theming.deck_themes import BUILT_IN, Theme

ZURICH = next(one for one in BUILT_IN if one.id == "zurich")
COLOUR = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06X}")
THEMES = st.builds(
    Theme,
    id=st.just("own"),
    name=st.just("Own"),
    primary=COLOUR,
    secondary=COLOUR,
    accent=COLOUR,
    background=st.one_of(st.sampled_from(["#FFFFFF", "#FAFAFA", "#101418"]), COLOUR),
    text=COLOUR,
    text_light=COLOUR,
    heading_font=st.just("Inter"),
    body_font=st.just("Inter"),
)
PAIRS = (
    ("text", "ground"), ("muted", "ground"), ("title", "ground"), ("accent_text", "ground"), ("on_fill", "fill"),
    ("on_panel", "panel"), ("accent_on_panel", "panel"),
)  # fmt: skip


def assert_text_is_read(palette: Palette) -> None:
    found = {pair: contrast(getattr(palette, pair[0]), getattr(palette, pair[1])) for pair in PAIRS}
    assert {pair: ratio for pair, ratio in found.items() if ratio < TEXT} == {}


def assert_series_are_told_apart(palette: Palette) -> None:
    apart = distances(palette.series)
    assert len(palette.series) == SERIES
    assert min(contrast(one, palette.ground) for one in palette.series) >= SHAPE
    assert min(apart[a, b] for a, b in combinations(range(SERIES), 2)) >= APART


@pytest.mark.parametrize("theme", BUILT_IN, ids=lambda theme: theme.id)
def test_the_built_in_themes_pass_both_gates(theme: Theme) -> None:
    palette = palette_of(theme)
    assert_text_is_read(palette)
    assert_series_are_told_apart(palette)
    assert not [complaint for complaint in complaints(theme) if complaint.is_grave]


@given(THEMES)
@settings(max_examples=25, deadline=None)
def test_any_theme_passes_both_gates_or_is_refused_in_words(theme: Theme) -> None:
    try:
        palette = palette_of(theme)
    except NoSeries:
        assert [complaint.field for complaint in complaints(theme) if complaint.is_grave] == ["background"]
    else:
        assert_text_is_read(palette)
        assert_series_are_told_apart(palette)


@pytest.mark.parametrize("theme", BUILT_IN, ids=lambda theme: theme.id)
def test_the_series_that_are_written_down_are_those_that_a_search_finds(theme: Theme) -> None:
    assert palette_of(theme).series == series_of(theme.accent, theme.primary, theme.background)


def test_a_brand_colour_that_can_be_read_stays_as_it_is() -> None:
    palette = palette_of(ZURICH)
    assert (palette.accent, palette.accent_text, palette.series[0]) == ("#0066B3",) * 3
    assert complaints(ZURICH) == ()


def test_a_brand_colour_that_fails_fills_and_its_shade_is_text() -> None:
    geneva = next(one for one in BUILT_IN if one.id == "geneva")
    palette = palette_of(geneva)
    assert palette.accent == "#4CAF50"
    assert palette.accent_text != "#4CAF50"
    assert {complaint.field for complaint in complaints(geneva)} == {"accent"}


def test_a_panel_is_told_from_the_ground_though_both_are_white() -> None:
    palette = palette_of(replace(ZURICH, secondary="#FFFFFF"))
    assert palette.panel != palette.ground


@pytest.mark.parametrize("value", ["", "red", "#12345", "#GGGGGG", "#1234567", "url(x)"])
@pytest.mark.parametrize("field", ["primary", "background", "text_light"])
def test_what_is_no_colour_is_refused_in_words(field: str, value: str) -> None:
    (complaint,) = complaints(replace(ZURICH, **{field: value}))
    assert (complaint.field, complaint.is_grave) == (field, True)
    assert "#RRGGBB" in complaint.message


def test_a_theme_without_a_font_is_refused() -> None:
    assert [complaint.field for complaint in complaints(replace(ZURICH, body_font=" "))] == ["body_font"]


def test_text_that_cannot_be_read_is_told_with_its_shade() -> None:
    (complaint,) = complaints(replace(ZURICH, text_light="#BBBBBB"))
    assert complaint.message.startswith("The light text colour has 1.9:1 on the background, below 4.5:1")


def test_a_contrast_is_told_in_the_figures_of_the_language() -> None:
    with override("de"):
        (complaint,) = complaints(replace(ZURICH, text_light="#BBBBBB"))
    assert complaint.message.startswith(
        "Helle Textfarbe: Der Kontrast zum Hintergrund ist 1,9:1, weniger als 4,5:1"
    )
