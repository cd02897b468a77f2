"""The colours of a theme's slides, chosen so that all text is readable and all series can be distinguished.

Two checks: text has 4.5:1 on its background; five series of charts have 3:1 against the background and are 20 apart
in CAM02-UCS, also with colour vision deficiencies. A brand colour that fails is still used for fills and bars, and a
shade of it for text.
"""

from dataclasses import dataclass
from functools import lru_cache

from slides.theming.deck_colours import contrast, mix_colours, readable
from slides.theming.deck_themes import Theme

TEXT, SHAPE = 4.5, 3.0
_FAINT = 1.06  # minimum contrast of a panel with the background

# The series of the built-in themes, as `slides.theming.deck_series_colours` computes them (a test compares): accent,
# primary, background → series.
_FOUND = {
    ("#DA291C", "#DA291C", "#FFFFFF"): ("#DA291C", "#7B0E20", "#DC65BB", "#5E1597", "#370B2D"),
    ("#0066B3", "#0066B3", "#FFFFFF"): ("#0066B3", "#03304B", "#749715", "#7B0E20", "#BC81A7"),
    ("#4CAF50", "#2E7D32", "#FFFFFF"): ("#49A84D", "#012804", "#3C6439", "#5E1597", "#9A5ED6"),
    ("#00BCD4", "#37474F", "#FAFAFA"): ("#00A0B4", "#37474F", "#5E1597", "#688A01", "#432000"),
    ("#03A9F4", "#0288D1", "#FFFFFF"): ("#039DE3", "#081C8C", "#466A88", "#749715", "#7B0E20"),
}


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours as "#RRGGBB", named by their use. Those that begin with `on_` are for text on another colour."""

    ground: str
    text: str
    muted: str
    title: str
    fill: str  # the primary colour as a background of text
    on_fill: str
    panel: str
    on_panel: str
    accent: str  # for rules and marks, as the theme has it
    accent_text: str
    accent_on_panel: str
    line: str  # decorative hairlines
    series: tuple[str, ...]  # five, or as many as can be distinguished


class NoSeries(ValueError):
    """Raised when five distinguishable colours cannot be found for a background."""


@lru_cache(maxsize=256)
def palette_of(theme: Theme) -> Palette:
    """Return the palette. Raises ValueError for an invalid colour, and NoSeries."""
    ground = theme.background
    panel = _panel(theme)
    on_fill, fill = _fill(theme)
    return Palette(
        ground=ground,
        text=readable(theme.text, ground, least=TEXT),
        muted=readable(theme.text_light, ground, least=TEXT),
        title=readable(theme.text, ground, least=TEXT),
        fill=fill,
        on_fill=on_fill,
        panel=panel,
        on_panel=readable(theme.text, panel, least=TEXT),
        accent=theme.accent,
        accent_text=readable(theme.accent, ground, least=TEXT),
        accent_on_panel=readable(theme.accent, panel, least=TEXT),
        line=mix_colours(ground, readable(theme.text, ground, least=TEXT), 0.16),
        series=_series(theme.accent, theme.primary, ground),
    )


def _panel(theme: Theme) -> str:
    """Return the secondary colour; if it equals the background, a tint of the text colour on the background."""
    if contrast(theme.secondary, theme.background) >= _FAINT:
        return theme.secondary
    return mix_colours(theme.background, theme.text, 0.06)


def _fill(theme: Theme) -> tuple[str, str]:
    """Return the fill and its text colour: white on the primary colour, darkened if necessary; on a light colour,
    dark text.
    """
    ends = ("#FFFFFF", readable(theme.text, theme.primary, least=TEXT))
    if contrast(ends[0], theme.primary) >= SHAPE:
        return ends[0], readable(theme.primary, ends[0], least=TEXT)
    return ends[1], theme.primary


def _series(accent: str, primary: str, ground: str) -> tuple[str, ...]:
    known = _FOUND.get((accent, primary, ground))
    if known:
        return known
    from slides.theming.deck_series_colours import (
        series_of,  # imports numpy, which pages of the built-in themes do not need
    )

    return series_of(accent, primary, ground)
