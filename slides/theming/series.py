"""Five colours for the series of charts that everyone tells apart, the first being the accent or its shade.

A depth-first search over the primary's shade and a grid of CAM02's lightness, chroma and hue; what is tried first is
nearest to the accent's hue. 0.2 s for a theme (2026-11); numpy is loaded by who searches, not by who shows pages.
"""

from functools import cache, lru_cache
from itertools import product

import numpy as np
from colorspacious import cspace_convert
from numpy.typing import NDArray

from slides.theming.colours import contrast, readable, rgb, to_hex
from slides.theming.palettes import SHAPE, NoSeries

APART, SERIES = 20.0, 5
_LIGHTNESSES, _CHROMAS, _HUES = range(15, 96, 5), (6, 18, 30, 42, 54), range(0, 360, 20)
_MIDDLING = 30  # chroma that is a colour and does not shout
# Machado, Oliveira and Fernandes 2009, at full severity.
_EYES = ("", "deuteranomaly", "protanomaly", "tritanomaly")

Colours = NDArray[np.float64]  # (n, 3), sRGB of 0–1


@lru_cache(maxsize=256)
def series_of(accent: str, primary: str, ground: str) -> tuple[str, ...]:
    """Raises NoSeries."""
    first = readable(accent, ground, least=SHAPE)
    candidates = tuple(
        dict.fromkeys((first, *_candidates(first, readable(primary, ground, least=SHAPE), ground)))
    )
    apart = distances(candidates) >= APART
    found = _find_distinct_colours(apart, (0,), np.flatnonzero(apart[0]))
    if found is None or contrast(first, ground) < SHAPE:
        raise NoSeries(ground)
    return tuple(candidates[place] for place in found)


def _find_distinct_colours(
    apart: NDArray[np.bool_], taken: tuple[int, ...], free: NDArray[np.int_]
) -> tuple[int, ...] | None:
    """The first five, in the order of preference, that are apart from one another."""
    if len(taken) == SERIES:
        return taken
    for place in free:
        rest = free[(free > place) & apart[place, free]]
        if len(taken) + 1 + len(rest) >= SERIES and (
            found := _find_distinct_colours(apart, (*taken, int(place)), rest)
        ):
            return found
    return None


def _candidates(first: str, primary: str, ground: str) -> list[str]:
    """The primary's shade, then the grid from what is nearest to the accent's hue and of middling chroma."""
    _lightness, a, b = np.asarray(cspace_convert(rgb(first), "sRGB255", "CAM02-UCS"))
    shades, points = _grid()
    turned = np.abs((points[:, 2] - np.degrees(np.arctan2(b, a)) + 180) % 360 - 180) / 180
    order = np.argsort(turned + np.abs(points[:, 0] - _MIDDLING) / _MIDDLING, kind="stable")
    return [
        colour
        for colour in (primary, *(shades[place] for place in order))
        if contrast(colour, ground) >= SHAPE
    ]


@lru_cache(maxsize=1)
def _grid() -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """Colours of even chroma, lightness and hue that a screen can show, and (n, 3) what they have of these."""
    points = np.array(list(product(_CHROMAS, _LIGHTNESSES, _HUES)), dtype=np.float64)
    angles = np.radians(points[:, 2])
    jab = np.stack([points[:, 1], points[:, 0] * np.cos(angles), points[:, 0] * np.sin(angles)], axis=1)
    with np.errstate(invalid="ignore"):  # what no screen and no eye has becomes no number, and is left out
        shown = np.asarray(cspace_convert(jab, "CAM02-UCS", "sRGB255"))
    inside = ((shown >= 0) & (shown <= 255)).all(axis=1)
    return tuple(to_hex(colour) for colour in shown[inside].tolist()), points[inside]


@cache
def _views(colours: tuple[str, ...]) -> Colours:
    """(4, n, 3): CAM02-UCS coordinates as four kinds of eyes have them."""
    parts = np.array([rgb(colour) for colour in colours], dtype=np.float64) / 255
    return np.stack([_to_perceived_colours(parts, eye) for eye in _EYES])


def _to_perceived_colours(parts: Colours, eye: str) -> Colours:
    if not eye:
        return np.asarray(cspace_convert(parts, "sRGB1", "CAM02-UCS"))
    space = {"name": "sRGB1+CVD", "cvd_type": eye, "severity": 100}
    return np.asarray(
        cspace_convert(np.clip(cspace_convert(parts, space, "sRGB1"), 0, 1), "sRGB1", "CAM02-UCS")
    )


def distances(colours: tuple[str, ...]) -> Colours:
    """(n, n): how far apart two of them look to those who tell them apart worst. CAM02-UCS."""
    views = _views(colours)
    apart = np.linalg.norm(views[:, :, None, :] - views[:, None, :, :], axis=-1)
    return np.asarray(apart.min(axis=0))
