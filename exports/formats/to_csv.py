"""The evidence as CSV: a row for each citation of a claim; for a table run, a row for each item.

RFC 4180, in UTF-8 with a byte order mark, by which spreadsheets recognize it. Headings are the same in every
language, because programs also read them.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import NamedTuple

from django.utils.translation import override

from exports.document.document_tree import (
    CellEntry,
    CitationEntry,
    ClaimEntry,
    Document,
    RowEntry,
    TableEntry,
)
from exports.formats.export_options import ExportOptions, Progress
from exports.formats.export_spreadsheet_cells import neutral

Value = str | int | float | bool | None
MARK = "\ufeff"
CLAIM_HEADINGS = (
    "claim",
    "section",
    "row",
    "column",
    "text",
    "attribution",
    "claim_type",
    "strength",
    "independent_sources",
    "confidence",
    "verification",
    "contradiction",
)
CITATION_HEADINGS = (
    "source",
    "title",
    "author",
    "publisher",
    "published",
    "url",
    "page",
    "quote",
    "start",
    "end",
    "match",
    "similarity",
    "citation_confidence",
    "retrieved",
    "sha256",
    "table_row",
    "table_columns",
)
ITEM_HEADINGS = ("row", "item", "status", "error")
EVIDENCE_HEADINGS = ("claim", "sources", "attribution", "confidence", "disputed", "urls", "quotes", "reason")
BETWEEN = "; "  # between several values in one cell


class ClaimLocation(NamedTuple):
    """The section of a claim; also its row and column if the claim is in a table."""

    section: str
    row: str = ""
    column: str = ""


def write(document: Document, options: ExportOptions, tell: Progress) -> bytes:
    """Write the document as CSV, with a row for each citation of a claim.

    A claim that cites one source twice has two rows; one that cites nothing has one row. If the document is a table
    without other claims, write a row for each item.
    """
    is_table = document.table is not None and not any(section.claims for section in document.sections)
    lines = _build_item_rows(document.table) if document.table and is_table else _build_claim_rows(document)
    text = StringIO()
    text.write(MARK)
    rows = csv.writer(text, lineterminator="\r\n")
    with override(options.language):  # for dates; the file is complete regardless of the options
        for line in lines:
            rows.writerow([_cell(value) for value in line])
    tell(1.0)
    return text.getvalue().encode("utf-8")


def _cell(value: Value) -> str | int | float:
    """Return a number unchanged, anything else as escaped text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return neutral(value) if isinstance(value, str) else value


def _build_claim_rows(document: Document) -> Iterator[Sequence[Value]]:
    yield (*CLAIM_HEADINGS, *CITATION_HEADINGS)
    for place, claim in _locate_claims(document):
        about = _about(claim, place)
        for citation in claim.citations or (None,):
            yield (
                *about,
                *(_build_citation_cells(citation) if citation else (None,) * len(CITATION_HEADINGS)),
            )


def _locate_claims(document: Document) -> Iterable[tuple[ClaimLocation, ClaimEntry]]:
    """Yield each claim once, at its first position; those of the table under its item."""
    located: dict[int, tuple[ClaimLocation, ClaimEntry]] = {}
    for section in document.sections:
        for block in section.blocks:
            said = ((ClaimLocation(section.heading), claim) for claim in block.claims)
            in_cells = _locate_cell_claims(block.table, section.heading) if block.table else ()
            for place, claim in (*in_cells, *said):
                located.setdefault(claim.number, (place, claim))
    for row in document.table.rows if document.table else ():
        for cell in row.cells:
            if cell.claim:
                located.setdefault(cell.claim.number, (ClaimLocation(row.input), cell.claim))
    return located.values()


def _locate_cell_claims(table: TableEntry, heading: str) -> Iterator[tuple[ClaimLocation, ClaimEntry]]:
    for row in table.rows:
        for cell, column in zip(row.cells, table.columns, strict=True):
            for claim in cell.claims:
                yield ClaimLocation(heading, row.input, column.title or column.name), claim


def _about(claim: ClaimEntry, place: ClaimLocation) -> Sequence[Value]:
    return (
        claim.number,
        *place,
        claim.text,
        claim.attribution,
        claim.claim_type,
        claim.strength,
        claim.origins,
        claim.confidence,
        claim.verification_status,
        claim.contradiction_status,
    )


def _build_citation_cells(citation: CitationEntry) -> Sequence[Value]:
    source = citation.source
    return (
        source.number,
        source.title,
        source.author,
        source.publisher,
        source.published,
        source.url,
        citation.printed_page or None,
        citation.quote,
        citation.start,
        citation.end,
        citation.match_type,
        citation.similarity,
        citation.confidence,
        source.retrieved.isoformat() if source.retrieved else None,
        source.sha256,
        citation.row or None,
        BETWEEN.join(citation.columns) or None,
    )


def _build_item_rows(table: TableEntry) -> Iterator[Sequence[Value]]:
    """Yield the values first, as in the table; then the evidence of each field."""
    names = [column.name for column in table.columns]
    evidence = [f"{name}.{heading}" for name in names for heading in EVIDENCE_HEADINGS]
    yield (*ITEM_HEADINGS, *names, *evidence, *(f"given.{name}" for name in table.beside))
    yield from ((*_item(row), *(row.beside or ("",) * len(table.beside))) for row in table.rows)


def _item(row: RowEntry) -> Sequence[Value]:
    values = [_value(cell) for cell in row.cells]
    evidence = [each for cell in row.cells for each in _evidence(cell)]
    return (row.number, row.input, row.status, row.error, *values, *evidence)


def _value(cell: CellEntry) -> Value:
    return BETWEEN.join(cell.value) if isinstance(cell.value, tuple) else cell.value


def _evidence(cell: CellEntry) -> Sequence[Value]:
    claim = cell.claim
    if claim is None:
        return (*(None,) * (len(EVIDENCE_HEADINGS) - 1), cell.reason or cell.state)
    sources = {citation.source.id: citation.source for citation in claim.citations}.values()
    return (
        claim.number,
        BETWEEN.join(str(source.number) for source in sources),
        claim.attribution,
        claim.confidence,
        cell.is_disputed,
        BETWEEN.join(source.url for source in sources if source.url),
        BETWEEN.join(dict.fromkeys(citation.quote for citation in claim.citations)),
        cell.reason,
    )
