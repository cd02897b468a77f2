"""The overview of a finished table: findings with the rows that show them, and statistics of each column."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from exports.document.document_tree import ColumnEntry, InsightEntry, StatisticEntry
from exports.labels.format_document_cells import statistic_name, statistic_value
from exports.stored.translate_exported_sentences import translate_stored_text
from research.models import Run
from research.pipelines.table.read_table_rows import ROWS_A_PAGE, columns_of, overview_entries
from research.web.table.table_view import base_of

MAX_LINKED = 12  # linked rows of an insight


@dataclass(frozen=True, slots=True)
class RowLink:
    number: int
    address: str


@dataclass(frozen=True, slots=True)
class OverviewInsight:
    text: str
    rows: tuple[RowLink, ...]
    more: int  # number of rows that are not linked


@dataclass(frozen=True, slots=True)
class OverviewFigure:
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ColumnFigures:
    title: str
    statistics: tuple[OverviewFigure, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    summary: tuple[str, ...]  # sentences that are not in any insight
    insights: tuple[OverviewInsight, ...]
    columns: tuple[ColumnFigures, ...]


def overview_of(run: Run) -> Overview | None:
    """Return the overview; None while the run is active, or if it has none."""
    statistics, insights = overview_entries(run)
    if not run.is_finished or not (statistics or insights):
        return None
    told = {insight.text for insight in insights}
    return Overview(
        tuple(
            translate_stored_text(sentence)
            for sentence in (run.result or {}).get("summary", ())
            if sentence not in told
        ),
        tuple(_insight(run.pk, insight) for insight in insights),
        _group_by_column(statistics, columns_of(run)),
    )


def _insight(run_id: UUID, insight: InsightEntry) -> OverviewInsight:
    linked = insight.rows[:MAX_LINKED]
    links = tuple(RowLink(number, address_of_row(run_id, number)) for number in linked)
    return OverviewInsight(translate_stored_text(insight.text), links, len(insight.rows) - len(linked))


def address_of_row(run_id: UUID, number: int) -> str:
    """Return the URL of the row in the unfiltered, unsorted table."""
    page = (number - 1) // ROWS_A_PAGE + 1
    return f"{base_of(run_id)}{f'?page={page}' if page > 1 else ''}#row-{number}"


def _group_by_column(
    statistics: Iterable[StatisticEntry], columns: Sequence[ColumnEntry]
) -> tuple[ColumnFigures, ...]:
    by_column: dict[str, list[OverviewFigure]] = {}
    for entry in statistics:
        told = OverviewFigure(
            statistic_name(entry.name), statistic_value(entry.name, entry.text, entry.value)
        )
        by_column.setdefault(entry.column, []).append(told)
    titles = {"": _("All columns"), **{column.name: column.title for column in columns}}
    return tuple(
        ColumnFigures(title, tuple(by_column[name])) for name, title in titles.items() if name in by_column
    )
