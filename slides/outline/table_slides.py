"""Slides of a table: insights, a chart for each column of figures, items with their values in words. Pure."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exports.document.document_tree import CellEntry, ColumnEntry, RowEntry, TableEntry
from exports.labels.format_document_cells import value_words, yes_or_no
from exports.stored.translate_exported_sentences import translate_stored_text
from slides.deck import ChartKind, Dataset, Layout, Slide, SlideChart, SlideHalf, SlidePassage
from slides.fitting import fit_slide
from slides.fitting.pack_slide_passages import keeps, pack
from slides.fitting.slide_budgets import POINTS, SPLIT_LIST
from slides.outline.choose_slide_passages import slides_of
from slides.outline.slide_charts import summary_of
from slides.outline.slide_passages import passage_of, sources_of, unique

LEAST = 3  # minimum number of figures for a chart
MAX_CHARTS, MAX_COLUMNS, MAX_ITEMS, MAX_SLIDES = 4, 3, 14, 3
MIN_ITEMS = 8  # items of a longer table that are worth a slide
_UNIT = re.compile(r"(?:\((?P<bracketed>[^()]{1,12})\)|\bin (?P<named>%|[A-Za-z€$£°/%]{1,8}))\s*$")
_YEARS = (1500, 2100)


def table_slides(table: TableEntry, title: str = "", told: Set[str] = frozenset()) -> Iterator[Slide]:
    """Yield the slides. `told` are texts that were shown before and are not repeated."""
    if table.is_of_sentences:
        yield from _build_sentence_slides(table, title or _("What the table shows"))
        return
    untold = (translate_stored_text(insight.text) for insight in table.insights if insight.text not in told)
    yield from slides_of(title or _("What the table shows"), unique(map(SlidePassage, untold)), 2, {})
    figures = [(at, column) for at, column in enumerate(table.columns) if _has_figures(table, at)]
    for at, column in figures[:MAX_CHARTS]:
        yield _chart(table, at, column)
    worded = [
        (at, column)
        for at, column in enumerate(table.columns)
        if column.type in ("string", "boolean", "date")
    ]
    for at, column in worded[:MAX_COLUMNS]:
        yield from _items(table, at, column)


def _build_sentence_slides(table: TableEntry, title: str) -> Iterator[Slide]:
    """Yield the slides of sentences: a timeline as a list, or each row of a comparison as a slide with two sides."""
    names = [column.title for column in table.columns]
    if len(names) == 1:
        passages = [
            passage for row in table.rows for passage in _build_cell_passages(row.cells[0], row.input)
        ]
        yield from slides_of(title, passages, len(passages), {})
        return
    for row in table.rows:
        if len(names) == 2:
            sides = (
                SlideHalf(name, tuple(_build_cell_passages(cell)))
                for name, cell in zip(names, row.cells, strict=True)
            )
            yield Slide(0, row.input, Layout.SPLIT, sides=tuple(sides))
        else:
            cells = zip(row.cells, names, strict=True)
            passages = [passage for cell, name in cells for passage in _build_cell_passages(cell, name)]
            yield from slides_of(row.input, passages, len(passages), {})


def _build_cell_passages(cell: CellEntry, head: str = "") -> Iterator[SlidePassage]:
    """Yield a passage for each claim of the cell; for an empty cell, a note that nothing is stated."""
    before = f"{head}: " if head else ""
    for claim in cell.claims:
        yield replace(passage_of(claim), text=f"{before}{claim.plain_text}")
    if not cell.claims:
        yield SlidePassage(f"{before}{translate_stored_text(cell.reason)}")


def _figure(row: RowEntry, at: int) -> float | None:
    value = row.cells[at].value
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _has_figures(table: TableEntry, at: int) -> bool:
    """Return True if there are enough figures to compare. Years are not amounts: a bar of 1998 has no meaning."""
    if table.columns[at].type != "number":
        return False
    values = [value for row in table.rows if (value := _figure(row, at)) is not None]
    are_years = all(value.is_integer() and _YEARS[0] <= value <= _YEARS[1] for value in values)
    return len(values) >= LEAST and not are_years


def _chart(table: TableEntry, at: int, column: ColumnEntry) -> Slide:
    """Chart the greatest values first; of a long table, as many as fit."""
    rows = [row for row in table.rows if _figure(row, at) is not None]
    shown = sorted(rows, key=lambda row: -(_figure(row, at) or 0))[:POINTS]
    claims = [row.cells[at].claim for row in shown]
    numbers = tuple(claim.number if claim and claim.number else None for claim in claims)
    dataset = Dataset(column.title, tuple(_figure(row, at) for row in shown), numbers)
    sources = tuple(dict.fromkeys(number for claim in claims if claim for number in sources_of(claim)))
    unit = _unit(column.title)
    labels = tuple(row.input for row in shown)
    summary = summary_of(labels, (dataset,), unit)
    chart = SlideChart(ChartKind.BAR, _heads(labels), (dataset,), unit, summary, sources)
    caption = _part_of(len(shown), len(table.rows))
    return Slide(0, column.title, Layout.CHART, chart=chart, caption=caption, notes=column.description)


def _heads(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Shorten labels such as "Lind et al., 2021: What the trial found" at the colon, if they remain distinct."""
    heads = tuple(label.partition(": ")[0] for label in labels)
    return heads if len(set(heads)) == len(set(labels)) else labels


