"""Estimates with their intervals on slides: drawn beside each other on one scale, in HTML and in PPTX."""

from io import BytesIO

import pytest
from lxml import etree
from openpyxl import load_workbook
from pptx import Presentation
from pptx.chart.chart import Chart
from pptx.oxml.ns import qn

from exports.building.document_study_effects import INTERVALS, READING, TITLE
from exports.document.document_tree import BlockEntry, ChartEntry, Document, PointEntry
from slides.deck import ChartKind, Dataset, DeckContent, Layout, Slide, SlideChart
from slides.deck_to_html import write_html
from slides.decks.edit_slides import SlideEditRefused, change_chart_kind
from slides.drawing import svg_of
from slides.fitting import fit_slide
from slides.outline import outline_deck
from slides.pptx.write_pptx import write_pptx
from slides.slide_forest_plot_data import Interval, intervals_of, kind_of, scale_of
from slides.theming.deck_themes import BUILT_IN
from tests.exports.drafting import Draft

ROWS = (("Smith, 2020 · HR", 1.86, 1.22, 2.87), ("Jones, 2021 · OR", 0.5, 0.25, 1.0))


def chart(*rows: tuple[str, float, float, float]) -> SlideChart:
    labels, *columns = zip(*(rows or ROWS), strict=True)
    names = ("Estimate", "Lower end", "Upper end")
    datasets = tuple(Dataset(name, tuple(values)) for name, values in zip(names, columns, strict=True))
    return SlideChart(ChartKind.INTERVALS, labels, datasets, summary="What studies found")


def slide(*rows: tuple[str, float, float, float]) -> Slide:
    return Slide(1, "Effects", Layout.CHART, chart=chart(*rows))


def native() -> Chart:
    made = Presentation(BytesIO(write_pptx(DeckContent("Effects", (slide(),)), BUILT_IN[0], {})))
    return next(shape.chart for shape in made.slides[0].shapes if shape.has_chart)


def document() -> Document:
    draft = Draft("effects")
    points = tuple(
        PointEntry(name, value, low=low, high=high, measure="HR") for name, value, low, high in ROWS
    )
    entry = ChartEntry(TITLE, "Study", points, INTERVALS, summary=READING)
    draft.section("Effects and their intervals", BlockEntry("chart", chart=entry))
    return draft.document("What do trials find?")


def test_the_intervals_of_a_report_become_a_slide():
    (shown,) = [one for one in outline_deck(document()).slides if one.chart]
    assert shown.chart is not None
    assert shown.title == "Ratios, with their intervals"
    assert [interval.figures for interval in intervals_of(shown.chart)] == [
        "1.86 (1.22–2.87)",
        "0.50 (0.25–1.00)",
    ]
    assert "logarithmic" in shown.caption


def test_each_line_begins_and_ends_where_its_interval_does():
    drawing = etree.fromstring(svg_of(chart()))
    spans = drawing.findall("{*}line[@class='span']")
    (no_effect,) = drawing.findall("{*}line[@class='base']")
    first, second = ((float(span.get("x1")), float(span.get("x2"))) for span in spans)
    assert first[0] > float(no_effect.get("x1")) == second[1]  # 1.22 lies above one, and 0.25–1 ends there
    assert first[1] - first[0] < second[1] - second[0]  # a factor of 2.35 is less than one of 4


def test_labels_figures_and_ticks_are_told_in_words():
    said = ["".join(one.itertext()) for one in etree.fromstring(svg_of(chart())).iter("{*}text")]
    assert said == ["Smith, 2020 · HR", "1.86 (1.22–2.87)", "Jones, 2021 · OR", "0.50 (0.25–1.00)"] + [
        "0.25", "0.5", "1", "2", "4",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("low", "high", "base", "ticks"),
    [(0.5, 2.0, 2, 3), (0.9, 1.1, 2, 3), (1.0, 8.0, 2, 4), (1.0, 1.0, 2, 2), (0.001, 30.0, 10, 6)],
)
def test_a_scale_goes_from_tick_to_tick_with_one_on_it(low, high, base, ticks):
    scale = scale_of([Interval("x", low, low, high)])
    assert (scale.base, len(scale.ticks)) == (base, ticks)
    assert 1.0 in scale.ticks
    assert scale.ticks[0] <= low <= high <= scale.ticks[-1]
    assert (scale.share(scale.ticks[0]), scale.share(scale.ticks[-1])) == (0.0, 1.0)


@pytest.mark.parametrize(
    "row", [("x", -1.0, 0.5, 2.0), ("x", 0.4, 0.5, 2.0), ("x", 3.0, 0.5, 2.0), ("x", 1.0, 0.0, 2.0)]
)
def test_what_is_no_interval_is_drawn_as_bars(row):
    assert kind_of(chart(*ROWS, row)) is ChartKind.BAR
    assert "<rect" in svg_of(chart(*ROWS, row))


def test_more_than_eight_go_on_over_further_slides():
    parts, found = fit_slide(slide(*((f"Study {n}", 1.0, 0.5, 2.0) for n in range(11))))
    assert found is not None
    assert [len(part.chart.labels) for part in parts if part.chart] == [5, 6]


def test_a_presentation_has_error_bars_on_a_logarithmic_axis():
    made = native()
    (series,) = made.plots[0].series
    bars = series._element.find(qn("c:errBars"))
    lengths = [
        [float(one.text) for one in bars.find(qn(f"c:{side}")).iter(qn("c:v"))] for side in ("plus", "minus")
    ]
    assert list(series.values) == [1.86, 0.5]
    assert lengths == [[1.01, 0.5], [0.64, 0.25]]
    assert made.value_axis._element.find(f"{qn('c:scaling')}/{qn('c:logBase')}").get("val") == "2"
    assert made.value_axis.crosses_at == 1
    assert made.category_axis.reverse_order  # the first row is above, and the scale below the last
    assert made.value_axis._element.find(qn("c:crosses")).get("val") == "max"


def test_a_presentation_says_studies_and_figures_and_keeps_them_in_its_data_sheet():
    made = native()
    assert list(made.plots[0].categories) == [
        "Smith, 2020 · HR   1.86 (1.22–2.87)",
        "Jones, 2021 · OR   0.50 (0.25–1.00)",
    ]
    sheet = load_workbook(BytesIO(made.part.chart_workbook.xlsx_part.blob)).active
    assert [one.value for one in sheet[1]][1:] == ["Estimate", "Estimate − Lower end", "Upper end − Estimate"]
    assert [one.value for one in sheet[2]][1:] == [1.86, 0.64, 1.01]


def test_a_page_leaves_intervals_as_they_are_drawn():
    page = write_html(DeckContent("Effects", (slide(),)), BUILT_IN[0], {}).decode()
    assert 'id="charts"' not in page
    assert 'class="span"' in page


def test_intervals_are_drawn_in_no_other_way():
    with pytest.raises(SlideEditRefused):
        change_chart_kind((slide(),), 1, ChartKind.BAR)
