"""The findings about a document: contradictions, warnings, issues found by its check, claims that were left out."""

from dataclasses import dataclass
from uuid import UUID

from exports.document.document_attribution import attribution
from exports.document.document_claims import ClaimEntry, Factor
from exports.document.document_sources import SourceEntry


@dataclass(frozen=True, slots=True)
class CircumstanceEntry:
    """A circumstance in which the sides of a contradiction may differ, with each side's words."""

    name: str  # date, population, unit, place
    mine: tuple[str, ...]
    theirs: tuple[str, ...]
    standing: str  # apart, one_sided, shared, unnamed


@dataclass(frozen=True, slots=True)
class ContradictionEntry:
    """Two claims that cannot both be true. `mine` and `theirs` are their conflicting words; empty if unknown."""

    id: UUID
    kind: str
    a: ClaimEntry
    b: ClaimEntry
    resolution: str
    note: str
    mine: str = ""
    theirs: str = ""
    circumstances: tuple[CircumstanceEntry, ...] = ()
    scores_a: tuple[Factor, ...] = ()  # the scores of each side, 0–1
    scores_b: tuple[Factor, ...] = ()
    margin: float = 0.0  # the lead of the stronger side, 0–1
    winner: str = ""  # "a" or "b": the side that the report follows
    decided_by: str = ""  # name of the person who decided; empty if rules decided

    @property
    def is_open(self) -> bool:
        """Return True if neither side was chosen and no person decided that neither is."""
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
    """An error found by the check."""

    claim_text: str  # empty if it does not concern a single claim
    claim_number: int | None  # in the report; None if the claim is not in it
    location: str
    kind: str  # unsupported, contradicted, inaccurate, outdated
    severity: str  # critical, major, minor
    explanation: str
    suggested_fix: str
    source_says: str
    resolution: str


UNCHECKED = ("unverified", "unverifiable")  # statuses of claims


@dataclass(frozen=True, slots=True)
class VerificationEntry:
    """The result of comparing the report's claims with their sources.

    It says nothing of whether the claims answer the question. `accuracy` is 0–1; None if nothing could be checked.
    """

    status: str  # passed, needs_revision, failed
    level: str
    accuracy: float | None
    counts: dict[str, int]  # number of claims by verification status, and "left_out"
    issues: tuple[IssueEntry, ...]

    @property
    def is_grave(self) -> bool:
        """Return True if an issue is more than minor."""
        return any(issue.severity != "minor" for issue in self.issues)

    @property
    def supported(self) -> int:
        """Return the number of claims that their sources carry in full."""
        return self.quoted + self.counts.get("paraphrased_accurate", 0)

    @property
    def quoted(self) -> int:
        """Return the number of claims whose words stand in their source."""
        return self.counts.get("verified", 0)

    @property
    def checked(self) -> int:
        """Return the number of claims that were compared with a source."""
        return sum(count for status, count in self.counts.items() if status not in ("left_out", *UNCHECKED))

    @property
    def unchecked(self) -> int:
        """Return the number of claims that were not, or could not be, compared with a source."""
        return sum(self.counts.get(status, 0) for status in UNCHECKED)


NEAREST_PASSAGE = "Nearest passage; it does not answer."  # a stored reason


@dataclass(frozen=True, slots=True)
class LeftOutEntry:
    text: str
    reason: str
    source: SourceEntry | None = None

    @property
    def attribution(self) -> str:
        """Return the name and date of its source, in the active language; empty if none is known."""
        return attribution([self.source]) if self.source else ""
