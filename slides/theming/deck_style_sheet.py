"""The style sheet of a deck: the theme's colours and fonts, the boxes of the layouts, and the rules common to all
decks.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path

from django.conf import settings

from slides.deck import Layout
from slides.slide_layouts import BOXES, LINE, SHAPES, LayoutBox, PlaceholderRole, ink, size
from slides.theming.deck_fonts import faces_for, render_font_face, stack
from slides.theming.deck_theme_palettes import Palette, palette_of
from slides.theming.deck_themes import Theme

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_BLANKS = re.compile(r"\s*\n\s*")


def style_sheet(theme: Theme, text: str, *, with_fonts: bool = True, parts: Iterable[str] = ("deck",)) -> str:
    """Return the style sheet for a deck of this theme with this text; `parts` are files of static/slides."""
    fonts = "".join(render_font_face(face) for face in faces_for(theme, text)) if with_fonts else ""
    return f"{fonts}{_root(theme)}{_layouts()}{''.join(map(_load_shared_css, parts))}"


@lru_cache(maxsize=64)
def _root(theme: Theme) -> str:
    palette = palette_of(theme)
    colours = "".join(f"--{_to_css_name(name)}:{getattr(palette, name)};" for name in _names())
    series = "".join(f"--series-{place}:{colour};" for place, colour in enumerate(palette.series, start=1))
    fonts = f"--heading:{_families(theme.heading_font)};--body:{_families(theme.body_font)};"
    return f":root{{{colours}{series}{fonts}}}"


def _names() -> Iterator[str]:
    yield from (name for name in Palette.__slots__ if name != "series")


def _families(font: str) -> str:
    return ",".join([*(f'"{name}"' for name in stack(font)), "sans-serif"])


@cache
def _layouts() -> str:
    """Return the positions of the layouts. One unit is a 1280th of the slide's width."""
    return "".join(rule for layout in Layout for rule in _rules(layout))


def _rules(layout: Layout) -> Iterator[str]:
    for role, box in BOXES[layout].items():
        colour = f"color:var(--{_to_css_name(ink(layout, role))})"
        type_ = f"{_type(size(layout, role))}line-height:{LINE[role]};"
        yield f".on-{layout.value}>.{role.value}{{{_place(box)}{type_}{colour}}}"
    for place, shape in enumerate(SHAPES[layout], start=1):
        yield f".on-{layout.value}>.shape-{place}{{{_place(shape.box)}background:var(--{_to_css_name(shape.colour)})}}"
    if PlaceholderRole.BODY in BOXES[layout]:
        yield f".on-sources.on-{layout.value}>.body{{{_type(size(layout, PlaceholderRole.BODY, is_sources=True))}}}"
        yield f".is-large.on-{layout.value}>.body{{{_type(size(layout, PlaceholderRole.BODY, is_large=True))}}}"


def _place(box: LayoutBox) -> str:
    return "".join(
        f"{name}:calc({value:g}*var(--u));"
        for name, value in (
            ("left", box.left),
            ("top", box.top),
            ("width", box.width),
            ("height", box.height),
        )
    )


def _type(px: float) -> str:
    return f"font-size:calc({px:g}*var(--u));"


def _to_css_name(name: str) -> str:
    return name.replace("_", "-")


@cache
def _load_shared_css(part: str) -> str:
    text = (Path(settings.BASE_DIR) / "static" / "slides" / f"{part}.css").read_text(encoding="utf-8")
    return _BLANKS.sub("\n", _COMMENT.sub("", text)).strip()
