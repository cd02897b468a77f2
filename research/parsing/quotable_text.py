"""A read text as quotes are looked up in it: headings, captions and what no block holds cannot carry a quote."""

from collections.abc import Iterable, Iterator, Sequence

from citations.anchoring import QuotableText, Span
from research.parsing.parsed_document import BlockKind, TextBlock

NOT_CARRYING = frozenset({BlockKind.HEADING, BlockKind.CAPTION})


def quotable(text: str, blocks: Sequence[TextBlock]) -> QuotableText:
    """Navigation, running heads and page numbers are what no block holds; a text without blocks is all words."""
    return QuotableText(text, list(_find_unquotable_spans(len(text), blocks)) if blocks else ())


def _find_unquotable_spans(length: int, blocks: Iterable[TextBlock]) -> Iterator[Span]:
    """All of the text but the blocks that can carry a quote, which are in order and never overlap."""
    position = 0
    for block in blocks:
        if block.kind not in NOT_CARRYING:
            yield Span(position, max(position, block.start))
            position = max(position, block.end)
    yield Span(position, max(position, length))
