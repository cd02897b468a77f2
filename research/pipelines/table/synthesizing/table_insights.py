"""Three to five things that stand out in a table, each with the rows that show it: by rules, over all rows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from research.models.schemas import StoredInsight
from research.pipelines.table.convert_table_cell_values import format_value
from research.pipelines.table.synthesizing.table_statistic_rows import StatisticRow
from research.pipelines.table.synthesizing.table_statistics import (
    as_text,
    frequencies,
    numbers_of,
    select_filled_cells,
    spread,
    values_of,
)
from research.pipelines.table.table_columns import TableField

MOST, MAX_OF_A_KIND = 5, 2
MIN_TO_COMPARE = 3
MIN_GROUPED = 10_000  # as `figure` groups what is told
COMMON = 0.5  # share of the rows from which a value is worth saying
SPARSE = 0.25  # share of a column that is empty


@dataclass(frozen=True, slots=True)
class InsightCandidate:
    """`worth` 0–1: how much it stands out."""

    kind: str
    worth: float
    insight: StoredInsight


def insights_of(fields: Sequence[TableField], rows: Sequence[StatisticRow]) -> list[StoredInsight]:
    """Return the most notable insights, at most two of one kind."""
    insights = [insight for field in fields for kind in _KINDS for insight in kind(field, rows)]
    insights += _build_failure_insights(rows)
    chosen: list[InsightCandidate] = []
    for insight in sorted(insights, key=lambda insight: -insight.worth):
        if len(chosen) < MOST and sum(each.kind == insight.kind for each in chosen) < MAX_OF_A_KIND:
            chosen.append(insight)
    return [candidate.insight for candidate in chosen]


def add_thousands_separators(value: float) -> str:
    """Format a number with English separators. Texts are stored in English; the reader's own format is applied later.

    >>> add_thousands_separators(7692024), add_thousands_separators(1234.5), add_thousands_separators(41.25)
    ('7,692,024', '1234.5', '41.25')
    """
    whole, _, rest = as_text(value).partition(".")
    if abs(value) >= MIN_GROUPED:
        whole = f"{int(whole):,}"
    return f"{whole}.{rest}" if rest else whole


def _insight(text: str, rows: Sequence[int]) -> StoredInsight:
    return StoredInsight(text=text, rows=list(rows))


def _extremes(field: TableField, rows: Sequence[StatisticRow]) -> Iterator[InsightCandidate]:
    numbers = numbers_of(rows, field)
    if len(numbers) < MIN_TO_COMPARE:
        return
    low, high = min(numbers, key=lambda number: number[1]), max(numbers, key=lambda number: number[1])
    if low[1] == high[1]:
        return
    names = {row.number: row.input for row in rows}
    least, most = add_thousands_separators(low[1]), add_thousands_separators(high[1])
    text = f"{field.title}: from {least} ({names[low[0]]}) to {most} ({names[high[0]]}), over {len(numbers)} rows."
    yield InsightCandidate(
        "extremes", 0.5 + 0.1 * len(numbers) / len(rows), _insight(text, [low[0], high[0]])
    )


def _outliers(field: TableField, rows: Sequence[StatisticRow]) -> Iterator[InsightCandidate]:
    found = spread(numbers_of(rows, field))
    if found is None or not found.outliers:
        return
    names = {row.number: row.input for row in rows}
    shown = ", ".join(
        f"{names[number]} ({add_thousands_separators(value)})" for number, value in found.outliers[:3]
    )
    count = len(found.outliers)
    text = f"{field.title}: {count} rows lie far from the others, first of all {shown}."
    if count == 1:
        text = f"{field.title}: {count} row lies far from the others, {shown}."
    yield InsightCandidate("outliers", 0.7, _insight(text, [number for number, _ in found.outliers]))


def _common(field: TableField, rows: Sequence[StatisticRow]) -> Iterator[InsightCandidate]:
    cells, counts = select_filled_cells(rows, field.name), frequencies(rows, field)
    if len(cells) < MIN_TO_COMPARE or not counts:
        return
    value, count = min(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    if count < 2 or count < COMMON * len(cells):
        return
    having = [
        number for number, cell in cells if value in {format_value(scalar) for scalar in values_of(cell)}
    ]
    text = f"{field.title}: {value} in {count} of {len(cells)} rows that have a value."
    yield InsightCandidate("common", 0.6 * count / len(cells), _insight(text, having))


def _sparse(field: TableField, rows: Sequence[StatisticRow]) -> Iterator[InsightCandidate]:
    having = {number for number, _ in select_filled_cells(rows, field.name)}
    lacking = [row.number for row in rows if row.number not in having]
    if not rows or len(lacking) < max(1.0, SPARSE * len(rows)):
        return
    text = f"{field.title}: no value was found for {len(lacking)} of {len(rows)} rows."
    yield InsightCandidate("sparse", 0.9 * len(lacking) / len(rows), _insight(text, lacking))


def _build_dispute_insights(field: TableField, rows: Sequence[StatisticRow]) -> Iterator[InsightCandidate]:
    found = [number for number, cell in select_filled_cells(rows, field.name) if cell.disputed]
    if found:
        text = f"{field.title}: sources differ in {len(found)} of {len(rows)} rows."
        yield InsightCandidate("disputed", 0.8, _insight(text, found))


def _build_failure_insights(rows: Sequence[StatisticRow]) -> list[InsightCandidate]:
    failed = [row.number for row in rows if row.status == "failed"]
    if not failed:
        return []
    text = f"{len(failed)} of {len(rows)} rows failed and can be tried again."
    return [InsightCandidate("failed", 1.0, _insight(text, failed))]


_KINDS: tuple[Callable[[TableField, Sequence[StatisticRow]], Iterator[InsightCandidate]], ...] = (
    _extremes,
    _outliers,
    _common,
    _sparse,
    _build_dispute_insights,
)
