"""Builds a paper from a document tree: its parts and their order."""

from collections.abc import Iterator
from datetime import UTC, datetime

from django.utils.translation import gettext as _
from django.utils.translation import override

from exports.document.document_tree import Document
from exports.formats.export_options import ExportOptions
from exports.paper.exported_paper_body import follow_ups, sections
from exports.paper.exported_paper_citations import Citing
from exports.paper.exported_paper_code_examples import examples
from exports.paper.exported_paper_evidence import appendix, sources
from exports.paper.exported_paper_findings import findings
from exports.paper.exported_paper_front_matter import at_a_glance, build_opening, cover_of, strength_key
from exports.paper.exported_paper_method import method
from exports.paper.exported_paper_nodes import Node, Paper
from exports.paper.exported_paper_tables import table_nodes

NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)  # the date of an unfinished document, since files need one


def build_paper(document: Document, options: ExportOptions) -> Paper:
    """Build the paper. Pure. Raises PandocError if the references cannot be formatted."""
    with override(options.language):
        return Paper(
            title=document.title,
            language=options.language,
            words_in=document.language,
            subject=_("Research in which every claim leads to the exact words of its source."),
            made_at=document.made_at or NO_TIME,
            cover=cover_of(document),
            nodes=tuple(_nodes(document, options)),
        )


def _nodes(document: Document, options: ExportOptions) -> Iterator[Node]:
    citing = Citing(options)
    yield from build_opening(document, citing)
    yield from sections(document, citing)
    yield from examples(document)
    if document.table:
        yield from table_nodes(document.table, _("Table"), citing)
    if document.claims:
        yield strength_key()
    yield from findings(document, citing)
    yield from follow_ups(document)
    yield from at_a_glance(document)
    yield from method(document)
    if options.include_sources:
        yield from sources(document, options)
    if options.include_appendix:
        yield from appendix(document, options)
