"""The master check of decks: who reads a file back finds the same claims and sources as in the deck."""

from functools import cache

import pytest

from slides.deck import DeckContent
from slides.deck_to_html import write_html
from slides.outline import outline_deck
from slides.pptx.write_pptx import write_pptx
from slides.theming.deck_themes import BUILT_IN
from tests.exports.generated import LONG, NAMES, document
from tests.often import IS_FULL
from tests.slides.generated import deck as made
from tests.slides.generated import pictures
from tests.slides.reading import (
    list_html_passages,
    list_passages,
    list_pptx_passages,
    notes_in_html,
    notes_in_pptx,
    open_pptx,
    pairs_in_notes,
    pairs_of,
)

DRAWN = [f"report:{name}" for name in NAMES if IS_FULL or name not in LONG] + [
    "made:all_layouts",
    "made:charts",
]
ZURICH = BUILT_IN[1]


@cache
def deck(name: str) -> DeckContent:
    kind, _, rest = name.partition(":")
    return made(rest) if kind == "made" else outline_deck(document(rest))


@pytest.mark.parametrize("name", DRAWN)
def test_a_powerpoint_file_cites_what_the_deck_cites(name):
    slides = list(open_pptx(write_pptx(deck(name), ZURICH, pictures())).slides)
    assert pairs_in_notes(line for slide in slides for line in notes_in_pptx(slide)) == pairs_of(deck(name))
    read = [[(squeeze(text), numbers) for text, numbers in list_pptx_passages(slide)] for slide in slides]
    assert read == [list_expected(slide) for slide in deck(name).slides]


@pytest.mark.parametrize("name", DRAWN)
def test_an_html_file_cites_what_the_deck_cites(name):
    page = write_html(deck(name), ZURICH, pictures())
    assert pairs_in_notes(notes_in_html(page)) == pairs_of(deck(name))
    read = [[(squeeze(text), numbers) for text, numbers in found] for found in list_html_passages(page)]
    assert read == [list_expected(slide) for slide in deck(name).slides]


def list_expected(slide):
    """Sources are listed under their numbers, which are not raised."""
    return [] if slide.is_sources else [(squeeze(text), numbers) for text, numbers in list_passages(slide)]


def squeeze(text: str) -> str:
    return "".join(text.split())
