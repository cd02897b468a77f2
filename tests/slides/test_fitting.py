"""Fitting: whatever a deck holds, it holds it afterwards too, and within budget."""

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given, settings

from slides.deck import ChartKind, Dataset, DeckContent, Layout, Slide, SlideChart, SlideHalf, SlidePassage
from slides.fitting import Over, fit, fit_slide
from slides.fitting.deck_fitting_report import describe_slide_fit
from slides.fitting.measure_slide_text import find_balanced_width, lines, load
from slides.fitting.slide_parts_over_budget import find_overs
from tests.often import IS_FULL
from tests.slides.decks import DECKS, SLIDES

# Drawn a few times here, and often before a release.
OFTEN = settings(max_examples=300 if IS_FULL else 20, deadline=None)
SENTENCE = (
    "The seasonal factor stayed above two at nine of the eleven sites that were measured over two winters."
)


def slide(layout: Layout, title: str = "Title", **columns: object) -> Slide:
    return Slide(1, title, layout, **columns)  # type: ignore[arg-type]


def passages_of(slides: Iterable[Slide]) -> Iterator[SlidePassage]:
    """Those that the layouts show, in reading order: halves one after the other."""
    shown = list(slides)
    yield from (passage for each in shown if each.layout not in HALVED for passage in each.passages)
    for side in (0, 1):
        yield from (passage for each in shown if each.layout in HALVED for passage in _side(each, side))


HALVED = (Layout.SPLIT, Layout.COMPARISON)


def _side(each: Slide, side: int) -> tuple[SlidePassage, ...]:
    return each.sides[side].passages if len(each.sides) > side else ()


def letters_of(text: str) -> str:
    return "".join(text.split())


@given(SLIDES)
@OFTEN
def test_every_slide_is_within_budget_afterwards(drawn: Slide) -> None:
    pages, _ = fit_slide(drawn)
    assert [find_overs(page) for page in pages] == [()] * len(pages)


def test_parts_of_a_title_slide_stay_parts_when_they_are_fitted_again():
    fitted, _ = fit(DeckContent("…", (Slide(1, "", Layout.TITLE), Slide(2, "W" * 100, Layout.TITLE))))
    assert [slide.part for slide in fitted.slides] == [None, (1, 2), (2, 2)]
    assert fit(fitted)[0] == fitted


@given(DECKS)
@OFTEN
def test_fitting_twice_is_fitting_once(deck: DeckContent) -> None:
    fitted, _ = fit(deck)
    again, report = fit(fitted)
    assert again == fitted
    assert report.slides == ()


@given(SLIDES)
@OFTEN
def test_no_letter_of_a_text_is_lost_and_the_order_stays(drawn: Slide) -> None:
    """A text that is shortened for its place is said in full beside it, so that all of it is found in order."""
    if len(drawn.sides) > 2 and drawn.layout in HALVED:
        return  # pairs of pairs: their order is that of the pairs
    pages, _ = fit_slide(drawn)
    found = letters_of("".join(passage.text for passage in passages_of(pages)))
    position = 0
    for passage in passages_of([drawn]):
        position = found.index(letters_of(passage.text), position) + len(letters_of(passage.text))


@given(SLIDES)
@OFTEN
def test_every_piece_keeps_its_claim_and_sources(drawn: Slide) -> None:
    pages, _ = fit_slide(drawn)
    cited = {
        (passage.claim, passage.sources): letters_of(passage.text)
        for passage in passages_of([drawn])
        if passage.text.strip()
    }
    kept = {(passage.claim, passage.sources) for passage in passages_of(pages)}
    assert set(cited) <= kept


@given(SLIDES)
@OFTEN
def test_lines_that_are_too_long_stand_in_full_beside(drawn: Slide) -> None:
    pages, _ = fit_slide(drawn)
    said = letters_of("".join((page.title + page.subtitle) for page in pages))
    said += letters_of("".join(passage.text for passage in passages_of(pages)))
    assert letters_of(drawn.title) in said


