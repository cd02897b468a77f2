"""Statistics over all rows of a table: how full each column is, how its values are spread, what stands out."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, median, quantiles

from research.models.schemas import StoredCell, StoredStatistic
from research.pipelines.table.convert_table_cell_values import format_value
from research.pipelines.table.synthesizing.table_statistic_rows import StatisticRow
from research.pipelines.table.table_columns import FieldType, TableField

MIN_FOR_OUTLIERS = 8
FENCE = 1.5  # interquartile ranges beyond the quartiles (Tukey, Exploratory Data Analysis, 1977)
MAX_FREQUENT = 5


@dataclass(frozen=True, slots=True)
class Spread:
    """The spread of a column's numbers."""

    minimum: float
    maximum: float
    mean: float
    median: float
    outliers: tuple[tuple[int, float], ...]  # numbers of rows, with their values, the farthest first


def select_filled_cells(rows: Sequence[StatisticRow], name: str) -> list[tuple[int, StoredCell]]:
    """Return the column's cells that have a value, with the numbers of their rows."""
    cells = ((row.number, row.cells.get(name)) for row in rows)
    return [(number, cell) for number, cell in cells if cell is not None and cell.state == "found"]


def values_of(cell: StoredCell) -> tuple[str | int | float | bool, ...]:
    """Return the value of a cell, or the members of a list, as a tuple."""
    if cell.value is None:
        return ()
    return tuple(cell.value) if isinstance(cell.value, list) else (cell.value,)


def numbers_of(rows: Sequence[StatisticRow], field: TableField) -> list[tuple[int, float]]:
    """Return the values of a column of numbers, by row number; empty for other columns, and for lists."""
    if field.type is not FieldType.NUMBER or field.many:
        return []
    return [
        (number, float(cell.value))
        for number, cell in select_filled_cells(rows, field.name)
        if isinstance(cell.value, int | float) and not isinstance(cell.value, bool)
    ]


def spread(numbers: Sequence[tuple[int, float]]) -> Spread | None:
    """Return the spread of the numbers, or None if there are none."""
    values = [value for _, value in numbers]
    if not values:
        return None
    return Spread(min(values), max(values), fmean(values), median(values), tuple(_outliers(numbers, values)))


def _outliers(numbers: Sequence[tuple[int, float]], values: Sequence[float]) -> list[tuple[int, float]]:
    if len(values) < MIN_FOR_OUTLIERS:
        return []
    low, middle, high = quantiles(values, n=4)
    reach = FENCE * (high - low)
    far = [number for number in numbers if reach and not low - reach <= number[1] <= high + reach]
    return sorted(far, key=lambda outlier: (-abs(outlier[1] - middle), outlier[0]))


def frequencies(rows: Sequence[StatisticRow], field: TableField) -> Counter[str]:
    """Count the rows that have each value."""
    return Counter(
        value
        for _, cell in select_filled_cells(rows, field.name)
        for value in {format_value(scalar) for scalar in values_of(cell)}
    )


def statistics_of(fields: Sequence[TableField], rows: Sequence[StatisticRow]) -> list[StoredStatistic]:
    return [
        *_of_table(fields, rows),
        *(statistic for field in fields for statistic in _of_column(field, rows)),
    ]


def _of_table(fields: Sequence[TableField], rows: Sequence[StatisticRow]) -> Iterator[StoredStatistic]:
    cells = sum(len(select_filled_cells(rows, field.name)) for field in fields)
    disputed = sum(cell.disputed for field in fields for _, cell in select_filled_cells(rows, field.name))
    yield _count("rows", len(rows))
    yield _count("failed", sum(row.status == "failed" for row in rows))
    yield _count("cells", len(rows) * len(fields))
    yield _count("filled", cells)
    yield _count("disputed", disputed)


def _of_column(field: TableField, rows: Sequence[StatisticRow]) -> Iterator[StoredStatistic]:
    count = len(select_filled_cells(rows, field.name))
    yield _count("count", count, field.name)
    yield _count("missing", len(rows) - count, field.name)
    found = spread(numbers_of(rows, field))
    if found is not None:
        yield from _of_numbers(field, found)
    elif count:
        yield from _of_texts(field, rows)


def _of_numbers(field: TableField, found: Spread) -> Iterator[StoredStatistic]:
    for name in ("minimum", "maximum", "mean", "median"):
        value = round_value(getattr(found, name))
        yield StoredStatistic(column=field.name, name=name, text=as_text(value), value=value)
    yield _count("outliers", len(found.outliers), field.name)


def _of_texts(field: TableField, rows: Sequence[StatisticRow]) -> Iterator[StoredStatistic]:
    counts = frequencies(rows, field)
    yield _count("distinct", len(counts), field.name)
    ranked = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    if ranked and ranked[0][1] > 1:
        text = ", ".join(f"{value} ({count})" for value, count in ranked[:MAX_FREQUENT] if count > 1)
        yield StoredStatistic(column=field.name, name="most_frequent", text=text, value=ranked[0][1])
    if field.type is FieldType.DATE:
        days = sorted(counts)
        yield StoredStatistic(column=field.name, name="earliest", text=days[0])
        yield StoredStatistic(column=field.name, name="latest", text=days[-1])


def _count(name: str, value: int, column: str = "") -> StoredStatistic:
    return StoredStatistic(column=column, name=name, text=str(value), value=value)


def as_text(value: float) -> str:
    """
    >>> as_text(2.50), as_text(41285)
    ('2.5', '41285')
    """
    return format_value(round_value(value))


def round_value(value: float) -> float:
    """Round to four decimal places; numbers below 0.1 to four significant digits."""
    return round(value, 4) if abs(value) >= 0.1 else float(f"{value:.4g}")
