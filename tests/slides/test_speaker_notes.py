"""Notes: whatever a slide says, its notes say who says it."""

import re
from dataclasses import replace

import pytest

from slides.deck import DeckClaim, DeckContent, DeckSource, Layout, Slide, SlidePassage
from slides.outline import outline_deck
from slides.speaker_notes import figure, notes_of, passages_of, source_line
from tests.exports import generated

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
SOURCES = (
    DeckSource(1, "Lind, A. (2024). Oil.", "https://a.example/1", "A. Lind, 2024"),
    DeckSource(2, "Berg. Gas."),
)
CLAIM = DeckClaim(7, "Oil fell by 30 percent.", "strong", 0.82, ((1, "fell by 30 %"), (2, "30 percent less")))
SLIDE = Slide(
    1, "Oil", Layout.BULLETS, passages=(SlidePassage("Oil fell by 30 percent.", 7, (1, 2)),), notes="Say it."
)
DECK = DeckContent("Oil", (SLIDE,), SOURCES, (CLAIM,))


def numbers_on(slide: Slide) -> set[str]:
    texts = [slide.title, slide.subtitle, slide.caption, slide.attribution]
    texts += [passage.text for passage in passages_of(slide)] + [side.heading for side in slide.sides]
    if slide.chart:
        texts += [
            *slide.chart.labels,
            *(figure(v) for dataset in slide.chart.datasets for v in dataset.values if v is not None),
        ]
    return set(NUMBER.findall(" ".join(texts)))


@pytest.mark.parametrize("name", generated.NAMES)
def test_every_number_on_a_slide_is_in_its_notes(name: str) -> None:
    deck = outline_deck(generated.document(name))
    for slide in deck.slides:
        assert numbers_on(slide) <= set(NUMBER.findall(" ".join(notes_of(deck, slide))))


def test_a_claim_is_noted_with_its_weight_quotes_and_references() -> None:
    assert notes_of(DECK, SLIDE) == (
        "Say it.",
        "Claim 7 (Strong evidence, confidence 82%): Oil fell by 30 percent.",
        "[1] “fell by 30 %”",
        "[2] “30 percent less”",
        "[1] Lind, A. (2024). Oil. https://a.example/1",
        "[2] Berg. Gas.",
    )


def test_what_no_source_says_is_called_so() -> None:
    slide = replace(SLIDE, notes="", passages=(SlidePassage("About 40 more."),))
    assert notes_of(DECK, slide) == ("In the report's own words, without a source: About 40 more.",)


def test_a_dispute_and_a_claim_that_was_not_checked_are_told() -> None:
    deck = replace(DECK, claims=(replace(CLAIM, confidence=None, is_disputed=True),))
    assert "Claim 7 (Strong evidence, disputed): Oil fell by 30 percent." in notes_of(deck, SLIDE)


def test_a_slide_that_says_nothing_has_its_title_for_notes() -> None:
    assert notes_of(DECK, Slide(1, "Thanks", Layout.BULLETS)) == ("Thanks",)


def test_the_foot_names_as_many_sources_as_it_holds() -> None:
    assert source_line(DECK, SLIDE) == "[1] A. Lind, 2024  ·  [2]"
    many = replace(
        DECK, sources=tuple(DeckSource(n, "R", "", "Some Institute of Energy") for n in range(1, 9))
    )
    line = source_line(many, replace(SLIDE, passages=(SlidePassage("x", None, tuple(range(1, 9))),)))
    assert line.endswith("·  +5")