@given(DECKS)
@OFTEN
def test_slides_are_numbered_through_and_parts_are_counted(deck: DeckContent) -> None:
    fitted, _ = fit(deck)
    assert [one.number for one in fitted.slides] == list(range(1, len(fitted.slides) + 1))
    for before, after in zip(fitted.slides, fitted.slides[1:], strict=False):
        if after.part and after.part[0] > 1:
            assert before.part == (after.part[0] - 1, after.part[1])


def test_bullets_that_are_sentences_become_text() -> None:
    pages, found = fit_slide(
        slide(Layout.BULLETS, passages=(SlidePassage(SENTENCE, 7, (1,)), SlidePassage("Short.")))
    )
    assert [page.layout for page in pages] == [Layout.CONTENT]
    assert found is not None
    assert list(describe_slide_fit(found)) == [
        "Over budget: text, 18 words of 12.",
        "It is laid out as text.",
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("four", 1), ("four four", 1), ("four four four", 2), ("four fourteen", 2), ("x" * 21, 3)],
)
def test_lines_are_counted_as_browsers_break_them(text: str, count: int) -> None:
    assert lines([text], 10) == count


def test_seven_bullets_go_over_two_slides_about_equally() -> None:
    bullets = tuple(SlidePassage(f"Bullet {number} of the seven.") for number in range(7))
    pages, found = fit_slide(slide(Layout.BULLETS, passages=bullets))
    assert [(len(page.passages), page.part) for page in pages] == [(4, (1, 2)), (3, (2, 2))]
    assert found is not None
    assert found.over == (Over("passages", 7, 5, "items"),)


def test_a_long_sentence_flows_on_where_a_clause_ends() -> None:
    text = f"{SENTENCE[:-1]}, and {SENTENCE.lower()[:-1]}, but {SENTENCE.lower()[:-1]}; so {SENTENCE.lower()}"
    pages, _ = fit_slide(slide(Layout.CONTENT, passages=(SlidePassage(text, 3, (2,)),)))
    assert [page.passages[0].text[-1] for page in pages] == [",", "."] or len(pages) == 2
    assert all(page.passages[0].sources == (2,) for page in pages)


def test_a_question_that_is_too_long_goes_on_below_the_title() -> None:
    question = "Do heat pumps work in cold climates below minus fifteen degrees, and what does it cost?"
    (page,), _ = fit_slide(slide(Layout.TITLE, question))
    assert f"{page.title} {page.subtitle}" == question


def test_a_comparison_of_sentences_becomes_two_halves() -> None:
    sides = (SlideHalf("Lind", (SlidePassage(SENTENCE),)), SlideHalf("Berg", (SlidePassage("It fell."),)))
    (page,), found = fit_slide(slide(Layout.COMPARISON, sides=sides))
    assert (page.layout, page.sides) == (Layout.SPLIT, sides)
    assert found is not None


def test_a_comparison_holds_three_and_two() -> None:
    three = tuple(SlidePassage(f"Point {number}.") for number in range(3))
    pages, _ = fit_slide(slide(Layout.COMPARISON, sides=(SlideHalf("A", three), SlideHalf("B", three))))
    assert [[len(side.passages) for side in page.sides] for page in pages] == [[3, 2], [0, 1]]


def test_series_without_labels_are_parted_too() -> None:
    chart = SlideChart(ChartKind.BAR, (), tuple(Dataset(str(place), ()) for place in range(7)))
    pages, _ = fit_slide(slide(Layout.CHART, chart=chart))
    assert [len(page.chart.datasets) for page in pages if page.chart] == [3, 4]


