"""A report as DOCX, with Word's own styles, footnotes, table of contents and header rows."""

from collections.abc import Callable, Mapping
from io import BytesIO
from tempfile import NamedTemporaryFile
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from citations.bibliography.bibliography_by_pandoc import run_pandoc_to_bytes
from exports.document.document_tree import Document
from exports.formats.export_options import ExportOptions, Progress
from exports.formats.word.correct_exported_docx import changes
from exports.formats.word.export_docx_styles import reference_document
from exports.formats.word.export_pandoc_ast import tree_of
from exports.paper.build_exported_paper import build_paper

LIMIT_S = 60.0  # 300 claims take about 3 s


def write(document: Document, options: ExportOptions, tell: Progress) -> bytes:
    """Write the document as DOCX. Raises PandocError."""
    paper = build_paper(document, options)
    tree = tree_of(paper)
    tell(0.3)
    with NamedTemporaryFile(suffix=".docx") as reference:
        styles = reference_document(paper.title, has_contents_on_cover=paper.has_contents_on_cover)
        reference.write(styles)
        reference.flush()
        arguments = ("-t", "docx+empty_paragraphs", "-o", "-", f"--reference-doc={reference.name}")
        written = run_pandoc_to_bytes(tree, *arguments, limit_s=LIMIT_S)
    tell(0.9)
    mended = _patch_archive(written, changes(paper.made_at))
    tell(1.0)
    return mended


def _patch_archive(written: bytes, mend: Mapping[str, Callable[[bytes], bytes]]) -> bytes:
    """Replace some parts of the archive. All parts get one time stamp, so that the bytes are reproducible."""
    made = BytesIO()
    with ZipFile(BytesIO(written)) as source, ZipFile(made, "w", ZIP_DEFLATED) as target:
        for name in source.namelist():
            data = source.read(name)
            part = ZipInfo(name)
            part.compress_type = ZIP_DEFLATED
            target.writestr(part, mend[name](data) if name in mend else data)
    return made.getvalue()
