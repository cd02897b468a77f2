"""Splits a paper where its orientation changes: a wide table is printed in landscape with only its heading."""

from collections.abc import Iterable, Iterator

from exports.paper.exported_paper_nodes import Grid, Heading, Node

_LOWEST = 6  # lowest level of headings


def parts(nodes: Iterable[Node]) -> Iterator[list[Node]]:
    """Yield the parts, split at first-level headings; around a landscape table, also at headings of other levels."""
    for part in _cut(nodes, 1):
        yield from _cut(part, _LOWEST) if is_wide(part) else (part,)


def _cut(nodes: Iterable[Node], level: int) -> Iterator[list[Node]]:
    """Split before each heading of this or a higher level."""
    part: list[Node] = []
    for node in nodes:
        if isinstance(node, Heading) and node.level <= level and part:
            yield part
            part = []
        part.append(node)
    yield part


def is_wide(part: Iterable[Node]) -> bool:
    return any(isinstance(node, Grid) and node.is_wide for node in part)
