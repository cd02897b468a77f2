"""Where things stand on a slide, in px of 1280 × 720; HTML, images and PPTX take them from here.

Boxes hold their text to the edges. What a budget allows stands in its box in the widest of the themes' fonts
(0.58 em a letter): see `slides.fitting.measuring`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from slides.deck import Layout

WIDTH, HEIGHT = 1280, 720


class Role(StrEnum):
    """A placeholder of a layout."""

    TITLE = "title"
    SUBTITLE = "subtitle"
    BODY = "body"
    LEFT_HEADING = "left_heading"
    LEFT = "left"
    RIGHT_HEADING = "right_heading"
    RIGHT = "right"
    PICTURE = "picture"
    CHART = "chart"
    QUOTE = "quote"
    ATTRIBUTION = "attribution"
    CAPTION = "caption"
    FOOTER = "footer"  # the short names of the slide's sources
    NUMBER = "number"
    LOGO = "logo"


@dataclass(frozen=True, slots=True)
class Box:
    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Shape:
    """A rectangle behind the text, in a colour of the palette (`slides.theming.palettes.Palette`)."""

    box: Box
    colour: str


_TITLE = Box(72, 58, 1136, 100)
_BODY = Box(72, 180, 1136, 460)
_CAPTION = Box(72, 586, 1136, 60)
_DRAWN = Box(72, 176, 1136, 396)
_FOOT = {Role.FOOTER: Box(72, 670, 1000, 24), Role.NUMBER: Box(1108, 670, 100, 24)}
_HEAD = {Role.TITLE: _TITLE, **_FOOT}

BOXES: Mapping[Layout, Mapping[Role, Box]] = {
    Layout.TITLE: {
        Role.TITLE: Box(96, 168, 1088, 204),
        Role.SUBTITLE: Box(96, 396, 1088, 120),
        Role.CAPTION: Box(96, 626, 820, 64),
        Role.LOGO: Box(984, 622, 200, 64),
    },
    Layout.CONTENT: {**_HEAD, Role.BODY: _BODY},
    Layout.BULLETS: {**_HEAD, Role.BODY: _BODY},
    Layout.SPLIT: {
        **_HEAD,
        Role.LEFT_HEADING: Box(72, 184, 536, 40),
        Role.LEFT: Box(72, 236, 536, 404),
        Role.RIGHT_HEADING: Box(672, 184, 536, 40),
        Role.RIGHT: Box(672, 236, 536, 404),
    },
    Layout.IMAGE: {**_HEAD, Role.PICTURE: _DRAWN, Role.CAPTION: _CAPTION},
    Layout.CHART: {**_HEAD, Role.CHART: _DRAWN, Role.CAPTION: _CAPTION},
    Layout.QUOTE: {**_HEAD, Role.QUOTE: Box(136, 212, 1016, 344), Role.ATTRIBUTION: Box(136, 566, 1016, 62)},
    Layout.COMPARISON: {
        **_HEAD,
        Role.LEFT_HEADING: Box(100, 200, 500, 40),
        Role.LEFT: Box(100, 252, 500, 372),
        Role.RIGHT_HEADING: Box(680, 200, 500, 40),
        Role.RIGHT: Box(680, 252, 500, 372),
    },
}

# px; 24 px are 18 pt, the least for text, and 37.4 px are 28 pt, the least for titles.
SIZES: Mapping[Role, float] = {
    Role.TITLE: 40,
    Role.SUBTITLE: 30,
    Role.BODY: 30,
    Role.LEFT_HEADING: 26,
    Role.LEFT: 28,
    Role.RIGHT_HEADING: 26,
    Role.RIGHT: 28,
    Role.PICTURE: 24,
    Role.CHART: 20,
    Role.QUOTE: 36,
    Role.ATTRIBUTION: 24,
    Role.CAPTION: 24,
    Role.FOOTER: 16,
    Role.NUMBER: 16,
    Role.LOGO: 16,
}
TITLE_SLIDE_TITLE, SOURCES_BODY, LARGE_BODY = 56, 24, 40  # px, where a layout or its words differ
LINE: Mapping[Role, float] = {
    role: 1.2 if role in (Role.TITLE, Role.FOOTER, Role.NUMBER, Role.CAPTION, Role.ATTRIBUTION) else 1.3
    for role in Role
}
GAP = 12  # px between passages, at least

# The colour of a placeholder's text, by the palette's names; what is not named is "text".
INK: Mapping[Role, str] = {
    Role.TITLE: "title",
    Role.LEFT_HEADING: "accent_text",
    Role.RIGHT_HEADING: "accent_text",
    Role.ATTRIBUTION: "on_panel",
    Role.QUOTE: "on_panel",
    Role.CAPTION: "muted",
    Role.FOOTER: "muted",
    Role.NUMBER: "muted",
}
INK_OF: Mapping[Layout, Mapping[Role, str]] = {
    Layout.TITLE: {Role.TITLE: "on_fill", Role.SUBTITLE: "on_fill"},
    Layout.COMPARISON: {
        Role.LEFT_HEADING: "accent_on_panel",
        Role.RIGHT_HEADING: "accent_on_panel",
        Role.LEFT: "on_panel",
        Role.RIGHT: "on_panel",
    },
}

_RULE = Shape(Box(72, 38, 72, 6), "accent")
_FOOT_LINE = Shape(Box(72, 658, 1136, 1), "line")
SHAPES: Mapping[Layout, tuple[Shape, ...]] = {
    Layout.TITLE: (
        Shape(Box(0, 0, 1280, 600), "fill"),
        Shape(Box(96, 124, 96, 8), "on_fill"),
        Shape(Box(0, 600, 1280, 8), "accent"),
    ),
    Layout.CONTENT: (_RULE, _FOOT_LINE),
    Layout.BULLETS: (_RULE, _FOOT_LINE),
    Layout.SPLIT: (_RULE, _FOOT_LINE, Shape(Box(639, 184, 2, 456), "line")),
    Layout.IMAGE: (_RULE, _FOOT_LINE),
    Layout.CHART: (_RULE, _FOOT_LINE),
    Layout.QUOTE: (
        _RULE,
        _FOOT_LINE,
        Shape(Box(72, 180, 1136, 464), "panel"),
        Shape(Box(72, 180, 10, 464), "accent"),
    ),
    Layout.COMPARISON: (
        _RULE,
        _FOOT_LINE,
        Shape(Box(72, 180, 556, 464), "panel"),
        Shape(Box(652, 180, 556, 464), "panel"),
        Shape(Box(72, 180, 556, 6), "accent"),
        Shape(Box(652, 180, 556, 6), "fill"),
    ),
}


def ink(layout: Layout, role: Role) -> str:
    """The palette's name of the colour in which a layout sets a placeholder."""
    return INK_OF.get(layout, {}).get(role) or INK.get(role, "text")


def size(layout: Layout, role: Role, *, is_sources: bool = False, is_large: bool = False) -> float:
    """In px."""
    if layout == Layout.TITLE and role == Role.TITLE:
        return TITLE_SLIDE_TITLE
    if role == Role.BODY and (is_sources or is_large):
        return SOURCES_BODY if is_sources else LARGE_BODY
    return SIZES[role]
