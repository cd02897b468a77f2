"""The table of a table run on paper: rows, statistics, insights."""

from collections.abc import Iterator, Sequence
from math import sqrt

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exports.document.document_original_links import original_url
from exports.document.document_tree import CellEntry, RowEntry, StatisticEntry, TableEntry
from exports.labels.format_document_cells import statistic_name, statistic_value, value_words
from exports.paper.exported_paper_citations import Citing
from exports.paper.exported_paper_nodes import (
    Bullets,
    Grid,
    Heading,
    Inline,
    Line,
    Link,
    Node,
    StyledText,
    plain,
    words,
)
from exports.stored.translate_exported_sentences import translate_stored_text

_WORD, _LEAST = 14, 3  # characters: shorter words are not broken; minimum width of a column
_PADDING = 2.0  # in characters
_MISSING = "–"
MAX_NAMED = 20  # maximum rows that are named for an insight


def table_nodes(table: TableEntry, title: str, citing: Citing) -> Iterator[Node]:
    """Yield the rows, then statistics and insights, which each get a heading if the table has a title."""
    if title:
        yield Heading(1, title, "table", starts_page=True)
    if table.insights and title:
        yield Bullets(tuple(_insight(insight.text, insight.rows) for insight in table.insights))
    if table.columns:
        yield _rows(table, citing)
    if table.statistics:
        yield _statistics(table)


def _rows(table: TableEntry, citing: Citing) -> Grid:
    columns = table.columns
    numbered = () if table.is_of_sentences else ("#",)
    head = (*numbered, table.head or _("Item"), *(column.title or column.name for column in columns))
    rows = tuple(_row(row, table, citing) for row in table.rows)
    return Grid(
        caption="",
        head=head,
        rows=rows,
        weights=tuple(_weight(name, [row[place] for row in rows]) for place, name in enumerate(head)),
        figures=frozenset(
            index for index, column in enumerate(columns, start=len(numbered) + 1) if column.type == "number"
        ),
    )


def _weight(name: str, cells: Sequence[Line]) -> float:
    """Return the width that the column needs, in characters; long texts count less than proportionally."""
    said = [plain(cell) for cell in cells]
    longest = max((len(word) for text in (name, *said) for word in text.split()), default=0)
    mean = sum(map(len, said)) / max(1, len(said))
    return max(min(longest, _WORD), 2 * sqrt(mean), _LEAST) + _PADDING


def _row(row: RowEntry, table: TableEntry, citing: Citing) -> tuple[Line, ...]:
    if table.is_of_sentences:
        beside = zip(row.cells, table.columns, strict=True)
        return (
            words(row.input),
            *(_sentences(cell, (row.input, column.title), citing) for cell, column in beside),
        )
    cells = zip(row.cells, (column.type for column in table.columns), strict=True)
    return (words(str(row.number)), words(row.input), *(_cell(cell, type_, citing) for cell, type_ in cells))


def _sentences(cell: CellEntry, heads: Sequence[str], citing: Citing) -> Line:
    """Return the claims of the cell as sentences, one after another."""
    said: list[Inline] = []
    for claim in cell.claims:
        said += [StyledText(" ")] if said else []
        said += citing.cite_in_table(claim, heads)
    return tuple(said) or words(translate_stored_text(cell.reason) if cell.reason else _MISSING, "quiet")


def _cell(cell: CellEntry, column_type: str, citing: Citing) -> Line:
    if cell.state != "found":
        why = translate_stored_text(cell.reason) if cell.reason else _MISSING
        return words(why, "quiet")
    said: list[Inline] = [_value(cell, column_type)]
    if cell.is_disputed:
        said.append(StyledText(" " + _("(disputed)"), "quiet"))
    if cell.claim:
        said.append(citing.mark(cell.claim))
    return tuple(said)


def _value(cell: CellEntry, column_type: str) -> Inline:
    """Return the value, as a link if it is a URL."""
    said = value_words(cell, column_type)
    address = original_url(str(cell.value)) if column_type == "url" else ""
    return Link(said, address) if address else StyledText(said)


def _insight(text: str, rows: tuple[int, ...]) -> Line:
    if not rows:
        return words(translate_stored_text(text))
    numbers, more = ", ".join(map(str, rows[:MAX_NAMED])), len(rows) - MAX_NAMED
    if more > 0:
        numbers += " " + ngettext("and %(more)s more", "and %(more)s more", more) % {"more": more}
    named = ngettext("(row %(numbers)s)", "(rows %(numbers)s)", len(rows)) % {"numbers": numbers}
    return (StyledText(translate_stored_text(text)), StyledText(f" {named}", "quiet"))


def _statistics(table: TableEntry) -> Grid:
    titles = {column.name: column.title or column.name for column in table.columns}
    rows = tuple(_statistic(statistic, titles) for statistic in table.statistics)
    head = (_("Column"), _("Statistic"), _("Value"))
    return Grid(_("Across all rows"), head, rows, (1.2, 1.0, 1.0))


def _statistic(statistic: StatisticEntry, titles: dict[str, str]) -> tuple[Line, ...]:
    return (
        words(titles.get(statistic.column, statistic.column) or _("All columns")),
        words(statistic_name(statistic.name)),
        words(statistic_value(statistic.name, statistic.text, statistic.value)),
    )
