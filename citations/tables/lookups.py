"""Lookup: the claim names cells; they have to stand in one row."""

from collections.abc import Iterator, Sequence

from citations.normalizing import Span
from citations.tables.linking import Link, Linked, Mention
from citations.tables.readings import Operation, Reading

_NEAR = 4  # tokens between a number and the name of the column it is said to be in


def lookups(linked: Linked) -> Iterator[Reading]:
    mentions = [mention for mention in linked.mentions if mention.links]
    if not mentions:
        return
    rows = best_rows(linked, mentions)
    row = rows[0]
    held = [each for each in mentions if link_in(linked, each, row) is not None]
    missing = [each for each in mentions if link_in(linked, each, row) is None]
    covered = frozenset(at for each in mentions for at in each.positions) | named(linked)
    yield Reading(
        Operation.LOOKUP,
        not missing,
        covered,
        reason(linked, row, held, missing),
        tuple(cell_span(linked, each, row) for each in held),
        tuple(_traits(held, missing)),
    )


def _traits(held: Sequence[Mention], missing: Sequence[Mention]) -> Iterator[str]:
    yield f"held_{min(3, len(held))}"
    if missing:
        yield f"missing_{min(2, len(missing))}"


def named(linked: Linked) -> frozenset[int]:
    """Positions of the claim that name columns."""
    return frozenset(at for name in linked.names for at in range(name.start, name.end))


def best_rows(linked: Linked, mentions: Sequence[Mention]) -> list[int]:
    """The rows that hold most of what is mentioned, in order; never empty when a mention has links."""
    scores: dict[int, float] = {}
    for mention in mentions:
        for row in mention.rows:
            link = link_in(linked, mention, row)
            if link is not None:
                scores[row] = scores.get(row, 0.0) + _weight(mention) * link.fullness
    best = max(scores.values(), default=0.0)
    return sorted(row for row, score in scores.items() if score >= best - 1e-9)


def _weight(mention: Mention) -> float:
    """A longer mention is less likely to stand in a row by chance, and a lone number most likely."""
    return (0.6 if mention.is_number else 1.0) + 0.1 * min(5, mention.end - mention.start)


def link_in(linked: Linked, mention: Mention, row: int) -> Link | None:
    """How the mention stands in the row: the fullest cell, and for a number in the column named beside it."""
    links = allowed_links(linked, mention)
    return max((each for each in links if row in each.rows), key=lambda each: each.fullness, default=None)


def allowed_links(linked: Linked, mention: Mention) -> tuple[Link, ...]:
    """The links of a mention, those in the column whose name stands next to it where there is one."""
    if not mention.is_number:
        return mention.links
    beside = columns_beside(linked, mention)
    return tuple(each for each in mention.links if each.column in beside) or mention.links


def columns_beside(linked: Linked, mention: Mention) -> frozenset[int]:
    """The columns named fully (or best) within a few tokens of a mention."""
    near = [
        name for name in linked.names if name.start - mention.end < _NEAR and mention.start - name.end < _NEAR
    ]
    best = max((name.share for name in near), default=0.0)
    return frozenset(name.column for name in near if name.share == best)


def cell_span(linked: Linked, mention: Mention, row: int) -> Span:
    link = link_in(linked, mention, row)
    column = link.column if link else 0
    return linked.table.rows[row][column].span


def row_name(linked: Linked, row: int) -> str:
    """What a row is known by: its first cell of text, else its first that is not empty."""
    cells = [cell for cell in linked.table.rows[row] if not cell.is_empty]
    texts = [cell for cell in cells if cell.amount is None]
    return (texts or cells)[0].text if cells else ""


def reason(linked: Linked, row: int, held: Sequence[Mention], missing: Sequence[Mention]) -> str:
    told = ", ".join(_told(linked, each, row) for each in held)
    if not missing:
        return f"row “{row_name(linked, row)}”: {told}"
    absent = ", ".join(f"“{said(linked, each)}”" for each in missing)
    return f"row “{row_name(linked, row)}” has {told} but not {absent}"


def _told(linked: Linked, mention: Mention, row: int) -> str:
    link = link_in(linked, mention, row)
    if link is None:
        return ""
    return f"{linked.table.headers[link.column]} “{linked.table.rows[row][link.column].text}”"


def said(linked: Linked, mention: Mention) -> str:
    return linked.claim[linked.tokens[mention.start].start : linked.tokens[mention.end - 1].end]
