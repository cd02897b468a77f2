"""A report as PDF: tagged (PDF/UA-1), with contents, running heads, footnotes, and its evidence attached as JSON."""

import gc
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from weasyprint import CSS, HTML, Attachment
from weasyprint.document import Document as Pages
from weasyprint.text.fonts import FontConfiguration

from exports.document.document_tree import Document
from exports.formats.export_chart_pictures import svg
from exports.formats.export_fonts import SANS, SERIF, FontFace, faces_for, family_list
from exports.formats.export_formats import WRITERS, Format
from exports.formats.export_options import ExportOptions, Progress
from exports.formats.pdf.export_pdf_layout import lay_out_pages
from exports.formats.pdf.export_pdf_markup import CHART, PdfMarkup, markup
from exports.formats.pdf.export_pdf_progress import report_page_progress
from exports.formats.pdf.export_pdf_url_fetcher import ClosedFetcher, PdfResource
from exports.paper.build_exported_paper import build_paper
from exports.paper.exported_paper_nodes import Paper

STYLE = Path(__file__).with_name("pdf") / "paper.css"
_FONT = "font:"
_LAID_OUT = 0.9  # share of the work that is done when all pages are laid out


def write(document: Document, options: ExportOptions, tell: Progress) -> bytes:
    """Write the document as PDF. Raises PandocError if the references cannot be formatted."""
    with _rare_garbage_collection():
        paper = build_paper(document, options)
        page = markup(paper)
        pages = _set(page, tell)
        written: bytes = pages.write_pdf(
            pdf_variant="pdf/ua-1",
            pdf_identifier=sha256(page.html.encode()).digest()[:16],
            attachments=_attachments(document, options, paper),
        )
    tell(1.0)
    return written


def _set(page: PdfMarkup, tell: Progress) -> Pages:
    faces = tuple(faces_for(page.html))
    fetcher = ClosedFetcher(_collect_resources(page, faces))
    fonts = FontConfiguration()
    with _fix_font_time():
        style = CSS(string=_style(faces), font_config=fonts, url_fetcher=fetcher)
    tell(0.1)
    with report_page_progress(logging.getLogger("weasyprint.progress"), tell, 0.1, _LAID_OUT, len(page.html)):
        return lay_out_pages(HTML(string=page.html, url_fetcher=fetcher), style, fonts)


@contextmanager
def _fix_font_time() -> Iterator[None]:
    """Set fontTools' clock to a fixed time, so that the same report gives the same bytes.

    fontTools only takes the time from the environment (reproducible-builds.org).
    """
    before = os.environ.get("SOURCE_DATE_EPOCH")
    os.environ["SOURCE_DATE_EPOCH"] = "0"
    try:
        yield
    finally:
        if before is None:
            del os.environ["SOURCE_DATE_EPOCH"]
        else:
            os.environ["SOURCE_DATE_EPOCH"] = before


@contextmanager
def _rare_garbage_collection() -> Iterator[None]:
    """Collect garbage rarely.

    Rendering creates millions of objects that stay alive, and examining them took a sixth of the time.
    """
    before = gc.get_threshold()
    gc.set_threshold(200_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _collect_resources(page: PdfMarkup, faces: tuple[FontFace, ...]) -> dict[str, PdfResource]:
    held = {f"{_FONT}{face.path.name}": PdfResource(face.path.read_bytes(), "font/woff") for face in faces}
    for number, figure in enumerate(page.figures):
        held[f"{CHART}{number}"] = PdfResource(svg(figure.chart).encode(), "image/svg+xml")
    return held


def _style(faces: tuple[FontFace, ...]) -> str:
    """Return the style sheet with the fonts, adding the names of all their files wherever it names a family."""
    style = STYLE.read_text(encoding="utf-8")
    for family in (SERIF, SANS):
        style = style.replace(f'"{family}"', family_list(family, faces))
    return "".join(map(_face, faces)) + style


def _face(face: FontFace) -> str:
    source = f'src: url("{_FONT}{face.path.name}")'
    return f'@font-face {{ font-family: "{face.name}"; font-weight: {face.weight}; {source} }}\n'


def _attachments(document: Document, options: ExportOptions, paper: Paper) -> list[Attachment]:
    """Return the evidence as a JSON attachment."""
    data = WRITERS[Format.JSON].write(document, options, lambda share: None)
    return [
        Attachment(
            string=data,
            name="evidence.json",
            description="The report's claims with their evidence, as JSON",
            created=paper.made_at,
            modified=paper.made_at,
            relationship="Data",
            url_fetcher=ClosedFetcher({}),
        )
    ]
