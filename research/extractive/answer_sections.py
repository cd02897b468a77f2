"""The sections of an answer, and how statements are chosen for them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from research.extractive.select_answer_statements import (
    FURTHER_LEADING,
    SelectedClaim,
    repeats,
)

IN_SHORT = "In short"
IN_DETAIL = "In detail"
DETAIL_FLOOR = 0.76  # share of the best score below which statements are noise


@dataclass(frozen=True, slots=True)
class AnswerLength:
    """The length of an answer. Up to `more` statements follow those that its form provides."""

    statements: int = 10_000  # at most, in all
    more: int = 0
    floor: float = DETAIL_FLOOR  # share of the best score for statements that follow
    sources: int = FURTHER_LEADING + 1  # sources quoted for a statement


STANDARD_LENGTH = AnswerLength()


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A row of a timeline or a comparison. `date` is ISO 8601, possibly partial; empty if there is none."""

    label: str
    cells: tuple[tuple[SelectedClaim, ...], ...]
    date: str = ""


@dataclass(frozen=True, slots=True)
class AnswerSection:
    """Statements under a heading. `kind`: list, steps or table; a table has `columns` and `rows`."""

    heading: str
    statements: tuple[SelectedClaim, ...] = ()
    kind: str = "list"
    level: int = 1
    is_short: bool = False
    head: str = ""  # heading of the column with the rows' labels
    columns: tuple[str, ...] = ()
    rows: tuple[ComparisonRow, ...] = ()

    @property
    def all_statements(self) -> tuple[SelectedClaim, ...]:
        """All statements, in reading order."""
        return self.statements + tuple(claim for row in self.rows for cell in row.cells for claim in cell)


def select_diverse_statements(
    statements: Sequence[SelectedClaim], most: int, floor: float, best: float | None = None
) -> list[SelectedClaim]:
    """Return the best statements, each different from the previous ones and with at least `floor` of the best score."""
    chosen: list[SelectedClaim] = []
    least = floor * (best if best is not None else statements[0].best.score if statements else 0.0)
    for claim in statements:
        if len(chosen) >= most or claim.best.score < least:
            break
        if not any(repeats(claim.best, other.best) for other in chosen):
            chosen.append(claim)
    return chosen


def list_unused(statements: Sequence[SelectedClaim], used: Iterable[SelectedClaim]) -> list[SelectedClaim]:
    taken = {claim.best.candidate.key for claim in used}
    return [claim for claim in statements if claim.best.candidate.key not in taken]


def short_answer(statements: Iterable[SelectedClaim]) -> AnswerSection:
    return AnswerSection(IN_SHORT, tuple(statements), is_short=True)


_PRONOUN = re.compile(r"\b(?:it|they|them)\b", re.IGNORECASE)


def name_subject(part: str, subject: str) -> str:
    """Return a part of a question with its subject instead of a pronoun, as it stands alone as a heading.

    >>> name_subject("how does it work", "TOTP")
    'how does TOTP work'
    """
    return _PRONOUN.sub(lambda _found: subject, part, count=1) if subject else part


def format_heading(part: str) -> str:
    """Return a part of the question as a heading."""
    return (part[:1].upper() + part[1:]).rstrip(" ?.,;:")
