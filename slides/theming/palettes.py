"""The colours that a theme's slides are drawn in, so that all text is read and all series are told apart.

Two gates (spec: exports-slides.md, Slides): text has 4.5:1 on what it stands on; five series of charts have 3:1 against
the ground and are 20 apart in CAM02-UCS, also to eyes that see fewer colours. Where a brand colour fails, it stays
for fills and bars, and a shade of it is taken for text.
"""

from dataclasses import dataclass
from functools import lru_cache

from slides.theming.colours import contrast, mix_colours, readable
from slides.theming.themes import Theme

TEXT, SHAPE = 4.5, 3.0
_FAINT = 1.06  # a panel is told from the ground from here on

# Of the built-in themes, as `slides.theming.series` finds them (a test compares): accent, primary, ground → series.
_FOUND = {
    ("#DA291C", "#DA291C", "#FFFFFF"): ("#DA291C", "#7B0E20", "#DC65BB", "#5E1597", "#370B2D"),
    ("#0066B3", "#0066B3", "#FFFFFF"): ("#0066B3", "#03304B", "#749715", "#7B0E20", "#BC81A7"),
    ("#4CAF50", "#2E7D32", "#FFFFFF"): ("#49A84D", "#012804", "#3C6439", "#5E1597", "#9A5ED6"),
    ("#00BCD4", "#37474F", "#FAFAFA"): ("#00A0B4", "#37474F", "#5E1597", "#688A01", "#432000"),
    ("#03A9F4", "#0288D1", "#FFFFFF"): ("#039DE3", "#081C8C", "#466A88", "#749715", "#7B0E20"),
}


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours as "#RRGGBB", by what they are for. What begins with `on_` is text on that."""

    ground: str
    text: str
    muted: str
    title: str
    fill: str  # the primary colour as a ground of text
    on_fill: str
    panel: str
    on_panel: str
    accent: str  # of rules and marks, as the theme has it
    accent_text: str
    accent_on_panel: str
    line: str  # hairlines, which say nothing
    series: tuple[str, ...]  # five, or as many as can be told apart


class NoSeries(ValueError):
    """Against this ground there are no five colours that can be told apart."""


@lru_cache(maxsize=256)
def palette_of(theme: Theme) -> Palette:
    """Raises ValueError for a colour that is none, and NoSeries."""
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
    """The secondary colour; where it is the ground's, a tint of the text on it."""
    if contrast(theme.secondary, theme.background) >= _FAINT:
        return theme.secondary
    return mix_colours(theme.background, theme.text, 0.06)


def _fill(theme: Theme) -> tuple[str, str]:
    """White on the primary colour, darkened where it must be; on a colour that is light by nature, dark text."""
    ends = ("#FFFFFF", readable(theme.text, theme.primary, least=TEXT))
    if contrast(ends[0], theme.primary) >= SHAPE:
        return ends[0], readable(theme.primary, ends[0], least=TEXT)
    return ends[1], theme.primary


def _series(accent: str, primary: str, ground: str) -> tuple[str, ...]:
    known = _FOUND.get((accent, primary, ground))
    if known:
        return known
    from slides.theming.series import (
        series_of,  # it takes numpy, which pages of the built-in themes do without
    )

    return series_of(accent, primary, ground)
