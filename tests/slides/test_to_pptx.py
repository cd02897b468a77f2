"""PPTX: what PowerPoint finds in it."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from itertools import chain

import pytest
import time_machine
from pptx.util import Emu, Pt

from slides.deck import DeckContent, Layout, Slide, SlideImage
from slides.pptx.pptx_text import one_line
from slides.pptx.pptx_theme_part import scheme
from slides.pptx.write_pptx import write_pptx
from slides.slide_layouts import BOXES, PlaceholderRole
from slides.speaker_notes import chart_of, claims_on, notes_of, source_line
from slides.theming.deck_theme_palettes import palette_of
from slides.theming.deck_themes import BUILT_IN
from tests.exports.office import schema_errors
from tests.often import IS_FULL
from tests.slides.generated import NAMES, deck, pictures
from tests.slides.reading import notes_in_pptx, open_pptx

THEMES = {theme.id: theme for theme in BUILT_IN}
# A validation takes a second: here those that differ most, on demand all.
VALIDATED = NAMES if IS_FULL else ("charts", "hostile", "sources")


@cache
def write_deck(name: str, theme: str = "zurich") -> bytes:
    return write_pptx(deck(name), THEMES[theme], pictures())


def both(name: str):
    """The slides of the deck, each with what was written."""
    return zip(deck(name).slides, open_pptx(write_deck(name)).slides, strict=True)


@pytest.mark.parametrize("name", VALIDATED)
def test_the_schema_objects_to_nothing(name, tmp_path):
    path = tmp_path / "deck.pptx"
    path.write_bytes(write_deck(name))
    assert schema_errors(path) == []


@pytest.mark.parametrize("theme", THEMES if IS_FULL else ["glacier"])
def test_no_theme_breaks_the_schema(theme, tmp_path):
    path = tmp_path / "deck.pptx"
    path.write_bytes(write_deck("all_layouts", theme))
    assert schema_errors(path) == []


def test_it_is_wide_and_has_the_eight_layouts_and_no_other():
    read = open_pptx(write_deck("all_layouts"))
    assert (read.slide_width, read.slide_height) == (Emu(12192000), Emu(6858000))
    assert [layout.name for layout in read.slide_layouts] == [layout.value.title() for layout in Layout]


@pytest.mark.parametrize("name", NAMES)
def test_all_text_is_in_placeholders_of_the_slides_layout(name):
    for slide, written in both(name):
        assert written.slide_layout.name.lower() == slide.layout
        assert all(shape.is_placeholder for shape in written.shapes)
        held = {placeholder.placeholder_format.idx for placeholder in written.slide_layout.placeholders}
        assert {placeholder.placeholder_format.idx for placeholder in written.placeholders} <= held


@pytest.mark.parametrize("name", NAMES)
def test_every_slide_has_a_title_notes_and_its_number(name):
    for slide, written in both(name):
        assert written.shapes.title.text.strip()
        assert notes_in_pptx(written) == [one_line(line) for line in notes_of(deck(name), slide)]
        numbers = [
            placeholder.text_frame.text
            for placeholder in written.placeholders
            if placeholder.placeholder_format.idx == 21
        ]
        assert numbers == ([str(slide.number)] if PlaceholderRole.NUMBER in BOXES[slide.layout] else [])


@pytest.mark.parametrize("name", ["all_layouts", "charts"])
def test_every_chart_is_native_and_has_the_decks_data(name):
    for slide, written in both(name):
        chart = chart_of(slide)
        charts = [shape.chart for shape in written.placeholders if shape.has_chart]
        if chart is None or not chart.datasets:
            assert charts == []
            continue
        plot = charts[0].plots[0]
        assert [tuple(one.values) for one in plot.series] == [dataset.values for dataset in chart.datasets]
        assert len(list(plot.categories)) == len(chart.labels)


def test_every_picture_and_chart_says_what_it_shows():
    for slide, written in both("all_layouts"):
        shown = [
            placeholder._element._nvXxPr.cNvPr.get("descr")
            for placeholder in written.placeholders
            if not placeholder.has_text_frame
        ]
        words = (slide.image.alt if slide.image else "", slide.chart.summary if slide.chart else "")
        assert shown == [word for word in words if word]


def test_what_is_read_out_comes_in_the_order_of_the_layout():
    for slide, written in both("all_layouts"):
        names = [shape.name.rpartition(" ")[0] or shape.name for shape in written.shapes]
        assert written.shapes[0] == written.shapes.title
        assert names[-1].startswith("Slide") or slide.layout is Layout.TITLE


def test_raised_numbers_lead_to_the_source_or_to_the_slide_that_lists_it():
    first, last = open_pptx(write_deck("sources")).slides
    runs = list(
        chain.from_iterable(paragraph.runs for paragraph in first.placeholders[1].text_frame.paragraphs)
    )
    links = [run.hyperlink.address for run in runs if "://" in (run.hyperlink.address or "")]
    assert links == ["https://example.org/study/2?a=1&b=2"]
    jumps = [rel.target_part for rel in first.part.rels.values() if rel.reltype.endswith("/slide")]
    assert jumps == [last.part]


def test_the_foot_names_the_slides_sources():
    for slide, written in both("sources"):
        feet = [
            placeholder.text_frame.text
            for placeholder in written.placeholders
            if placeholder.placeholder_format.idx == 20
        ]
        assert feet == [line for line in [source_line(deck("sources"), slide)] if line]


@pytest.mark.parametrize("theme", THEMES)
def test_the_themes_colours_and_fonts_are_powerpoints(theme):
    package = open_pptx(write_deck("all_layouts", theme)).slide_master.part.package
    blob = next(
        part.blob for part in package.iter_parts() if part.partname.startswith("/ppt/theme/theme1")
    ).decode()
    for colour in (THEMES[theme].primary, THEMES[theme].accent, *palette_of(THEMES[theme]).series):
        assert colour.removeprefix("#").upper() in blob
    assert f'<a:majorFont><a:latin typeface="{THEMES[theme].heading_font}"' in blob
    assert scheme(THEMES[theme])["dk1"] == palette_of(THEMES[theme]).text


def test_a_lost_picture_is_told_in_words():
    _, written = open_pptx(write_deck("hostile")).slides
    assert "Ends" in written.placeholders[18].text_frame.text


def test_text_from_right_to_left_is_set_so():
    (written,) = open_pptx(write_deck("right_to_left")).slides
    ways = [paragraph._p.pPr.get("rtl") for paragraph in written.placeholders[1].text_frame.paragraphs]
    assert ways == ["1", "1"]


def test_the_file_says_what_it_is_and_in_what_language():
    properties = open_pptx(write_deck("german")).core_properties
    assert (properties.title, properties.language) == (deck("german").title, "de-DE")


def test_the_same_deck_gives_the_same_bytes_whenever_it_is_written():
    with time_machine.travel(datetime(2031, 5, 6, tzinfo=UTC)):
        again = write_pptx(deck("all_layouts"), THEMES["zurich"], pictures())
    assert again == write_deck("all_layouts")


def test_no_text_is_smaller_than_18_points_but_in_the_foot():
    sizes = [
        placeholder.text_frame._txBody.find(".//{*}defRPr").get("sz")
        for layout in open_pptx(write_deck("all_layouts")).slide_layouts
        for placeholder in layout.placeholders
        if placeholder.placeholder_format.idx not in (15, 20, 21)
    ]
    assert min(map(int, sizes)) >= Pt(18).pt * 100


def test_claims_of_a_chart_stand_in_its_notes():
    slide, written = next((one, two) for one, two in both("all_layouts") if one.chart)
    notes = " ".join(notes_in_pptx(written))
    assert all(f"Claim {number} (" in notes for number in claims_on(slide))


def test_a_picture_of_a_model_is_told():
    slide = next(one for one in deck("all_layouts").slides if one.image)
    drawn = replace(slide, image=SlideImage(slide.image.key, "A bar", is_generated=True))
    (written,) = open_pptx(
        write_pptx(replace(deck("all_layouts"), slides=(drawn,)), THEMES["zurich"], pictures())
    ).slides
    assert "Picture made by a model" in written.placeholders[18].text_frame.text
    assert "Picture made by a model: A bar. No source shows it." in notes_in_pptx(written)
    assert "Picture made by a model: A bar" in {
        shape._element._nvXxPr.cNvPr.get("descr") for shape in written.placeholders
    }


@pytest.mark.parametrize(
    ("title", "edge"),
    [
        ("Do heat pumps work?", None),
        ("How many failed logins before an account or address is locked?", "rIns"),
    ],
)
def test_a_title_of_several_lines_keeps_off_the_far_edge_so_that_they_are_about_as_long(title, edge):
    made = open_pptx(write_pptx(DeckContent("A", (Slide(1, title, Layout.TITLE),)), THEMES["zurich"], {}))
    title_shape = made.slides[0].shapes.title
    free = {name: int(title_shape._element.txBody.bodyPr.get(name, 0)) for name in ("lIns", "rIns")}
    assert title_shape.text_frame.text == title
    assert [name for name, held in free.items() if held] == ([edge] if edge else [])
