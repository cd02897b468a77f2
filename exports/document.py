"""The one document tree that a run becomes. The web reader and every exporter take this tree and nothing else.

Frozen values, in reading order; `build_document` reads them from the database (spec: exports-slides.md).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from exports.context import Surroundings
from exports.pieces import Mark, Piece, cut


@dataclass(frozen=True, slots=True)
class Factor:
    """One named part of a confidence, 0–1."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class PartEntry:
    """A part of a claim as one citation's source has it: `text` is claim[start:end]."""

    start: int
    end: int
    text: str
    kind: str  # word, name, quantity, time, polarity
    state: str  # matched, missing, conflicting
    source: str  # the source's words for it; empty where it has none
    citation: UUID
    source_start: int | None  # into the source's text
    source_end: int | None


@dataclass(frozen=True, slots=True)
class Alignment:
    """A claim laid against one source: which of its words the source carries."""

    claim: str
    parts: tuple[PartEntry, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.parts)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The claim's text, each stretch with the state of its words."""
        return cut(self.claim, [Mark(part.start, part.end, part.state) for part in self.parts])

    @property
    def source_marks(self) -> tuple[Mark, ...]:
        """Where the source has its words for the claim's parts, in offsets of the source's text."""
        return tuple(
            Mark(part.source_start, part.source_end, part.state)
            for part in self.parts
            if part.source_start is not None and part.source_end is not None
        )

    @property
    def matched(self) -> tuple[str, ...]:
        return tuple(piece.text for piece in self.pieces if piece.state == "matched")

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(piece.text for piece in self.pieces if piece.state == "missing")

    @property
    def conflicts(self) -> tuple[PartEntry, ...]:
        return tuple(part for part in self.parts if part.state == "conflicting")

    @property
    def is_verbatim(self) -> bool:
        """Every word of the claim stands in the source in this order."""
        return [(part.text, part.state) for part in self.parts] == [(self.claim, "matched")]


@dataclass(frozen=True, slots=True)
class ScorePart:
    """A named part of a score. None: not known, and then it weighs nothing."""

    name: str
    value: float | None
    weight: float | None = None  # its share of a mean; None where parts are added up


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a source is worth, 0–1 but for its credibility (1–10), and why, as of a day."""

    day: str
    reason: str  # of its type and tier
    quality: float | None
    authority: float | None
    credibility: int | None
    quality_parts: tuple[ScorePart, ...] = ()
    authority_parts: tuple[ScorePart, ...] = ()
    credibility_parts: tuple[ScorePart, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """A source of the run, cited or not. `number` is the reader's, from 1, for cited sources only."""

    id: UUID
    number: int | None
    title: str
    author: str
    publisher: str
    published: str  # ISO 8601, as precise as known; empty: undated
    url: str
    file: str  # path in its library folder; empty for a web page
    domain: str
    source_type: str
    tier: int
    status: str
    reason: str  # why it failed, was left out or is not cited; empty where cited
    media_type: str
    language: str
    sha256: str
    retrieved: date | None  # when its text was frozen; None where nothing was read
    region: str = ""
    must_read: bool = False
    assessment: Assessment | None = None


def cited_of(sources: Iterable[SourceEntry]) -> list[SourceEntry]:
    """Those that are cited, by their numbers."""
    return sorted((one for one in sources if one.number), key=lambda one: one.number or 0)


@dataclass(frozen=True, slots=True)
class RecheckEntry:
    """What a later look at the source said of a quote."""

    outcome: str  # still there, changed, gone
    on: date
    now: str = ""  # what stands in its place

    @property
    def is_other(self) -> bool:
        return self.outcome in ("changed", "gone")


@dataclass(frozen=True, slots=True)
class CitationEntry:
    """The exact words of a source that a claim stands on: quote == source text[start:end]."""

    id: UUID
    source: SourceEntry
    label: str  # shown in the text: "[3]"
    quote: str
    start: int
    end: int
    page: int | None
    section: str
    match_type: str
    similarity: float
    confidence: float | None
    factors: tuple[Factor, ...]
    caps: tuple[str, ...]
    status: str = "unverified"  # verified, disputed, corrected, unverified
    note: str = ""  # why, in words
    alignment: Alignment = Alignment("")  # of the claim with this source
    words: Surroundings = Surroundings()
    recheck: RecheckEntry | None = None  # None: nobody has looked since


