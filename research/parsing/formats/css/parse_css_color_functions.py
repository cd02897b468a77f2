"""Evaluates the CSS colors that are made of others: color-mix(), relative colors, light-dark() (CSS Color 5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from colorsys import rgb_to_hls
from math import atan2, hypot, pi

from research.parsing.formats.css.parse_css_selectors import split
from research.parsing.formats.css.parse_css_values import part, pixels

Shares = tuple[float, float, float]  # red, green and blue, from 0 to 1

_TERM = re.compile(r"(?:[^\s()/]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+|/")
_SCHEMED = "light-dark("
_MAX_SCHEMED = 20
_LONGEST = 2_000  # characters


def in_scheme(value: str, *, is_dark: bool) -> str:
    """Return the value with each light-dark() replaced by its color for this scheme."""
    for _ in range(_MAX_SCHEMED):
        start = value.find(_SCHEMED)
        if start < 0 or len(value) > _LONGEST:
            break
        end = _closing(value, start + len(_SCHEMED))
        both = list(split(value[start + len(_SCHEMED) : end]))
        value = f"{value[:start]}{both[-1 if is_dark else 0].strip()}{value[end + 1 :]}"
    return value


def _closing(value: str, start: int) -> int:
    depth = 1
    for at in range(start, len(value)):
        depth += (value[at] == "(") - (value[at] == ")")
        if not depth:
            return at
    return len(value)


def mix(inside: str, parse: Callable[[str], tuple[Shares, float] | None]) -> tuple[Shares, float] | None:
    """Mix the colors of a color-mix() by their shares, in the color space that it names.

    `parse` returns a color's channels and alpha. In polar spaces they are mixed along a straight line.
    """
    space, *mixed = (argument.strip() for argument in split(inside))
    if not mixed or not space.startswith("in "):
        return None
    weights: list[float | None] = []
    colors: list[tuple[Shares, float]] = []
    for argument in mixed:
        terms = _TERM.findall(argument)
        given = [term for term in terms if term.endswith("%")]
        found = parse(" ".join(term for term in terms if term not in given))
        if found is None or len(given) > 1:
            return None
        weights.append(part(given[0]) if given else None)
        colors.append(found)
    left = max(0.0, 1.0 - sum(weight or 0.0 for weight in weights)) / max(1, weights.count(None))
    shares = [left if weight is None else max(0.0, weight) for weight in weights]
    whole = sum(shares)
    if not whole:
        return None
    to_space, to_rgb = _MIXED_IN.get(space.split()[1], _MIXED_IN["oklab"])
    alpha = sum(share * found_alpha for share, (_, found_alpha) in zip(shares, colors, strict=True)) / whole
    blended = [0.0, 0.0, 0.0]
    for share, (channels, found_alpha) in zip(shares, colors, strict=True):
        weight = share * found_alpha / (whole * alpha or 1.0)
        blended = [
            sum(pair) for pair in zip(blended, (weight * one for one in to_space(channels)), strict=True)
        ]
    return to_rgb(blended), alpha * min(1.0, whole)


def relative_terms(
    name: str, inside: str, parse: Callable[[str], tuple[Shares, float] | None]
) -> list[str] | None:
    """Return the numbers of a color function, with the channels of the color after "from" in place of their names.

    None if a term has no value.
    """
    terms = _TERM.findall(inside.replace(",", " "))
    known: Mapping[str, float] = {}
    if terms[:1] == ["from"]:
        found = parse(terms[1]) if len(terms) > 1 else None
        if found is None:
            return None
        terms = terms[2:]
        known = {**_channels(name, found[0]), "alpha": found[1]}
        if "/" not in terms:
            terms += ["/", "alpha"]
    head = terms[:1] if name == "color" else []
    numbers = [_number(term, known) for term in terms[len(head) :] if term != "/"]
    return None if None in numbers else [*head, *(number for number in numbers if number is not None)]


def _number(term: str, known: Mapping[str, float]) -> str | None:
    if term == "none":
        return "0"
    for channel, value in known.items():
        term = re.sub(rf"(?<![\w-]){channel}(?![\w-])", f"{value:f}", term)
    if "(" in term:
        found = pixels(term, share=0.01) if "%" in term else pixels(term)
        return None if found is None else f"{found:f}"
    turned = re.fullmatch(r"([-+]?[\d.]+(?:e[-+]?\d+)?)(deg|grad|rad|turn|%)?", term)
    if turned is None:
        return None
    whole = {"grad": 0.9, "rad": 180 / pi, "turn": 360.0}.get(turned[2] or "", 0.0)
    try:
        return f"{float(turned[1]) * whole:f}" if whole else f"{float(turned[1]):f}{'%' * (turned[2] == '%')}"
    except ValueError:
        return None


def _channels(name: str, shares: Shares) -> Mapping[str, float]:
    """Return the channels of a color by the names that a function of that space gives them."""
    if name in ("hsl", "hsla"):
        hue, light, saturation = rgb_to_hls(*shares)
        return {"h": 360 * hue, "s": 100 * saturation, "l": 100 * light}
    if name == "hwb":
        return {"h": 360 * rgb_to_hls(*shares)[0], "w": 100 * min(shares), "b": 100 * (1 - max(shares))}
    if name in ("oklab", "oklch", "lab", "lch"):
        light, a, b = to_oklab(shares) if name.startswith("ok") else to_lab(shares)
        if name.endswith("lab"):
            return {"l": light, "a": a, "b": b}
        return {"l": light, "c": hypot(a, b), "h": atan2(b, a) * 180 / pi % 360}
    whole = 1.0 if name == "color" else 255.0
    return dict(zip("rgb", (whole * share for share in shares), strict=True))


# --- color spaces, by the matrices of CSS Color 4


def product(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def to_linear(shares: Sequence[float]) -> list[float]:
    return [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]


def from_linear(shares: Sequence[float]) -> Shares:
    """Return the channels of a color given in linear light."""
    red, green, blue = (
        12.92 * share if share <= 0.0031308 else 1.055 * share ** (1 / 2.4) - 0.055 for share in shares
    )
    return red, green, blue


def to_oklab(shares: Sequence[float]) -> list[float]:
    cones = product(
        (
            (0.4122214708, 0.5363325363, 0.0514459929),
            (0.2119034982, 0.6806995451, 0.1073969566),
            (0.0883024619, 0.2817188376, 0.6299787005),
        ),
        to_linear(shares),
    )
    return product(
        (
            (0.2104542553, 0.7936177850, -0.0040720468),
            (1.9779984951, -2.4285922050, 0.4505937099),
            (0.0259040371, 0.7827717662, -0.8086757660),
        ),
        [max(0.0, cone) ** (1 / 3) for cone in cones],
    )


def from_oklab(values: Sequence[float]) -> Shares:
    light, a, b = values
    cones = [
        (light + x * a + y * b) ** 3
        for x, y in (
            (0.3963377774, 0.2158037573), (-0.1055613458, -0.0638541728), (-0.0894841775, -1.291485548)
        )
    ]  # fmt: skip
    return from_linear(
        product(
            (
                (4.0767416621, -3.3077115913, 0.2309699292),
                (-1.2684380046, 2.6097574011, -0.3413193965),
                (-0.0041960863, -0.7034186147, 1.707614701),
            ),
            cones,
        )
    )


_WHITE_D50 = (0.9642957, 1.0, 0.8251046)


def to_lab(shares: Sequence[float]) -> list[float]:
    """Convert to Lab with white point D50."""
    absolute = product(
        (
            (0.4360747, 0.3850649, 0.1430804),
            (0.2225045, 0.7168786, 0.0606169),
            (0.0139322, 0.0971045, 0.7141733),
        ),
        to_linear(shares),
    )
    x, y, z = (
        relative ** (1 / 3) if relative > 0.008856 else (903.3 * relative + 16) / 116
        for relative in (one / full for one, full in zip(absolute, _WHITE_D50, strict=True))
    )
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]


def from_lab(values: Sequence[float]) -> Shares:
    light, a, b = values
    y = (light + 16) / 116
    cubes = [
        root**3 if root**3 > 0.008856 else (116 * root - 16) / 903.3 for root in (y + a / 500, y, y - b / 200)
    ]
    return from_d50([cube * full for cube, full in zip(cubes, _WHITE_D50, strict=True)])


def from_d50(xyz: Sequence[float]) -> Shares:
    return from_linear(
        product(
            (
                (3.1341359, -1.6173863, -0.4906619),
                (-0.9787955, 1.9162544, 0.0334427),
                (0.0719554, -0.2289768, 1.4053860),
            ),
            xyz,
        )
    )


def from_d65(xyz: Sequence[float]) -> Shares:
    return from_linear(
        product(
            (
                (3.2409699419, -1.5373831776, -0.4986107603),
                (-0.9692436363, 1.8759675015, 0.0415550574),
                (0.0556300797, -0.2039769589, 1.0569715142),
            ),
            xyz,
        )
    )


def _as_they_are(values: Sequence[float]) -> Shares:
    red, green, blue = values
    return red, green, blue


_PLAIN = (_as_they_are, _as_they_are)
_MIXED_IN: Mapping[str, tuple[Callable[[Sequence[float]], Sequence[float]], Callable[[Sequence[float]], Shares]]] = {
    "srgb": _PLAIN, "hsl": _PLAIN, "hwb": _PLAIN, "display-p3": _PLAIN,
    **dict.fromkeys(("srgb-linear", "xyz", "xyz-d65", "xyz-d50"), (to_linear, from_linear)),
    **dict.fromkeys(("lab", "lch"), (to_lab, from_lab)),
    **dict.fromkeys(("oklab", "oklch"), (to_oklab, from_oklab)),
}  # fmt: skip
