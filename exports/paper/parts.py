"""A paper cut where the paper may be turned: a wide table lies on its side, with its heading and nothing else."""

from collections.abc import Iterable, Iterator

from exports.paper.nodes import Grid, Heading, Node

_LOWEST = 6  # of headings


def parts(nodes: Iterable[Node]) -> Iterator[list[Node]]:
    """From one heading of the first level to the next; where a table lies on its side, from any heading to the next."""
    for part in _cut(nodes, 1):
        yield from _cut(part, _LOWEST) if is_wide(part) else (part,)


def _cut(nodes: Iterable[Node], level: int) -> Iterator[list[Node]]:
    """Before each heading of this level or above."""
    part: list[Node] = []
    for node in nodes:
        if isinstance(node, Heading) and node.level <= level and part:
            yield part
            part = []
        part.append(node)
    yield part


def is_wide(part: Iterable[Node]) -> bool:
    return any(isinstance(node, Grid) and node.is_wide for node in part)
