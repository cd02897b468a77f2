"""A table as slides: what stands out, a chart for each column of figures, items by their words. Pure."""

import re
from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exports.document import ColumnEntry, RowEntry, TableEntry
from slides.deck import ChartKind, Dataset, Layout, Passage, Slide, SlideChart
from slides.fitting.budgets import POINTS
from slides.outline.charts import summary_of
from slides.outline.choosing import slides_of
from slides.outline.passages import sources_of, unique

LEAST = 3  # figures that make a chart
MOST_CHARTS, MOST_COLUMNS, MOST_ITEMS = 4, 3, 15
_UNIT = re.compile(r"(?:\((?P<bracketed>[^()]{1,12})\)|\bin (?P<named>%|[A-Za-z€$£°/%]{1,8}))\s*$")
_YEARS = (1500, 2100)


def table_slides(table: TableEntry, title: str = "") -> Iterator[Slide]:
    texts = (*(one.text for one in table.insights), *(one.text for one in table.statistics))
    stands_out = unique(map(Passage, texts))
    yield from slides_of(title or _("What the table shows"), stands_out, 2, {})
    figures = [(at, column) for at, column in enumerate(table.columns) if _has_figures(table, at)]
    for at, column in figures[:MOST_CHARTS]:
        yield _chart(table, at, column)
    worded = [
        (at, column)
        for at, column in enumerate(table.columns)
        if column.type in ("string", "boolean", "date")
    ]
    for at, column in worded[:MOST_COLUMNS]:
        yield from _items(table, at, column)


def _figure(row: RowEntry, at: int) -> float | None:
    value = row.cells[at].value
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _has_figures(table: TableEntry, at: int) -> bool:
    """Enough of them to compare. Years are no amounts: a bar of 1998 says nothing."""
    if table.columns[at].type != "number":
        return False
    values = [value for row in table.rows if (value := _figure(row, at)) is not None]
    are_years = all(value.is_integer() and _YEARS[0] <= value <= _YEARS[1] for value in values)
    return len(values) >= LEAST and not are_years


def _chart(table: TableEntry, at: int, column: ColumnEntry) -> Slide:
    """The greatest first; of a long table those that one chart holds."""
    rows = [row for row in table.rows if _figure(row, at) is not None]
    shown = sorted(rows, key=lambda row: -(_figure(row, at) or 0))[:POINTS]
    claims = [row.cells[at].claim for row in shown]
    numbers = tuple(claim.number if claim and claim.number else None for claim in claims)
    dataset = Dataset(column.title, tuple(_figure(row, at) for row in shown), numbers)
    sources = tuple(dict.fromkeys(number for claim in claims if claim for number in sources_of(claim)))
    unit = _unit(column.title)
    labels = tuple(row.input for row in shown)
    chart = SlideChart(ChartKind.BAR, labels, (dataset,), unit, summary_of(labels, (dataset,), unit), sources)
    caption = _part_of(len(shown), len(table.rows))
    return Slide(0, column.title, Layout.CHART, chart=chart, caption=caption, notes=column.description)


def _part_of(shown: int, rows: int) -> str:
    """How many of the table's rows are in the chart; nothing for all of them."""
    if shown == rows:
        return ""
    words = ngettext(
        "%(shown)d of %(count)d row of the table", "%(shown)d of %(count)d rows of the table", rows
    )
    return words % {"shown": shown, "count": rows}


def _unit(title: str) -> str:
    found = _UNIT.search(title)
    return (found["bracketed"] or found["named"]) if found else ""


def _items(table: TableEntry, at: int, column: ColumnEntry) -> Iterator[Slide]:
    passages = []
    for row in table.rows:
        cell = row.cells[at]
        if cell.claim and cell.text:
            claim = cell.claim
            passages.append(Passage(f"{row.input}: {cell.text}", claim.number or None, sources_of(claim)))
    yield from slides_of(column.title, passages[:MOST_ITEMS], 3, {})
