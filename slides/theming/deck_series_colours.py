"""Computes five distinguishable colours for the series of charts, the first being the accent or its shade.

A depth-first search over the primary's shade and a grid of CAM02's lightness, chroma and hue; candidates near the
accent's hue come first. It takes 0.2 s for a theme; numpy is only imported for the search.
"""

from functools import cache, lru_cache
from itertools import product

import numpy as np
from colorspacious import cspace_convert
from numpy.typing import NDArray

from slides.theming.deck_colours import contrast, readable, rgb, to_hex
from slides.theming.deck_theme_palettes import SHAPE, NoSeries

APART, SERIES = 20.0, 5
_LIGHTNESSES, _CHROMAS, _HUES = range(15, 96, 5), (6, 18, 30, 42, 54), range(0, 360, 20)
_MIDDLING = 30  # chroma that is colourful but not garish
# Machado, Oliveira and Fernandes 2009, at full severity.
_EYES = ("", "deuteranomaly", "protanomaly", "tritanomaly")

Colours = NDArray[np.float64]  # (n, 3), sRGB of 0–1


@lru_cache(maxsize=256)
def series_of(accent: str, primary: str, ground: str) -> tuple[str, ...]:
    """Return the colours. Raises NoSeries."""
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
    """Return the first five candidates, in order of preference, that differ enough from one another."""
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
    """Return the primary's shade, then the grid, starting near the accent's hue and with medium chroma."""
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
    """Return evenly spaced colours by chroma, lightness and hue that a screen can show, and their coordinates as (n,
    3).
    """
    points = np.array(list(product(_CHROMAS, _LIGHTNESSES, _HUES)), dtype=np.float64)
    angles = np.radians(points[:, 2])
    jab = np.stack([points[:, 1], points[:, 0] * np.cos(angles), points[:, 0] * np.sin(angles)], axis=1)
    with np.errstate(invalid="ignore"):  # colours outside of CAM02 become NaN, and are left out
        shown = np.asarray(cspace_convert(jab, "CAM02-UCS", "sRGB255"))
    inside = ((shown >= 0) & (shown <= 255)).all(axis=1)
    return tuple(to_hex(colour) for colour in shown[inside].tolist()), points[inside]


@cache
def _views(colours: tuple[str, ...]) -> Colours:
    """Return CAM02-UCS coordinates as (4, n, 3): for normal vision and three colour vision deficiencies."""
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
    """Return as (n, n) the smallest distance of two colours over all kinds of vision, in CAM02-UCS."""
    views = _views(colours)
    apart = np.linalg.norm(views[:, :, None, :] - views[:, None, :, :], axis=-1)
    return np.asarray(apart.min(axis=0))
