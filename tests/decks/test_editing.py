"""Acts on slides: nothing is lost, citations stay, numbers run from 1."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slides.deck import (
    ChartKind,
    Dataset,
    DeckClaim,
    Layout,
    Slide,
    SlideChart,
    SlideHalf,
    SlidePassage,
)
from slides.decks.edit_slides import (
    SlideEditRefused,
    SlideWords,
    add_claim_passage,
    add_slide,
    change_chart_kind,
    change_layout,
    is_edited,
    move_slide,
    passages_of,
    reword_slide,
    split_slide,
    without,
)

CLAIM = DeckClaim(
    3, "Output fell by 12 percent.", "strong", 0.9, quotes=((2, "fell by 12"), (1, "12 percent"))
)


def bullets(number: int, *texts: str) -> Slide:
    passages = tuple(
        SlidePassage(text, claim=place, sources=(place,)) for place, text in enumerate(texts, start=1)
    )
    return Slide(number, f"Slide {number}", Layout.BULLETS, passages=passages)


DECK = (bullets(1, "One."), bullets(2, "Two.", "Three.", "Four."), bullets(3))


@given(st.integers(1, 3), st.integers(-4, 4))
def test_moving_keeps_all_slides(number, by):
    after = move_slide(DECK, number, by)
    assert sorted(slide.title for slide in after) == [slide.title for slide in DECK]
    assert [slide.number for slide in after] == [1, 2, 3]
    assert after[min(max(number + by, 1), 3) - 1].title == DECK[number - 1].title


@pytest.mark.parametrize("number", [0, 4, -1])
def test_a_slide_that_is_not_there_is_refused(number):
    with pytest.raises(SlideEditRefused, match="no slide"):
        move_slide(DECK, number, 1)


def test_the_last_slide_stays():
    assert [slide.title for slide in without(DECK, 2)] == ["Slide 1", "Slide 3"]
    with pytest.raises(SlideEditRefused, match="at least one"):
        without(DECK[:1], 1)


def test_a_slide_is_added_behind_another():
    after = add_slide(DECK, 1, Layout.COMPARISON, "New")
    assert [slide.title for slide in after] == ["Slide 1", "New", "Slide 2", "Slide 3"]
    assert len(after[1].sides) == 2


def test_reworded_passages_keep_their_claims_and_emptied_ones_go():
    passages = DECK[1].passages
    said = (
        SlidePassage("Other words.", 1, (1,)),
        SlidePassage(" ", 2, (2,)),
        passages[2],
        SlidePassage("My own."),
    )
    slide = reword_slide(DECK, 2, SlideWords("T", passages=said, notes="Say it."))[1]
    assert [(passage.text, passage.claim, passage.sources) for passage in slide.passages] == [
        ("Other words.", 1, (1,)),
        ("Four.", 3, (3,)),
        ("My own.", None, ()),
    ]
    assert slide.notes == "Say it."


def test_a_slide_without_a_title_is_refused():
    with pytest.raises(SlideEditRefused, match="title"):
        reword_slide(DECK, 1, SlideWords("  "))


def test_edited_is_what_differs_from_the_claim_by_more_than_spaces():
    claims = {3: CLAIM}
    assert not is_edited(SlidePassage("Output  fell by 12 percent. ", 3), claims)
    assert is_edited(SlidePassage("Output fell by 13 percent.", 3), claims)
    assert not is_edited(SlidePassage("Anything."), claims)


def test_a_part_that_fitting_made_is_not_edited_but_words_left_out_are():
    long = " ".join(f"The {place}. home of the long trial did not save energy." for place in range(12))
    claims = {3: DeckClaim(3, long, "strong", 0.9)}
    whole = Slide(1, "T", Layout.CONTENT, passages=(SlidePassage(long, 3, (1,)),))
    parts = [passage for slide in split_slide((whole,), 1) for passage in passages_of(slide)]
    assert len(parts) > 1
    assert not any(is_edited(part, claims) for part in parts)
    assert is_edited(SlidePassage(long.replace("did not save", "did save"), 3), claims)
    assert is_edited(SlidePassage(long[:40], 3), claims)


def test_a_claim_comes_with_its_words_and_sources_once():
    slide = add_claim_passage(DECK, 3, CLAIM)[2]
    assert slide.passages == (SlidePassage(CLAIM.text, 3, (2, 1)),)
    with pytest.raises(SlideEditRefused, match="already"):
        add_claim_passage((slide,), 3, CLAIM) if slide.number == 1 else add_claim_passage(
            (*DECK[:2], slide), 3, CLAIM
        )


@given(st.sampled_from(list(Layout)), st.sampled_from(list(Layout)))
def test_laying_out_anew_loses_no_word_or_refuses(first, second):
    for number in (1, 2, 3):
        try:
            between = change_layout(DECK, number, first)
            after = change_layout(between, number, second)
        except SlideEditRefused:
            continue
        assert passages_of(after[number - 1]) == passages_of(DECK[number - 1])


def test_halves_are_told_in_the_order_of_reading():
    slide = change_layout(DECK, 2, Layout.SPLIT)[1]
    assert slide.sides == (SlideHalf(passages=DECK[1].passages[:2]), SlideHalf(passages=DECK[1].passages[2:]))


def chart(*values: float | None) -> tuple[Slide, ...]:
    drawn = SlideChart(ChartKind.BAR, tuple("abcdefg"[: len(values)]), (Dataset("x", values),))
    return (Slide(1, "C", Layout.CHART, chart=drawn),)


def test_a_chart_is_drawn_otherwise_with_the_same_figures():
    after = change_chart_kind(chart(1, 2), 1, ChartKind.PIE)[0].chart
    assert (after.kind, after.datasets) == (ChartKind.PIE, chart(1, 2)[0].chart.datasets)


@pytest.mark.parametrize("values", [(1, -2), (1, None), (1, 2, 3, 4, 5, 6)])
def test_what_is_no_whole_has_no_slices(values):
    with pytest.raises(SlideEditRefused, match="one whole"):
        change_chart_kind(chart(*values), 1, ChartKind.PIE)


def test_a_chart_is_not_laid_out_as_words():
    with pytest.raises(SlideEditRefused, match="chart would be lost"):
        change_layout(chart(1, 2), 1, Layout.BULLETS)


def test_a_slide_over_budget_becomes_several_that_hold_it_all():
    many = (bullets(1, *(f"This is the sentence with number {place}." for place in range(9))), DECK[1])
    after = split_slide(many, 1)
    said = [passage for slide in after[:-1] for passage in passages_of(slide)]
    assert tuple(said) == many[0].passages
    assert [slide.number for slide in after] == list(range(1, len(after) + 1))
