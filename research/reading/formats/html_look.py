"""What style declarations make of an element: whether anybody sees its words.

Only what hides is read of a style. What depends on files that were not fetched, on the size of the window or on a
script is unknown here, and hides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from research.reading.dropped import Unseen
from research.reading.formats.colors import BLACK, WHITE, Color, alike, color

Declarations = Mapping[str, str]

# What `hides` looks at; a sheet keeps no others.
LOOKED_AT = frozenset(
    "display visibility opacity content-visibility font-size font color background background-color "
    "-webkit-text-fill-color background-clip -webkit-background-clip position left right top bottom text-indent "
    "margin-left margin-top clip clip-path width height max-width max-height overflow overflow-x overflow-y transform "
    "filter".split()
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.S)
_LENGTH = re.compile(r"(-?(?:\d+\.?\d*|\.\d+))(px|pt|em|rem|ex|ch|in|cm|mm|vw|vh|%)?")
_PIXELS = {"": 1.0, "px": 1.0, "pt": 1.33, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "in": 96.0, "cm": 38.0,
           "mm": 3.8, "vw": 12.0, "vh": 9.0}  # fmt: skip
_FAR = 1_500.0  # pixels beyond the edge
_SMALLEST_TYPE = 3.0  # pixels
_LEAST_OPACITY = 0.06
_SCALED_AWAY = re.compile(r"scale[xy3d]*\(\s*0(?:\.0\d*)?\s*[,)]")
_MOVED_AWAY = re.compile(r"translate[xy3d]*\(\s*(?:[^,)]*,)?\s*-\d{4,}(?:px)?")
_CLIPPED_AWAY = re.compile(
    r"inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%|circle\(\s*0(?:px|%)?\s*(?:at|\))|polygon\(\s*0\s+0\s*\)"
)


@dataclass(frozen=True, slots=True)
class Look:
    """The colors of words at some place; a background of None is unknown, as behind an image."""

    ink: Color = BLACK
    background: Color | None = WHITE

    def within(self, declared: Declarations) -> Look:
        """Inside an element with these declarations."""
        ink = color(declared.get("color", "")) or self.ink
        painted = declared.get("background-color") or declared.get("background", "")
        if not painted or painted in ("none", "inherit", "initial", "unset"):
            return Look(ink, self.background)
        plain = color(painted)
        if plain is None:  # an image, a gradient, or a color with a position beside it
            first = next(filter(None, map(color, painted.split())), None)
            return Look(ink, None if "(" in painted or first is None else first)
        return Look(ink, self.background if plain.alpha < 0.5 else plain)

    @property
    def is_invisible(self) -> bool:
        if self.ink.alpha < _LEAST_OPACITY:
            return True
        return self.background is not None and alike(self.ink, self.background)


def declarations(style: str) -> dict[str, str]:
    """Names and values in lower case; the last of a name counts."""
    found: dict[str, str] = {}
    for part in _COMMENT.sub("", style).lower().split(";"):
        name, _, value = part.partition(":")
        if name.strip() in LOOKED_AT:
            found[name.strip()] = value.replace("!important", "").strip()
    return found


def hides(declared: Declarations) -> Unseen | None:
    """Why nobody sees what has these declarations; colors apart, for which see `Look`."""
    if not declared:
        return None
    if _is_switched_off(declared) or _is_clipped(declared):
        return Unseen.STYLE
    if _is_away(declared):
        return Unseen.OFF_PAGE
    size = _pixels(declared.get("font-size", "") or _size_in(declared.get("font", "")))
    return Unseen.SIZE if size is not None and size < _SMALLEST_TYPE else None


def _is_switched_off(declared: Declarations) -> bool:
    return (
        declared.get("display") == "none"
        or declared.get("visibility") in ("hidden", "collapse")
        or declared.get("content-visibility") == "hidden"
        or _share(declared.get("opacity", "")) < _LEAST_OPACITY
        or bool(re.search(r"opacity\(\s*0(?:\.0\d*)?%?\s*\)", declared.get("filter", "")))
    )


def _is_clipped(declared: Declarations) -> bool:
    if _CLIPPED_AWAY.search(declared.get("clip-path", "")) or _SCALED_AWAY.search(
        declared.get("transform", "")
    ):
        return True
    clip = declared.get("clip", "")
    if clip.startswith("rect(") and all(_small(part) for part in re.split(r"[,\s]+", clip[5:].rstrip(") "))):
        return True
    cuts = any(
        declared.get(name, "").startswith(("hidden", "clip"))
        for name in ("overflow", "overflow-x", "overflow-y")
    )
    sides = (declared.get(name, "") for name in ("width", "height", "max-width", "max-height"))
    return cuts and any(side and _small(side) for side in sides)


def _is_away(declared: Declarations) -> bool:
    if _MOVED_AWAY.search(declared.get("transform", "")):
        return True
    moved = [declared.get(name, "") for name in ("text-indent", "margin-left", "margin-top")]
    if declared.get("position", "static") != "static":
        moved += [declared.get(name, "") for name in ("left", "right", "top", "bottom")]
    return any(abs(_pixels(value) or 0.0) >= _FAR for value in moved)


def _small(value: str) -> bool:
    """At most a pixel; "auto" is not."""
    size = _pixels(value)
    return size is not None and abs(size) <= 1.0


def _pixels(value: str) -> float | None:
    """About; None for what is no length."""
    match = _LENGTH.fullmatch(value.strip())
    if match is None:
        return None
    number, unit = float(match[1]), match[2] or ""
    return number * 0.16 if unit == "%" else number * _PIXELS[unit]


def _size_in(font: str) -> str:
    """The size that the shorthand names, before its line height."""
    return next(
        (word.partition("/")[0] for word in font.split() if _LENGTH.fullmatch(word.partition("/")[0])), ""
    )


def _share(value: str) -> float:
    """1 where nothing is said."""
    match = re.fullmatch(r"(\d*\.?\d+)(%?)", value)
    if match is None:
        return 1.0
    return float(match[1]) / (100.0 if match[2] else 1.0)
