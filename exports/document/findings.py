"""The findings about a document: contradictions, warnings, issues of its check, claims that were left out."""

from dataclasses import dataclass
from uuid import UUID

from exports.document.claims import ClaimEntry, Factor


@dataclass(frozen=True, slots=True)
class CircumstanceEntry:
    """In what the sides of a contradiction part beside what they say, or do not: the words of either."""

    name: str  # date, population, unit, place
    mine: tuple[str, ...]
    theirs: tuple[str, ...]
    standing: str  # apart, one_sided, shared, unnamed


@dataclass(frozen=True, slots=True)
class ContradictionEntry:
    """Two claims that cannot both hold. `mine` and `theirs` are their words that clash; empty where unknown."""

    id: UUID
    kind: str
    a: ClaimEntry
    b: ClaimEntry
    resolution: str
    note: str
    mine: str = ""
    theirs: str = ""
    circumstances: tuple[CircumstanceEntry, ...] = ()
    scores_a: tuple[Factor, ...] = ()  # what a side counts for, 0–1 each
    scores_b: tuple[Factor, ...] = ()
    margin: float = 0.0  # by which the stronger side is ahead, 0–1
    winner: str = ""  # "a" or "b": the side that is used
    decided_by: str = ""  # a person's name; empty: rules

    @property
    def is_open(self) -> bool:
        """No side was taken, and no person decided that none is."""
        return self.resolution in ("open", "presented_both")


@dataclass(frozen=True, slots=True)
class WarningEntry:
    code: str
    kind: str  # gap, quality, bias, recency, diversity
    severity: str
    text: str
    advice: str
    computed: bool


@dataclass(frozen=True, slots=True)
class IssueEntry:
    """One thing that the check found wrong."""

    claim_text: str  # empty where it is about no single claim
    claim_number: int | None  # in the report; None for what is not in it
    location: str
    kind: str  # unsupported, contradicted, inaccurate, outdated
    severity: str  # critical, major, minor
    explanation: str
    suggested_fix: str
    source_says: str
    resolution: str


@dataclass(frozen=True, slots=True)
class VerificationEntry:
    """The result of checking the report. `accuracy` is 0–1; None if nothing could be checked."""

    status: str  # passed, needs_revision, failed
    level: str
    accuracy: float | None
    counts: dict[str, int]  # verification status → claims, and "left_out"
    issues: tuple[IssueEntry, ...]

    @property
    def is_grave(self) -> bool:
        """Something in it is more than a blemish."""
        return any(issue.severity != "minor" for issue in self.issues)

    @property
    def checked(self) -> int:
        """Claims that the accuracy counts."""
        return sum(
            count
            for status, count in self.counts.items()
            if status not in ("left_out", "unverified", "unverifiable")
        )


@dataclass(frozen=True, slots=True)
class LeftOutEntry:
    text: str
    reason: str
