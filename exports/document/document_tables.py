"""The table of a document: rows of items, columns of fields, values as claims with citations; and a chart."""

from dataclasses import dataclass

from exports.document.document_claims import ClaimEntry

CellValue = (
    str | float | bool | tuple[str, ...] | None
)  # dates and addresses are stored as strings, in ISO 8601 and as URLs


@dataclass(frozen=True, slots=True)
class ColumnEntry:
    """A field that is filled in for each item."""

    name: str  # snake_case, unique in the table
    title: str
    type: str  # string, number, boolean, file, date, url
    description: str = ""


@dataclass(frozen=True, slots=True)
class CellEntry:
    """The result for one field of an item. A filled cell has its claim with the evidence."""

    state: str  # waiting, running, found, not_found, failed
    text: str = ""  # the value as displayed
    value: CellValue = None  # the value in its column's type; None unless found
    reason: str = ""  # the reason why there is no value; empty if found
    claim: ClaimEntry | None = None
    is_disputed: bool = False  # whether the sources differ
    further: tuple[ClaimEntry, ...] = ()  # additional claims, in a cell of several sentences

    @property
    def claims(self) -> tuple[ClaimEntry, ...]:
        return (self.claim, *self.further) if self.claim else ()


@dataclass(frozen=True, slots=True)
class RowEntry:
    number: int  # from 1
    input: str  # the item as it was entered
    status: str
    error: str  # a sentence; empty unless the row failed
    cells: tuple[CellEntry, ...]  # one for each column, in order
    beside: tuple[
        str, ...
    ] = ()  # other values of the item in the entered table, one for each of `TableEntry.beside`


@dataclass(frozen=True, slots=True)
class StatisticEntry:
    """A statistic over all rows of a column."""

    column: str  # the column's name; empty for the whole table
    name: str  # filled, distinct, minimum, maximum, mean, median, most_frequent …
    text: str  # the value as displayed
    value: float | None = None  # the value, if it is a number


@dataclass(frozen=True, slots=True)
class InsightEntry:
    """A notable finding in a table, with the rows that show it."""

    text: str
    rows: tuple[int, ...] = ()  # row numbers


@dataclass(frozen=True, slots=True)
class TableEntry:
    columns: tuple[ColumnEntry, ...]
    rows: tuple[RowEntry, ...]
    statistics: tuple[StatisticEntry, ...] = ()
    insights: tuple[InsightEntry, ...] = ()
    beside: tuple[str, ...] = ()  # headings of the other columns of the entered table
    head: str = ""  # title of the first column, such as "Release or date"
    is_of_sentences: bool = False  # whether cells contain sentences, not values of a research table

    @property
    def claims(self) -> tuple[ClaimEntry, ...]:
        """Return the claims, row by row, the cells from left to right."""
        return tuple(claim for row in self.rows for cell in row.cells for claim in cell.claims)


@dataclass(frozen=True, slots=True)
class PointEntry:
    """A bar of a chart. `tone` is the colour of a strength; empty for the chart's default.

    A bar for an effect also has its interval, its measure ("HR") and its outcome.
    """

    label: str
    value: float
    tone: str = ""
    low: float | None = None
    high: float | None = None
    measure: str = ""
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class ChartEntry:
    """The figures of a chart, which are also shown as a table."""

    title: str
    heading: str  # heading of the labels
    points: tuple[PointEntry, ...]
    kind: str = "bars"  # bars (horizontal), columns (vertical), intervals
    unit: str = ""
    summary: tuple[str, ...] = ()  # the text alternative
