"""Where things stand on a slide, in px of 1280×720. Boxes hold text to their edges."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from slides.deck import Layout

WIDTH, HEIGHT = 1280, 720


class Role(StrEnum):
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
    FOOTER = "footer"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Box:
    left: float
    top: float
    width: float
    height: float


_TITLE = Box(72, 44, 1136, 104)
_BODY = Box(72, 180, 1136, 462)
_SIDES = {
    Role.LEFT_HEADING: Box(96, 192, 508, 40),
    Role.LEFT: Box(96, 240, 508, 398),
    Role.RIGHT_HEADING: Box(676, 192, 508, 40),
    Role.RIGHT: Box(676, 240, 508, 398),
}
_FOOT = {Role.FOOTER: Box(72, 668, 960, 24), Role.NUMBER: Box(1128, 668, 80, 24)}
_CAPTION = Box(72, 590, 1136, 66)

BOXES: Mapping[Layout, Mapping[Role, Box]] = {
    Layout.TITLE: {
        Role.TITLE: Box(72, 150, 776, 256),
        Role.SUBTITLE: Box(72, 430, 776, 132),
        Role.CAPTION: Box(72, 580, 776, 64),
        Role.FOOTER: Box(72, 668, 680, 24),
        Role.NUMBER: Box(768, 668, 80, 24),
    },
    Layout.CONTENT: {Role.TITLE: _TITLE, Role.BODY: _BODY, **_FOOT},
    Layout.BULLETS: {Role.TITLE: _TITLE, Role.BODY: _BODY, **_FOOT},
    Layout.SPLIT: {Role.TITLE: _TITLE, **_SIDES, **_FOOT},
    Layout.IMAGE: {Role.TITLE: _TITLE, Role.PICTURE: Box(72, 168, 1136, 408), Role.CAPTION: _CAPTION, **_FOOT},
    Layout.CHART: {Role.TITLE: _TITLE, Role.CHART: Box(72, 168, 1136, 408), Role.CAPTION: _CAPTION, **_FOOT},
    Layout.QUOTE: {
        Role.TITLE: _TITLE, Role.QUOTE: Box(120, 190, 1040, 350), Role.ATTRIBUTION: Box(120, 556, 1040, 72), **_FOOT,
    },
    Layout.COMPARISON: {Role.TITLE: _TITLE, **_SIDES, **_FOOT},
}  # fmt: skip

SIZES: Mapping[Role, float] = {
    Role.TITLE: 40, Role.SUBTITLE: 30, Role.BODY: 30, Role.LEFT_HEADING: 30, Role.LEFT: 30, Role.RIGHT_HEADING: 30,
    Role.RIGHT: 30, Role.PICTURE: 24, Role.CHART: 24, Role.QUOTE: 36,
    Role.ATTRIBUTION: 26, Role.CAPTION: 24, Role.FOOTER: 16, Role.NUMBER: 16,
}  # fmt: skip

LINE: Mapping[Role, float] = {
    role: 1.2 if role in (Role.TITLE, Role.FOOTER, Role.NUMBER) else 1.32 for role in Role
}
_RULE = (Box(72, 154, 96, 5), "accent6")

# Rectangles behind the text, with the name of a colour of the scheme.
DECORATIONS: Mapping[Layout, tuple[tuple[Box, str], ...]] = {
    Layout.TITLE: ((Box(920, 0, 360, 720), "accent6"), (Box(904, 0, 16, 720), "accent1")),
    Layout.CONTENT: (_RULE,),
    Layout.BULLETS: (_RULE,),
    Layout.SPLIT: (_RULE, (Box(639, 192, 2, 446), "bg2")),
    Layout.IMAGE: (_RULE,),
    Layout.CHART: (_RULE,),
    Layout.QUOTE: (_RULE, (Box(72, 190, 8, 438), "accent6")),
    Layout.COMPARISON: (
        _RULE,
        (Box(72, 176, 556, 474), "bg2"),
        (Box(652, 176, 556, 474), "bg2"),
        (Box(72, 172, 556, 4), "accent6"),
        (Box(652, 172, 556, 4), "accent1"),
    ),
}

# Where the theme's logo stands: its largest extent, from the top right corner.
LOGO = Box(1048, 28, 160, 56)
LOGOS: Mapping[Layout, Box] = {Layout.TITLE: Box(72, 48, 280, 88)}
