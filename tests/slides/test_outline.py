"""The outline by rules: whatever the document, the deck says what it says and names who says it."""

from dataclasses import replace

import pytest

from exports.document.document_tree import (
    CellEntry,
    ColumnEntry,
    Document,
    InsightEntry,
    RowEntry,
    TableEntry,
)
from slides.deck import ChartKind, DeckContent, Layout, Slide, SlidePassage
from slides.fitting import fit
from slides.outline import OutlineOptions, outline_deck
from slides.outline.choose_slide_passages import slides_of
from slides.speaker_notes import notes_of
from tests.exports import generated
from tests.exports.drafting import Draft, make_list, prose


def passages_of(slide: Slide) -> list[SlidePassage]:
    return [*slide.passages, *(passage for side in slide.sides for passage in side.passages)]


def layouts_of(deck: DeckContent) -> list[Layout]:
    return [slide.layout for slide in deck.slides]


def map_claim_texts(document: Document) -> dict[int, str]:
    return {claim.number: "".join(claim.text.split()) for claim in document.claims}


@pytest.mark.parametrize("name", generated.NAMES)
def test_any_document_has_a_deck_within_budget(name: str) -> None:
    deck = outline_deck(generated.document(name))
    assert deck.slides[0].layout == Layout.TITLE
    assert fit(deck) == (deck, fit(deck)[1])
    assert not fit(deck)[1].slides


@pytest.mark.parametrize("name", generated.NAMES)
def test_every_passage_of_a_claim_is_the_claims_own_words_with_its_sources(name: str) -> None:
    document = generated.document(name)
    said, cited = map_claim_texts(document), {claim.number: claim.citations for claim in document.claims}
    for passage in (one for slide in outline_deck(document).slides for one in passages_of(slide)):
        if passage.claim and "table" not in name:  # whose passages are item and value
            assert "".join(passage.text.split()) in said[passage.claim]
        if passage.claim:
            numbers = {one.source.number for one in cited[passage.claim]}
            assert set(passage.sources) == numbers


@pytest.mark.parametrize("name", generated.NAMES)
def test_every_source_that_a_slide_names_stands_on_the_last_slides(name: str) -> None:
    deck = outline_deck(generated.document(name))
    before = [passage for slide in deck.slides if not slide.is_sources for passage in passages_of(slide)]
    listed_there = {
        n for slide in deck.slides if slide.is_sources for passage in slide.passages for n in passage.sources
    }
    assert {number for one in before for number in one.sources} <= listed_there


def test_the_order_is_title_summary_sections_disagreements_gaps_sources() -> None:
    deck = outline_deck(generated.document("contradictions"))
    assert [slide.title for slide in deck.slides] == [
        "Did costs rise?",
        "Costs",
        "Sources disagree: 12 percent or 21 percent",
        "Sources disagree",
        "Sources",
    ]
    assert layouts_of(deck)[2:4] == [Layout.COMPARISON, Layout.COMPARISON]


def test_no_section_has_more_than_three_slides_and_the_notes_count_the_rest() -> None:
    document = generated.document("sixty_claims")
    deck = outline_deck(document)
    parts = [one for one in deck.slides if one.title == "What the studies found, part 1" and not one.chart]
    assert 1 <= len(parts) <= 3
    shown = sum(len(part.passages) for part in parts)
    told = {passage.claim for slide in deck.slides if slide.title == "In short" for passage in slide.passages}
    (section,) = (one for one in document.sections if one.heading == parts[0].title)
    rest = sum(claim.number not in told for claim in section.claims) - shown
    assert parts[0].notes == f"{rest} further claims of this section are in the report." * (rest > 0)
    assert told
    assert not told & {passage.claim for slide in parts for passage in slide.passages}


def test_who_disagrees_is_named_however_long_the_name_is() -> None:
    deck = outline_deck(generated.document("contradictions"))
    headings = [side.heading for slide in deck.slides for side in slide.sides]
    assert headings
    assert not {"One source", "Another source"} & set(headings)


