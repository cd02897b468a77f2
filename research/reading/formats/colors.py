"""Colors as CSS writes them, as far as it takes to tell whether words stand out from their background."""

from __future__ import annotations

import re
from colorsys import hls_to_rgb
from dataclasses import dataclass

_NEAR = 12  # of 255 in each channel: no eye tells such colors apart
_NUMBER = re.compile(r"-?\d*\.?\d+%?")
_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")


@dataclass(frozen=True, slots=True)
class Color:
    """Channels from 0 to 255, alpha from 0 to 1."""

    red: int
    green: int
    blue: int
    alpha: float = 1.0


WHITE, BLACK = Color(255, 255, 255), Color(0, 0, 0)
# Those that pages are painted with; a name that is missing here is an unknown color, which hides nothing.
_NAMED = {
    "white": WHITE, "black": BLACK, "transparent": Color(0, 0, 0, 0.0), "snow": Color(255, 250, 250),
    "ivory": Color(255, 255, 240), "ghostwhite": Color(248, 248, 255), "floralwhite": Color(255, 250, 240),
    "whitesmoke": Color(245, 245, 245), "gray": Color(128, 128, 128), "grey": Color(128, 128, 128),
    "silver": Color(192, 192, 192), "lightgray": Color(211, 211, 211), "lightgrey": Color(211, 211, 211),
    "darkgray": Color(169, 169, 169), "red": Color(255, 0, 0), "green": Color(0, 128, 0),
    "blue": Color(0, 0, 255), "navy": Color(0, 0, 128), "yellow": Color(255, 255, 0), "orange": Color(255, 165, 0),
    "maroon": Color(128, 0, 0), "purple": Color(128, 0, 128), "teal": Color(0, 128, 128), "lime": Color(0, 255, 0),
}  # fmt: skip


def color(value: str) -> Color | None:
    """None for what is no color, or one that is not known here."""
    value = value.strip().lower()
    if value in _NAMED:
        return _NAMED[value]
    if _HEX.fullmatch(value):
        return _from_hex(value[1:])
    name, bracket, inside = value.partition("(")
    if bracket and inside.endswith(")") and name in ("rgb", "rgba", "hsl", "hsla"):
        numbers = _NUMBER.findall(inside)
        if len(numbers) in (3, 4):
            return _from_numbers(name, numbers)
    return None


def alike(one: Color, other: Color) -> bool:
    pairs = ((one.red, other.red), (one.green, other.green), (one.blue, other.blue))
    return all(abs(a - b) <= _NEAR for a, b in pairs)


def _from_hex(digits: str) -> Color:
    if len(digits) < 6:
        digits = "".join(digit * 2 for digit in digits)
    red, green, blue, *alpha = (int(digits[at : at + 2], 16) for at in range(0, len(digits), 2))
    return Color(red, green, blue, alpha[0] / 255 if alpha else 1.0)


def _from_numbers(name: str, numbers: list[str]) -> Color:
    alpha = _part(numbers[3], 1.0) if len(numbers) == 4 else 1.0
    if name.startswith("rgb"):
        red, green, blue = (round(min(255.0, _part(one, 255.0))) for one in numbers[:3])
        return Color(red, green, blue, alpha)
    hue, saturation, lightness = float(numbers[0].rstrip("%")), _part(numbers[1], 1.0), _part(numbers[2], 1.0)
    red_, green_, blue_ = hls_to_rgb(hue % 360 / 360, lightness, saturation)
    return Color(round(red_ * 255), round(green_ * 255), round(blue_ * 255), alpha)


def _part(number: str, whole: float) -> float:
    """A number, or a percentage of `whole`."""
    return max(0.0, float(number[:-1]) / 100 * whole if number.endswith("%") else float(number))
