"""Writes a file: in this process, or in a sandboxed child if it takes a large library."""

from django.utils import translation

from citations.bibliography.bibliography_by_pandoc import PandocError
from exports.document.document_tree import Document
from exports.files.export_child import ExportChildError, write_in_child
from exports.formats.export_formats import FormatWriter
from exports.formats.export_options import CannotWrite, ExportOptions, Progress
from exports.models import ExportCode

_WHY = {
    ExportCode.TOO_LONG: "It took too long to make and was given up.",
    ExportCode.TOO_LARGE: "It needs more memory than one file may take.",
    ExportCode.BROKEN: "The writer stopped on this report. The operator’s log says where.",
}


class NotWritten(Exception):
    """Raised when the file cannot be made; str() is a sentence that says why."""

    def __init__(self, code: ExportCode, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def write_document(document: Document, writer: FormatWriter, options: ExportOptions, tell: Progress) -> bytes:
    """Return the file's bytes. Raises CannotWrite and NotWritten, and any error of a writer that runs in this
    process.
    """
    if not writer.is_there:
        raise NotWritten(ExportCode.NOT_AVAILABLE, f"{writer.format.label} cannot be written here.")
    if not writer.is_large:
        return _write_in_process(document, writer, options, tell)
    try:
        return write_in_child(document, writer.path, options, tell)
    except ExportChildError as death:
        code = ExportCode(death.code)
        raise NotWritten(code, _WHY[code]) from death


def _write_in_process(
    document: Document, writer: FormatWriter, options: ExportOptions, tell: Progress
) -> bytes:
    try:
        with translation.override(options.language):
            return writer.write(document, options, tell)
    except PandocError as error:
        raise CannotWrite(str(error)) from error
