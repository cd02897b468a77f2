"""The sheets of a workbook that describe its run: its method, its steps, and the table of a table run."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from exports.building.build_document_authorship import describe_authorship, stages, without_model
from exports.document.document_attribution import date_of, title_of
from exports.document.document_original_links import original_url
from exports.document.document_tree import CellEntry, ColumnEntry, Document, RawEntry, RowEntry, TableEntry
from exports.document.format_document_dates import as_known
from exports.formats.excel.export_workbook_sheets import Address, SheetColumn, Value, WorkbookSheet, day
from exports.labels.document_labels import word
from exports.labels.document_study_labels import translate_table
from exports.labels.format_document_values import describe_search_scope, setting_value
from exports.stored.translate_exported_sentences import translate_stored_text

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:[.][0-9]{1,10})?")  # “007” is a code
_KINDS = {"number": ("amount", 14), "boolean": ("text", 10), "date": ("date", 12), "url": ("link", 40)}


def section_sheets(document: Document) -> Iterator[WorkbookSheet]:
    """Yield the tables of a report's sections, such as the studies of a synthesis."""
    found = [block.table for section in document.sections for block in section.blocks if block.table]
    for number, table in enumerate(found, start=1):
        title = _("Table") if len(found) == 1 else f"{_('Table')} {number}"
        with_claims = any(cell.claim for row in table.rows for cell in row.cells)
        sheet = table_sheet(translate_table(table), with_claims=with_claims)
        yield replace(sheet, key=f"table_{number}", title=title)


def table_sheet(table: TableEntry, *, with_claims: bool = True) -> WorkbookSheet:
    """Build the sheet of a table: a row for each item, with typed values and the numbers of their claims."""
    own = tuple(_own_columns(table))
    columns = [SheetColumn("#", 6, "whole"), SheetColumn(table.head or _("Item"), 30), *own]
    for column in table.columns:
        kind, width = _KINDS.get(column.type, ("text", 28))
        title = column.title or column.name
        columns.append(SheetColumn(title, 50 if table.is_of_sentences else width, kind))
        columns += [SheetColumn(_("%(title)s: claim") % {"title": title}, 14, "whole")] if with_claims else []
        columns += (
            [SheetColumn(_("%(title)s: source") % {"title": title}, 30)]
            if _names_sources(table, with_claims)
            else []
        )
    columns.append(SheetColumn(_("Not found"), 40))
    rows = tuple(
        (
            row.number,
            row.input,
            *_own(row, own),
            *(
                value
                for cell, column in zip(row.cells, table.columns, strict=True)
                for value in _cell(cell, column, table, row.input, with_claims)
            ),
            _describe_missing_values(row.error, table, row.cells),
        )
        for row in table.rows
    )
    if table.is_of_sentences and not any(row[-1] for row in rows):
        columns, rows = columns[:-1], tuple(row[:-1] for row in rows)
    return WorkbookSheet("table", _("Table"), tuple(columns), rows)


def _names_sources(table: TableEntry, with_claims: bool) -> bool:
    """Return True for sentences, which need their sources here; for values, the sheet of claims has them."""
    return with_claims and table.is_of_sentences


def _own_columns(table: TableEntry) -> Iterator[SheetColumn]:
    """Yield the other columns of the entered table, as numbers if they contain only numbers."""
    for place, name in enumerate(table.beside):
        values = [row.beside[place] for row in table.rows if row.beside and row.beside[place]]
        is_number = bool(values) and all(map(_NUMBER.fullmatch, values))
        yield SheetColumn(name, 18, "number" if is_number else "text")


def _own(row: RowEntry, columns: Sequence[SheetColumn]) -> Iterator[Value]:
    """Yield the entered values of a row; nothing for a row that was added later."""
    for column, text in zip(columns, row.beside or ("",) * len(columns), strict=True):
        yield float(text) if column.kind == "number" and text else text or None


def _cell(
    cell: CellEntry, column: ColumnEntry, table: TableEntry, item: str, with_claims: bool
) -> Iterator[Value]:
    yield (
        "\n".join(claim.plain_text for claim in cell.claims)
        if table.is_of_sentences
        else _value(cell, column)
    )
    if with_claims:
        yield _numbers(cell)
    if _names_sources(table, with_claims):
        heads = (item, column.title)
        yield "\n".join(claim.attribution_beside(*heads, in_full=True) for claim in cell.claims)


