"""The text in which quotes are located: without headings, captions and text outside all blocks."""

from collections.abc import Iterable, Iterator, Sequence

from citations.anchoring import QuotableText, Span
from research.parsing.parsed_document import BlockKind, TextBlock

NOT_CARRYING = frozenset({BlockKind.HEADING, BlockKind.CAPTION})


def quotable(text: str, blocks: Sequence[TextBlock]) -> QuotableText:
    """Return the quotable text.

    Navigation, running headers and page numbers are in no block; a text without blocks is quotable as a
    whole.
    """
    return QuotableText(text, list(_find_unquotable_spans(len(text), blocks)) if blocks else ())


def _find_unquotable_spans(length: int, blocks: Iterable[TextBlock]) -> Iterator[Span]:
    """Yield everything but the blocks that can carry a quote; blocks are in order and never overlap."""
    position = 0
    for block in blocks:
        if block.kind not in NOT_CARRYING:
            yield Span(position, max(position, block.start))
            position = max(position, block.end)
    yield Span(position, max(position, length))
