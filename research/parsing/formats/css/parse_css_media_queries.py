"""Evaluation of CSS media queries for a screen of 1280 by 800 pixels and a reader without preferences."""

from __future__ import annotations

import re

from research.parsing.formats.css.parse_css_selectors import split
from research.parsing.formats.css.parse_css_values import pixels
from research.parsing.formats.html.parse_html_visibility import is_valid

_WINDOW = {"width": 1280.0, "height": 800.0, "device-width": 1280.0, "device-height": 800.0, "color": 8.0,
           "resolution": 96.0, "aspect-ratio": 1.6, "device-aspect-ratio": 1.6, "color-index": 0.0,
           "monochrome": 0.0, "grid": 0.0}  # fmt: skip
_KINDS = {"orientation": "landscape", "hover": "hover", "any-hover": "hover", "pointer": "fine", "any-pointer": "fine",
          "prefers-color-scheme": "light", "scripting": "enabled", "update": "fast", "display-mode": "browser",
          "prefers-reduced-motion": "no-preference", "prefers-contrast": "no-preference", "forced-colors": "none",
          "overflow-block": "scroll", "overflow-inline": "scroll", "color-gamut": "srgb", "scan": "progressive",
          "inverted-colors": "none", "dynamic-range": "standard"}  # fmt: skip
_RESOLUTION = {"dpi": 1.0, "dpcm": 2.54, "dppx": 96.0, "x": 96.0}
_COMPARED = re.compile(r"([\w.%/ ()*+-]+?)?\s*(<=|>=|<|>|=)\s*([\w.%/ ()*+-]+?)(?:\s*(<=|>=|<|>)\s*(.+))?")


def holds(condition: str) -> bool:
    """Return True if one query of a media query list matches, or the list is empty. An unknown query does not match."""
    return any(_query(" ".join(query.lower().split())) for query in split(condition)) or not condition.strip()


def supports(condition: str) -> bool:
    """Return True if a browser supports the condition; only the outermost "not" is understood."""
    text = " ".join(condition.lower().split())
    if text.startswith("not"):
        return not supports(text[3:].strip(" "))
    asked = re.findall(r"\(\s*(-?-?[\w-]+)\s*:\s*([^()]*(?:\([^()]*\))?[^()]*)\)", text)
    return all(is_valid(name, value.strip()) for name, value in asked)


def _query(query: str) -> bool:
    if query.startswith("not "):
        return not _query(query[4:])
    parts = [term.removeprefix("only ").strip() for term in query.split(" and ")]
    return all(any(_part(choice.strip()) for choice in part.split(" or ")) for part in parts)


def _part(part: str) -> bool:
    if not part.startswith("("):
        return part in ("screen", "all", "")
    inside = part[1:-1].strip()
    if inside.startswith(("(", "not ")):
        return _query(inside)
    name, colon, value = (piece.strip() for piece in inside.partition(":"))
    if colon:
        return _feature(name, value)
    if match := _COMPARED.fullmatch(inside):
        return _range(match)
    return bool(_WINDOW.get(name)) or _KINDS.get(name, "none") not in ("none", "no-preference")


def _feature(name: str, value: str) -> bool:
    if name in _KINDS:
        return _KINDS[name] == value
    bare = name.removeprefix("min-").removeprefix("max-")
    number = _number(value)
    if bare not in _WINDOW or number is None:
        return False
    if name == bare:
        return _WINDOW[bare] == number
    return _WINDOW[bare] >= number if name.startswith("min-") else _WINDOW[bare] <= number


def _range(match: re.Match[str]) -> bool:
    """Evaluate a range such as (400px <= width < 900px) or (width > 1px)."""
    terms = [
        _WINDOW.get(operand.strip(), _number(operand))
        for operand in (match[1], match[3], match[5])
        if operand
    ]
    signs = [comparison for comparison in (match[2], match[4]) if comparison]
    pairs = zip(terms, signs, terms[1:], strict=False)
    return all(a is not None and b is not None and _is_comparison_true(a, sign, b) for a, sign, b in pairs)


def _is_comparison_true(a: float, sign: str, b: float) -> bool:
    return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "=": a == b}[sign]


def _number(value: str) -> float | None:
    ratio = re.fullmatch(r"([\d.]+)\s*/\s*([\d.]+)", value.strip())
    if ratio is not None and ratio[1].count(".") < 2 and ratio[2].count(".") < 2:
        return float(ratio[1]) / (float(ratio[2]) or 1.0)
    dots = re.fullmatch(r"(\d+(?:\.\d+)?)(dpi|dpcm|dppx|x)", value.strip())
    return float(dots[1]) * _RESOLUTION[dots[2]] if dots else pixels(value)
