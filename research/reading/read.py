"""Bytes of a document → its frozen text, structure and metadata."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from research.reading import sniffing
from research.reading.document import ReadDocument, ReadError
from research.reading.from_csv import read_csv
from research.reading.from_docx import read_docx
from research.reading.from_html import read_html
from research.reading.from_markdown import read_markdown
from research.reading.from_pdf import read_pdf
from research.reading.from_text import read_text
from research.reading.language import detect_language

# Raised whenever a reader would give other text for the same bytes: frozen texts keep the version that made
# them.
EXTRACTOR_VERSION = "1"
MAX_BYTES = 50_000_000

_READERS: dict[str, Callable[[bytes, str], ReadDocument]] = {
    sniffing.PDF: read_pdf,
    sniffing.DOCX: read_docx,
    sniffing.HTML: read_html,
    sniffing.MARKDOWN: read_markdown,
    sniffing.CSV: read_csv,
    sniffing.PLAIN: lambda data, name: read_text(data, name, sniffing.PLAIN),
    sniffing.RST: lambda data, name: read_text(data, name, sniffing.RST),
}


def read(data: bytes, name: str) -> ReadDocument:
    """Read a document; what the bytes are decides, not what `name` says. Raises ReadError with a reason."""
    if len(data) > MAX_BYTES:
        raise ReadError(
            "too_large", f"“{name}” has {len(data) / 1e6:.0f} MB; {MAX_BYTES // 10**6} MB can be read."
        )
    try:
        document = _READERS[sniffing.sniff(data, name)](data, name)
    except RecursionError as error:
        raise ReadError("unreadable", f"“{name}” is nested too deeply to be read.") from error
    except MemoryError as error:
        raise ReadError("memory", f"“{name}” needs more memory than one document may take.") from error
    if not document.text.strip():
        raise ReadError("empty", f"“{name}” holds no text.")
    return replace(document, language=detect_language(document.text) or document.language)
