"""Labels of exported files in the interface."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from exports.formats.export_formats import Format


@dataclass(frozen=True, slots=True)
class FormatWords:
    name: Promise | str
    holds: Promise


FORMAT_WORDS: Mapping[Format, FormatWords] = {
    Format.PDF: FormatWords(
        "PDF",
        _("To print and share: contents, footnotes, each citation linked to its evidence and back."),
    ),
    Format.DOCX: FormatWords(
        _("Word (DOCX)"), _("To edit: headings, real footnotes, a table of contents that Word fills in.")
    ),
    Format.HTML: FormatWords(
        _("Web page (HTML)"),
        _("One file that opens anywhere, without a network, with the evidence behind each claim."),
    ),
    Format.MARKDOWN: FormatWords(
        "Markdown", _("Plain text with footnotes, for wikis, notes and version control.")
    ),
    Format.JSON: FormatWords(
        "JSON",
        _("Everything, for programs: claims, quotes with their places, sources, warnings. Has a schema."),
    ),
    Format.XLSX: FormatWords(
        _("Excel (XLSX)"),
        _("Sheets of claims, sources, evidence and warnings, with typed columns to sort and filter."),
    ),
    Format.CSV: FormatWords(
        "CSV",
        _("One row for each claim and source; of a table, one for each item. Opens in every spreadsheet."),
    ),
    Format.RIS: FormatWords("RIS", _("The cited sources, for Zotero, EndNote, Mendeley and others.")),
    Format.BIBTEX: FormatWords("BibTeX", _("The cited sources, for LaTeX.")),
    Format.CSL_JSON: FormatWords(
        "CSL-JSON", _("The cited sources, for pandoc and other citation processors.")
    ),
}

STATES: Mapping[str, Promise] = {
    "waiting": _("Waiting for its turn"),
    "making": _("Being made"),
    "ready": _("Ready"),
    "failed": _("Failed"),
    "expired": _("Ended"),
}

CODES: Mapping[str, Promise] = {
    "EXPORT_NOT_AVAILABLE": _("This format cannot be written on this installation."),
    "EXPORT_CANNOT_WRITE": _("The file could not be written:"),  # the writer's own message follows
    "EXPORT_TOO_LONG": _("Creating it took too long and was stopped. Choose fewer parts to make it shorter."),
    "EXPORT_TOO_LARGE": _(
        "It needs more memory than one file may use. Choose fewer parts to make it smaller."
    ),
    "EXPORT_INTERRUPTED": _("Making the file was interrupted several times. Try again."),
    "EXPORT_NOT_STORED": _(
        "The file was created but could not be stored:"
    ),  # the store's own message follows
    "EXPORT_BROKEN": _("The writer stopped on this report. The operator’s log says where."),
}
TOLD_IN_FULL = frozenset({"EXPORT_CANNOT_WRITE", "EXPORT_NOT_STORED"})
