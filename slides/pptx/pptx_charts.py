"""Native charts with their worksheets, in the colours of the theme."""

from collections.abc import Mapping

from lxml import etree
from pptx.chart.axis import _BaseAxis
from pptx.chart.chart import Chart
from pptx.chart.data import CategoryChartData
from pptx.chart.plot import BarPlot, _BasePlot
from pptx.chart.series import BarSeries, LineSeries
from pptx.dml.fill import FillFormat
from pptx.enum.chart import (
    XL_CHART_TYPE,
    XL_LABEL_POSITION,
    XL_LEGEND_POSITION,
    XL_MARKER_STYLE,
    XL_TICK_LABEL_POSITION,
    XL_TICK_MARK,
)
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.oxml.ns import qn
from pptx.shapes.placeholder import ChartPlaceholder, PlaceholderGraphicFrame
from pptx.util import Pt

from slides.deck import ChartKind, SlideChart
from slides.pptx import pptx_forest_plot
from slides.pptx.pptx_drawing import points
from slides.pptx.pptx_text import one_line
from slides.slide_forest_plot_data import intervals_of, kind_of
from slides.slide_layouts import SIZES, PlaceholderRole

_TYPES: Mapping[ChartKind, XL_CHART_TYPE] = {
    ChartKind.BAR: XL_CHART_TYPE.COLUMN_CLUSTERED,
    ChartKind.LINE: XL_CHART_TYPE.LINE_MARKERS,
    ChartKind.PIE: XL_CHART_TYPE.PIE,
    ChartKind.DOUGHNUT: XL_CHART_TYPE.DOUGHNUT,
}
_FIGURES = "[>=10000]#,##0;General"  # grouped from five digits on, like `notes.figure`
_ROUND = (ChartKind.PIE, ChartKind.DOUGHNUT)
_SERIES = (
    MSO_THEME_COLOR.ACCENT_1,
    MSO_THEME_COLOR.ACCENT_2,
    MSO_THEME_COLOR.ACCENT_3,
    MSO_THEME_COLOR.ACCENT_4,
    MSO_THEME_COLOR.ACCENT_5,
)
_SIZE = Pt(points(SIZES[PlaceholderRole.CHART]) / 100)
_LABELS = {
    ChartKind.BAR: XL_LABEL_POSITION.OUTSIDE_END,
    ChartKind.LINE: XL_LABEL_POSITION.ABOVE,
    ChartKind.PIE: XL_LABEL_POSITION.OUTSIDE_END,
}
_MAX_ID = 2**31 - 1
_FEW = 12  # maximum number of values that are written beside their bars or points


def put_chart(holder: ChartPlaceholder, chart: SlideChart) -> PlaceholderGraphicFrame:
    """Replace the placeholder by the chart."""
    if rows := intervals_of(chart):
        made = pptx_forest_plot.insert(holder, rows, [dataset.label for dataset in chart.datasets], _SIZE)
        _mend_axes(made.chart._chartSpace)
        return made
    data = CategoryChartData(number_format=_FIGURES)
    data.categories = [one_line(label) for label in chart.labels]
    for dataset in chart.datasets:
        data.add_series(one_line(dataset.label), dataset.values)
    frame: PlaceholderGraphicFrame = holder.insert_chart(_type_of(chart), data)
    _draw(frame.chart, chart)
    _mend_axes(frame.chart._chartSpace)
    return frame


def _type_of(chart: SlideChart) -> XL_CHART_TYPE:
    """Return horizontal bars for one series, so that its labels have room, and grouped columns for several."""
    return XL_CHART_TYPE.BAR_CLUSTERED if _is_lying(chart) else _TYPES[kind_of(chart)]


def _is_lying(chart: SlideChart) -> bool:
    return kind_of(chart) is ChartKind.BAR and len(chart.datasets) == 1


