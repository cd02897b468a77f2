"""The positions of the parts of a slide, in px of 1280 × 720, used for HTML, images and PPTX alike.

The boxes have no padding. Text within its budget fits its box in the widest of the themes' fonts (0.58 em a letter):
see `slides.fitting.measure_slide_text`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from slides.deck import Layout

WIDTH, HEIGHT = 1280, 720


class PlaceholderRole(StrEnum):
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
class LayoutBox:
    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Shape:
    """A rectangle behind the text, in a colour of the palette (`slides.theming.deck_theme_palettes.Palette`)."""

    box: LayoutBox
    colour: str


_TITLE = LayoutBox(72, 58, 1136, 100)
_BODY = LayoutBox(72, 180, 1136, 460)
_CAPTION = LayoutBox(72, 586, 1136, 60)
_DRAWN = LayoutBox(72, 176, 1136, 396)
_FOOT = {
    PlaceholderRole.FOOTER: LayoutBox(72, 670, 1000, 24),
    PlaceholderRole.NUMBER: LayoutBox(1108, 670, 100, 24),
}
_HEAD = {PlaceholderRole.TITLE: _TITLE, **_FOOT}

BOXES: Mapping[Layout, Mapping[PlaceholderRole, LayoutBox]] = {
    Layout.TITLE: {
        PlaceholderRole.TITLE: LayoutBox(96, 168, 1088, 204),
        PlaceholderRole.SUBTITLE: LayoutBox(96, 396, 1088, 120),
        PlaceholderRole.CAPTION: LayoutBox(96, 626, 820, 64),
        PlaceholderRole.LOGO: LayoutBox(984, 622, 200, 64),
    },
    Layout.CONTENT: {**_HEAD, PlaceholderRole.BODY: _BODY},
    Layout.BULLETS: {**_HEAD, PlaceholderRole.BODY: _BODY},
    Layout.SPLIT: {
        **_HEAD,
        PlaceholderRole.LEFT_HEADING: LayoutBox(72, 184, 536, 40),
        PlaceholderRole.LEFT: LayoutBox(72, 236, 536, 404),
        PlaceholderRole.RIGHT_HEADING: LayoutBox(672, 184, 536, 40),
        PlaceholderRole.RIGHT: LayoutBox(672, 236, 536, 404),
    },
    Layout.IMAGE: {**_HEAD, PlaceholderRole.PICTURE: _DRAWN, PlaceholderRole.CAPTION: _CAPTION},
    Layout.CHART: {**_HEAD, PlaceholderRole.CHART: _DRAWN, PlaceholderRole.CAPTION: _CAPTION},
    Layout.QUOTE: {
        **_HEAD,
        PlaceholderRole.QUOTE: LayoutBox(136, 212, 1016, 344),
        PlaceholderRole.ATTRIBUTION: LayoutBox(136, 566, 1016, 62),
    },
    Layout.COMPARISON: {
        **_HEAD,
        PlaceholderRole.LEFT_HEADING: LayoutBox(100, 200, 500, 40),
        PlaceholderRole.LEFT: LayoutBox(100, 252, 500, 372),
        PlaceholderRole.RIGHT_HEADING: LayoutBox(680, 200, 500, 40),
        PlaceholderRole.RIGHT: LayoutBox(680, 252, 500, 372),
    },
}

# Px. 24 px are 18 pt, the minimum for text, and 37.4 px are 28 pt, the minimum for titles.
SIZES: Mapping[PlaceholderRole, float] = {
    PlaceholderRole.TITLE: 40,
    PlaceholderRole.SUBTITLE: 30,
    PlaceholderRole.BODY: 30,
    PlaceholderRole.LEFT_HEADING: 26,
    PlaceholderRole.LEFT: 28,
    PlaceholderRole.RIGHT_HEADING: 26,
    PlaceholderRole.RIGHT: 28,
    PlaceholderRole.PICTURE: 24,
    PlaceholderRole.CHART: 20,
    PlaceholderRole.QUOTE: 36,
    PlaceholderRole.ATTRIBUTION: 24,
    PlaceholderRole.CAPTION: 24,
    PlaceholderRole.FOOTER: 16,
    PlaceholderRole.NUMBER: 16,
    PlaceholderRole.LOGO: 16,
}
# Px, for layouts and texts that have their own size.
TITLE_SLIDE_TITLE, SOURCES_BODY, LARGE_BODY = 56, 24, 40
LINE: Mapping[PlaceholderRole, float] = {
    role: 1.2
    if role
    in (
        PlaceholderRole.TITLE,
        PlaceholderRole.FOOTER,
        PlaceholderRole.NUMBER,
        PlaceholderRole.CAPTION,
        PlaceholderRole.ATTRIBUTION,
    )
    else 1.3
    for role in PlaceholderRole
}
GAP = 12  # minimum px between passages

# The colours of text in placeholders, by their names in the palette; "text" by default.
INK: Mapping[PlaceholderRole, str] = {
    PlaceholderRole.TITLE: "title",
    PlaceholderRole.LEFT_HEADING: "accent_text",
    PlaceholderRole.RIGHT_HEADING: "accent_text",
    PlaceholderRole.ATTRIBUTION: "on_panel",
    PlaceholderRole.QUOTE: "on_panel",
    PlaceholderRole.CAPTION: "muted",
    PlaceholderRole.FOOTER: "muted",
    PlaceholderRole.NUMBER: "muted",
}
INK_OF: Mapping[Layout, Mapping[PlaceholderRole, str]] = {
    Layout.TITLE: {PlaceholderRole.TITLE: "on_fill", PlaceholderRole.SUBTITLE: "on_fill"},
    Layout.COMPARISON: {
        PlaceholderRole.LEFT_HEADING: "accent_on_panel",
        PlaceholderRole.RIGHT_HEADING: "accent_on_panel",
        PlaceholderRole.LEFT: "on_panel",
        PlaceholderRole.RIGHT: "on_panel",
    },
}

_RULE = Shape(LayoutBox(72, 38, 72, 6), "accent")
_FOOT_LINE = Shape(LayoutBox(72, 658, 1136, 1), "line")
SHAPES: Mapping[Layout, tuple[Shape, ...]] = {
    Layout.TITLE: (
        Shape(LayoutBox(0, 0, 1280, 600), "fill"),
        Shape(LayoutBox(96, 124, 96, 8), "on_fill"),
        Shape(LayoutBox(0, 600, 1280, 8), "accent"),
    ),
    Layout.CONTENT: (_RULE, _FOOT_LINE),
    Layout.BULLETS: (_RULE, _FOOT_LINE),
    Layout.SPLIT: (_RULE, _FOOT_LINE, Shape(LayoutBox(639, 184, 2, 456), "line")),
    Layout.IMAGE: (_RULE, _FOOT_LINE),
    Layout.CHART: (_RULE, _FOOT_LINE),
    Layout.QUOTE: (
        _RULE,
        _FOOT_LINE,
        Shape(LayoutBox(72, 180, 1136, 464), "panel"),
        Shape(LayoutBox(72, 180, 10, 464), "accent"),
    ),
    Layout.COMPARISON: (
        _RULE,
        _FOOT_LINE,
        Shape(LayoutBox(72, 180, 556, 464), "panel"),
        Shape(LayoutBox(652, 180, 556, 464), "panel"),
        Shape(LayoutBox(72, 180, 556, 6), "accent"),
        Shape(LayoutBox(652, 180, 556, 6), "fill"),
    ),
}


def ink(layout: Layout, role: PlaceholderRole) -> str:
    """Return the palette's name of the colour of a placeholder's text."""
    return INK_OF.get(layout, {}).get(role) or INK.get(role, "text")


def size(layout: Layout, role: PlaceholderRole, *, is_sources: bool = False, is_large: bool = False) -> float:
    """Return the font size in px."""
    if layout == Layout.TITLE and role == PlaceholderRole.TITLE:
        return TITLE_SLIDE_TITLE
    if role == PlaceholderRole.BODY and (is_sources or is_large):
        return SOURCES_BODY if is_sources else LARGE_BODY
    return SIZES[role]
