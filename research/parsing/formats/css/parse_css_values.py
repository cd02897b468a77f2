"""Evaluates the CSS values that decide whether text is visible: escapes, variables, lengths."""

from __future__ import annotations

import re
from collections.abc import Mapping

_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.S)
_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.I | re.S)
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
_LENGTH = re.compile(
    r"([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(px|pt|pc|em|rem|ex|ch|in|cm|mm|q|[sld]?v(?:w|h|min|max|i|b)|%)?"
)
_PIXELS = {
    "": 1.0, "px": 1.0, "pt": 1.33, "pc": 16.0, "rem": 16.0, "in": 96.0, "cm": 38.0, "mm": 3.8, "q": 0.94,
}  # fmt: skip
_SHARES = {"%": 1.0, "em": 100.0, "ex": 50.0, "ch": 50.0}
_WINDOW = {"w": 1280.0, "h": 800.0, "i": 1280.0, "b": 800.0, "min": 800.0, "max": 1280.0}
_FUNCTION = re.compile(r"(calc|min|max|clamp|abs)?\(([^()]*)\)")
_TERM = re.compile(r"\s+([-+])\s+|\s*([*/])\s*")
_MAX_STEPS = 20  # nested variables or brackets
_LONGEST = 2_000


def unescape_css(css: str) -> str:
    r"""Return the CSS without comments and with escapes resolved: `\64 isplay` becomes "display"."""
    css = _COMMENT.sub("", css)
    return _ESCAPE.sub(_character, css) if "\\" in css else css


def _character(match: re.Match[str]) -> str:
    if match[1] is None:
        return match[2]
    code = int(match[1], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def substitute_variables(value: str, variables: Mapping[str, str]) -> str | None:
    """Return the value with its variables replaced; None if one is unknown, which invalidates the declaration."""
    for _ in range(_MAX_STEPS):
        match = _VARIABLE.search(value)
        if match is None:
            return value
        said: str | None = variables.get(match[1], match[2])
        if said is None or len(value) > _LONGEST:
            return None
        value = f"{value[: match.start()]}{said.strip()}{value[match.end() :]}"
    return None


def pixels(value: str, *, share: float = 0.16) -> float | None:
    """Return the approximate length in pixels, in a window of 1280 by 800; `share`: pixels per percent, or per 0.01 em.

    None for anything that is not a length.
    """
    value = value.strip()[:_LONGEST]
    for _ in range(_MAX_STEPS):
        match = _FUNCTION.search(value)
        if match is None:
            break
        found = _evaluate_function(match[1] or "calc", match[2], share)
        if found is None:
            return None
        value = f"{value[: match.start()]}{found:f}px{value[match.end() :]}"
    return _evaluate_sum(value, share)


def _evaluate_function(name: str, inside: str, share: float) -> float | None:
    """Return the value of a CSS function of lengths; None if an argument has none."""
    given = [_evaluate_sum(argument, share) for argument in inside.split(",")]
    numbers = [number for number in given if number is not None]
    if len(numbers) != len(given):
        return None
    if name == "clamp":
        return sorted(numbers)[1] if len(numbers) == 3 else None
    if name == "abs":
        return abs(numbers[0])
    return max(numbers) if name == "max" else min(numbers)


def _evaluate_sum(value: str, share: float) -> float | None:
    """Evaluate sums and products of lengths, products first."""
    parts = _TERM.split(value.strip())
    total = product = _length(parts[0], share)
    rest = 0.0
    for plus, times, term in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        number = _length(term, share)
        if number is None or product is None:
            return None
        if times:
            product = product * number if times == "*" else product / (number or 1.0)
        else:
            rest, product = rest + product, number if plus == "+" else -number
    total = product
    return None if total is None else rest + total


def _length(value: str, share: float) -> float | None:
    match = _LENGTH.fullmatch(value.strip())
    if match is None:
        return None
    number, unit = float(match[1]), match[2] or ""
    if unit in _SHARES:
        return number * share * _SHARES[unit]
    if unit in _PIXELS:
        return number * _PIXELS[unit]
    return number * _WINDOW[unit.lstrip("sld").removeprefix("v")] / 100


def part(value: str) -> float | None:
    """Parse a share: "0.5", "50%" and "calc(1 / 2)" give 0.5. None for anything else."""
    return pixels(value, share=0.01)


def angle(value: str) -> float | None:
    """Return an angle in degrees, from 0 to 360; None for anything else."""
    match = re.fullmatch(r"(-?[\d.]+)(deg|rad|grad|turn)?", value.strip())
    if match is None or match[1].count(".") > 1:
        return None
    whole = {"deg": 360.0, "rad": 6.28318530718, "grad": 400.0, "turn": 1.0}[match[2] or "deg"]
    return float(match[1]) / whole * 360.0 % 360.0
