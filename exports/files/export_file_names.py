"""File names of exports: always the same for the same version of a report."""

from django.utils.text import slugify

from exports.document.document_tree import Document
from exports.formats.export_formats import FormatWriter

LONGEST = 60  # characters of the title


def file_name(document: Document, writer: FormatWriter) -> str:
    return f"{slug_of(document.title) or document.kind}-v{document.report_version}.{writer.extension}"


def slug_of(title: str) -> str:
    """Return letters of any script, digits and hyphens, which every file system accepts.

    Empty if the title has none.
    """
    slug = slugify(title, allow_unicode=True)
    whole_words = slug[:LONGEST].rpartition("-")[0] if len(slug) > LONGEST else slug
    return whole_words or slug[:LONGEST]
