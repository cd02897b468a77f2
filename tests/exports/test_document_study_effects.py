"""Effects with intervals: read as the table tells them, drawn on one scale, pooled by nobody."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from exports.building.document_forest_plot import MAX_ROWS, build_chart_parts, build_entry_chart
from exports.building.document_study_effects import HEADING, effect_of, with_effects
from exports.document.document_charts import WIDTH
from exports.document.document_tree import (
    BlockEntry,
    CellEntry,
    ColumnEntry,
    RowEntry,
    SectionEntry,
    TableEntry,
)
from exports.formats.export_chart_pictures import svg
from slides.deck import ChartKind
from slides.outline.slide_charts import chart_of_entry

COLUMNS = (ColumnEntry("outcome", "Outcome", "string"), ColumnEntry("finding", "Finding", "string"))
FINDINGS = (
    "Higher mortality (HR 1.86, 95% CI 1.22-2.87).",
    "Nothing to see.",
    "Better survival (RR 0.53, 0.35-0.80).",
)


def section(findings=FINDINGS) -> SectionEntry:
    rows = tuple(
        RowEntry(
            number,
            f"Study {number}, 2005: A title",
            "completed",
            "",
            (CellEntry("found", "death"), CellEntry("found", finding)),
        )
        for number, finding in enumerate(findings, start=1)
    )
    return SectionEntry(3, "Evidence table", 1, (BlockEntry("table", table=TableEntry(COLUMNS, rows)),))


def chart_entry(findings=FINDINGS):
    return with_effects([section(findings)])[0].blocks[0].chart


@pytest.mark.parametrize(
    ("text", "measure", "figures"),
    [
        ("HR 1.86, 95% CI 1.22-2.87", "HR", (1.86, 1.22, 2.87)),
        ("No association (OR 0.95, 0.81-1.10); pooled OR 1.26.", "OR", (0.95, 0.81, 1.1)),
        ("associated with success (aOR 2.5, 1.1–6.0)", "aOR", (2.5, 1.1, 6.0)),
        ("a hazard ratio of 0.72 (95% CI, 0.58 to 0.79)", "HR", (0.72, 0.58, 0.79)),
        ("Odds ratio (OR) = 1.4 [95% confidence interval: 1.1; 1.9]", "OR", (1.4, 1.1, 1.9)),
        ("RR 0,53 (95 % KI 0,35 bis 0,80)", "RR", (0.53, 0.35, 0.8)),
        ("OR 1.26 alone, then HR 2.0 (1.5-2.5)", "HR", (2.0, 1.5, 2.5)),
    ],
)
def test_an_effect_is_read_with_its_interval(text, measure, figures):
    found = effect_of(text)
    assert (found.measure, (found.value, found.low, found.high)) == (measure, figures)


@pytest.mark.parametrize(
    "text",
    [
        "two or 3 (1-5) of them",  # a word, not a measure
        "OR 1.26",
        "HR 2.0 (2.5-3.5)",  # the interval does not hold it
        "OR 1.2 (p = 0.03-0.04)",
        "HR 0.7 (35-40%)",
        "efficacy 82% (75-87%)",
        "HR 0.72 (90% CI 0.58-0.79)",  # no match for intervals of 95 %
        "RR 0 (0-0)",
    ],
)
def test_what_is_no_ratio_with_an_interval_is_not_drawn(text):
    assert effect_of(text) is None


def test_the_drawing_stands_before_the_table_that_tells_its_figures():
    sections = with_effects([replace(section(), index=0, blocks=()), section()])
    assert [one.heading for one in sections] == ["Evidence table", HEADING, "Evidence table"]
    assert len({one.index for one in sections}) == len(sections)
    assert [(point.label, point.outcome) for point in sections[1].blocks[0].chart.points] == [
        ("Study 1, 2005", "death"),
        ("Study 3, 2005", "death"),
    ]


def test_of_one_effect_there_is_nothing_to_compare():
    assert with_effects([section(FINDINGS[:2])]) == (section(FINDINGS[:2]),)


def test_each_interval_is_drawn_where_its_figures_are_on_a_scale_of_ratios():
    chart = build_entry_chart(chart_entry(("HR 2 (1-4)", "HR 0.5 (0.25-1)")))
    lines = [bar for bar in chart.bars if bar.height < 2 < bar.width and not bar.tone]
    squares = [bar.x + bar.width / 2 for bar in chart.bars if bar.width == bar.height]
    assert lines[0].x == pytest.approx(lines[1].x + lines[1].width)  # both end at 1
    assert lines[0].width == pytest.approx(lines[1].width)
    assert [bar.x + bar.width / 2 for bar in lines] == pytest.approx(squares)
    assert sum(squares) / 2 == pytest.approx(lines[0].x)


def test_all_of_it_lies_within_the_drawing():
    chart = build_entry_chart(chart_entry(("HR 0.001 (0.0001-0.01)", "OR 900 (2-100000)", *FINDINGS)))
    for bar in chart.bars:
        assert 0 <= bar.x <= bar.x + bar.width <= WIDTH
        assert 0 <= bar.y <= bar.y + bar.height <= chart.height
    ET.fromstring(svg(chart))


def test_its_figures_stand_beside_it_as_the_table_tells_them():
    chart = build_entry_chart(chart_entry())
    assert [(count.name, count.said) for count in chart.counts] == [
        ("Study 1, 2005: death", "HR 1.86 (1.22–2.87)"),
        ("Study 3, 2005: death", "RR 0.53 (0.35–0.80)"),
    ]
    assert {"HR 1.86 (1.22–2.87)", "RR 0.53 (0.35–0.80)"} <= {bar.value.words for bar in chart.bars}


def test_many_studies_go_on_over_drawings_of_one_scale():
    findings = [f"HR {1 + number / 100:.2f} (0.5-{2 + number})" for number in range(25)]
    parts = list(build_chart_parts(chart_entry(findings)))
    assert [len(part.counts) for part in parts] == [8, 8, 9]
    assert max(len(part.counts) for part in parts) <= MAX_ROWS
    assert [count for part in parts for count in part.counts] == list(
        build_entry_chart(chart_entry(findings)).counts
    )
    assert len({tuple(bar.label.words for bar in part.bars[-8:]) for part in parts}) == 1
    assert parts[0].title.endswith("(1 of 3)")


def test_no_slide_shows_them_as_bars():
    assert chart_entry().kind == "intervals"
    drawn = chart_of_entry(chart_entry())
    assert drawn is not None
    assert drawn.kind is ChartKind.INTERVALS
