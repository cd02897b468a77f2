"""Wins and losses: columns of results ("w 27 - 20", "loss", "runner-up") and the words of a claim for them."""

from collections.abc import Iterator

from citations.table_claims.claim_mentions import CellMention, ColumnLink, MentionKind
from citations.table_claims.claim_table import PassageTable
from citations.table_claims.link_claim_to_table import LinkedClaim
from citations.table_claims.table_claim_cells import TableCell

_SHARE = 0.7  # share of the non-empty cells that must be results
_MIN_CELLS = 2
_OF_CELL = {
    "w": "win",
    "won": "win",
    "win": "win",
    "winner": "win",
    "victory": "win",
    "champion": "win",
    "champions": "win",
    "l": "lose",
    "lost": "lose",
    "loss": "lose",
    "defeat": "lose",
    "runner": "lose",
    "d": "draw",
    "t": "draw",
    "draw": "draw",
    "drawn": "draw",
    "drew": "draw",
    "tie": "draw",
    "tied": "draw",
}
_OF_CLAIM = frozenset({"win", "lose", "draw"})


def outcome(cell: TableCell) -> str | None:
    """Return "win", "lose", "draw", or None for a cell without a result."""
    return _OF_CELL.get(cell.tokens[0].word) if cell.tokens else None


def outcome_columns(table: PassageTable) -> tuple[int, ...]:
    return tuple(column for column in range(len(table.headers)) if _is_outcome(table, column))


def _is_outcome(table: PassageTable, column: int) -> bool:
    filled = [cell for cell in table.column(column) if not cell.is_empty]
    results = sum(outcome(cell) is not None for cell in filled)
    return results >= _MIN_CELLS and results >= _SHARE * len(filled)


def outcome_mentions(linked: LinkedClaim) -> Iterator[CellMention]:
    asked = [(at, token.key) for at, token in enumerate(linked.tokens) if token.key in _OF_CLAIM]
    columns = outcome_columns(linked.table) if asked else ()
    for at, wanted in asked if columns else ():
        links = tuple(_links(linked.table, columns, wanted))
        yield CellMention(at, at + 1, links, MentionKind.OUTCOME)


def _links(table: PassageTable, columns: tuple[int, ...], wanted: str) -> Iterator[ColumnLink]:
    for column in columns:
        rows = frozenset(row for row, cell in enumerate(table.column(column)) if outcome(cell) == wanted)
        yield ColumnLink(column, rows, 1.0)
