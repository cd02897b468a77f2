"""Small tables of text and numbers, and bounded computations over them. Pure functions.

An unknown cell is None: arithmetic with it gives None, and aggregates leave it out.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import TypeAlias

from citations.find_quantities import find_quantities
from citations.quantities.units import UnitReading, read_unit

Cell: TypeAlias = str | float | None
Row: TypeAlias = tuple[Cell, ...]
MAX_ROWS = 10_000
MAX_COLUMNS = 60
MAX_CELL_LENGTH = 500  # characters
_DASH = re.compile(r"^[–−](?=[0-9])")  # used as a minus sign in tables
_DIGITS = re.compile(r"-?[0-9]{1,15}")


class InvalidComputation(ValueError):
    """The computation is not possible; str() explains why to the user."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A table with distinct column names, and one cell per column in each row."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def __post_init__(self) -> None:
        if len(self.rows) > MAX_ROWS or len(self.columns) > MAX_COLUMNS:
            raise InvalidComputation(f"a table has at most {MAX_ROWS} rows and {MAX_COLUMNS} columns")
        if len(set(self.columns)) < len(self.columns):
            raise InvalidComputation("two columns have one name")

    def place(self, column: str) -> int:
        """Return the index of a column. Raises InvalidComputation for an unknown one."""
        if column not in self.columns:
            known = ", ".join(self.columns)
            raise InvalidComputation(f"there is no column “{column[:60]}”; there are: {known[:500]}")
        return self.columns.index(column)

    def values(self, column: str) -> tuple[Cell, ...]:
        place = self.place(column)
        return tuple(row[place] for row in self.rows)

    def numbers(self, column: str) -> tuple[float | None, ...]:
        return tuple(number(cell) for cell in self.values(column))


def frame_of(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> Frame:
    """Build a frame from a table: short rows are padded, long ones cut, unnamed columns named by their position."""
    width = min(len(headers), MAX_COLUMNS)
    names: list[str] = []
    for place, header in enumerate(headers[:width], start=1):
        name = " ".join(header.split())[:80] or f"column {place}"
        names.append(name if name not in names else f"{name} ({place})")
    cells = [tuple(_cell(row[i]) if i < len(row) else None for i in range(width)) for row in rows]
    return Frame(tuple(names), tuple(cells))


def _cell(text: str) -> Cell:
    flat = " ".join(text.split())[:MAX_CELL_LENGTH]
    return flat or None


def number(cell: Cell) -> float | None:
    """Return the number in a cell: "1,234", "12 %", "5 km" is 5000 (base units); None if there is none."""
    if cell is None or isinstance(cell, float):
        return cell
    written = _DASH.sub("-", cell.strip())
    if _DIGITS.fullmatch(written):  # in prose it would be a year
        return float(written)
    found = find_quantities(written)
    if len(found) != 1 or found[0].low != found[0].high:
        return None
    return found[0].low


def filter_rows(frame: Frame, holds: Callable[[int], bool]) -> Frame:
    """Return the rows whose index satisfies `holds`."""
    return Frame(frame.columns, tuple(row for index, row in enumerate(frame.rows) if holds(index)))


def join_frames(left: Frame, right: Frame, on: Sequence[str], *, keep_left: bool) -> Frame:
    """Join the rows that agree in the columns `on`; with `keep_left`, also keep unmatched rows of the left.

    Columns of the right whose name exists on the left are renamed to "name (2)".
    """
    places = [right.place(column) for column in on]
    others = [place for place in range(len(right.columns)) if place not in places]
    partners: dict[Row, list[Row]] = {}
    for row in right.rows:
        partners.setdefault(tuple(_key(row[place]) for place in places), []).append(row)
    names = [right.columns[place] for place in others]
    columns = left.columns + tuple(f"{name} (2)" if name in left.columns else name for name in names)
    own = [left.place(column) for column in on]
    rows: list[Row] = []
    for row in left.rows:
        found = partners.get(tuple(_key(row[place]) for place in own), [])
        rows += [row + tuple(partner[place] for place in others) for partner in found]
        if not found and keep_left:
            rows.append(row + (None,) * len(others))
        if len(rows) > MAX_ROWS:
            raise InvalidComputation(f"the join has more than {MAX_ROWS} rows")
    return Frame(columns, tuple(rows))


def _key(cell: Cell) -> Cell:
    return cell.casefold() if isinstance(cell, str) else cell


FUNCTIONS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "sum": math.fsum,
    "mean": fmean,
    "median": median,
    "min": min,
    "max": max,
}


