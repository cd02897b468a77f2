"""The sections of a report on paper, and the tables and charts among them."""

from collections.abc import Iterator

from exports.document import Block, Document, Sentence
from exports.intervals import drawn_in_parts
from exports.paper.citing import Citing
from exports.paper.nodes import Bullets, Figure, Heading, Inline, Line, Node, Paragraph, Quote, Words
from exports.paper.tables import table_nodes
from exports.study_words import in_words
from exports.wording import own_words


def sections(document: Document, citing: Citing) -> Iterator[Node]:
    """The highest of them stand beside the paper's own parts, whatever their levels are called."""
    highest = min((section.level for section in document.sections), default=1)
    for section in document.sections:
        level = min(section.level - highest + 1, 3)
        yield Heading(level, own_words(section.heading, document.kind), f"section-{section.index}")
        for block in section.blocks:
            yield from _block(block, citing, document.kind)


def _block(block: Block, citing: Citing, kind: str) -> Iterator[Node]:
    if block.table:
        yield from table_nodes(in_words(block.table), "", citing)
    elif block.chart:
        yield from map(Figure, drawn_in_parts(block.chart))
    elif block.kind == "list":
        yield Bullets(tuple(_said(sentence, citing, kind) for sentence in block.sentences))
    elif block.kind == "quote":
        yield Quote(_run_on(block, citing, kind), _language(block))
    elif block.sentences:
        yield Paragraph(_run_on(block, citing, kind))


def _said(sentence: Sentence, citing: Citing, kind: str) -> Line:
    return citing.stated(sentence.claim) if sentence.claim else (Words(own_words(sentence.text, kind)),)


def _run_on(block: Block, citing: Citing, kind: str) -> Line:
    """The sentences in a row, a blank between."""
    line: list[Inline] = []
    for sentence in block.sentences:
        line += [Words(" ")] if line else []
        line += _said(sentence, citing, kind)
    return tuple(line)


def _language(block: Block) -> str:
    cited = (one for sentence in block.sentences if sentence.claim for one in sentence.claim.citations)
    first = next(cited, None)
    return first.source.language if first else ""
