"""The cited sources as RIS, for reference managers."""

from citations.bibliography.csl_references import ris
from exports.document.document_tree import Document
from exports.formats.export_bibliography import bibliography
from exports.formats.export_options import ExportOptions, Progress


def write(document: Document, options: ExportOptions, tell: Progress) -> bytes:
    """Return UTF-8. Options have no effect."""
    del options
    data = ris(bibliography(document)).encode()
    tell(1.0)
    return data
