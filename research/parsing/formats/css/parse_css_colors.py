"""Parses CSS colors, to determine whether text stands out from its background."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from colorsys import hls_to_rgb
from dataclasses import dataclass
from math import cos, pi, sin

from research.parsing.formats.css.parse_css_color_functions import (
    Shares,
    from_d50,
    from_d65,
    from_lab,
    from_linear,
    from_oklab,
    mix,
    relative_terms,
)

_Space = Callable[[list[str]], tuple[int, int, int]]  # from the numbers as written to channels
_NEAR = 12  # of 255 in each channel: the eye cannot tell such colors apart
_LONGEST = 2_000
_GRADIENT = re.compile(r"[a-z-]*gradient\(((?:[^()]|\([^()]*\))*)\)")
_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")


@dataclass(frozen=True, slots=True)
class Color:
    """A color with channels from 0 to 255, and alpha from 0 to 1."""

    red: int
    green: int
    blue: int
    alpha: float = 1.0


WHITE, BLACK = Color(255, 255, 255), Color(0, 0, 0)
# The named colors of CSS, and the system colors of the default color scheme.
_NAMES = """
    aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque
    ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887
    cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc
    crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9
    darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange
    ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b
    darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493
    deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0
    forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray
    808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c
    indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00
    lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2
    lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a lightseagreen
    20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow
    ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa
    mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee
    mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 mintcream
    f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000
    olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98
    paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb
    plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue
    4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d
    silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen
    00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet
    ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32 canvas ffffff
    canvastext 000000 field ffffff fieldtext 000000
