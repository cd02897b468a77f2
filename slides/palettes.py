"""The colours that a theme's slides are drawn in, so that all text is read and all series are told apart.

Two gates (spec: exports-slides.md, Slides): text has 4.5:1 on what it stands on; five series of charts have 3:1 against
the ground and are 20 apart in CAM02-UCS, also to eyes that see fewer colours. Where a brand colour fails, it stays
for fills and bars, and a shade of it is taken for text.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from colorspacious import cspace_convert
from numpy.typing import NDArray

from slides.colours import contrast, distances, hexed, mixed, readable, rgb
from slides.themes import Theme

TEXT, SHAPE, APART, SERIES = 4.5, 3.0, 20.0, 5
_FAINT = 1.06  # a panel is told from the ground from here on
_LIGHTNESSES, _CHROMAS, _HUES = range(15, 96, 5), (6, 18, 30, 42, 54), range(0, 360, 20)
_MIDDLING = 30  # chroma that is a colour and does not shout


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
        line=mixed(ground, readable(theme.text, ground, least=TEXT), 0.16),
        series=series_of(theme.accent, theme.primary, ground),
    )


def _panel(theme: Theme) -> str:
    """The secondary colour; where it is the ground's, a tint of the text on it."""
    if contrast(theme.secondary, theme.background) >= _FAINT:
        return theme.secondary
    return mixed(theme.background, theme.text, 0.06)


def _fill(theme: Theme) -> tuple[str, str]:
    """White on the primary colour, darkened where it must be; on a colour that is light by nature, dark text."""
    ends = ("#FFFFFF", readable(theme.text, theme.primary, least=TEXT))
    if contrast(ends[0], theme.primary) >= SHAPE:
        return ends[0], readable(theme.primary, ends[0], least=TEXT)
    return ends[1], theme.primary


@lru_cache(maxsize=256)
def series_of(accent: str, primary: str, ground: str) -> tuple[str, ...]:
    """Five colours, the first the accent or its shade. Raises NoSeries.

    A depth-first search over shades of the brand's colours, then over a grid of CAM02's lightness, chroma and hue:
    what is taken first is nearest to the brand.
    """
    first = readable(accent, ground, least=SHAPE)
    candidates = tuple(
        dict.fromkeys((first, *_candidates(first, readable(primary, ground, least=SHAPE), ground)))
    )
    apart = distances(candidates) >= APART
    found = _chosen(apart, (0,), np.flatnonzero(apart[0]))
    if found is None or contrast(first, ground) < SHAPE:
        raise NoSeries(ground)
    return tuple(candidates[place] for place in found)


def _chosen(
    apart: NDArray[np.bool_], taken: tuple[int, ...], free: NDArray[np.int_]
) -> tuple[int, ...] | None:
    """The first five, in the order of preference, that are apart from one another."""
    if len(taken) == SERIES:
        return taken
    for place in free:
        rest = free[(free > place) & apart[place, free]]
        if len(taken) + 1 + len(rest) >= SERIES and (found := _chosen(apart, (*taken, int(place)), rest)):
            return found
    return None


def _candidates(first: str, primary: str, ground: str) -> list[str]:
    """The primary's shade, then the grid from what is nearest to the accent's hue and of middling chroma."""
    _lightness, a, b = np.asarray(cspace_convert(rgb(first), "sRGB255", "CAM02-UCS"))
    shades, points = _grid()
    turned = np.abs((points[:, 2] - np.degrees(np.arctan2(b, a)) + 180) % 360 - 180) / 180
    order = np.argsort(turned + np.abs(points[:, 0] - _MIDDLING) / _MIDDLING, kind="stable")
    return [one for one in (primary, *(shades[place] for place in order)) if contrast(one, ground) >= SHAPE]


@lru_cache(maxsize=1)
def _grid() -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """Colours of even chroma, lightness and hue that a screen can show, and (n, 3) what they have of these."""
    points = np.array(list(product(_CHROMAS, _LIGHTNESSES, _HUES)), dtype=np.float64)
    angles = np.radians(points[:, 2])
    jab = np.stack([points[:, 1], points[:, 0] * np.cos(angles), points[:, 0] * np.sin(angles)], axis=1)
    with np.errstate(invalid="ignore"):  # what no screen and no eye has becomes no number, and is left out
        shown = np.asarray(cspace_convert(jab, "CAM02-UCS", "sRGB255"))
    inside = ((shown >= 0) & (shown <= 255)).all(axis=1)
    return tuple(hexed(one) for one in shown[inside].tolist()), points[inside]