@dataclass(frozen=True, slots=True)
class ColumnAggregate:
    """A function over a column: one of FUNCTIONS, or "count", which counts the known cells."""

    function: str
    column: str
    name: str


def aggregate_rows(frame: Frame, by: Sequence[str], measures: Sequence[ColumnAggregate]) -> Frame:
    """Return one row per combination of `by`, in order of first appearance; a single one without `by`."""
    places = [frame.place(column) for column in by]
    groups: dict[Row, list[int]] = {}
    for index, row in enumerate(frame.rows):
        groups.setdefault(tuple(row[place] for place in places), []).append(index)
    if not by:
        groups = {(): list(range(len(frame.rows)))}
    columns = [
        frame.values(measure.column) if measure.function == "count" else frame.numbers(measure.column)
        for measure in measures
    ]
    rows = tuple(
        key
        + tuple(
            _compute_measure(aggregate, [cells[i] for i in indexes])
            for aggregate, cells in zip(measures, columns, strict=True)
        )
        for key, indexes in groups.items()
    )
    return Frame((*by, *(measure.name for measure in measures)), rows)


def _compute_measure(measure: ColumnAggregate, cells: Sequence[Cell]) -> float | None:
    if measure.function == "count":
        return float(sum(cell is not None for cell in cells))
    known = [cell for cell in cells if isinstance(cell, float)]
    return _finite(lambda: FUNCTIONS[measure.function](known)) if known else None


def sort_rows(frame: Frame, column: str, *, descending: bool) -> Frame:
    """Sort numbers before words, and unknown cells last in both directions; equal rows keep their order."""
    place = frame.place(column)
    numbers = frame.numbers(column)

    def build_sort_key(index: int) -> tuple[int, float, str]:
        value = numbers[index]
        return (0, value, "") if value is not None else (1, 0.0, str(frame.rows[index][place]).casefold())

    indexes = range(len(frame.rows))
    empty = [index for index in indexes if frame.rows[index][place] is None]
    full = [index for index in indexes if frame.rows[index][place] is not None]
    ranked = sorted(full, key=build_sort_key, reverse=descending)
    return Frame(frame.columns, tuple(frame.rows[index] for index in (*ranked, *empty)))


def select_columns(frame: Frame, columns: Sequence[str]) -> Frame:
    places = [frame.place(column) for column in columns]
    return Frame(tuple(columns), tuple(tuple(row[place] for place in places) for row in frame.rows))


def with_column(frame: Frame, name: str, cells: Iterable[Cell]) -> Frame:
    """Return the frame with the column added or replaced."""
    if name in frame.columns:
        place = frame.place(name)
        rows = zip(frame.rows, cells, strict=True)
        return Frame(frame.columns, tuple((*row[:place], cell, *row[place + 1 :]) for row, cell in rows))
    return Frame(
        (*frame.columns, name), tuple((*row, cell) for row, cell in zip(frame.rows, cells, strict=True))
    )


def convert_values(values: Iterable[float | None], unit: str, to: str) -> Iterator[float | None]:
    """Convert values to another unit of the same kind. Raises InvalidComputation for unknown or incompatible units."""
    source, target = _unit(unit), _unit(to)
    if source.unit != target.unit:
        raise InvalidComputation(f"{unit[:40]} can't be converted into {to[:40]}")
    for value in values:
        yield None if value is None else _convert_value(value, source, target)


def _convert_value(value: float, source: UnitReading, target: UnitReading) -> float | None:
    return _finite(lambda: (value * source.factor + source.offset - target.offset) / target.factor)


def _unit(written: str) -> UnitReading:
    text = written.strip()
    reading = read_unit(text, 0) if text else None
    if reading is None or reading.end < len(text):
        raise InvalidComputation(f"“{text[:40]}” is no unit that is known here")
    return reading


def apply_operator(operator: str, a: float | None, b: float | None) -> float | None:
    """Apply an operator; None if an operand is unknown, and for a division by zero."""
    if a is None or b is None:
        return None
    match operator:
        case "+":
            return _finite(lambda: a + b)
        case "-":
            return _finite(lambda: a - b)
        case "*":
            return _finite(lambda: a * b)
        case "/":
            return _finite(lambda: a / b) if b else None
    raise InvalidComputation(f"there is no operator {operator[:5]}")


def _finite(compute: Callable[[], float]) -> float | None:
    """Return the result; None if it cannot be represented."""
    try:
        value = float(compute())
    except (OverflowError, ZeroDivisionError):
        return None
    return value if math.isfinite(value) else None
