"""Template filters for exported files, in addition to those for pages."""

from collections.abc import Iterable, Sequence

from django import template
from django.utils.translation import gettext as _

from exports.building.document_forest_plot import build_entry_chart
from exports.document.document_tree import CellEntry, ColumnEntry, StatisticEntry, TableEntry
from exports.labels.document_study_labels import translate_table
from exports.labels.format_document_cells import statistic_name, statistic_value, value_words
from exports.paper.exported_paper_citations import format_source_credit

register = template.Library()
register.filter("as_drawn", build_entry_chart)
register.filter("named", format_source_credit)
register.filter(translate_table)
register.filter(value_words)
register.filter(statistic_name)


@register.filter
def statistic_words(statistic: StatisticEntry) -> str:
    return statistic_value(statistic.name, statistic.text, statistic.value)


@register.filter
def title_of(table: TableEntry, column: str) -> str:
    """Return the title of the column with that name; for an empty name, the title that stands for the whole table."""
    titles = {heading.name: heading.title or heading.name for heading in table.columns}
    return titles.get(column, column) or _("All columns")


@register.filter
def beside(cells: Sequence[CellEntry], columns: Sequence[ColumnEntry]) -> Iterable[tuple[CellEntry, str]]:
    """Pair each cell of a row with the type of its column."""
    return zip(cells, (column.type for column in columns), strict=True)
