"""Colours as they are named: what is read has 4.5 : 1 against what it stands on, lines of controls 3 : 1."""

import re
from pathlib import Path

import pytest
from django.conf import settings

TOKENS = Path(settings.BASE_DIR) / "static" / "plumbline" / "tokens.css"
NAMED = re.compile(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)")
COLOURS = {name: pair for name, *pair in NAMED.findall(TOKENS.read_text(encoding="utf-8"))}
GROUNDS = ("page", "card", "raised")
READ = ("text", "muted", "link", "danger", "strong", "moderate", "limited")
NOTICES = [(word, ground) for word in ("text", "muted", "link") for ground in ("amber-card", "red-card")]
MARKED = [("text", "mark"), ("text", "mark-current"), ("on-link", "link"), ("danger", "red-card")]


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_black_on_white_is_twenty_one():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("word", "ground"), [(a, b) for a in READ for b in GROUNDS] + NOTICES + MARKED)
def test_what_is_read_stands_out(word, ground, scheme):
    assert contrast(COLOURS[word][scheme], COLOURS[ground][scheme]) >= 4.5


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_the_lines_of_controls_stand_out(ground, scheme):
    assert contrast(COLOURS["control"][scheme], COLOURS[ground][scheme]) >= 3
