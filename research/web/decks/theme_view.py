"""The results of both checks of a theme while it is edited, and sample slides in it.

The library that computes colours is large and is imported when a theme is first checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from slides.deck import ChartKind, Dataset, DeckContent, DeckSource, Layout, Slide, SlideChart, SlidePassage
from slides.deck_writers import page_of
from slides.theming.deck_themes import Theme

if TYPE_CHECKING:
    from slides.theming.deck_theme_palettes import Palette
    from slides.theming.deck_theme_problems import ThemeProblem

SAMPLES = 3  # slides


@dataclass(frozen=True, slots=True)
class ColorPair:
    """Colours of a text and its background on slides."""

    name: str
    ink: str
    ground: str
    ratio: float


@dataclass(frozen=True, slots=True)
class ThemeVerdict:
    """The results of the checks. `address` describes the theme in a query string for a preview."""

    theme: Theme
    pairs: Sequence[ColorPair]
    series: Sequence[str]
    complaints: Sequence[ThemeProblem]
    address: str

    @property
    def passes(self) -> bool:
        return not any(complaint.is_grave for complaint in self.complaints)

    @property
    def samples(self) -> range:
        return range(1, SAMPLES + 1)


def verdict_of(theme: Theme | None) -> ThemeVerdict | None:
    """Check the theme; None if there is none."""
    if theme is None:
        return None
    from slides.theming.deck_theme_palettes import NoSeries, palette_of
    from slides.theming.deck_theme_problems import complaints

    names = (
        "primary",
        "secondary",
        "accent",
        "background",
        "text",
        "text_light",
        "heading_font",
        "body_font",
    )
    address = urlencode({name: getattr(theme, name) for name in names})
    found = complaints(theme)
    try:
        palette = palette_of(theme)
    except (NoSeries, ValueError):
        return ThemeVerdict(theme, (), (), found, address)
    return ThemeVerdict(theme, _pairs(palette), palette.series, found, address)


def _pairs(palette: Palette) -> list[ColorPair]:
    from slides.theming.deck_colours import contrast

    drawn = (
        (_("Text"), palette.text, palette.ground),
        (_("Light text"), palette.muted, palette.ground),
        (_("Text in the accent colour"), palette.accent_text, palette.ground),
        (_("Text on the primary colour"), palette.on_fill, palette.fill),
        (_("Text on the secondary colour"), palette.on_panel, palette.panel),
    )
    return [ColorPair(name, ink, ground, contrast(ink, ground)) for name, ink, ground in drawn]


def sample_page(theme: Theme, number: int) -> str | None:
    """Render a sample slide as a page; None if there is no such sample."""
    deck = _sample()
    if not 1 <= number <= len(deck.slides):
        return None
    return page_of(deck, deck.slides[number - 1], theme, {})


def _sample() -> DeckContent:
    words = (
        _("Every bullet is a claim of the report, word for word."),
        _("The small number names its source."),
        _("Notes hold the whole reference and its quote."),
    )
    bullets = tuple(SlidePassage(text, sources=(1,)) for text in words)
    chart = SlideChart(
        ChartKind.BAR,
        ("2022", "2023", "2024"),
        tuple(
            Dataset(name, values)
            for name, values in zip(
                "ABCDE", ((3, 4, 6), (2, 3, 3), (5, 4, 4), (1, 2, 4), (2, 2, 3)), strict=True
            )
        ),
        summary=_("A sample chart with five series."),
        sources=(1,),
    )
    return DeckContent(
        _("A sample deck"),
        (
            Slide(1, _("A sample deck"), Layout.TITLE, subtitle=_("How a deck starts in this theme")),
            Slide(2, _("What bullets look like"), Layout.BULLETS, passages=bullets),
            Slide(3, _("Five series that can be told apart"), Layout.CHART, chart=chart),
        ),
        sources=(DeckSource(1, _("A sample source. 2024.")),),
    )
