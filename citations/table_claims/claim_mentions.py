"""Mentions: parts of a claim that occur in cells of a table."""

from dataclasses import dataclass
from enum import StrEnum


class MentionKind(StrEnum):
    TEXT = "text"
    NUMBER = "number"
    TIME = "time"
    BOUND = "bound"  # "more than 500", "after 1990"
    OUTCOME = "outcome"  # won, lost, drew
    LIST = "list"  # several of one column: "Bern, Basel and Chur"


@dataclass(frozen=True, slots=True)
class ColumnLink:
    """The cells of one column that contain a mention; `fullness` is its share of the fullest cell, (0, 1]."""

    column: int
    rows: frozenset[int]
    fullness: float


@dataclass(frozen=True, slots=True)
class CellMention:
    """Tokens [start, end) of the claim that occur in cells; `links` has one entry for each column, never none."""

    start: int
    end: int
    links: tuple[ColumnLink, ...]
    kind: MentionKind = MentionKind.TEXT
    members: tuple["CellMention", ...] = ()  # of a list

    @property
    def positions(self) -> range:
        return range(self.start, self.end)

    @property
    def rows(self) -> frozenset[int]:
        return frozenset().union(*(link.rows for link in self.links))

    @property
    def columns(self) -> frozenset[int]:
        return frozenset(link.column for link in self.links)

    @property
    def fullness(self) -> float:
        return max(link.fullness for link in self.links)

    def link_at(self, row: int) -> ColumnLink | None:
        """Return the fullest link that has a cell in the row."""
        return max(
            (each for each in self.links if row in each.rows), key=lambda each: each.fullness, default=None
        )
