"""Detects CSS declarations that clip an element, move it off the page or turn it away from the reader."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from research.parsing.formats.css.parse_css_values import angle, part, pixels

_FUNCTION = re.compile(r"([a-z0-9-]+)\(((?:[^()]|\([^()]*\))*)\)")
_FAR = 1_200.0  # pixels beyond the edge
_MIN_SCALE = 0.05
_SHARE = 2.0  # pixels that one percent of a position or of the element's own size amounts to at least
_EDGE_ON = 1.0  # degrees


def is_pulled_away(indent: str, *, is_cut: bool, stays: bool) -> bool:
    """Return True if the indent moves the first line beyond the edge; `stays`: it is the only line."""
    far = pixels(indent, share=_SHARE)
    beyond = part(indent) if indent.endswith("%") else None
    return (far is not None and abs(far) >= _FAR) or (
        is_cut and stays and beyond is not None and abs(beyond) >= 1.0
    )


def is_moved_away(declared: Mapping[str, str]) -> bool:
    moved = [declared.get(name, "") for name in ("margin-left", "margin-top")]
    moved += declared.get("translate", "").split()
    if declared.get("position", "static") != "static":
        moved += [declared.get(name, "") for name in ("left", "right", "top", "bottom")]
    for name, values in _functions(declared.get("transform", "")):
        if name.startswith("translate"):
            moved += values
        elif name == "matrix":
            moved += values[4:6]
    return any(abs(far) >= _FAR for distance in moved if (far := pixels(distance, share=_SHARE)) is not None)


def is_turned_away(declared: Mapping[str, str]) -> bool:
    """Return True if the element is scaled to nothing or rotated until only its edge faces the reader."""
    axis, _, by = declared.get("rotate", "").partition(" ")
    if any(_is_nothing(factor) for factor in declared.get("scale", "").split()) or (
        axis in "xy" and _is_edge_on(by)
    ):
        return True
    return any(_turns_away(name, values) for name, values in _functions(declared.get("transform", "")))


def is_clipped(declared: Mapping[str, str]) -> bool:
    for name, values in _functions(declared.get("clip", "")):
        sides = [pixels(length) for value in values for length in value.split()]
        top, right, bottom, left = [*sides, None, None, None, None][:4]
        if name == "rect" and None not in (top, right, bottom, left):
            return (bottom or 0) - (top or 0) <= 1 or (right or 0) - (left or 0) <= 1
    return any(_leaves_nothing(name, values) for name, values in _functions(declared.get("clip-path", "")))


def _functions(value: str) -> Iterator[tuple[str, list[str]]]:
    for match in _FUNCTION.finditer(value):
        yield match[1], [argument.strip() for argument in match[2].split(",")]


def _turns_away(name: str, values: list[str]) -> bool:
    if name.startswith("scale"):
        return any(_is_nothing(value) for value in values)
    if name in ("rotatex", "rotatey"):
        return _is_edge_on(values[0])
    numbers = [part(value) for value in values]
    if name == "matrix" and len(numbers) == 6:
        a, b, c, d = (number or 0.0 for number in numbers[:4])
        return abs(a * d - b * c) < _MIN_SCALE**2
    return False


def _is_nothing(scale: str) -> bool:
    found = part(scale)
    return found is not None and abs(found) < _MIN_SCALE


def _is_edge_on(turned: str) -> bool:
    degrees = angle(turned)
    return degrees is not None and abs(degrees % 180.0 - 90.0) < _EDGE_ON


def _leaves_nothing(name: str, values: list[str]) -> bool:
    words = values[0].partition(" round ")[0].split()
    if name == "inset":
        top, right, bottom, left = _four_sides(words)
        return top + bottom >= 1.0 or left + right >= 1.0
    if name in ("circle", "ellipse"):
        radii = values[0].partition("at ")[0].split()
        return any(abs(size) <= 1.0 for radius in radii if (size := pixels(radius)) is not None)
    if name == "xywh":
        return any(abs(size) <= 1.0 for word in words[2:4] if (size := pixels(word)) is not None)
    if name == "polygon":
        points = [value.split()[-2:] for value in values if len(value.split()) >= 2]
        return _is_line(points)
    return name == "path" and re.fullmatch(r"[\"']\s*m[\s\d.,-]*z?\s*[\"']", ",".join(values)) is not None


def _four_sides(words: list[str]) -> tuple[float, float, float, float]:
    """Return the share cut off each side; a value in pixels cuts off everything if it is far, else nothing."""
    shares = [_cut_off(word) for word in words] or [0.0]
    top, right = shares[0], shares[1] if len(shares) > 1 else shares[0]
    return top, right, shares[2] if len(shares) > 2 else top, shares[3] if len(shares) > 3 else right


def _cut_off(side: str) -> float:
    if side.endswith("%"):
        return part(side) or 0.0
    return 1.0 if (pixels(side) or 0.0) >= _FAR else 0.0


def _is_line(points: list[list[str]]) -> bool:
    """Return True if all points share an x or a y coordinate, so that they enclose nothing."""
    places = [[pixels(coordinate, share=_SHARE) for coordinate in point] for point in points]
    xs, ys = {x for x, _ in places}, {y for _, y in places}
    return bool(places) and (len(xs) == 1 or len(ys) == 1)
