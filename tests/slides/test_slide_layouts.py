"""The geometry that HTML, images and PPTX share: everything stands on the slide, nothing on anything else."""

from itertools import combinations

import pytest

from slides.deck import Layout
from slides.slide_layouts import BOXES, HEIGHT, SHAPES, SIZES, WIDTH, LayoutBox, PlaceholderRole, ink, size
from slides.theming.deck_theme_palettes import Palette

MARGIN = 56
MIN_TEXT, MIN_TITLE = 24, 37.4  # px: 18 pt and 28 pt
SMALL = (PlaceholderRole.FOOTER, PlaceholderRole.NUMBER, PlaceholderRole.LOGO, PlaceholderRole.CHART)


def overlap(one: LayoutBox, other: LayoutBox) -> bool:
    is_beside = one.left + one.width <= other.left or other.left + other.width <= one.left
    is_below = one.top + one.height <= other.top or other.top + other.height <= one.top
    return not (is_beside or is_below)


@pytest.mark.parametrize("layout", Layout)
def test_boxes_keep_the_margins_and_touch_no_other(layout: Layout) -> None:
    boxes = BOXES[layout]
    for box in boxes.values():
        assert MARGIN <= box.left <= box.left + box.width <= WIDTH - MARGIN
        assert 24 <= box.top <= box.top + box.height <= HEIGHT - 24
    assert not [pair for pair in combinations(boxes, 2) if overlap(boxes[pair[0]], boxes[pair[1]])]


@pytest.mark.parametrize("layout", Layout)
def test_text_is_never_below_its_least_size(layout: Layout) -> None:
    assert size(layout, PlaceholderRole.TITLE) >= MIN_TITLE
    assert all(size(layout, role, is_sources=True) >= MIN_TEXT for role in BOXES[layout] if role not in SMALL)


@pytest.mark.parametrize("layout", Layout)
def test_every_colour_is_one_of_the_palette(layout: Layout) -> None:
    names = set(Palette.__slots__)
    assert {ink(layout, role) for role in BOXES[layout]} <= names
    assert {shape.colour for shape in SHAPES[layout]} <= names


def test_every_role_has_a_size() -> None:
    assert set(SIZES) == set(PlaceholderRole)
