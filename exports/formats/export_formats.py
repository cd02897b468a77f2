"""The formats of exports, and their writers.

A writer is pure: it turns the tree into bytes, without a database or a clock. The same input gives the same bytes. It
is imported at first use, since some writers load large libraries.
"""

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

from django.db.models import TextChoices

from exports.document.document_tree import Document
from exports.formats.export_options import ExportOptions, Progress


class Format(TextChoices):
    PDF = "pdf", "PDF"
    DOCX = "docx", "DOCX"
    HTML = "html", "HTML"
    MARKDOWN = "markdown", "Markdown"
    JSON = "json", "JSON"
    XLSX = "xlsx", "XLSX"
    CSV = "csv", "CSV"
    RIS = "ris", "RIS"
    BIBTEX = "bibtex", "BibTeX"
    CSL_JSON = "csl_json", "CSL-JSON"


class Write(Protocol):
    def __call__(self, document: Document, options: ExportOptions, tell: Progress) -> bytes: ...


@dataclass(frozen=True, slots=True)
class FormatWriter:
    format: Format
    extension: str
    media_type: str
    path: str  # the module with `write`
    is_large: bool = False  # loads a library that should run in its own process
    version: int = 1  # increases when the same report gives a different file, so that files are made again

    @property
    def is_there(self) -> bool:
        return find_spec(self.path) is not None

    @property
    def write(self) -> Write:
        return cast(Write, import_module(self.path).write)


_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_ALL = (
    FormatWriter(Format.PDF, "pdf", "application/pdf", "exports.formats.to_pdf", is_large=True, version=5),
    FormatWriter(Format.DOCX, "docx", _WORD, "exports.formats.to_docx", is_large=True, version=5),
    FormatWriter(Format.HTML, "html", "text/html; charset=utf-8", "exports.formats.to_html", version=5),
    FormatWriter(
        Format.MARKDOWN, "md", "text/markdown; charset=utf-8", "exports.formats.to_markdown", version=5
    ),
    FormatWriter(Format.JSON, "json", "application/json", "exports.formats.to_json", version=5),
    FormatWriter(Format.XLSX, "xlsx", _EXCEL, "exports.formats.to_xlsx", version=4),
    FormatWriter(Format.CSV, "csv", "text/csv; charset=utf-8", "exports.formats.to_csv", version=3),
    FormatWriter(Format.RIS, "ris", "application/x-research-info-systems", "exports.formats.to_ris"),
    FormatWriter(Format.BIBTEX, "bib", "application/x-bibtex", "exports.formats.to_bibtex"),
    FormatWriter(
        Format.CSL_JSON,
        "csl.json",
        "application/vnd.citationstyles.csl+json",
        "exports.formats.to_csl_json",
    ),
)
WRITERS: dict[Format, FormatWriter] = {writer.format: writer for writer in _ALL}
