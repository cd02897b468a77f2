"""Writes the title and the claims, and says how far it is."""

from exports.document.document_tree import Document
from exports.formats.export_options import ExportOptions, Progress


def write(document: Document, options: ExportOptions, tell: Progress) -> bytes:
    tell(0.5)
    lines = [f"{options.language}: {document.title}", *(claim.text for claim in document.claims)]
    return "\n".join(lines).encode()
