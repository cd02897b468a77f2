"""A table of a document: items down, fields across, each value a claim with its citations; and a chart."""

from dataclasses import dataclass

from exports.document.claims import ClaimEntry

CellValue = (
    str | float | bool | tuple[str, ...] | None
)  # dates and addresses are strings, in ISO 8601 and as URLs


@dataclass(frozen=True, slots=True)
class ColumnEntry:
    """A field that is asked of every item."""

    name: str  # snake_case, one of its kind in the table
    title: str
    type: str  # string, number, boolean, file, date, url
    description: str = ""


@dataclass(frozen=True, slots=True)
class CellEntry:
    """The result for one field of one item. A cell that states something has its claim with the evidence."""

    state: str  # waiting, running, found, not_found, failed
    text: str = ""  # the value as people read it
    value: CellValue = None  # the value as its column's type; None unless found
    reason: str = ""  # why there is none; empty where found
    claim: ClaimEntry | None = None
    is_disputed: bool = False  # sources differ
    further: tuple[ClaimEntry, ...] = ()  # behind `claim`, in a cell of several sentences

    @property
    def claims(self) -> tuple[ClaimEntry, ...]:
        return (self.claim, *self.further) if self.claim else ()


@dataclass(frozen=True, slots=True)
class RowEntry:
    number: int  # from 1, as the reader counts the items
    input: str  # the item, as it was given
    status: str
    error: str  # a sentence; empty unless it failed
    cells: tuple[CellEntry, ...]  # one a column, in their order
    beside: tuple[
        str, ...
    ] = ()  # what the reader's own table has of the item, one a heading of `TableEntry.beside`


@dataclass(frozen=True, slots=True)
class StatisticEntry:
    """Something computed over all rows of a column."""

    column: str  # its name; empty: of the table
    name: str  # filled, distinct, minimum, maximum, mean, median, most_frequent …
    text: str  # as people read it
    value: float | None = None  # where it is a number


@dataclass(frozen=True, slots=True)
class InsightEntry:
    """A notable finding in a table, with the rows that show it."""

    text: str
    rows: tuple[int, ...] = ()  # their numbers


@dataclass(frozen=True, slots=True)
class TableEntry:
    columns: tuple[ColumnEntry, ...]
    rows: tuple[RowEntry, ...]
    statistics: tuple[StatisticEntry, ...] = ()
    insights: tuple[InsightEntry, ...] = ()
    beside: tuple[str, ...] = ()  # headings of the other columns of the table that the items came from
    head: str = ""  # title of the first column, such as "Release or date"
    is_of_sentences: bool = False  # cells hold claims as they are stated, not values of a research table

    @property
    def claims(self) -> tuple[ClaimEntry, ...]:
        """Row by row, the cells from left to right."""
        return tuple(claim for row in self.rows for cell in row.cells for claim in cell.claims)


@dataclass(frozen=True, slots=True)
class PointEntry:
    """A bar of a chart. `tone` names the colour of a strength; empty: the chart's own.

    Of an effect with its interval also where that begins and ends, what was measured ("HR"), and on which outcome.
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
    """Figures that are drawn; the same as a table stands behind them."""

    title: str
    heading: str  # of the column of labels
    points: tuple[PointEntry, ...]
    kind: str = "bars"  # bars (lying), columns (standing), intervals
    unit: str = ""
    summary: tuple[str, ...] = ()  # the same in words, for who does not see it
