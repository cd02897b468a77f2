"""A table as the rules see it: named columns of one kind each, rows of typed cells, an index of its words."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from citations.normalizing import Span
from citations.tables.cells import Cell
from citations.tables.tokens import Token, tokens

_KIND_SHARE = 0.6  # a column is of a kind when so many of its cells that hold anything are


class ColumnKind(StrEnum):
    NUMBER = "number"
    DATE = "date"
    TEXT = "text"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a table a run of tokens was found: it starts at the token `position` of that cell."""

    row: int
    column: int
    position: int


@dataclass(frozen=True)
class Table:
    """A table of a passage; every row has one cell for each header, and `span` covers all of it."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    span: Span

    def column(self, index: int) -> tuple[Cell, ...]:
        return tuple(row[index] for row in self.rows)

    @cached_property
    def title_keys(self) -> frozenset[str]:
        return frozenset(token.key for token in tokens(self.title))

    @cached_property
    def header_tokens(self) -> tuple[tuple[Token, ...], ...]:
        return tuple(tokens(header) for header in self.headers)

    @cached_property
    def kinds(self) -> tuple[ColumnKind, ...]:
        return tuple(_kind(self.column(index)) for index in range(len(self.headers)))

    @cached_property
    def places(self) -> dict[str, tuple[Place, ...]]:
        """Where each token of the cells stands, by its key."""
        found: dict[str, list[Place]] = {}
        for row, cells in enumerate(self.rows):
            for column, cell in enumerate(cells):
                for position, token in enumerate(cell.tokens):
                    found.setdefault(token.key, []).append(Place(row, column, position))
        return {key: tuple(places) for key, places in found.items()}

    @cached_property
    def place_sets(self) -> dict[str, frozenset[Place]]:
        return {key: frozenset(places) for key, places in self.places.items()}


def _kind(cells: tuple[Cell, ...]) -> ColumnKind:
    counts = Counter(_cell_kind(cell) for cell in cells if not cell.is_empty)
    filled = sum(counts.values())
    if not filled:
        return ColumnKind.EMPTY
    for kind in (ColumnKind.NUMBER, ColumnKind.DATE):
        if counts[kind] >= _KIND_SHARE * filled:
            return kind
    return ColumnKind.TEXT


def _cell_kind(cell: Cell) -> ColumnKind:
    if cell.amount is not None and cell.moment is None:
        return ColumnKind.NUMBER
    return ColumnKind.DATE if cell.moment is not None else ColumnKind.TEXT