@pytest.mark.parametrize(("labels", "kind"), [(5, ChartKind.PIE), (6, ChartKind.BAR)])
def test_a_pie_of_many_slices_becomes_bars(labels: int, kind: ChartKind) -> None:
    chart = SlideChart(
        ChartKind.PIE, tuple(map(str, range(labels))), (Dataset("S", (1.0,) * labels, (1,) * labels),)
    )
    pages, _ = fit_slide(slide(Layout.CHART, chart=chart))
    assert [page.chart and page.chart.kind for page in pages] == [kind]


def test_a_chart_of_many_labels_goes_on_with_its_claims() -> None:
    chart = SlideChart(
        ChartKind.BAR,
        tuple(map(str, range(30))),
        (Dataset("S", tuple(map(float, range(30))), tuple(range(30))),),
    )
    pages, _ = fit_slide(slide(Layout.CHART, chart=chart))
    parts = [page.chart for page in pages if page.chart]
    assert [len(part.labels) for part in parts] == [10, 10, 10]
    assert [claim for part in parts for claim in part.datasets[0].claims] == list(range(30))


def test_a_slide_of_a_split_that_grows_is_counted_with_its_family() -> None:
    long = tuple(SlidePassage(f"Bullet {number}.") for number in range(7))
    first = slide(Layout.BULLETS, passages=(SlidePassage("One."),), part=(1, 2))
    second = slide(Layout.BULLETS, passages=long, part=(2, 2))
    fitted, _ = fit(DeckContent("D", (first, second)))
    assert [one.part for one in fitted.slides] == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    ("text", "words"),
    [("", 0), ("two words", 2), ("Donaudampfschifffahrt", 3), ("熱泵在零下十五度仍能工作", 4)],
)
def test_room_is_counted_in_words_of_common_length(text: str, words: int) -> None:
    assert load(text) == words


def test_a_title_slide_has_three_lines_for_its_question() -> None:
    question = "How many failed logins before an account or address is locked?"
    assert fit_slide(slide(Layout.TITLE, question))[1] is None
    assert find_overs(slide(Layout.CONTENT, question))


def test_no_word_stands_alone_below_a_title() -> None:
    question = "Which of the settings that the guides suggest keeps attackers out while their owners can go in again?"
    (page,), _found = fit_slide(slide(Layout.TITLE, question))
    assert f"{page.title} {page.subtitle}" == question
    assert len(page.subtitle.split()) >= 3


def test_short_paragraphs_share_a_slide_as_long_as_their_lines_do() -> None:
    short = tuple(SlidePassage(f"The {place}. setting is off.") for place in range(5))
    assert fit_slide(slide(Layout.CONTENT, passages=short))[1] is None
    wide = tuple(SlidePassage("internationalization " * 3 + "x" * (place + 2)) for place in range(5))
    (over,) = find_overs(slide(Layout.CONTENT, passages=wide))
    assert (over.unit, over.found > over.most) == ("lines", True)
    pages, found = fit_slide(slide(Layout.CONTENT, passages=wide))
    assert len(pages) == 2
    assert "13 lines of 11" in "".join(describe_slide_fit(found))


@pytest.mark.parametrize(
    ("question", "head"),
    [
        (
            "Passwords that users choose must have at least 8 characters, and frequent rotation of them is poor.",
            "Passwords that users choose must have at least 8 characters,",
        ),
        (
            "Which of the many settings the guides suggest keeps attackers away without locking out their owners?",
            "Which of the many settings the guides suggest keeps attackers away",
        ),
    ],
)
def test_a_question_is_parted_where_a_phrase_ends(question: str, head: str) -> None:
    (page,), _found = fit_slide(slide(Layout.TITLE, question))
    assert (page.title, page.subtitle) == (head, question.removeprefix(f"{head} "))


@pytest.mark.parametrize(("text", "letters"), [("one ten three", 7), ("aaaa bb", 7), ("short", 5), ("", 1)])
def test_balanced_lines_are_as_short_as_their_number_allows(text: str, letters: float) -> None:
    assert find_balanced_width(text, 10) == letters