def test_what_finds_no_room_has_the_weakest_evidence() -> None:
    document = generated.document("sixty_claims")
    deck = outline_deck(document, OutlineOptions(slides_a_section=1))
    shown = {passage.claim for slide in deck.slides for passage in slide.passages}
    strengths = {claim.number: claim.strength for claim in document.sections[0].claims}
    assert "strong" not in {strength for number, strength in strengths.items() if number not in shown}


def test_claims_that_differ_in_their_figure_and_subject_are_drawn() -> None:
    draft = Draft("drawn")
    source = draft.source()
    said = {"Oil": "30", "Natural gas": "12", "Coal": "−4.5"}
    claims = [draft.claim(f"{name} fell by {value} percent.", source) for name, value in said.items()]
    draft.section("Fuels", make_list(*claims))
    chart = next(slide.chart for slide in outline_deck(draft.document("Fuels?")).slides if slide.chart)
    assert (chart.kind, chart.labels, chart.unit) == (ChartKind.BAR, tuple(said), "percent")
    assert (chart.datasets[0].values, chart.datasets[0].claims) == ((30.0, 12.0, -4.5), (1, 2, 3))
    assert chart.sources == (1,)


def test_claims_over_years_are_a_line() -> None:
    draft = Draft("years")
    source = draft.source()
    claims = [draft.claim(f"Sales reached {n} million units in {2018 + n}.", source) for n in (3, 1, 2)]
    draft.section("Sales", prose(*claims))
    (slide,) = [one for one in outline_deck(draft.document("Sales?")).slides if one.chart]
    assert slide.chart is not None
    assert (slide.chart.kind, slide.chart.labels) == (ChartKind.LINE, ("2019", "2020", "2021"))
    assert slide.caption == "Sales reached … million units in …"


@pytest.mark.parametrize(
    "texts",
    [
        ("Oil fell by 30 percent.", "Gas rose by 12 percent.", "Coal fell by 4 percent."),
        ("Oil fell by 30 percent.", "Gas fell by 12 euros.", "Coal fell by 4 percent."),
        (
            "Oil fell by 30 percent in 2019.",
            "Gas fell by 12 percent in 2020.",
            "Coal fell by 4 percent in 2021.",
        ),
        ("Oil fell by 30 percent of 90.", "Gas fell by 12 percent of 80.", "Coal fell by 4 percent of 70."),
    ],
)
def test_figures_that_do_not_compare_are_not_drawn(texts: tuple[str, ...]) -> None:
    draft = Draft("apart")
    source = draft.source()
    draft.section("Fuels", make_list(*(draft.claim(text, source) for text in texts)))
    assert not [slide for slide in outline_deck(draft.document("Fuels?")).slides if slide.chart]


def test_a_column_of_figures_is_drawn_with_its_claims() -> None:
    document = generated.document("table")
    slide = next(one for one in outline_deck(document).slides if one.chart)
    claims = {claim.number: claim.text for claim in document.claims}
    assert slide.chart is not None
    for label, number in zip(slide.chart.labels, slide.chart.datasets[0].claims, strict=True):
        assert claims[number or 0].startswith(f"{label} – Change in %")


def test_values_of_a_column_stand_on_as_few_slides_as_hold_them_and_the_notes_say_how_many_there_are() -> (
    None
):
    deck = outline_deck(generated.document("table"))  # of 40 rows
    (seats,) = (slide for slide in deck.slides if slide.title == "Headquarters")
    assert [passage.text for passage in passages_of(seats)][:2] == ["Company 1: City 2", "Company 2: City 3"]
    assert [len(side.passages) for side in seats.sides] == [7, 7]
    assert seats.notes == "14 of 40 rows of the table"
    assert fit(deck)[0] == deck


