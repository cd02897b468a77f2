"""The structure of a frozen text, from its row: blocks and pages as reading made them."""

from research.models import Content
from research.reading.document import Block, BlockKind, Page


def blocks_of(content: Content) -> list[Block]:
    return [Block(**{**block, "kind": BlockKind(block["kind"])}) for block in content.blocks]


def pages_of(content: Content) -> list[Page]:
    return [Page(**{**page, "runs": tuple(map(tuple, page["runs"]))}) for page in content.pages]