@dataclass(frozen=True, slots=True)
class ClaimEntry:
    """One checkable sentence with its evidence."""

    id: UUID
    number: int
    text: str
    claim_type: str
    strength: str  # strong, moderate, limited
    origins: int  # independent sources behind `strength`
    confidence: float | None
    verification_status: str
    verification_note: str
    contradiction_status: str
    citations: tuple[CitationEntry, ...]
    factors: tuple[Factor, ...] = ()
    caps: tuple[str, ...] = ()  # upper limits of the confidence that applied, in words
    alignment: Alignment = Alignment("")  # with the source that decided the status

    @property
    def source_count(self) -> int:
        return len({citation.source.id for citation in self.citations})

    @property
    def publisher_count(self) -> int:
        """How many published them; 0 where that is not known of each."""
        names = {(one.source.publisher or one.source.domain).casefold() for one in self.citations}
        return 0 if "" in names else len(names)

    @property
    def changed(self) -> tuple[CitationEntry, ...]:
        """Those whose words a later look did not find as they were saved."""
        return tuple(one for one in self.citations if one.recheck and one.recheck.is_other)

    @property
    def is_taken_over(self) -> bool:
        """The claim is its source's own words, and the check had nothing to add."""
        return self.verification_status == "verified" and self.alignment.is_verbatim

    @property
    def deciding(self) -> CitationEntry | None:
        """The citation whose source decided the status; None for a claim that was not checked."""
        return next(
            (one for one in self.citations if one.alignment and one.alignment == self.alignment), None
        )


@dataclass(frozen=True, slots=True)
class Sentence:
    """Either a claim or connective prose, never both."""

    text: str
    claim: ClaimEntry | None = None


@dataclass(frozen=True, slots=True)
class Block:
    kind: str  # paragraph, list, quote
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class SectionEntry:
    index: int
    heading: str
    level: int
    blocks: tuple[Block, ...]

    @property
    def claims(self) -> tuple[ClaimEntry, ...]:
        return tuple(s.claim for block in self.blocks for s in block.sentences if s.claim)


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
    """What checking the report came to. `accuracy` 0–1; None where nothing could be checked."""

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


@dataclass(frozen=True, slots=True)
class DegradationEntry:
    """Something that the run did less of than planned: tokens ran short, or something failed."""

    code: str
    reason: str  # a sentence
    quality_impact: float  # share of quality given up, 0–1


@dataclass(frozen=True, slots=True)
class CheckEntry:
    """One of the six checks of whether there were enough sources. No score: it could not be measured."""

    name: str
    score: float | None  # 0–1
    is_passed: bool
    detail: str


@dataclass(frozen=True, slots=True)
class SufficiencyEntry:
    checks: tuple[CheckEntry, ...]
    score: float  # mean of what was measured
    is_enough: bool
    rounds: int  # of searches


@dataclass(frozen=True, slots=True)
class SettingEntry:
    """Something that its owner asked of the run."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnreadEntry:
    """Something that had to be read and could not be had."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """A search that found nothing."""

    query: str
    place: str  # library, web
    reason: str  # why, where it failed; empty: there is nothing


@dataclass(frozen=True, slots=True)
class InstructionEntry:
    """Something that the run was told while it was under way, and what became of it."""

    text: str
    status: str  # queued, taken, refused
    effects: tuple[str, ...]  # sentences


@dataclass(frozen=True, slots=True)
class Document:
    """A run's report."""

    run_id: UUID
    kind: str
    title: str
    status: str  # done, insufficient_evidence, partial, failed, cancelled
    engine: str  # extractive, model
    summary: tuple[str, ...]  # the short answer, one sentence each
    reasons: tuple[str, ...]  # why the sources do not answer; empty unless insufficient
    looked_for: tuple[str, ...]
    sections: tuple[SectionEntry, ...]
    sources: tuple[SourceEntry, ...]
    contradictions: tuple[ContradictionEntry, ...]
    gaps: tuple[WarningEntry, ...]
    warnings: tuple[WarningEntry, ...]
    left_out: tuple[LeftOutEntry, ...]
    queries: tuple[str, ...]
    cost_usd: float | None
    seconds: float | None
    counts: dict[str, int] = field(default_factory=dict)  # strength → claims
    verification: VerificationEntry | None = None  # None before the check
    degradations: tuple[DegradationEntry, ...] = ()  # in the order in which they were taken
    sufficiency: SufficiencyEntry | None = None  # None before its sources were looked at
    settings: tuple[SettingEntry, ...] = ()
    unread: tuple[UnreadEntry, ...] = ()  # what had to be read
    instructions: tuple[InstructionEntry, ...] = ()
    vain_searches: tuple[SearchEntry, ...] = ()

    @property
    def claims(self) -> tuple[ClaimEntry, ...]:
        return tuple(claim for section in self.sections for claim in section.claims)
