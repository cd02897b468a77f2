"""Finds the names of a table's columns in a claim."""

from collections.abc import Iterator
from dataclasses import dataclass

from citations.table_claims.claim_table import PassageTable
from citations.table_claims.claim_tokens import Token


@dataclass(frozen=True, slots=True)
class ColumnName:
    """Tokens [start, end) of the claim that name a column; `share` of the header's words are named, (0, 1]."""

    start: int
    end: int
    column: int
    share: float


def column_names(claim: tuple[Token, ...], table: PassageTable) -> Iterator[ColumnName]:
    for column, header in enumerate(table.header_tokens):
        wanted = {token.key for token in header if token.is_content}
        if not wanted:
            continue
        for start, end in _stretches(claim, wanted):
            named = {claim[at].key for at in range(start, end)} & wanted
            yield ColumnName(start, end, column, len(named) / len(wanted))


def _stretches(claim: tuple[Token, ...], wanted: set[str]) -> Iterator[tuple[int, int]]:
    """Yield ranges of tokens among `wanted` with at most one other (function) word between."""
    start = None
    last = 0
    for at, token in enumerate(claim):
        if token.key not in wanted:
            continue
        if start is not None and at - last > 2:
            yield start, last + 1
            start = None
        start = at if start is None else start
        last = at
    if start is not None:
        yield start, last + 1
