"""The sections of a report on paper, and the tables and charts among them."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from exports.building.document_forest_plot import build_chart_parts
from exports.document.document_tree import ANSWER, BlockEntry, Document, SentenceEntry
from exports.labels.document_study_labels import translate_table
from exports.labels.format_document_values import (
    between_claims,
    describe_list_attribution,
    describe_open_parts,
    empty_section,
    newest_source,
    own_words,
)
from exports.paper.exported_paper_citations import Citing
from exports.paper.exported_paper_nodes import (
    BlockQuote,
    Bullets,
    Figure,
    Heading,
    Inline,
    Line,
    Node,
    Paragraph,
    StyledText,
    words,
)
from exports.paper.exported_paper_tables import table_nodes


def sections(document: Document, citing: Citing) -> Iterator[Node]:
    """Yield the sections after the short answer; top-level ones are on the level of the paper's other parts."""
    for section in document.body:
        yield Heading(section.level, own_words(section.heading, document.kind), f"section-{section.index}")
        if not section.blocks and not section.has_parts:
            yield Paragraph(words(empty_section(document), "quiet"))
        for block in section.blocks:
            yield from _block(block, citing, document)
        if document.is_answered_by_a_table and section.role == ANSWER:
            yield from notes_on_answer(document)


def notes_on_answer(document: Document) -> Iterator[Node]:
    """Yield what the sources leave open and the newest of them, which stand below the short answer."""
    if left_open := describe_open_parts(document):
        yield Paragraph(words(left_open))
    if newest := newest_source(document):
        yield Paragraph(words(newest, "quiet"), "small")


def follow_ups(document: Document) -> Iterator[Node]:
    if document.follow_ups:
        yield Heading(1, _("Follow-up questions"), "follow-ups")
        yield Bullets(tuple((StyledText(question),) for question in document.follow_ups))


def _block(block: BlockEntry, citing: Citing, document: Document) -> Iterator[Node]:
    if block.table:
        yield from table_nodes(translate_table(block.table), "", citing)
    elif block.chart:
        yield from map(Figure, build_chart_parts(block.chart))
    elif block.kind in ("list", "steps"):
        said_for_all = describe_list_attribution(block)
        if said_for_all:
            yield Paragraph((StyledText(said_for_all, "attribution"),), "origin")
        items = tuple(
            build_sentence_line(sentence, citing, document, is_attributed=not said_for_all)
            for sentence in block.sentences
        )
        yield Bullets(items, are_numbered=block.kind == "steps")
    elif block.kind == "quote":
        yield BlockQuote(_run_on(block, citing, document), _language(block))
    elif block.sentences:
        yield Paragraph(_run_on(block, citing, document))


def build_sentence_line(
    sentence: SentenceEntry, citing: Citing, document: Document, *, is_attributed: bool = True
) -> Line:
    """Return a claim with its number and, unless that is said elsewhere, its attribution; or connecting text."""
    return (
        citing.cite_in_text(sentence.claim, is_attributed=is_attributed)
        if sentence.claim
        else (StyledText(between_claims(sentence.text, document)),)
    )


def _run_on(block: BlockEntry, citing: Citing, document: Document) -> Line:
    """Return the sentences in one line, separated by blanks."""
    line: list[Inline] = []
    for sentence in block.sentences:
        line += [StyledText(" ")] if line else []
        line += build_sentence_line(sentence, citing, document)
    return tuple(line)


def _language(block: BlockEntry) -> str:
    cited = (
        citation for sentence in block.sentences if sentence.claim for citation in sentence.claim.citations
    )
    first = next(cited, None)
    return first.source.language if first else ""
