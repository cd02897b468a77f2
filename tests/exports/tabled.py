"""Generated documents with tables: of a table run, or in the middle of a report."""

from dataclasses import replace

from exports.document.document_tree import (
    BlockEntry,
    CellEntry,
    ColumnEntry,
    Document,
    InsightEntry,
    RowEntry,
    SourceEntry,
    StatisticEntry,
    TableEntry,
)
from tests.exports import hostile
from tests.exports.drafting import Draft, prose

COLUMNS = (
    ColumnEntry("founded", "Founded", "number", "Year in which it was founded"),
    ColumnEntry("headquarters", "Headquarters", "string"),
    ColumnEntry("is_listed", "Listed on an exchange", "boolean"),
    ColumnEntry("last_report", "Last report", "date"),
    ColumnEntry("website", "Website", "url"),
    ColumnEntry("change", "Change in %", "number"),
)


def rows_of(draft: Draft, items: tuple[str, ...], columns: tuple[ColumnEntry, ...]) -> tuple[RowEntry, ...]:
    source = draft.source("Register of companies", language="de")
    return tuple(_row(draft, number, item, columns, source) for number, item in enumerate(items, start=1))


def _row(
    draft: Draft, number: int, item: str, columns: tuple[ColumnEntry, ...], register: SourceEntry
) -> RowEntry:
    if number % 11 == 0:
        failed = tuple(CellEntry("failed", reason="The page did not answer.") for _ in columns)
        return RowEntry(number, item, "failed", "No source could be read.", failed)
    own = draft.source(f"About {item}")
    cells = tuple(
        _cell(draft, number + index, item, column, own, register) for index, column in enumerate(columns)
    )
    return RowEntry(number, item, "completed", "", cells)


def _cell(draft: Draft, turn: int, item: str, column: ColumnEntry, *sources: SourceEntry) -> CellEntry:
    if turn % 7 == 0:
        return CellEntry("not_found", reason="No source gives it.")
    value = {
        "number": -4.5 if column.name == "change" else float(1900 + turn),
        "boolean": turn % 2 == 0,
        "date": f"2024-0{1 + turn % 9}-11",
        "url": f"https://item{turn}.example/",
    }.get(column.type, f"City {turn}")
    return draft.cell(item, column.title, value, *sources[: 1 + turn % 2], is_disputed=turn % 9 == 0)


def table_of(draft: Draft, rows: int, columns: tuple[ColumnEntry, ...] = COLUMNS) -> Document:
    made = rows_of(draft, tuple(f"Company {number}" for number in range(1, rows + 1)), columns)
    statistics = (StatisticEntry("founded", "median", "Half of them were founded before 1950.", 1950.0),)
    insights = (InsightEntry("The oldest three are in City 2.", (1, 2, 3)),)
    return draft.document(
        "Founding year and seat of each company",
        table=TableEntry(columns, made, statistics, insights),
        summary=("Most rows are complete.",),
    )


def table_of_a_spreadsheet(draft: Draft) -> Document:
    """Return a table whose items had columns of their own; one more row was added later."""
    made = table_of(draft, 3)
    assert made.table is not None
    own = (("1", "007", "=1+1"), ("2", "008", ""), ())
    rows = tuple(replace(row, beside=beside) for row, beside in zip(made.table.rows, own, strict=True))
    return replace(made, table=replace(made.table, rows=rows, beside=("No.", "Code", "Founded")))


def hostile_table(draft: Draft) -> Document:
    columns = (
        ColumnEntry("text", "=cmd | text", "string", hostile.MARKUP[0]),
        ColumnEntry("figure", "<b>Figure</b>", "number"),
    )
    source = draft.source("=Source")
    rows = tuple(
        RowEntry(
            number,
            text,
            "completed",
            "",
            (draft.cell(text, "t", text, source), draft.cell(text, "f", -float(number), source)),
        )
        for number, text in enumerate(hostile.ALL, start=1)
    )
    return draft.document("=SUM(table)", table=TableEntry(columns, rows))


def table_within(draft: Draft) -> Document:
    """A comparison in the middle of a report."""
    table = TableEntry(COLUMNS[:3], rows_of(draft, ("Gas | oil", "Heat pump"), COLUMNS[:3]))
    draft.section(
        "Compared",
        prose(draft.claim("Both heat a house.", draft.sources[0])),
        BlockEntry("table", table=table),
        prose("That is all."),
    )
    return draft.document("Gas or heat pump?", kind="technical")


def table_and_prose(draft: Draft) -> Document:
    """A table run with a summary that cites on its own."""
    table = TableEntry(COLUMNS, rows_of(draft, ("Acme", "Globex", "Initech"), COLUMNS))
    draft.section("Summary", prose(draft.claim("All three make pumps.", draft.sources[0], draft.sources[1])))
    return draft.document("Makers of pumps", kind="table", table=table)


def table_under_way(draft: Draft) -> Document:
    states = ("waiting", "running", "not_found", "failed")
    rows = tuple(
        RowEntry(n, f"Item {n}", state, "", (CellEntry(state),)) for n, state in enumerate(states, start=1)
    )
    return draft.document("Not finished", status="partial", table=TableEntry(COLUMNS[:1], rows), made_at=None)