def _numbers(cell: CellEntry) -> Value:
    """Return the numbers of the cell's claims: a number for one claim, a text for several, None for none."""
    numbers = [claim.number for claim in cell.claims]
    return ", ".join(map(str, numbers)) if len(numbers) > 1 else next(iter(numbers), None)


def _value(cell: CellEntry, column: ColumnEntry) -> Value:
    value = cell.value
    if cell.state != "found" or value is None:
        return None
    if isinstance(value, tuple):
        return "; ".join(value)
    if isinstance(value, str) and column.type == "date":
        return day(value)
    if isinstance(value, str) and column.type == "url":
        address = original_url(value)
        return Address(address) if address else value
    return value


def _describe_missing_values(error: str, table: TableEntry, cells: tuple[CellEntry, ...]) -> str:
    """Return the reasons for missing values, column by column, after the failure of the row itself."""
    said = [translate_stored_text(error)] if error else []
    for cell, column in zip(cells, table.columns, strict=True):
        if cell.state in ("not_found", "failed") and cell.reason:
            said.append(f"{column.title or column.name}: {translate_stored_text(cell.reason)}")
    return " · ".join(said)


def run_sheet(document: Document) -> WorkbookSheet:
    columns = (SheetColumn(_("What"), 28), SheetColumn(_("Value"), 90))
    return WorkbookSheet("run", _("Run"), columns, tuple(_facts(document)))


def _facts(document: Document) -> Iterator[tuple[Value, Value]]:
    yield _("Title"), document.title
    yield _("Kind"), word(document.kind, "kind")
    yield _("State"), word(document.status, "report_status")
    yield _("Made"), describe_authorship(document)
    if alone := without_model(document):
        yield _("Note"), alone
    yield _("Run"), str(document.run_id)
    yield _("Version"), document.report_version
    yield _("Date"), document.made_at.date() if document.made_at else None
    yield _("Seconds"), None if document.seconds is None else round(document.seconds, 1)
    yield _("Cost in US dollars"), document.cost_usd
    yield from _build_method_rows(document)
    if document.table:
        for found in document.table.statistics:
            yield (
                f"{found.column} {found.name}".strip(),
                found.value if found.value is not None else found.text,
            )


def _answer_in_short(document: Document) -> Iterator[tuple[Value, Value]]:
    for number, sentence in enumerate(document.summary, start=1):
        yield _("In short, %(number)s") % {"number": number}, sentence
    if newest := document.newest:
        yield _("Newest source"), f"{title_of(newest)}, {as_known(date_of(newest))}"
    for reason in document.reasons:
        yield _("Why the sources do not answer"), translate_stored_text(reason)


def _build_method_rows(document: Document) -> Iterator[tuple[Value, Value]]:
    yield from _answer_in_short(document)
    if document.searched:
        yield _("Searched"), describe_search_scope(document.searched)
    for setting in document.settings:
        yield (
            word(setting.name, "setting"),
            ", ".join(setting_value(value, setting.name) for value in setting.values),
        )
    for query in document.queries:
        yield _("Searched for"), query
    yield from stages(document)
    for loss in document.degradations:
        yield _("Given up"), translate_stored_text(loss.reason)
    for sentence in document.left_out:
        yield (
            _("Left out"),
            f"{translate_stored_text(sentence.text)} ({translate_stored_text(sentence.reason)})",
        )


def steps_sheet(raw: RawEntry) -> WorkbookSheet:
    columns = (
        SheetColumn(_("Step"), 8, "whole"),
        SheetColumn(_("Action"), 30),
        SheetColumn(_("State"), 12),
        SheetColumn(_("Attempt"), 6, "whole"),
        SheetColumn(_("Started"), 20, "time"),
        SheetColumn(pgettext("step", "Ended"), 20, "time"),
        SheetColumn(_("Tokens read"), 12, "whole"),
        SheetColumn(_("Tokens written"), 12, "whole"),
        SheetColumn(_("Error"), 50),
    )
    rows = tuple(
        (
            step.index,
            step.handler,
            step.status,
            step.attempt,
            step.started,
            step.completed,
            step.tokens_input,
            step.tokens_output,
            step.error,
        )
        for step in raw.steps
    )
    return WorkbookSheet("steps", _("Steps"), columns, rows)
