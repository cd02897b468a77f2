"""The contents of a workbook before it is written: sheets with typed columns. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from citations.citation_styles import format_references
from exports.building.build_document_references import references
from exports.document.document_marked_text import Piece
from exports.document.document_original_links import original_url
from exports.document.document_tree import (
    CitationEntry,
    ClaimEntry,
    Document,
    SourceEntry,
    WarningEntry,
    select_cited_sources,
)
from exports.formats.export_options import ExportOptions
from exports.labels.document_labels import word
from exports.labels.format_document_values import cell_names, match, own_words
from exports.stored.translate_exported_sentences import translate_stored_text


@dataclass(frozen=True, slots=True)
class Address:
    """A link to the web, displayed as its URL."""

    url: str


Value = str | int | float | bool | date | Address | None


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A column. `width`: in characters; `kind`: text, whole, number, share (0–1, shown in percent), date or link."""

    title: str
    width: int
    kind: str = "text"


@dataclass(frozen=True, slots=True)
class WorkbookSheet:
    """A sheet. `key` names its table in formulas; each row has a value for each column."""

    key: str
    title: str
    columns: tuple[SheetColumn, ...]
    rows: tuple[tuple[Value, ...], ...]


def sheets_of(document: Document, options: ExportOptions) -> Iterator[WorkbookSheet]:
    """Yield the sheets of claims, sources, evidence and warnings.

    Raises PandocError if the references cannot be formatted.
    """
    yield _claims(document)
    yield _sources(document, options)
    yield _evidence(document, options)
    yield _warnings((*document.gaps, *document.warnings))


def _claims(document: Document) -> WorkbookSheet:
    columns = (
        SheetColumn(_("Claim"), 8, "whole"),
        SheetColumn(_("Section"), 24),
        SheetColumn(_("Text"), 70),
        SheetColumn(_("Attribution"), 34),
        SheetColumn(_("Evidence"), 12),
        SheetColumn(_("Independent sources"), 16, "whole"),
        SheetColumn(_("Confidence"), 18, "share"),
        SheetColumn(pgettext("outcome", "Check"), 22),
        SheetColumn(_("Disputed"), 10),
        SheetColumn(_("Sources"), 14),
    )
    places = {
        claim.id: own_words(section.heading, document.kind)
        for section in reversed(document.sections)
        for claim in section.claims
    }
    for row in document.table.rows if document.table else ():
        places |= {
            cell.claim.id: row.input for cell in row.cells if cell.claim and cell.claim.id not in places
        }
    rows = tuple(_claim(claim, places.get(claim.id, "")) for claim in document.claims)
    return WorkbookSheet("claims", _("Claims"), columns, rows)


def _claim(claim: ClaimEntry, place: str) -> tuple[Value, ...]:
    numbers = dict.fromkeys(citation.source.number for citation in claim.citations)
    return (
        claim.number,
        place,
        claim.text,
        claim.attribution,
        word(claim.strength, "strength"),
        claim.origins,
        claim.confidence,
        word(claim.verification_status, "check"),
        claim.contradiction_status != "none",
        ", ".join(f"[{number}]" for number in numbers),
    )


def _sources(document: Document, options: ExportOptions) -> WorkbookSheet:
    columns = (
        SheetColumn(_("Source"), 8, "whole"),
        SheetColumn(_("Title"), 50),
        SheetColumn(_("Author"), 24),
        SheetColumn(_("Publisher"), 24),
        SheetColumn(_("Published"), 12, "date"),
        SheetColumn(_("Kind"), 14),
        SheetColumn(_("Address"), 46, "link"),
        SheetColumn(_("File"), 24),
        SheetColumn(_("Language"), 10),
        SheetColumn(_("Saved"), 12, "date"),
        SheetColumn(_("Quality"), 10, "share"),
        SheetColumn(_("Credibility"), 11, "whole"),
        SheetColumn(_("Reference"), 70),
        SheetColumn("SHA-256", 24),
    )
    cited = select_cited_sources(document.sources)
    written: dict[str, str] = {}
    if options.include_sources:
        listed = format_references(references(cited), options.citation_style, options.language)
        written = {reference.id: reference.text for reference in listed}
    rows = tuple(_source(source, written.get(f"source{source.number}", "")) for source in cited)
    return WorkbookSheet("sources", _("Sources"), columns, rows)


def _source(source: SourceEntry, reference: str) -> tuple[Value, ...]:
    worth = source.assessment
    address = original_url(source.url)
    return (
        source.number,
        source.title,
        source.author,
        source.publisher,
        day(source.published),
        word(source.source_type, "source_type"),
        Address(address) if address else source.url,
        source.file,
        source.language,
        source.retrieved,
        worth.quality if worth else None,
        worth.credibility if worth else None,
        reference,
        source.sha256,
    )


def _evidence(document: Document, options: ExportOptions) -> WorkbookSheet:
    around = (SheetColumn(_("Before the quote"), 40), SheetColumn(_("After the quote"), 40))
    columns = (
        SheetColumn(_("Claim"), 8, "whole"),
        SheetColumn(_("Source"), 8, "whole"),
        SheetColumn(_("Title"), 40),
        SheetColumn(_("Quote"), 70),
        SheetColumn(_("Page"), 8, "whole"),
        SheetColumn(_("Section"), 24),
        SheetColumn(_("Row and columns"), 30),
        SheetColumn(_("Match"), 18),
        SheetColumn(_("Bearing"), 14),
        SheetColumn(_("Confidence"), 12, "share"),
        SheetColumn(_("Starts at"), 10, "whole"),
        SheetColumn(_("Ends at"), 10, "whole"),
        SheetColumn(_("Original"), 46, "link"),
        *(around if options.include_appendix else ()),
    )
    rows = tuple(
        (*_citation(claim, citation), *(_around(citation) if options.include_appendix else ()))
        for claim in document.claims
        for citation in claim.citations
    )
    return WorkbookSheet("evidence", _("Evidence"), columns, rows)


def _citation(claim: ClaimEntry, citation: CitationEntry) -> tuple[Value, ...]:
    address = original_url(citation.source.url, citation.source.media_type, citation.quote, citation.page)
    return (
        claim.number,
        citation.source.number,
        citation.source.title,
        citation.quote,
        citation.page_label or citation.page,
        citation.section,
        cell_names(citation),
        match(citation),
        word(citation.status, "bearing"),
        citation.confidence,
        citation.start,
        citation.end,
        Address(address) if address else None,
    )


def _around(citation: CitationEntry) -> tuple[Value, Value]:
    return _join_pieces(citation.words.before), _join_pieces(citation.words.after)


def _join_pieces(pieces: Iterable[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def _warnings(found: tuple[WarningEntry, ...]) -> WorkbookSheet:
    columns = (
        SheetColumn(_("Code"), 8),
        SheetColumn(_("Severity"), 12),
        SheetColumn(_("Warning"), 80),
        SheetColumn(_("Advice"), 60),
        SheetColumn(_("Computed"), 11),
    )
    rows = tuple(
        (
            entry.code,
            word(entry.severity, "severity"),
            translate_stored_text(entry.text),
            translate_stored_text(entry.advice),
            entry.computed,
        )
        for entry in found
    )
    return WorkbookSheet("warnings", _("Warnings"), columns, rows)


def day(iso: str) -> date | str:
    """Return a complete date as a date, a less precise one as text."""
    try:
        return date.fromisoformat(iso) if len(iso) == len("2026-11-22") else iso
    except ValueError:
        return iso
