"""Estimates with their intervals as a native chart: horizontal bars from 1 to each estimate, with error bars, on a
logarithmic axis.

python-pptx supports neither error bars nor logarithmic axes, so both are written into the chart's XML. The lengths of
the error bars are in the worksheet, beside the estimates.
"""

from collections.abc import Sequence

from lxml import etree
from pptx.chart.chart import Chart
from pptx.chart.data import CategoryChartData
from pptx.chart.plot import BarPlot
from pptx.enum.chart import XL_AXIS_CROSSES, XL_CHART_TYPE, XL_TICK_LABEL_POSITION, XL_TICK_MARK
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.shapes.placeholder import ChartPlaceholder, PlaceholderGraphicFrame
from pptx.util import Length, Pt

from slides.pptx.pptx_text import one_line
from slides.slide_forest_plot_data import NO_EFFECT, Interval, scale_of

_PALE = 0.6  # narrow bars, so that the error bars are visible


def insert(
    holder: ChartPlaceholder, rows: Sequence[Interval], names: Sequence[str], size: Length
) -> PlaceholderGraphicFrame:
    """Insert the chart, with the first row on top.

    `names` are those of the estimates, of the lower ends and of the upper ends.
    """
    value, low, high = map(one_line, names)
    data = CategoryChartData(number_format="General")
    data.categories = [f"{one_line(row.label)}   {row.figures}" for row in rows]
    data.add_series(value, [row.value for row in rows])
    data.add_series(f"{value} − {low}", [_round_length(row.value - row.low) for row in rows])
    data.add_series(f"{high} − {value}", [_round_length(row.high - row.value) for row in rows])
    frame: PlaceholderGraphicFrame = holder.insert_chart(XL_CHART_TYPE.BAR_CLUSTERED, data)
    made = frame.chart
    made.font.size = size
    made.font.color.theme_color = MSO_THEME_COLOR.TEXT_1
    made.has_title = made.has_legend = False
    _draw_axes(made, rows)
    _draw_bars(made)
    return frame


def _round_length(length: float) -> float:
    return round(length, 6)


def _draw_axes(made: Chart, rows: Sequence[Interval]) -> None:
    studies, figures, scale = made.category_axis, made.value_axis, scale_of(rows)
    figures.minimum_scale, figures.maximum_scale = scale.ticks[0], scale.ticks[-1]
    figures._element.find(qn("c:scaling")).insert(
        0, parse_xml(f'<c:logBase {nsdecls("c")} val="{scale.base}"/>')
    )
    figures.crosses, figures.crosses_at = (
        XL_AXIS_CROSSES.CUSTOM,
        NO_EFFECT,
    )  # bars start at the line of no effect
    studies.reverse_order = True
    if (below := figures._element.find(qn("c:crosses"))) is not None:
        below.set("val", "max")  # with the first row on top, the end of this axis is at the bottom
    studies.tick_label_position = XL_TICK_LABEL_POSITION.LOW
    studies.major_tick_mark, figures.major_tick_mark = XL_TICK_MARK.NONE, XL_TICK_MARK.OUTSIDE
    studies.has_major_gridlines = figures.has_major_gridlines = False
    for axis in (studies, figures):
        axis.format.line.color.theme_color = MSO_THEME_COLOR.TEXT_2


def _draw_bars(made: Chart) -> None:
    """Draw bars for the estimates only; the other columns become the lengths of their error bars."""
    plot = made.plots[0]
    if isinstance(plot, BarPlot):
        plot.gap_width = 300
    drawn, below, above = plot.series
    drawn.format.fill.solid()
    drawn.format.fill.fore_color.theme_color = MSO_THEME_COLOR.ACCENT_1
    drawn.format.fill.fore_color.brightness = _PALE
    bars = _error_bars(_figures("plus", above._element), _figures("minus", below._element))
    for series in (below, above):
        series._element.getparent().remove(series._element)
    drawn._element.find(qn("c:cat")).addprevious(bars)


def _error_bars(plus: str, minus: str) -> etree._Element:
    made: etree._Element = parse_xml(
        f'<c:errBars {nsdecls("c", "a")}><c:errBarType val="both"/><c:errValType val="cust"/><c:noEndCap val="0"/>'
        f'{plus}{minus}<c:spPr><a:ln w="{Pt(2.5)}"><a:solidFill><a:schemeClr val="accent1"/></a:solidFill></a:ln>'
        "</c:spPr></c:errBars>"
    )
    return made


def _figures(side: str, series: etree._Element) -> str:
    """Return the values of a series from its column of the worksheet."""
    found = series.find(f"{qn('c:val')}/{qn('c:numRef')}")
    held = "" if found is None else etree.tostring(found, encoding="unicode")
    return f"<c:{side}>{held}</c:{side}>"
