"""The sections of a report on paper, and the tables and charts among them."""

from collections.abc import Iterator

from exports.charts import chart_of
from exports.document import Block, Document, Sentence
from exports.paper.citing import Citing
from exports.paper.nodes import Bullets, Figure, Heading, Inline, Line, Node, Paragraph, Quote, Words
from exports.paper.tables import table_nodes


def sections(document: Document, citing: Citing) -> Iterator[Node]:
    for section in document.sections:
        level = max(1, min(section.level, 3))
        yield Heading(level, section.heading, f"section-{section.index}")
        for block in section.blocks:
            yield from _block(block, citing)


def _block(block: Block, citing: Citing) -> Iterator[Node]:
    if block.table:
        yield from table_nodes(block.table, "", citing)
    elif block.chart:
        yield Figure(chart_of(block.chart))
    elif block.kind == "list":
        yield Bullets(tuple(_said(sentence, citing) for sentence in block.sentences))
    elif block.kind == "quote":
        yield Quote(_run_on(block, citing), _language(block))
    elif block.sentences:
        yield Paragraph(_run_on(block, citing))


def _said(sentence: Sentence, citing: Citing) -> Line:
    return citing.stated(sentence.claim) if sentence.claim else (Words(sentence.text),)


def _run_on(block: Block, citing: Citing) -> Line:
    """The sentences in a row, a blank between."""
    line: list[Inline] = []
    for sentence in block.sentences:
        line += [Words(" ")] if line else []
        line += _said(sentence, citing)
    return tuple(line)


def _language(block: Block) -> str:
    cited = (one for sentence in block.sentences if sentence.claim for one in sentence.claim.citations)
    first = next(cited, None)
    return first.source.language if first else ""
