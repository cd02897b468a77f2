"""Charts as SVG: every figure is told beside its mark, and nothing leaves the drawing."""

import re

import pytest
from hypothesis import given, settings
from lxml import etree

from slides.deck import ChartKind, Dataset, Layout, Slide, SlideChart
from slides.drawing import svg_of
from slides.drawing.slide_drawing_scale import scale_of
from slides.drawing.slide_svg_marks import HEIGHT, WIDTH, truncate_to_width, wide
from slides.fitting.split_slides import pages_of
from tests.slides.decks import charts

SVG = "{http://www.w3.org/2000/svg}"
FUELS = ("Natural gas", "Heating oil", "Heat pumps")


def chart(kind: ChartKind, *values: tuple[float | None, ...], unit: str = "%") -> SlideChart:
    datasets = tuple(Dataset(f"S{place}", one) for place, one in enumerate(values, start=1))
    return SlideChart(kind, FUELS, datasets, unit, "How fuels changed")


def draw_chart(one: SlideChart) -> etree._Element:
    return etree.fromstring(svg_of(one))


def texts(one: SlideChart) -> list[str]:
    return [element.text or "" for element in draw_chart(one).iter(f"{SVG}text")]


def rects(one: SlideChart) -> list[tuple[float, float, float, float]]:
    parts = ("x", "y", "width", "height")
    return [tuple(float(rect.get(part)) for part in parts) for rect in draw_chart(one).iter(f"{SVG}rect")]  # type: ignore[misc]


def test_each_bar_has_its_label_and_figure() -> None:
    assert texts(chart(ChartKind.BAR, (12.0, -4.5, 48.0))) == [
        "Natural gas", "12%", "Heating oil", "-4.5%", "Heat pumps", "48%",
    ]  # fmt: skip


def test_a_bar_is_as_long_as_its_value() -> None:
    (_, _, first, _), (_, _, second, _) = rects(chart(ChartKind.BAR, (12.0, None, 48.0)))
    assert second == pytest.approx(4 * first, rel=0.01)


def test_several_series_are_named_above_and_figured() -> None:
    found = texts(chart(ChartKind.BAR, (1.0, 2.0, 3.0), (4.0, 5.0, 6.0)))
    assert found[:2] == ["S1", "S2"]
    assert set("123456") <= set(found)


def test_a_line_is_broken_where_nothing_is_known() -> None:
    drawing = draw_chart(chart(ChartKind.LINE, (1.0, None, 3.0)))
    assert len(list(drawing.iter(f"{SVG}circle"))) == 2
    assert not list(drawing.iter(f"{SVG}polyline"))


@pytest.mark.parametrize("kind", [ChartKind.PIE, ChartKind.DOUGHNUT])
def test_parts_of_a_whole_are_told_with_their_share(kind: ChartKind) -> None:
    found = texts(chart(kind, (21.0, 9.0, 0.0), unit=""))
    assert {"21 · 70%", "9 · 30%", "0 · 0%"} <= set(found)


def test_the_drawing_has_its_summary_as_its_name() -> None:
    assert draw_chart(chart(ChartKind.BAR, (1.0, 2.0, 3.0))).get("aria-label") == "How fuels changed"


@given(charts())
@settings(max_examples=30, deadline=None)
def test_whatever_a_chart_holds_its_marks_stay_within_the_drawing(held: SlideChart) -> None:
    slide = Slide(1, "Chart", Layout.CHART, chart=held)
    for one in [page.chart for page in pages_of(slide) if page.chart][:2]:
        for x, y, width, height in rects(one):
            assert -1 <= x <= x + width <= WIDTH + 1
            assert -1 <= y <= y + height <= HEIGHT + 1


def test_a_label_without_room_is_shortened() -> None:
    assert truncate_to_width("Natural gas", 400) == "Natural gas"
    assert re.fullmatch(r"Natural.*…", truncate_to_width("Natural gas from the North Sea", 160))
    assert wide(truncate_to_width("Natural gas from the North Sea", 160)) <= 160


def test_zero_is_always_on_the_scale() -> None:
    scale = scale_of([5.0, 10.0], 0, 100)
    assert (scale.zero, scale.at(10.0)) == (0, 100)
    assert scale_of([], 0, 100).zero == 0
