"""A table as the rules see it: named columns of one type each, rows of typed cells, an index of its words."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from citations.table_claims.claim_tokens import Token, tokens
from citations.table_claims.table_claim_cells import TableCell
from citations.text.quote_span import Span

_KIND_SHARE = 0.6  # share of the non-empty cells that determines a column's type


class ColumnKind(StrEnum):
    NUMBER = "number"
    DATE = "date"
    TEXT = "text"
    EMPTY = "empty"


class TablePosition(NamedTuple):
    """The position of a run of tokens in a table: it starts at the token `position` of that cell."""

    row: int
    column: int
    position: int


@dataclass(frozen=True)
class PassageTable:
    """A table of a passage; every row has one cell for each header, and `span` covers all of it.

    If it is incomplete, rows or headers are missing: what it says holds, but nothing follows from what it does not say,
    or from counts.
    """

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    span: Span
    is_whole: bool = True

    def column(self, index: int) -> tuple[TableCell, ...]:
        return tuple(row[index] for row in self.rows)

    @cached_property
    def title_keys(self) -> frozenset[str]:
        return frozenset(token.key for token in tokens(self.title))

    @cached_property
    def header_tokens(self) -> tuple[tuple[Token, ...], ...]:
        return tuple(tokens(header) for header in self.headers)

    @cached_property
    def kinds(self) -> tuple[ColumnKind, ...]:
        return tuple(kind_of_column(self.column(index)) for index in range(len(self.headers)))

    @cached_property
    def places(self) -> dict[str, tuple[TablePosition, ...]]:
        """The positions of each token of the cells, by the token's key."""
        found: dict[str, list[TablePosition]] = {}
        for row, cells in enumerate(self.rows):
            for column, cell in enumerate(cells):
                for position, token in enumerate(cell.tokens):
                    found.setdefault(token.key, []).append(TablePosition(row, column, position))
        return {key: tuple(places) for key, places in found.items()}

    @cached_property
    def _words(self) -> dict[str, tuple[Token, ...]]:
        """The distinct words of cells, headers and title, by first letter."""
        found: dict[str, Token] = {}
        for row in self.rows:
            for cell in row:
                found.update((token.word, token) for token in cell.tokens if token.number is None)
        for text in (self.title, *self.headers):
            found.update((token.word, token) for token in tokens(text) if token.number is None)
        by_letter: dict[str, list[Token]] = {}
        for word in sorted(found):
            by_letter.setdefault(word[0], []).append(found[word])
        return {letter: tuple(each) for letter, each in by_letter.items()}

    def words_like(self, word: str) -> tuple[Token, ...]:
        """Return the words of the table that begin with the same letter and are about as long."""
        return tuple(each for each in self._words.get(word[0], ()) if abs(len(each.word) - len(word)) <= 2)

    def knows(self, key: str) -> bool:
        return key in self.places or key in self.title_keys or key in self.header_keys

    @cached_property
    def header_keys(self) -> frozenset[str]:
        return frozenset(token.key for header in self.header_tokens for token in header)

    @cached_property
    def place_sets(self) -> dict[str, frozenset[TablePosition]]:
        return {key: frozenset(places) for key, places in self.places.items()}


def kind_of_column(cells: Sequence[TableCell]) -> ColumnKind:
    filled = sum(not cell.is_empty for cell in cells)
    if not filled:
        return ColumnKind.EMPTY
    dates = sum(cell.moment is not None for cell in cells)
    if dates >= _KIND_SHARE * filled:
        return ColumnKind.DATE
    # A possible year among other numbers is a number.
    amounts = sum(cell.amount is not None for cell in cells)
    return ColumnKind.NUMBER if amounts >= _KIND_SHARE * filled else ColumnKind.TEXT


def kind_of_cell(cell: TableCell) -> ColumnKind:
    if cell.is_empty:
        return ColumnKind.EMPTY
    if cell.moment is not None:
        return ColumnKind.DATE
    return ColumnKind.TEXT if cell.amount is None else ColumnKind.NUMBER
