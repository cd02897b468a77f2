"""A claim of a document with its evidence: the quotes, and their alignment with the words of the claim."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from exports.document.document_attribution import attribution
from exports.document.document_marked_text import Mark, Piece, cut
from exports.document.document_plain_text import as_read
from exports.document.document_quote_context import Surroundings
from exports.document.document_sources import SourceEntry
from exports.stored.translate_exported_sentences import translate_counted_statement


@dataclass(frozen=True, slots=True)
class Factor:
    """A named part of a confidence, 0–1."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class PartEntry:
    """A part of a claim, aligned with the source of one citation: `text` is claim[start:end]."""

    start: int
    end: int
    text: str
    kind: str  # word, name, quantity, time, polarity
    state: str  # matched, missing, conflicting
    source: str  # the source's words for it; empty if there are none
    citation: UUID
    source_start: int | None  # offsets in the source's text
    source_end: int | None


@dataclass(frozen=True, slots=True)
class AlignmentEntry:
    """A claim aligned with one source: the words of the claim that the source supports."""

    claim: str
    parts: tuple[PartEntry, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.parts)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Return the claim's text in pieces, each with the state of its words."""
        return cut(self.claim, [Mark(part.start, part.end, part.state) for part in self.parts])

    @property
    def source_marks(self) -> tuple[Mark, ...]:
        """Return the source's words for the claim's parts, as offsets in the source's text."""
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
        """Return True if the source contains every word of the claim in this order."""
        return [(part.text, part.state) for part in self.parts] == [(self.claim, "matched")]


@dataclass(frozen=True, slots=True)
class RecheckEntry:
    """The result of a later recheck of a quote against its source."""

    outcome: str  # still there, changed, gone
    on: date
    now: str = ""  # the text now in its place

    @property
    def is_other(self) -> bool:
        return self.outcome in ("changed", "gone")


@dataclass(frozen=True, slots=True)
class CitationEntry:
    """The exact words of a source that support a claim: quote == source text[start:end]."""

    id: UUID
    source: SourceEntry
    label: str  # the label in the text: "[3]"
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
    note: str = ""  # the reason for the status
    alignment: AlignmentEntry = AlignmentEntry("")  # of the claim with this source
    words: Surroundings = Surroundings()
    recheck: RecheckEntry | None = None  # None if it was not rechecked
    prefix: str = ""  # the source's words right before and after the quote, to find it elsewhere
    suffix: str = ""
    page_label: str = ""  # the printed page number, if it differs from the position in the file
    row: str = ""  # of a quote from a table: what the table calls its row and columns
    columns: tuple[str, ...] = ()

    @property
    def is_of_cell(self) -> bool:
        return bool(self.row or self.columns)

    @property
    def printed_page(self) -> str:
        return self.page_label or str(self.page or "")


@dataclass(frozen=True, slots=True)
class ComputationEntry:
    """The computation of a claim's figure from the figures that it cites."""

    formula: str  # with the figures in the spelling of their sources
    value: str
    code: str  # Python code that computed the figure in the sandbox; empty if none did
    step: UUID | None  # the step in which the code ran


@dataclass(frozen=True, slots=True)
class ClaimEntry:
    """A checkable sentence with its evidence."""

    id: UUID
    number: int
    text: str
    claim_type: str
    strength: str  # strong, moderate, limited
    origins: int  # number of independent sources that `strength` is based on
    confidence: float | None
    verification_status: str
    verification_note: str
    contradiction_status: str
    citations: tuple[CitationEntry, ...]
    factors: tuple[Factor, ...] = ()
    caps: tuple[str, ...] = ()  # upper limits of the confidence that applied, as text
    alignment: AlignmentEntry = AlignmentEntry("")  # with the source of the citation that decided the status
    sources_wanted: int = 1  # number of independent sources that the run requires
    computation: ComputationEntry | None = None  # None if a source states the claim

    @property
    def is_thin(self) -> bool:
        """Return True if the claim was checked and has fewer independent sources than its run requires."""
        return 0 < self.origins < self.sources_wanted

    @property
    def plain_text(self) -> str:
        """Return the sentence for readers: `text` without its source's markup, which the quotes keep; in the active
        language if it was counted from a table's rows.
        """
        shown = as_read(self.text, (citation.source.media_type for citation in self.citations))
        return translate_counted_statement(shown)

    @property
    def attribution(self) -> str:
        """Return the source and date of the claim, in the active language: "Django 5.2 release notes, April 2025"."""
        return self.attribution_beside()

    def attribution_beside(self, *said: str, in_full: bool = False) -> str:
        """Return the attribution without what is shown beside it, such as a release that is the heading of its row.

        `in_full` only takes from it which of the sources is meant.
        """
        agreeing = [citation.source for citation in self.citations if citation.status != "disputed"]
        return attribution(
            agreeing or [citation.source for citation in self.citations],
            self.origins,
            said=said,
            in_full=in_full,
        )

    @property
    def source_count(self) -> int:
        return len({citation.source.id for citation in self.citations})

    @property
    def publisher_count(self) -> int:
        """Return the number of distinct publishers of the cited sources; 0 if one of them is unknown."""
        names = {
            (citation.source.publisher or citation.source.domain).casefold() for citation in self.citations
        }
        return 0 if "" in names else len(names)

    @property
    def changed_citations(self) -> tuple[CitationEntry, ...]:
        """Return the citations whose quotes a recheck did not find unchanged."""
        return tuple(
            citation for citation in self.citations if citation.recheck and citation.recheck.is_other
        )

    @property
    def is_taken_over(self) -> bool:
        """Return True if the claim is a quote of its source and the check had no objection."""
        return self.verification_status == "verified" and self.alignment.is_verbatim

    @property
    def deciding_citation(self) -> CitationEntry | None:
        """Return the citation whose source decided the status; None if the claim was not checked."""
        return next(
            (
                citation
                for citation in self.citations
                if citation.alignment and citation.alignment == self.alignment
            ),
            None,
        )