def _part_of(shown: int, rows: int) -> str:
    """Describe how many of the table's rows are in the chart; empty if all of them are."""
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
    """Yield the first items with their values; the notes give the total number."""
    rows = [row for row in table.rows if row.cells[at].claim and row.cells[at].state == "found"]
    shown, slides = _fit_one_slide(rows, at, column)
    notes = "\n".join(filter(None, (column.description, _part_of(len(shown), len(table.rows)))))
    yield from (replace(slide, notes="" if index else notes) for index, slide in enumerate(slides))


def _fit_one_slide(
    rows: Sequence[RowEntry], at: int, column: ColumnEntry
) -> tuple[Sequence[RowEntry], list[Slide]]:
    """Return the rows shown and their slides.

    If there are more than `MAX_ITEMS` rows, return as many as a single slide holds, or `MAX_ITEMS` if it holds fewer
    than `MIN_ITEMS`.
    """
    for count in range(MAX_ITEMS, MIN_ITEMS - 1, -1) if len(rows) > MAX_ITEMS else ():
        slides = _build_column_slides(rows[:count], at, column, are_all=False)
        if sum(len(fit_slide(slide)[0]) for slide in slides) == 1:
            return rows[:count], slides
    shown = rows[:MAX_ITEMS]
    return shown, _build_column_slides(shown, at, column, are_all=shown == rows)


def _build_column_slides(
    rows: Sequence[RowEntry], at: int, column: ColumnEntry, *, are_all: bool
) -> list[Slide]:
    return _build_yes_no_slides(rows, at, column, are_all) or _build_list_slides(rows, at, column)


def _build_yes_no_slides(
    rows: Sequence[RowEntry], at: int, column: ColumnEntry, are_all: bool
) -> list[Slide]:
    """Build slides with the yes items beside the no items; none if all answers are the same or the column is not
    boolean.
    """
    said = {row.cells[at].value for row in rows}
    if column.type != "boolean" or said != {True, False}:
        return []
    yes, no = (
        tuple(_passage(row, at, row.input) for row in rows if row.cells[at].value is answer)
        for answer in (True, False)
    )
    sides = tuple(
        SlideHalf(_format_side_heading(answer, of, are_all), of) for answer, of in ((True, yes), (False, no))
    )
    return [Slide(0, column.title, Layout.SPLIT, sides=sides)]


def _format_side_heading(value: bool, of: Sequence[SlidePassage], are_all: bool) -> str:
    """Return the heading of a side, with the number of its passages if none is left out."""
    return f"{yes_or_no(value)}: {len(of)}" if are_all else yes_or_no(value)


def _build_list_slides(rows: Sequence[RowEntry], at: int, column: ColumnEntry) -> list[Slide]:
    """Use one list, or two side by side if that takes fewer slides."""
    said = ((row, value_words(row.cells[at], column.type)) for row in rows)
    passages = [_passage(row, at, f"{row.input}: {value}") for row, value in said if value]
    listed = slides_of(column.title, passages, MAX_SLIDES, {})
    beside = _build_pair_slides(column.title, passages)
    return beside if beside and len(beside) < len(listed) else listed


def _build_pair_slides(title: str, passages: Sequence[SlidePassage]) -> list[Slide]:
    """Put two lists of about equal length on each slide; none if a passage is too long for a list."""
    if not all(keeps([passage], SPLIT_LIST) for passage in passages):
        return []
    slides = -(-len(pack(passages, SPLIT_LIST)) // 2)
    halves = [len(passages) * part // (2 * slides) for part in range(2 * slides + 1)] if slides else []
    sides = [SlideHalf("", tuple(passages[start:end])) for start, end in pairwise(halves)]
    pairs = enumerate(zip(sides[::2], sides[1::2], strict=True), start=1)
    return [
        Slide(0, title, Layout.SPLIT, sides=pair, part=(index, slides) if slides > 1 else None)
        for index, pair in pairs
    ]


def _passage(row: RowEntry, at: int, text: str) -> SlidePassage:
    claim = row.cells[at].claim
    return SlidePassage(text, claim.number or None, sources_of(claim)) if claim else SlidePassage(text)