def _draw(made: Chart, chart: SlideChart) -> None:
    made.font.size = _SIZE
    made.font.color.theme_color = MSO_THEME_COLOR.TEXT_1
    made.has_title = False
    is_round = chart.kind in _ROUND
    made.has_legend = is_round or len(chart.datasets) > 1
    if made.has_legend:
        made.legend.position = XL_LEGEND_POSITION.RIGHT if is_round else XL_LEGEND_POSITION.BOTTOM
        made.legend.include_in_layout = False
    plot = made.plots[0]
    if len(chart.labels) * len(chart.datasets) <= _FEW:
        _write_values(plot, kind_of(chart))
    if is_round:
        _paint_slices(plot, len(chart.labels))
    else:
        _draw_axes(made, chart)
        _paint_series(plot)


def _write_values(plot: _BasePlot, kind: ChartKind) -> None:
    """Write the values beside their marks; in a ring, inside them.

    There they have the background's colour, against which each series has 3:1.
    """
    plot.has_data_labels = True
    plot.data_labels.show_value = True
    plot.data_labels.font.size = _SIZE
    plot.data_labels.font.bold = True
    is_ring = kind is ChartKind.DOUGHNUT
    plot.data_labels.font.color.theme_color = (
        MSO_THEME_COLOR.BACKGROUND_1 if is_ring else MSO_THEME_COLOR.TEXT_1
    )
    if kind in _LABELS:
        plot.data_labels.position = _LABELS[kind]


def _paint_slices(plot: _BasePlot, count: int) -> None:
    for series in plot.series:
        for place in range(count):
            form = series.points[place].format
            _paint(form.fill, place)
            form.line.color.theme_color = MSO_THEME_COLOR.BACKGROUND_1
            form.line.width = Pt(2)


def _paint_series(plot: _BasePlot) -> None:
    if isinstance(plot, BarPlot):
        plot.gap_width, plot.overlap = 60, -8
    for place, series in enumerate(plot.series):
        if isinstance(series, BarSeries):
            series.invert_if_negative = False
            _paint(series.format.fill, place)
        elif isinstance(series, LineSeries):
            _draw_line(series, place)


def _draw_line(series: LineSeries, place: int) -> None:
    series.smooth = False
    series.format.line.width = Pt(3)
    series.format.line.color.theme_color = _SERIES[place % len(_SERIES)]
    series.marker.style, series.marker.size = XL_MARKER_STYLE.CIRCLE, 9
    _paint(series.marker.format.fill, place)
    series.marker.format.line.color.theme_color = MSO_THEME_COLOR.BACKGROUND_1


def _paint(fill: FillFormat, place: int) -> None:
    fill.solid()
    fill.fore_color.theme_color = _SERIES[place % len(_SERIES)]


def _draw_axes(made: Chart, chart: SlideChart) -> None:
    categories, values = made.category_axis, made.value_axis
    categories.has_major_gridlines = False
    categories.tick_label_position = XL_TICK_LABEL_POSITION.LOW  # at the bottom, below any negative values
    is_lying = _is_lying(chart)
    categories.reverse_order = is_lying  # the first label is on top
    values.has_major_gridlines = not is_lying
    if is_lying and len(chart.labels) <= _FEW:  # each bar has its figure written beside it
        values.tick_label_position = XL_TICK_LABEL_POSITION.NONE
        values.format.line.fill.background()
    else:
        values.format.line.color.theme_color = MSO_THEME_COLOR.TEXT_2
    if not is_lying:
        values.major_gridlines.format.line.color.theme_color = MSO_THEME_COLOR.BACKGROUND_2
    for axis in (categories, values):
        axis.major_tick_mark = XL_TICK_MARK.NONE
    categories.format.line.color.theme_color = MSO_THEME_COLOR.TEXT_2
    if chart.unit:
        _name(values, one_line(chart.unit))


def _name(axis: _BaseAxis, unit: str) -> None:
    axis.has_title = True
    axis.axis_title.text_frame.text = unit
    font = axis.axis_title.text_frame.paragraphs[0].font
    font.size, font.bold = _SIZE, False
    font.color.theme_color = MSO_THEME_COLOR.TEXT_2


def _mend_axes(space: etree._Element) -> None:
    """Correct the negative axis ids of python-pptx 1.0.2, which the schema does not allow (CT_UnsignedInt)."""
    for name in ("c:axId", "c:crossAx"):
        for element in space.iter(qn(name)):
            element.set("val", str(int(element.get("val", "0")) & _MAX_ID))
