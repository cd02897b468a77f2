"""The document tree of a run, which is the input of the report page and every exporter.

Frozen values, in reading order; `build_document` reads them from the database. Its parts are defined in
`exports.document` and re-exported here.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from exports.document.document_attribution import newest_of
from exports.document.document_authorship import AuthorshipEntry, StageEntry
from exports.document.document_claims import (
    AlignmentEntry,
    CitationEntry,
    ClaimEntry,
    ComputationEntry,
    Factor,
    PartEntry,
    RecheckEntry,
)
from exports.document.document_code_examples import ExampleEntry
from exports.document.document_findings import (
    NEAREST_PASSAGE,
    CircumstanceEntry,
    ContradictionEntry,
    IssueEntry,
    LeftOutEntry,
    VerificationEntry,
    WarningEntry,
)
from exports.document.document_method import (
    CheckEntry,
    DegradationEntry,
    InstructionEntry,
    RawEntry,
    SearchEntry,
    SettingEntry,
    StepEntry,
    SufficiencyEntry,
    UnreadEntry,
)
from exports.document.document_sources import (
    AssessmentEntry,
    ScorePartEntry,
    SourceEntry,
    select_cited_sources,
)
from exports.document.document_tables import (
    CellEntry,
    CellValue,
    ChartEntry,
    ColumnEntry,
    InsightEntry,
    PointEntry,
    RowEntry,
    StatisticEntry,
    TableEntry,
)

__all__ = [
    "AlignmentEntry",
    "AssessmentEntry",
    "AuthorshipEntry",
    "BlockEntry",
    "CellEntry",
    "CellValue",
    "ChartEntry",
    "CheckEntry",
    "CircumstanceEntry",
    "CitationEntry",
    "ClaimEntry",
    "ColumnEntry",
    "ComputationEntry",
    "ContradictionEntry",
    "DegradationEntry",
    "Document",
    "ExampleEntry",
    "Factor",
    "FolderEntry",
    "InsightEntry",
    "InstructionEntry",
    "IssueEntry",
    "LeftOutEntry",
    "PartEntry",
    "PointEntry",
    "RawEntry",
    "RecheckEntry",
    "RowEntry",
    "ScorePartEntry",
    "SearchEntry",
    "SearchedEntry",
    "SectionEntry",
    "SentenceEntry",
    "SettingEntry",
    "SourceEntry",
    "StageEntry",
    "StatisticEntry",
    "StepEntry",
    "SufficiencyEntry",
    "TableEntry",
    "UnreadEntry",
    "VerificationEntry",
    "WarningEntry",
    "select_cited_sources",
]


ANSWER, COMMENTARY = "answer", "commentary"  # roles of sections
DIGEST = "digest"  # a kind of run
INSUFFICIENT = "insufficient_evidence"
DEEPEST = 3  # levels of sections


@dataclass(frozen=True, slots=True)
class SentenceEntry:
    """A claim or connecting text, never both."""

    text: str
    claim: ClaimEntry | None = None


@dataclass(frozen=True, slots=True)
class BlockEntry:
    """Sentences, a table or a chart, depending on its kind."""

    kind: str  # paragraph, list, steps, quote, table, chart
    sentences: tuple[SentenceEntry, ...] = ()
    table: TableEntry | None = None
    chart: ChartEntry | None = None

    @property
    def is_empty(self) -> bool:
        return not (self.sentences or self.table or self.chart)

    @property
    def claims(self) -> tuple[ClaimEntry, ...]:
        stated = tuple(sentence.claim for sentence in self.sentences if sentence.claim)
        return stated + self.table.claims if self.table else stated


@dataclass(frozen=True, slots=True)
class SectionEntry:
    index: int
    heading: str
    level: int
    blocks: tuple[BlockEntry, ...]
    # answer: shown as the short answer; commentary: no source says it; else empty
    role: str = ""
    by: str = ""  # model, rules; empty: no model was to take part, or unknown
    has_parts: bool = False  # whether sections of deeper levels follow; set by `Document.body`

    @property
    def claims(self) -> tuple[ClaimEntry, ...]:
        return tuple(claim for block in self.blocks for claim in block.claims)


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """A folder of the library that was searched."""

    key: str  # without the path on the server
    documents: int  # documents that could be read when the run was started


@dataclass(frozen=True, slots=True)
class SearchedEntry:
    """The search scope of a run: folders of the library, and the web."""

    folders: tuple[FolderEntry, ...]
    is_whole: bool  # whether no folder of the library was selected
    has_web: bool

    @property
    def documents(self) -> int:
        return sum(folder.documents for folder in self.folders)


@dataclass(frozen=True, slots=True)
class Document:
    """A run's report."""

    run_id: UUID
    kind: str
    title: str
    status: str  # done, insufficient_evidence, partial, failed, cancelled
    engine: str  # what wrote it: extractive, model
    summary: tuple[str, ...]  # the short answer, one sentence each
    reasons: tuple[str, ...]  # why the sources do not answer the question; empty unless insufficient
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
    made_at: datetime | None = None  # when the current report was finished; used as the time stamp of files
    report_version: int = 1
    language: str = ""  # ISO code of the run's language; empty: unknown
    failure: str = ""  # why the run failed, in a sentence
    counts: dict[str, int] = field(default_factory=dict)  # number of claims by strength
    verification: VerificationEntry | None = None  # None before the check
    authorship: AuthorshipEntry | None = None  # None if no model was meant to take part, or unknown
    degradations: tuple[DegradationEntry, ...] = ()  # in the order in which they occurred
    sufficiency: SufficiencyEntry | None = None  # None before its sources were checked
    searched: SearchedEntry | None = None  # None if its sources were given, or it is older than stored scopes
    settings: tuple[SettingEntry, ...] = ()
    unread: tuple[UnreadEntry, ...] = ()  # must-reads that could not be fetched
    instructions: tuple[InstructionEntry, ...] = ()
    vain_searches: tuple[SearchEntry, ...] = ()
    table: TableEntry | None = None  # only for a table run
    examples: tuple[ExampleEntry, ...] = ()  # only for a technical answer
    follow_ups: tuple[str, ...] = ()  # suggested next questions
    raw: RawEntry | None = None  # None unless requested

    @property
    def answer(self) -> tuple[SentenceEntry, ...]:
        """Return the short answer: its section, else the summary, each sentence with the claim that it repeats.

        Empty for a digest, whose first section is its short answer.
        """
        if self.answer_section:
            return tuple(sentence for block in self.answer_section.blocks for sentence in block.sentences)
        if self.status == INSUFFICIENT or self.is_answered_by_a_table or self.kind == DIGEST:
            return ()
        claims = {claim.text: claim for claim in self.claims}
        known = ((text, claims.get(text)) for text in self.summary)
        return tuple(SentenceEntry(claim.plain_text if claim else text, claim) for text, claim in known)

    @property
    def answer_section(self) -> SectionEntry | None:
        """Return the section of the short answer.

        None if the sources do not answer, a summary takes its place, or a table among the sections is the answer.
        """
        if self.status == INSUFFICIENT:
            return None
        own = (section for section in self.sections if section.role == ANSWER)
        return next((section for section in own if any(block.sentences for block in section.blocks)), None)

    @property
    def is_answered_by_a_table(self) -> bool:
        """Return True if a table is the answer, so that there is no short answer above the sections."""
        return not self.answer_section and any(section.role == ANSWER for section in self.sections)

    @property
    def answered_claims(self) -> frozenset[UUID]:
        """Return the ids of the claims that the short answer states itself rather than repeats."""
        section = self.answer_section
        return frozenset(claim.id for claim in section.claims) if section else frozenset()

    @property
    def body(self) -> tuple[SectionEntry, ...]:
        """Return the sections below the short answer; the highest of them have level 1."""
        shown = [section for section in self.sections if section is not self.answer_section]
        highest = min((section.level for section in shown), default=1)
        levels = [min(section.level - highest + 1, DEEPEST) for section in shown]
        return tuple(
            replace(section, level=level, has_parts=level < next(iter(levels[place:]), 0))
            for place, (section, level) in enumerate(zip(shown, levels, strict=True), start=1)
        )

    @property
    def nearest(self) -> tuple[LeftOutEntry, ...]:
        """Return the passages nearest to a question that the sources do not answer."""
        is_open = self.status == INSUFFICIENT
        return tuple(entry for entry in self.left_out if is_open and entry.reason == NEAREST_PASSAGE)

    @property
    def set_aside(self) -> tuple[LeftOutEntry, ...]:
        """Return what was left out for other reasons than that it is only near to an answer."""
        return tuple(entry for entry in self.left_out if entry not in self.nearest)

    @property
    def newest(self) -> SourceEntry | None:
        """Return the newest of the cited sources; None if none of them is dated."""
        return newest_of(self.sources)

    @property
    def claims(self) -> tuple[ClaimEntry, ...]:
        """Return each claim once, in document order: the sections, then the table."""
        stated = [claim for section in self.sections for claim in section.claims]
        in_cells = self.table.claims if self.table else ()
        return tuple({claim.id: claim for claim in (*stated, *in_cells)}.values())
