"""The cells of an item: for each field its value in the sources, with the words that it stands on."""

from collections.abc import Sequence

from research.pipelines.table.finding.choose_table_cell_value import choose, find_outdated_values
from research.pipelines.table.finding.found_table_values import FoundCell, Missing, ReadText
from research.pipelines.table.finding.table_cell_candidates import (
    ColumnCandidates,
    SearchedSource,
    candidates,
    look,
)
from research.pipelines.table.table_columns import TableField


def find_cells(
    item: str, fields: Sequence[TableField], sources: Sequence[ReadText], others: Sequence[str] = ()
) -> list[FoundCell]:
    """A cell for each field, in their order. Pure: same arguments, same cells.

    `sources` in order of trust, the first breaks ties. Words decide, and their stems and synonyms (`lexicon`); what a
    text tells in quite other words is not found. `others` are further items of the table: what a page about the item
    tells of them is not taken for its own.
    """
    looked = [look(item, source, others) for source in sources]
    return [_cell(item, field, fields, looked) for field in fields]


def _cell(
    item: str, field: TableField, fields: Sequence[TableField], looked: Sequence[SearchedSource]
) -> FoundCell:
    seen = [candidates(item, field, fields, source) for source in looked]
    found = [candidate for each in seen for candidate in each.candidates]
    cell = choose(field, found, [source.source.key for source in looked])
    return cell or _build_missing(item, field, looked, seen)


def _build_missing(
    item: str, field: TableField, looked: Sequence[SearchedSource], seen: Sequence[ColumnCandidates]
) -> FoundCell:
    found = [candidate for each in seen for candidate in each.candidates]
    refusals = [reason for each in seen for reason in each.refusals]
    if found:
        reason = "The sources give only a value that they call outdated."
        return FoundCell(field, others=find_outdated_values(found), missing=Missing.OUTDATED, reason=reason)
    if refusals:
        return FoundCell(field, missing=Missing.NO_VALUE, reason=refusals[0])
    if not looked:
        return FoundCell(field, missing=Missing.NO_SOURCE, reason=f"No source on “{item}” was found.")
    if not any(source.scope.spans or source.statements or source.sentences for source in looked):
        reason = f"No source is about “{item}”: those that were found only mention it."
        return FoundCell(field, missing=Missing.NOT_ABOUT, reason=reason)
    return FoundCell(
        field, missing=Missing.NOT_SAID, reason=f"The sources on “{item}” say nothing of “{field.title}”."
    )
