"""What a file is called: the same report in the same version, always the same."""

from django.utils.text import slugify

from exports.document import Document
from exports.formats.catalogue import Writer

LONGEST = 60  # characters of the title


def file_name(document: Document, writer: Writer) -> str:
    """Letters of any script, digits and hyphens: what every file system takes."""
    slug = slugify(document.title, allow_unicode=True)
    title = slug[:LONGEST].rpartition("-")[0] if len(slug) > LONGEST else slug
    return f"{title or slug[:LONGEST] or document.kind}-v{document.report_version}.{writer.extension}"