def of_countries(column: ColumnEntry, values: list[str | bool], summary: tuple[str, ...] = ()) -> DeckContent:
    draft = Draft("countries")
    rows = tuple(
        RowEntry(number, f"Country {number}", "done", "", (_of_country(draft, column, number, value),))
        for number, value in enumerate(values, start=1)
    )
    insights = tuple(InsightEntry(one) for one in ("Most are large.", "None is new."))
    table = TableEntry((column,), rows, insights=insights)
    return outline_deck(draft.document("Countries", table=table, summary=summary))


def _of_country(draft: Draft, column: ColumnEntry, number: int, value: str | bool) -> CellEntry:
    claim = draft.claim(f"Country {number} – {column.title}: {value}", draft.source())
    return CellEntry("found", str(value), value, claim=claim)


def test_of_a_long_table_as_many_rows_are_shown_as_one_slide_holds() -> None:
    column = ColumnEntry("capital", "Capital", "string")
    deck = of_countries(column, ["A fairly long name" for _ in range(30)])
    (slide,) = (slide for slide in deck.slides if slide.title == "Capital")
    shown = len(passages_of(slide))
    assert 8 <= shown < 14
    assert slide.notes == f"{shown} of 30 rows of the table"


def test_no_half_of_yes_and_no_goes_on_beside_an_empty_one() -> None:
    deck = of_countries(ColumnEntry("landlocked", "Landlocked", "boolean"), [n % 3 == 0 for n in range(30)])
    (slide,) = (slide for slide in deck.slides if slide.title == "Landlocked")
    assert all(side.passages for side in slide.sides)


def test_what_stands_out_is_not_said_twice() -> None:
    column = ColumnEntry("capital", "Capital", "string")
    deck = of_countries(column, ["Town"] * 3, summary=("Most are large.",))
    told = [passage.text for slide in deck.slides for passage in passages_of(slide)]
    assert told.count("Most are large.") == 1
    assert told.count("None is new.") == 1


