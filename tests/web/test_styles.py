"""Style sheets hold for both directions of writing: they say where a line begins, not where left is."""

import re
from pathlib import Path

import pytest
from django.conf import settings

SHEETS = sorted((settings.BASE_DIR / "static/plumbline").glob("*.css"))
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DECLARATION = re.compile(r"(?:^|[{;])\s*([a-z-]+)\s*:\s*([^;{}]+)(?=[;}])")
SIDES = re.compile(
    r"(?:(?:margin|padding|border|inset|scroll-margin|scroll-padding)-)?(?:left|right|top|bottom)(?:-.+)?"
    r"|border-(?:top|bottom)-(?:left|right)-radius|(?:min-|max-)?(?:width|height)"
)
SIDED = re.compile(r"\b(?:left|right)\b")


def physical(sheet: str) -> list[str]:
    """Declarations of a style sheet that name a side of the window instead of one of the line."""
    found = DECLARATION.findall(COMMENT.sub("", sheet))
    return [f"{name}: {value}" for name, value in found if SIDES.fullmatch(name) or SIDED.search(value)]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_style_sheets_name_no_side_of_the_window(sheet: Path):
    assert physical(sheet.read_text()) == []


@pytest.mark.parametrize(
    "declaration",
    [
        "margin-left: 1px",
        "top: 0",
        "width: 5rem",
        "max-height: 2rem",
        "text-align: left",
        "border-top-left-radius: 1px",
    ],
)
def test_a_side_of_the_window_is_noticed(declaration):
    assert physical(f"a {{ color: red; {declaration}; }}") == [declaration]


def test_media_queries_ask_for_the_width_of_the_window():
    assert physical("@media (width < 40rem) { a { inline-size: 1rem; } }") == []