""".split()
_NAMED = {
    "transparent": Color(0, 0, 0, 0.0),
    **{
        name: Color(int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16))
        for name, digits in zip(_NAMES[::2], _NAMES[1::2], strict=True)
    },
}
_WORD = re.compile(r"#[0-9a-f]+|[a-z][a-z0-9-]*\((?:[^()]|\([^()]*\))*\)|[a-z][a-z-]*", re.I)


def color(value: str) -> Color | None:
    """Parse a color; None for anything else and for unsupported notations."""
    value = value.strip().lower()
    if value in _NAMED:
        return _NAMED[value]
    if _HEX.fullmatch(value):
        return _from_hex(value[1:])
    name, bracket, inside = value.partition("(")
    if not bracket or not inside.endswith(")") or len(value) > _LONGEST:
        return None
    return _function(name, inside[:-1])


def _function(name: str, inside: str) -> Color | None:
    if name == "color-mix":
        mixed = mix(inside, _shares)
        return None if mixed is None else Color(*_bytes(mixed[0]), mixed[1])
    numbers = relative_terms(name, inside, _shares)
    if name == "color" and numbers:
        name, *numbers = numbers
    if numbers is None or len(numbers) not in (3, 4) or name not in _SPACES:
        return None
    return Color(*_SPACES[name](numbers), min(1.0, _part(numbers[3], 1.0)) if len(numbers) == 4 else 1.0)


def _shares(value: str) -> tuple[Shares, float] | None:
    found = color(value)
    return None if found is None else ((found.red / 255, found.green / 255, found.blue / 255), found.alpha)


def colors_in(value: str) -> list[Color]:
    """Return all colors in a value, such as those of a gradient or one beside an image."""
    inside = re.sub(r"url\([^)]*\)", " ", value.lower())
    while (opened := _GRADIENT.sub(r" \1 ", inside)) != inside:
        inside = opened
    return [found for word in _WORD.findall(inside) if (found := color(word)) is not None]


def alike(first: Color, second: Color) -> bool:
    return (
        abs(first.red - second.red) <= _NEAR
        and abs(first.green - second.green) <= _NEAR
        and abs(first.blue - second.blue) <= _NEAR
    )


def _from_hex(digits: str) -> Color:
    if len(digits) < 6:
        digits = "".join(digit * 2 for digit in digits)
    red, green, blue, *alpha = (int(digits[at : at + 2], 16) for at in range(0, len(digits), 2))
    return Color(red, green, blue, alpha[0] / 255 if alpha else 1.0)


def _rgb(numbers: list[str]) -> tuple[int, int, int]:
    red, green, blue = (_channel(_part(number, 255.0) / 255) for number in numbers[:3])
    return red, green, blue


def _srgb(numbers: list[str]) -> tuple[int, int, int]:
    red, green, blue = (_channel(_part(number, 1.0)) for number in numbers[:3])
    return red, green, blue


def _hsl(numbers: list[str]) -> tuple[int, int, int]:
    hue, saturation, lightness = _hue(numbers[0]), _percent(numbers[1]), _percent(numbers[2])
    red, green, blue = map(_channel, hls_to_rgb(hue, lightness, saturation))
    return red, green, blue


def _hwb(numbers: list[str]) -> tuple[int, int, int]:
    white, black = _percent(numbers[1]), _percent(numbers[2])
    whole = max(1.0, white + black)
    pure = hls_to_rgb(_hue(numbers[0]), 0.5, 1.0)
    red, green, blue = (_channel(channel * max(0.0, 1 - white - black) + white / whole) for channel in pure)
    return red, green, blue


def _oklab(numbers: list[str]) -> tuple[int, int, int]:
    light, a, b = _part(numbers[0], 1.0), *(_parse_signed_number(number, 0.4) for number in numbers[1:3])
    return _bytes(from_oklab((light, a, b)))


def _lab(numbers: list[str]) -> tuple[int, int, int]:
    light, a, b = _part(numbers[0], 100.0), *(_parse_signed_number(number, 125.0) for number in numbers[1:3])
    return _bytes(from_lab((light, a, b)))


def _in_light(convert: Callable[[Sequence[float]], Shares]) -> _Space:
    """Return the converter of a space in linear light."""
    return lambda numbers: _bytes(convert([_parse_signed_number(number, 1.0) for number in numbers[:3]]))


def _bytes(shares: Shares) -> tuple[int, int, int]:
    red, green, blue = map(_channel, shares)
    return red, green, blue


def _polar(flat: _Space, whole: float) -> _Space:
    """Return the converter of a polar space (lightness, chroma, hue), given that of its rectangular space."""

    def of(numbers: list[str]) -> tuple[int, int, int]:
        chroma, turn = _parse_signed_number(numbers[1], whole), 2 * pi * _hue(numbers[2])
        return flat([numbers[0], f"{chroma * cos(turn):f}", f"{chroma * sin(turn):f}"])

    return of


def _parse_signed_number(number: str, whole: float) -> float:
    return float(number[:-1]) / 100 * whole if number.endswith("%") else float(number)


_SPACES: Mapping[str, _Space] = {
    "rgb": _rgb, "rgba": _rgb, "hsl": _hsl, "hsla": _hsl, "hwb": _hwb,
    "lab": _lab, "lch": _polar(_lab, 150.0), "oklab": _oklab, "oklch": _polar(_oklab, 0.4),
    # Wider spaces have the same white and black, and their other colors are near enough.
    **dict.fromkeys(("srgb", "display-p3", "a98-rgb", "prophoto-rgb", "rec2020"), _srgb),
    "srgb-linear": _in_light(from_linear), "xyz-d50": _in_light(from_d50),
    **dict.fromkeys(("xyz", "xyz-d65"), _in_light(from_d65)),
}  # fmt: skip


def _channel(share: float) -> int:
    return round(255 * max(0.0, min(1.0, share)))


def _hue(number: str) -> float:
    return float(number.rstrip("%")) % 360 / 360


def _percent(number: str) -> float:
    """Parse a saturation or a similar number, a percentage even without a sign, into a share."""
    found = _part(number, 1.0)
    return min(1.0, found if number.endswith("%") else found / 100)


def _part(number: str, whole: float) -> float:
    """Parse a number, or a percentage of `whole`."""
    return max(0.0, float(number[:-1]) / 100 * whole if number.endswith("%") else float(number))
