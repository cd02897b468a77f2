"""The cited sources as CSL-JSON, the format that pandoc and Zotero read."""

from citations.bibliography.csl_references import csl_json
from exports.document.document_tree import Document
from exports.formats.export_bibliography import bibliography
from exports.formats.export_options import ExportOptions, Progress


def write(document: Document, options: ExportOptions, tell: Progress) -> bytes:
    """Return UTF-8. Options have no effect."""
    del options
    data = csl_json(bibliography(document)).encode()
    tell(1.0)
    return data
