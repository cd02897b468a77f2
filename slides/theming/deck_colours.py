"""Colours as "#RRGGBB": contrast, mixing, readable shades. Pure."""

from collections.abc import Sequence
from functools import lru_cache

BLACK, WHITE = "#000000", "#FFFFFF"
_STEPS = 100


def is_colour(text: str) -> bool:
    return len(text) == 7 and text[0] == "#" and all(digit in "0123456789abcdefABCDEF" for digit in text[1:])


def rgb(colour: str) -> tuple[int, int, int]:
    """Return the parts, 0–255 each. Raises ValueError for an invalid colour."""
    if not is_colour(colour):
        raise ValueError(f"no colour: {colour!r}")
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def to_hex(parts: Sequence[float]) -> str:
    """Format parts of 0–255 each."""
    return "#" + "".join(f"{min(255, max(0, round(part))):02X}" for part in parts)


@lru_cache(maxsize=65536)
def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2.2, 0–1."""
    parts = [part / 255 for part in rgb(colour)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of WCAG 2.2, 1–21."""
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def mix_colours(colour: str, other: str, share: float) -> str:
    """Return `colour` mixed with the given share (0–1) of the other."""
    return to_hex([a + (b - a) * share for a, b in zip(rgb(colour), rgb(other), strict=True)])


def readable(colour: str, *grounds: str, least: float) -> str:
    """Return the colour, or the nearest shade towards black or white that has this contrast with every background.

    If no shade has it, return black or white, whichever is better.
    """
    for step in range(_STEPS + 1):
        shades = [mix_colours(colour, end, step / _STEPS) for end in _ends(grounds)]
        for shade in shades:
            if all(contrast(shade, ground) >= least for ground in grounds):
                return shade
    return max((BLACK, WHITE), key=lambda end: min(contrast(end, ground) for ground in grounds))


def _ends(grounds: Sequence[str]) -> tuple[str, str]:
    """Return black and white, the one with more contrast to the backgrounds first."""
    towards_black = min(contrast(BLACK, ground) for ground in grounds)
    towards_white = min(contrast(WHITE, ground) for ground in grounds)
    return (BLACK, WHITE) if towards_black >= towards_white else (WHITE, BLACK)
