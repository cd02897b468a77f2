"""Computes the style of an element from its declarations, to determine whether its text is visible.

Only properties that can hide text are evaluated. What depends on files that were not fetched or on a script
is unknown here, and hides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from research.parsing.formats.css.parse_css_clipping import (
    is_clipped,
    is_moved_away,
    is_pulled_away,
    is_turned_away,
)
from research.parsing.formats.css.parse_css_color_functions import in_scheme
from research.parsing.formats.css.parse_css_colors import BLACK, WHITE, Color, alike, color, colors_in
from research.parsing.formats.css.parse_css_selectors import split
from research.parsing.formats.css.parse_css_values import part, pixels, substitute_variables, unescape_css
from research.parsing.hidden_text import HiddenReason

_LOOKED_AT = frozenset(
    "display visibility opacity content-visibility font-size color background text-shadow -webkit-text-fill-color "
    "background-clip position left right top bottom text-indent margin-left margin-top clip clip-path width height "
    "max-width max-height min-height overflow overflow-x overflow-y transform translate scale rotate filter "
    "mask-image zoom line-height white-space contain aspect-ratio contain-intrinsic-size text-decoration "
    "vertical-align font-variant-position z-index isolation grid-area margin-bottom "
    "color-scheme".split()
)
# Aliases, and shorthands that set one of these properties.
_SAME = {
    "background-color": "background", "-webkit-background-clip": "background-clip", "font": "font-size",
    "-webkit-mask": "mask-image", "mask": "mask-image", "-webkit-mask-image": "mask-image",
    "-webkit-transform": "transform", "-webkit-filter": "filter", "-webkit-clip-path": "clip-path",
    "inline-size": "width", "block-size": "height", "max-inline-size": "max-width", "max-block-size": "max-height",
    "margin-inline-start": "margin-left", "margin-inline": "margin-left", "margin-block-start": "margin-top",
    "margin-block": "margin-top", "inset-inline-start": "left", "inset-inline-end": "right", "inset-inline": "left",
    "inset-block-start": "top", "inset-block-end": "bottom", "inset-block": "top", "overflow-inline": "overflow-x",
    "overflow-block": "overflow-y", "contain-intrinsic-height": "contain-intrinsic-size",
    "text-decoration-line": "text-decoration", "-webkit-text-decoration": "text-decoration",
    "-webkit-text-decoration-line": "text-decoration", "margin-block-end": "margin-bottom",
}  # fmt: skip
_SIDES = {
    "margin": ("margin-top", "", "margin-bottom", "margin-left"),
    "inset": ("top", "right", "bottom", "left"),
}
_ANYWHERE = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
_KNOWN = {
    "display": frozenset(
        "none block inline inline-block flex inline-flex grid inline-grid contents list-item flow-root table "
        "table-row table-cell table-caption table-column table-column-group table-row-group table-header-group "
        "table-footer-group inline-table run-in ruby math -webkit-box -webkit-flex -webkit-inline-box".split()
    ),
    "visibility": frozenset({"visible", "hidden", "collapse"}),
    "position": frozenset({"static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky"}),
}
_SIZES = {"xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0,
          "xx-large": 32.0, "initial": 16.0}  # fmt: skip
_MIN_TYPE = 3.0  # pixels
_MIN_OPACITY = 0.06
_OPAQUE = 0.95
_FLATTEST = 0.1  # of a line's height
_SMALLER = 0.9  # of the type around it
_MIN_SHIFT, _MAX_RAISED, _MAX_LOWERED = 0.15, 0.9, 0.5  # of the type around it


@dataclass(frozen=True, slots=True)
class StyleDeclarations:
    """The values by property name, in lower case, variables included; important ones are separate."""

    normal: Mapping[str, str] = field(default_factory=dict)
    important: Mapping[str, str] = field(default_factory=dict)

    @property
    def says_anything(self) -> bool:
        return bool(self.normal or self.important)

    def under(self, stronger: StyleDeclarations) -> StyleDeclarations:
        if not stronger.says_anything:
            return self
        return StyleDeclarations({**self.normal, **stronger.normal}, {**self.important, **stronger.important})


NOTHING = StyleDeclarations()


@dataclass(frozen=True, slots=True)
class ComputedStyle:
    """The computed style of an element.

    A background of None is unknown, as behind an image. `gone`: all of the element is hidden. `is_placed`:
    overlays are positioned relative to the element. `is_lid`: it covers all of its container. `is_backed`:
    children with a negative z-index are under an opaque element. `decoration` and `baseline` ("super", "sub" or
    "") are those that the element itself declares.
    """

    ink: Color = BLACK
    fill: Color | None = None
    background: Color | None = WHITE
    size: float = 16.0
    opacity: float = 1.0
    is_visible: bool = True
    is_away: bool = False
    is_flat: bool = False
    has_shadow: bool = False
    variables: Mapping[str, str] = field(default_factory=dict)
    is_placed: bool = False
    is_lid: bool = False
    gone: HiddenReason | None = None
    is_backed: bool = False
    is_opaque: bool = False
    z_index: int = 0
    grid_area: str = ""
    is_grid: bool = False
    rise: float = 0.0  # pixels that the element is moved up over what precedes it
    fall: float = 0.0  # pixels that what follows the element is moved up over it
    decoration: str = ""
    baseline: str = ""
    declares: bool = False  # has declarations of its own
    is_dark: bool = False  # in the dark color scheme

    def within(self, style: StyleDeclarations) -> ComputedStyle:
        """Return the computed style inside an element with this style."""
        said = {**style.normal, **style.important}
        own = {name: value for name, value in said.items() if name.startswith("--")}
        variables = {**self.variables, **own} if own else self.variables
        known = {
            name: substitute_variables(value, variables) for name, value in said.items() if name not in own
        }
        declared = {name: value for name, value in known.items() if value is not None}
        look = _with_scheme(self, declared.get("color-scheme", ""))
        declared = _with_known_colors(declared, look)
        look = replace(look, variables=variables, opacity=self.opacity * _opacity(declared))
        look = _with_colors(_with_type(look, declared), declared)
        is_placed = declared.get("position", "static") in _KNOWN["position"] - {"static"}
        z_index = _z_index(declared)
        gone = _find_hidden_reason(look, declared)
        if gone is None and is_placed and z_index < 0 and self.is_backed:
            gone = HiddenReason.COVERED
        painted = color(declared.get("background", ""))
        is_opaque = painted is not None and painted.alpha >= _OPAQUE
        return replace(
            look,
            is_placed=is_placed,
            is_lid=_is_lid(declared),
            gone=gone,
            is_backed=not _is_stacked(declared, is_placed=is_placed) and (self.is_backed or is_opaque),
            is_opaque=is_opaque,
            z_index=z_index if is_placed else 0,
            grid_area=declared.get("grid-area", ""),
            is_grid=declared.get("display", "") in ("grid", "inline-grid"),
            rise=_rise(declared, is_placed=is_placed),
            fall=-min(0.0, pixels(declared.get("margin-bottom", "")) or 0.0),
            decoration=declared.get("text-decoration", ""),
            baseline=_find_baseline(declared, look.size, self.size),
            declares=True,
        )

    def without_own(self) -> ComputedStyle:
        """Return the style of a child without declarations of its own."""
        if not self.declares:
            return self
        return replace(self, is_placed=False, is_lid=False, gone=None, is_opaque=False, z_index=0, grid_area="",
                       is_grid=False, rise=0.0, fall=0.0, decoration="", baseline="", declares=False)  # fmt: skip

    @property
    def layer(self) -> float:
        """The stacking order: positioned elements are painted over others."""
        return self.z_index if self.is_placed else -0.5

    @property
    def unseen(self) -> HiddenReason | None:
        """Return why text directly in this element is invisible, or None; its descendants may still be visible."""
        if not self.is_visible or self.is_flat:
            return HiddenReason.STYLE
        if self.is_away:
            return HiddenReason.OFF_PAGE
        if self.size < _MIN_TYPE:
            return HiddenReason.SIZE
        return HiddenReason.COLOR if self._is_invisible else None

    @property
    def _is_invisible(self) -> bool:
        ink = self.fill or self.ink
        if self.has_shadow or self.background is None:
            return ink.alpha < _MIN_OPACITY and not self.has_shadow and self.background is not None
        return ink.alpha < _MIN_OPACITY or alike(ink, self.background)


@lru_cache(maxsize=4_096)
def style_of(css: str) -> StyleDeclarations:
    """Parse the style declarations that are evaluated here; the last valid value of each property counts."""
    normal: dict[str, str] = {}
    important: dict[str, str] = {}
    for declaration in split(unescape_css(css).lower(), ";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        value, mark, is_important = value.partition("!")
        kept = important if mark and is_important.strip() == "important" else normal
        for long_name, long_value in _longhands(name, " ".join(value.split())):
            if is_valid(long_name, long_value):
                kept[long_name] = long_value
    return StyleDeclarations(normal, important)


def is_valid(name: str, value: str) -> bool:
    """Return True if browsers accept the value; assumed for properties that are not evaluated here."""
    if not value:
        return False
    if "var(" in value or value in _ANYWHERE:
        return True
    if name in _KNOWN:
        return value in _KNOWN[name] or (name == "display" and " " in value)
    if name in ("opacity", "zoom"):
        return part(value) is not None or value in ("normal", "reset")
    if name in ("color", "-webkit-text-fill-color"):
        return color(value) is not None or "(" in value or value == "currentcolor"
    if name == "font-size":
        return pixels(value) is not None or value in _SIZES or value in ("smaller", "larger", "xxx-large")
    return True


def _longhands(name: str, value: str) -> list[tuple[str, str]]:
    if name.startswith("--"):
        return [(name, value)]
    if name in _SIDES:
        sides = (value.split() * 4)[:4] if len(value.split()) == 1 else _four(value.split())
        return [(side, side_value) for side, side_value in zip(_SIDES[name], sides, strict=False) if side]
    if name == "font":
        value = _size_in(value)
    if name in ("margin-inline", "inset-inline", "inset-block", "margin-block"):
        value = value.partition(" ")[0]
    long_name = _SAME.get(name, name)
    return [(long_name, value)] if long_name in _LOOKED_AT else []


def _four(values: list[str]) -> list[str]:
    """Return top, right, bottom and left of a shorthand with two or more values."""
    return [*values, *values[len(values) - 2 : 2], *values[1:2]][:4] if 2 <= len(values) <= 4 else values[:4]


def _size_in(font: str) -> str:
    """Return the size in a `font` shorthand, which stands before the line height."""
    words = (word.partition("/")[0] for word in font.split())
    return next((word for word in words if pixels(word) is not None), "")


def _find_baseline(declared: Mapping[str, str], size: float, around: float) -> str:
    """Return "super" or "sub" for type that is raised or lowered, by name or by its distance from the line."""
    align = declared.get("vertical-align", "")
    for named in (align, declared.get("font-variant-position", "")):
        if named in ("super", "sub"):
            return named
    is_smaller = size <= _SMALLER * around
    if align.removeprefix("text-") in ("top", "bottom"):
        return ("super" if align.endswith("top") else "sub") if is_smaller else ""
    rise = pixels(align, share=size / 100)
    if rise is None and declared.get("position") == "relative":
        fall = pixels(declared.get("top", ""), share=size / 100)
        rise = pixels(declared.get("bottom", ""), share=size / 100) if fall is None else -fall
    if rise is None or around <= 0:
        return ""
    if _MIN_SHIFT <= rise / around <= _MAX_RAISED:
        return "super"
    return "sub" if is_smaller and _MIN_SHIFT <= -rise / around <= _MAX_LOWERED else ""


def _opacity(declared: Mapping[str, str]) -> float:
    own = part(declared.get("opacity", ""))
    found = 1.0 if own is None else max(0.0, min(1.0, own))
    for function in declared.get("filter", "").split(") "):
        name, _, inside = function.partition("(")
        share = part(inside.rstrip(") ")) if name.strip() == "opacity" else None
        found *= 1.0 if share is None else max(0.0, min(1.0, share))
    return found


def _with_scheme(look: ComputedStyle, schemes: str) -> ComputedStyle:
    """Return the style in the color scheme that the element chooses; light where it allows both."""
    names = schemes.split()
    return (
        replace(look, is_dark="dark" in names and "light" not in names)
        if {"dark", "light"} & set(names)
        else look
    )


def _with_known_colors(declared: dict[str, str], look: ComputedStyle) -> dict[str, str]:
    """Return the declarations with those colors that depend on the color scheme or the color of the text."""
    if not any(
        mark in value for value in declared.values() for mark in ("currentcolor", "light-dark(", "initial")
    ):
        return declared
    known = {name: in_scheme(value, is_dark=look.is_dark) for name, value in declared.items()}
    if known.get("color") == "initial":
        known["color"] = "white" if look.is_dark else "black"
    for name in sorted(known, key="color".__ne__):  # that of the text comes first
        if "currentcolor" in known[name]:
            ink = look.ink if name == "color" else color(known.get("color", "")) or look.ink
            known[name] = known[name].replace("currentcolor", _written(ink))
    return known


def _written(shown: Color) -> str:
    return f"rgb({shown.red} {shown.green} {shown.blue} / {shown.alpha:f})"


def _with_type(look: ComputedStyle, declared: Mapping[str, str]) -> ComputedStyle:
    """Return the style with size, visibility and the start of a text line, which children inherit."""
    visibility = declared.get("visibility", "")
    is_visible = (
        visibility not in ("hidden", "collapse") if visibility in _KNOWN["visibility"] else look.is_visible
    )
    is_away, is_flat = look.is_away, look.is_flat
    if "text-indent" in declared:
        stays = "nowrap" in declared.get("white-space", "")
        is_away = is_pulled_away(declared["text-indent"], is_cut=_cuts(declared), stays=stays)
    if "line-height" in declared:
        height = part(declared["line-height"])
        is_flat = height is not None and abs(height) < _FLATTEST and _cuts(declared)
    return replace(
        look, size=_size(look.size, declared), is_visible=is_visible, is_away=is_away, is_flat=is_flat
    )


def _size(around: float, declared: Mapping[str, str]) -> float:
    value = declared.get("font-size", "")
    size = pixels(value, share=around / 100)
    if size is None:
        size = (
            around * {"smaller": 0.83, "larger": 1.2}.get(value, 1.0)
            if value not in _SIZES
            else _SIZES[value]
        )
    zoom = part(declared.get("zoom", ""))
    return size * zoom if zoom else size


def _with_colors(look: ComputedStyle, declared: Mapping[str, str]) -> ComputedStyle:
    ink = color(declared.get("color", "")) or look.ink
    fill = look.fill
    if "-webkit-text-fill-color" in declared:
        fill = color(declared["-webkit-text-fill-color"])
    shadow = declared.get("text-shadow", "")
    has_shadow = shadow != "none" if shadow else look.has_shadow
    background = _background(look.background, declared.get("background", ""))
    if "text" in declared.get("background-clip", ""):
        background = None
    return replace(look, ink=ink, fill=fill, background=background, has_shadow=has_shadow)


def _background(around: Color | None, painted: str) -> Color | None:
    """Return the background color where `painted` lies over `around`; None if it is not a single color."""
    if not painted or painted in ("none", *_ANYWHERE):
        return around
    plain = color(painted)
    if plain is not None:
        return around if plain.alpha < 0.5 else plain
    found = colors_in(painted)
    is_one = bool(found) and all(alike(found[0], other) and other.alpha > 0.5 for other in found)
    return found[0] if is_one else None


def _find_hidden_reason(look: ComputedStyle, declared: Mapping[str, str]) -> HiddenReason | None:
    """Return the reason why the element is hidden with all that is in it, or None."""
    if (
        declared.get("display") == "none"
        or declared.get("content-visibility") == "hidden"
        or look.opacity < _MIN_OPACITY
        or _is_masked(declared.get("mask-image", ""))
        or is_clipped(declared)
        or is_turned_away(declared)
        or _has_no_room(declared)
    ):
        return HiddenReason.STYLE
    return HiddenReason.OFF_PAGE if is_moved_away(declared) else None


def _is_lid(declared: Mapping[str, str]) -> bool:
    """Return True for an opaque element that covers all of its container."""
    painted = color(declared.get("background", ""))
    if declared.get("position") != "absolute" or painted is None or painted.alpha < _OPAQUE:
        return False
    ends = [(declared.get("left"), declared.get("right"), declared.get("width")),
            (declared.get("top"), declared.get("bottom"), declared.get("height"))]  # fmt: skip
    return all(
        pixels(start or "") == 0 and (pixels(end or "") == 0 or part(extent or "") == 1.0)
        for start, end, extent in ends
    )


def _z_index(declared: Mapping[str, str]) -> int:
    value = declared.get("z-index", "")[:12]
    digits = value.removeprefix("-")
    return int(value) if digits.isascii() and digits.isdigit() else 0


def _is_stacked(declared: Mapping[str, str], *, is_placed: bool) -> bool:
    """Return True for an element that paints children with a negative z-index above its own background."""
    return (
        (is_placed and declared.get("z-index", "auto") != "auto")
        or declared.get("position") in ("fixed", "sticky", "-webkit-sticky")
        or declared.get("isolation") == "isolate"
        or declared.get("transform", "none") != "none"
        or declared.get("filter", "none") != "none"
        or _opacity(declared) < 1
    )


def _rise(declared: Mapping[str, str], *, is_placed: bool) -> float:
    ways = [declared.get("margin-top", ""), declared.get("top", "") if is_placed else ""]
    return -sum(min(0.0, pixels(way) or 0.0) for way in ways)


def _is_masked(mask: str) -> bool:
    mask_colors = colors_in(mask)
    return bool(mask_colors) and all(mask_color.alpha < _MIN_OPACITY for mask_color in mask_colors)


def _cuts(declared: Mapping[str, str]) -> bool:
    ways = (declared.get(name, "") for name in ("overflow", "overflow-x", "overflow-y"))
    return any(way.startswith(("hidden", "clip", "auto", "scroll")) for way in ways)


def _has_no_room(declared: Mapping[str, str]) -> bool:
    contained = declared.get("contain", "")
    is_shut = contained == "strict" or ("size" in contained and ("paint" in contained or _cuts(declared)))
    given = ("height", "min-height", "aspect-ratio", "contain-intrinsic-size")
    if is_shut and not any(name in declared for name in given):
        return True
    sides = (declared.get(name, "") for name in ("width", "height", "max-width", "max-height"))
    return _cuts(declared) and any(abs(size) <= 1.0 for side in sides if (size := pixels(side)) is not None)
