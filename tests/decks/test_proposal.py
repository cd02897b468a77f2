"""A model's outline becomes a deck: the claims' own words, only claims that exist, no figure of its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slides.deck import DeckClaim, DeckContent, DeckSource, Layout, Slide, SlideHalf, SlidePassage
from slides.decks.deck_proposal import Proposal, ProposedSlide, UnknownClaims, apply_proposal

CLAIMS = tuple(
    DeckClaim(
        number, f"In trial {number} output fell by {10 * number} percent.", "strong", 0.9, ((number, "q"),)
    )
    for number in range(1, 5)
)
SOURCES = tuple(DeckSource(number, f"Source {number}") for number in range(1, 5))


def passage(number: int) -> SlidePassage:
    return SlidePassage(CLAIMS[number - 1].text, number, (number,))


BY_RULES = DeckContent(
    "Heat pumps",
    (
        Slide(1, "Heat pumps", Layout.TITLE),
        Slide(2, "Trials", Layout.BULLETS, passages=(passage(1), passage(2), passage(3))),
        Slide(
            3,
            "They disagree",
            Layout.COMPARISON,
            sides=(SlideHalf("A", (passage(1),)), SlideHalf("B", (passage(2),))),
        ),
        Slide(4, "What is missing", Layout.BULLETS, passages=(SlidePassage("No data on flats."),)),
    ),
    SOURCES,
    CLAIMS,
)


def slide(*claims: int, title: str = "Trials", notes: str = "") -> ProposedSlide:
    return ProposedSlide(title=title, claims=list(claims), notes=notes, visual="a house in snow")


def deck(*slides: ProposedSlide) -> DeckContent:
    return apply_proposal(BY_RULES, Proposal(slides=list(slides)))


def test_the_slides_say_the_claims_own_words_in_the_order_proposed():
    made = deck(slide(4), slide(2, 1))
    stated = [one for each in made.slides[1:3] for one in each.passages]
    assert stated == [passage(4), passage(2), passage(1)]
    assert made.slides[1].visual_suggestion == "a house in snow"


def test_title_disagreements_and_gaps_stay_and_sources_are_those_named():
    made = deck(slide(4))
    assert [one.title for one in made.slides] == [
        "Heat pumps", "Trials", "They disagree", "What is missing", "Sources"
    ]  # fmt: skip
    assert {number for one in made.slides[-1].passages for number in one.sources} == {1, 2, 4}


@pytest.mark.parametrize("wrong", [0, 5, -1, 99])
def test_a_claim_that_the_report_does_not_have_refuses_the_whole(wrong):
    with pytest.raises(UnknownClaims, match=str(wrong)):
        deck(slide(1), slide(wrong))


def test_a_claim_is_stated_once():
    made = deck(slide(1, 1, 2), slide(2), slide(1, 3))
    assert [[one.claim for one in each.passages] for each in made.slides[1:3]] == [[1, 2], [3]]


@pytest.mark.parametrize(
    ("title", "shown"), [("Down by 10 percent", "Down by 10 percent"), ("Down by 99 percent", "Trials")]
)
def test_a_title_has_no_figure_that_its_claims_lack(title, shown):
    assert deck(slide(1, title=title)).slides[1].title == shown


def test_notes_with_a_figure_of_the_models_own_are_left_out():
    assert deck(slide(1, notes="Say that 10 percent is little.")).slides[1].notes
    assert not deck(slide(1, notes="It was 77 homes.")).slides[1].notes


@given(st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=8), min_size=1, max_size=8))
def test_whatever_is_proposed_each_passage_is_its_claim(wanted):
    made = deck(*(slide(*claims) for claims in wanted))
    stated = [one for each in made.slides for one in each.passages if one.claim]
    assert {one.claim for one in stated} == {number for claims in wanted for number in claims}
    assert all(one.text == CLAIMS[one.claim - 1].text and one.sources for one in stated)
