"""Charts: bars in proportion, inside the drawing, and the same figures in words."""

from dataclasses import replace
from uuid import uuid4

import pytest

from exports.document.document_charts import (
    WIDTH,
    chart_of_kinds,
    chart_of_strengths,
    chart_of_years,
    select_nonempty_charts,
)
from exports.document.document_tree import SourceEntry

SOURCE = SourceEntry(
    id=uuid4(),
    number=1,
    title="",
    author="",
    publisher="",
    published="",
    url="",
    file="",
    domain="",
    source_type="academic",
    tier=1,
    status="processed",
    reason="",
    media_type="",
    language="",
    sha256="",
    retrieved=None,
)


def make_sources(*published: str, kind: str = "academic") -> list[SourceEntry]:
    return [
        replace(SOURCE, number=number, published=day, source_type=kind)
        for number, day in enumerate(published, start=1)
    ]


def figures(chart):
    return [(count.label, count.count) for count in chart.counts]


def test_bars_are_in_proportion_and_the_longest_fills_the_drawing():
    chart = chart_of_strengths({"strong": 8, "moderate": 4, "limited": 0})
    assert [bar.width for bar in chart.bars] == [WIDTH, WIDTH / 2, 0]
    assert [bar.tone for bar in chart.bars] == ["strong", "moderate", "limited"]
    assert chart.summary == ("12 claims: strong evidence for 8, moderate for 4, limited for 0.",)


def test_each_bar_has_its_words_and_figure_beside_it():
    chart = chart_of_kinds([*make_sources("2020", "2021"), *make_sources("2021", kind="news")])
    assert [(bar.label.words, bar.value.words) for bar in chart.bars] == [("Paper", "2"), ("News", "1")]
    assert chart.summary == ("The most frequent kind is “Paper”: 2 of 3 cited sources.",)


def test_years_without_a_source_keep_their_place():
    chart = chart_of_years(make_sources("2020", "2023-04", "2023"))
    assert figures(chart) == [("2020", 1), ("2021", 0), ("2022", 0), ("2023", 2)]
    assert [bar.height for bar in chart.bars][-1] == 2 * chart.bars[0].height
    assert chart.bars[1].value.words == ""


def test_of_a_long_span_the_older_years_share_a_column():
    chart = chart_of_years(make_sources("1969", "1998", "2024", "2017"))
    assert figures(chart)[0] == ("<2019", 3)
    assert chart.counts[0].name == "before 2019"
    assert len(chart.bars) == 7
    assert chart.summary == ("Published from 1969 to 2024.",)


@pytest.mark.parametrize(
    ("published", "said"),
    [
        (("2020", ""), ("All dated sources are from 2020.", "1 source has no date.")),
        (("", ""), ("2 sources have no date.",)),
    ],
)
def test_what_has_no_date_is_told_and_not_drawn(published, said):
    chart = chart_of_years(make_sources(*published))
    assert chart.summary == said
    assert sum(count.count for count in chart.counts) == 2
    assert len(chart.bars) == len([one for one in published if one])


def test_sources_that_are_not_cited_are_not_counted():
    assert (
        select_nonempty_charts(
            chart_of_years([replace(SOURCE, number=None, published="2020")]), chart_of_kinds([])
        )
        == []
    )


@pytest.mark.parametrize("years", [["2020"], [str(year) for year in range(1900, 2024)]])
def test_nothing_lies_outside_the_drawing(years):
    for chart in (chart_of_years(make_sources(*years)), chart_of_kinds(make_sources(*years))):
        for bar in chart.bars:
            assert 0 <= bar.x <= bar.x + bar.width <= WIDTH + 0.01
            assert 0 <= bar.y <= bar.y + bar.height <= chart.height
            assert 0 < bar.value.y <= chart.height
