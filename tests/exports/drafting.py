"""A document tree in the making, without a database: sources, claims that quote them, sections."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from random import Random
from uuid import UUID

from exports.document.document_marked_text import Piece
from exports.document.document_quote_context import Surroundings
from exports.document.document_tree import (
    AlignmentEntry,
    BlockEntry,
    CellEntry,
    CitationEntry,
    ClaimEntry,
    Document,
    Factor,
    PartEntry,
    SectionEntry,
    SentenceEntry,
    SourceEntry,
)

MADE = datetime(2026, 11, 20, 14, 30, tzinfo=UTC)
READ = date(2026, 11, 2)
STRENGTHS = ("strong", "moderate", "limited")
CHECKS = ("verified", "paraphrased_accurate", "partially_supported", "verified")
# About as long as the words around a quote are in a report
BEFORE = (
    "Eleven homes were measured over two winters, each with a meter of its own at the compressor, at the backup heater "
    "and in the flow, read every minute; gaps of more than an hour were left out of the mean. "
)
AFTER = (
    " Nothing else was looked at. The houses were built between 1962 and 1998, stand between 400 and 900 metres above "
    "the sea and were lived in throughout; what their people did is told in the appendix."
)
FACTORS = (
    Factor("text_match", 1.0),
    Factor("context_match", 0.9),
    Factor("source_authority", 0.7),
    Factor("corroboration", 0.5),
)


@dataclass
class Draft:
    """A draft of a document tree. Ids follow from the name, so that the same steps give the same tree."""

    name: str
    sources: list[SourceEntry] = field(default_factory=list)
    sections: list[SectionEntry] = field(default_factory=list)
    texts: dict[UUID, str] = field(default_factory=dict)  # of each source: its quotes stand in it
    claims: int = 0

    def __post_init__(self) -> None:
        self.random = Random(self.name)

    def id(self) -> UUID:
        return UUID(int=self.random.getrandbits(128), version=4)

    def source(self, title: str = "", *, is_cited: bool = True, **columns: object) -> SourceEntry:
        """The next source, cited by what follows unless it says otherwise."""
        number = 1 + sum(source.number is not None for source in self.sources)
        entry = SourceEntry(
            id=self.id(),
            number=number if is_cited else None,
            title=title or f"Report {number} on heat pumps",
            author="A. Lind",
            publisher="Nordhaus Energy",
            published="2024-06",
            url=f"https://nordhaus.example/reports/{number}",
            file="",
            domain="nordhaus.example",
            source_type="company",
            tier=2,
            status="processed" if is_cited else "failed",
            reason="" if is_cited else "The file ends too early.",
            media_type="text/html",
            language="en",
            sha256=f"{self.random.getrandbits(256):064x}",
            retrieved=READ,
        )
        self.sources.append(replace(entry, **columns))
        self.texts[entry.id] = ""
        return self.sources[-1]

    def claim(self, text: str, *sources: SourceEntry, quote: str = "", **columns: object) -> ClaimEntry:
        """The next claim; it quotes each of the sources once, itself unless another quote is given."""
        self.claims += 1
        entry = ClaimEntry(
            id=self.id(),
            number=self.claims,
            text=text,
            claim_type="factual",
            strength=STRENGTHS[self.claims % 3],
            origins=len(sources),
            confidence=round(self.random.uniform(0.4, 0.95), 3),
            verification_status=CHECKS[self.claims % 4],
            verification_note="Every part of the claim stands in its source.",
            contradiction_status="none",
            citations=tuple(self.citation(source, quote or text) for source in sources),
            factors=FACTORS,
            caps=("single source 0.69",) if len(sources) == 1 else (),
        )
        laid = align_with_first_source(entry)
        return replace(
            entry, **{"alignment": laid, "citations": _with_first(entry.citations, laid)} | columns
        )

    def citation(self, source: SourceEntry, quote: str, **columns: object) -> CitationEntry:
        start = len(self.texts[source.id]) + len(BEFORE)
        self.texts[source.id] += BEFORE + quote + AFTER
        entry = CitationEntry(
            id=self.id(),
            source=source,
            label=f"[{source.number}]",
            quote=quote,
            start=start,
            end=start + len(quote),
            page=1 + self.random.randrange(40) if source.media_type == "application/pdf" else None,
            section="Results",
            match_type="exact",
            similarity=1.0,
            confidence=round(self.random.uniform(0.4, 0.95), 3),
            factors=FACTORS,
            caps=(),
            status="verified",
            words=Surroundings((Piece(BEFORE),), (Piece(quote, "matched"),), (Piece(AFTER),)),
            prefix=BEFORE[-32:],
            suffix=AFTER[:32],
        )
        return replace(entry, **columns)

    def cell(
        self, item: str, field_title: str, value: object, *sources: SourceEntry, **columns: object
    ) -> CellEntry:
        """A value that was found, with its claim."""
        said = ("yes" if value else "no") if isinstance(value, bool) else str(value)
        claim = self.claim(f"{item} – {field_title}: {said}", *sources, quote=f"{field_title}: {said}")
        return replace(CellEntry("found", said, value, claim=claim), **columns)

    def section(self, heading: str, *blocks: BlockEntry, level: int = 1) -> None:
        self.sections.append(SectionEntry(len(self.sections) + 1, heading, level, blocks))

    def document(self, title: str, **columns: object) -> Document:
        counts: dict[str, int] = {}
        for claim in (claim for section in self.sections for claim in section.claims):
            counts[claim.strength] = counts.get(claim.strength, 0) + 1
        entry = Document(
            run_id=self.id(),
            kind="report",
            title=title,
            status="done",
            engine="extractive",
            summary=(),
            reasons=(),
            looked_for=(),
            sections=tuple(self.sections),
            sources=tuple(self.sources),
            contradictions=(),
            gaps=(),
            warnings=(),
            left_out=(),
            queries=("heat pump cold climate",),
            cost_usd=0.12,
            seconds=73.4,
            made_at=MADE,
            language="en",
            counts=counts,
        )
        return replace(entry, **columns)


def prose(*parts: ClaimEntry | str, kind: str = "paragraph") -> BlockEntry:
    """A block of claims and of words between them."""
    sentences = (
        SentenceEntry(part) if isinstance(part, str) else SentenceEntry(part.text, part) for part in parts
    )
    return BlockEntry(kind, tuple(sentences))


def make_list(*parts: ClaimEntry | str) -> BlockEntry:
    return prose(*parts, kind="list")


def align_with_first_source(claim: ClaimEntry) -> AlignmentEntry:
    """The claim laid against its first source, which has every word of it; nothing where it has none."""
    if not claim.citations or not claim.text:
        return AlignmentEntry(claim.text)
    first = claim.citations[0]
    part = PartEntry(
        start=0,
        end=len(claim.text),
        text=claim.text,
        kind="word",
        state="matched",
        source=first.quote,
        citation=first.id,
        source_start=first.start,
        source_end=first.end,
    )
    return AlignmentEntry(claim.text, (part,))


def _with_first(citations: Sequence[CitationEntry], laid: AlignmentEntry) -> tuple[CitationEntry, ...]:
    return tuple(replace(one, alignment=laid) if not index else one for index, one in enumerate(citations))
