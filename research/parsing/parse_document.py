"""Turns the bytes of a document into its frozen text, structure and metadata."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from importlib import import_module

from research.parsing import parsed_media_types, sniff_format
from research.parsing.detect_language import detect_language
from research.parsing.machine_instructions import omit_machine_instructions
from research.parsing.parsed_document import ReadDocument
from research.runtime.sandbox.sandbox_read_error import MAX_BYTES, ReadError

Reader = Callable[[bytes, str], ReadDocument]

# Each reader needs a library that takes up to a second to load: imported for the first document of its type.
_READERS = {
    parsed_media_types.PDF: "parse_pdf.read_pdf",
    parsed_media_types.DOCX: "parse_docx.read_docx",
    parsed_media_types.XLSX: "parse_xlsx.read_xlsx",
    parsed_media_types.HTML: "parse_html.read_html",
    parsed_media_types.MARKDOWN: "parse_markdown.read_markdown",
    parsed_media_types.FEED: "parse_feed.read_feed",
    parsed_media_types.CSV: "parse_csv.read_csv",
    parsed_media_types.PLAIN: "parse_plain_text.read_text",
    parsed_media_types.RST: "parse_plain_text.read_text",
}


@cache
def _reader(media_type: str) -> Reader:
    module, name = _READERS[media_type].split(".")
    found: Callable[..., ReadDocument] = getattr(import_module(f"research.parsing.formats.{module}"), name)
    return partial(found, media_type=media_type) if module == "parse_plain_text" else found


def read(data: bytes, name: str) -> ReadDocument:
    """Read a document. Its type is detected from the bytes, not from `name`.

    Raises ReadError with a reason.
    """
    if len(data) > MAX_BYTES:
        raise ReadError(
            "too_large", f"“{name}” has {len(data) / 1e6:.0f} MB; the limit is {MAX_BYTES // 10**6} MB."
        )
    try:
        document = omit_machine_instructions(_reader(sniff_format.sniff(data, name))(data, name))
    except RecursionError as error:
        raise ReadError("unreadable", f"“{name}” is nested too deeply to be read.") from error
    except MemoryError as error:
        raise ReadError("memory", f"“{name}” needs more memory than one document may take.") from error
    if not document.text.strip():
        raise ReadError("empty", f"“{name}” contains no text.")
    return replace(document, language=detect_language(document.text) or document.language)
