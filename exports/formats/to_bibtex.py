"""The cited sources as BibTeX, written by pandoc."""

from citations.citation_styles import bibtex
from exports.document.document_tree import Document
from exports.formats.export_bibliography import bibliography
from exports.formats.export_options import ExportOptions, Progress


def write(document: Document, options: ExportOptions, tell: Progress) -> bytes:
    """Return UTF-8. Options have no effect. Raises PandocError."""
    del options
    data = bibtex(bibliography(document)).encode()
    tell(1.0)
    return data