def test_bars_are_told_apart_by_the_heads_of_their_names() -> None:
    draft = Draft("heads")
    names = ("Lind et al., 2021: Heat", "Berg, 2020: Cold", "Ortiz, 2019: Noise")
    column = ColumnEntry("sample", "Sample size", "number", "")
    rows = tuple(
        RowEntry(number, name, "done", "", (CellEntry("found", value=81_600_000 // number),))
        for number, name in enumerate(names, start=1)
    )
    deck = outline_deck(draft.document("?", table=TableEntry((column,), rows)))
    (shown,) = (slide for slide in deck.slides if slide.chart)
    assert shown.chart is not None
    assert shown.chart.labels == ("Lind et al., 2021", "Berg, 2020", "Ortiz, 2019")
    assert "Lind et al., 2021: Heat 81,600,000" in shown.chart.summary


def test_a_column_of_yes_and_no_is_two_lists_in_the_decks_language() -> None:
    deck = outline_deck(generated.document("table_and_prose"), OutlineOptions(language="de"))
    (listed,) = (slide for slide in deck.slides if slide.title == "Listed on an exchange")
    assert [side.heading for side in listed.sides] == ["Ja: 1", "Nein: 2"]
    assert [passage.text for passage in passages_of(listed)] == ["Globex", "Acme", "Initech"]
    assert all(passage.claim and passage.sources for passage in passages_of(listed))


def test_what_was_only_counted_over_a_table_is_no_sentence_on_a_slide() -> None:
    deck = outline_deck(generated.document("table"))
    (told,) = (slide for slide in deck.slides if slide.title == "What the table shows")
    assert [passage.text for passage in told.passages] == ["The oldest three are in City 2."]


def test_sources_that_do_not_answer_are_said_first() -> None:
    deck = outline_deck(generated.document("insufficient"))
    assert [slide.title for slide in deck.slides][1:3] == [
        "The sources do not answer this",
        "What was looked for",
    ]
    assert Layout.QUOTE in layouts_of(deck)


def test_a_deck_without_an_answer_counts_no_claims() -> None:
    report = generated.document("insufficient")
    bare = outline_deck(replace(report, sections=(), sources=()))
    assert bare.slides[0].caption == "20 November 2026"
    assert outline_deck(report).slides[0].caption == "1 claim · 1 source · 20 November 2026"


def test_an_aside_without_figures_may_go_to_make_a_bullet() -> None:
    draft = Draft("asides")
    source = draft.source()
    long = "The seasonal factor (as the authors define it) stayed above 2.4 at nine of eleven sites."
    kept = "The factor (not the output) stayed above 2.4 at nine (of 11) sites in every winter."
    draft.section("A", make_list(draft.claim(long, source)))
    draft.section("B", make_list(draft.claim(kept, source)))
    first, second = [slide.passages[0].text for slide in outline_deck(draft.document("?")).slides[1:3]]
    assert first == "The seasonal factor stayed above 2.4 at nine of eleven sites."
    assert second == kept


def test_the_decks_own_words_are_in_its_language() -> None:
    deck = outline_deck(generated.document("one_claim"), OutlineOptions(language="de"))
    assert deck.language == "de"


def test_a_reference_that_would_fill_a_slide_is_told_short_there_and_whole_in_the_notes() -> None:
    long = f"{', '.join(['Lind, A.'] * 30)} (2024). Oil. https://nordhaus.example/reports/1"
    options = OutlineOptions(references={1: long}, authors={1: "Lind et al."})
    deck = outline_deck(generated.document("one_claim"), options)
    assert deck.slides[-1].passages == (
        SlidePassage("Lind et al. (2024). Report 1 on heat pumps. Nordhaus Energy", None, (1,)),
    )
    assert long in " ".join(notes_of(deck, deck.slides[-1]))
    assert deck.sources[0].short == "Lind et al., 2024"


def test_references_are_written_as_the_style_writes_them() -> None:
    deck = outline_deck(
        generated.document("one_claim"), OutlineOptions(references={1: "Lind, A. (2024). Oil."})
    )
    assert deck.slides[-1].passages == (SlidePassage("Lind, A. (2024). Oil.", None, (1,)),)


def test_many_sources_are_told_in_a_line_each_and_in_full_in_the_notes() -> None:
    draft = Draft("many")
    title = "Effects of intermittent preventive treatment on malaria in children under five, study"
    sources = [draft.source(f"{title} {number}", author="Ada Lind, Bo Berg, Cy Ray") for number in range(60)]
    draft.section("Agreement", prose(draft.claim("60 studies agree.", *sources)))
    deck = outline_deck(
        draft.document("Do they agree?"), OutlineOptions(authors=dict.fromkeys(range(1, 61), "Lind et al."))
    )
    slides = [slide for slide in deck.slides if slide.is_sources]
    assert len(slides) == 6
    assert [len(slide.passages) for slide in slides] == [10] * 6
    assert slides[0].passages[0].text == (
        "Lind et al. (2024). Effects of intermittent preventive treatment on malaria in…"
    )
    for slide in slides:
        told = " ".join(notes_of(deck, slide))
        assert all(f"{title} {passage.sources[0] - 1}. Nordhaus" in told for passage in slide.passages)


def test_words_that_say_how_claims_stand_are_left_out_last() -> None:
    words = SlidePassage(
        "Your text says that screens are fine, which is wrong according to all of the sources."
    )
    claims = [
        SlidePassage(f"Claim {number} on screens " + "and sleep " * 12, number) for number in range(1, 9)
    ]
    slides = slides_of("In short", [words, *claims], 2, {}, keeps_words=True)
    assert len(slides) <= 2
    assert slides[0].passages[0] == words


def test_a_section_does_not_repeat_the_claims_of_an_earlier_one() -> None:
    draft = Draft("repeated")
    source = draft.source()
    first = draft.claim("Cats sleep for most of the day.", source)
    second = draft.claim("Dogs sleep at night.", source)
    draft.section("Key claims", prose(first))
    draft.section("Your text", prose(first, second))
    document = draft.document("Who sleeps?")
    said = [passage.claim for slide in outline_deck(document).slides for passage in passages_of(slide)]
    numbers = [number for number in said if number]
    assert len(numbers) == len(set(numbers)) == 2
