"""Builds the entries of claims and citations for the document tree."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import F, QuerySet
from django.db.models.functions import Greatest, Least, Substr

from citations.models import Citation, Claim
from exports.document.document_marked_text import Mark, cut
from exports.document.document_quote_context import CONTEXT, Surroundings, surroundings
from exports.document.document_tree import (
    AlignmentEntry,
    AssessmentEntry,
    CitationEntry,
    ClaimEntry,
    ComputationEntry,
    Factor,
    PartEntry,
    RecheckEntry,
    ScorePartEntry,
    SourceEntry,
)
from research.models import Source, SourceStatus
from research.models.schemas import (
    ScoreFigure,
    StoredAssessment,
    StoredComputation,
    StoredFactors,
    StoredPart,
)

FACTORS = ("text_match", "context_match", "source_authority", "corroboration")
# Columns that lists do not load, because each may have megabytes.
HEAVY_CONTENT = tuple(
    f"content__{column}" for column in ("text", "blocks", "pages", "tables", "dropped", "minhash")
)


# The columns that an entry shows: a third of all. Loading only these saves a popover a third of its time.
OF_CLAIM = (
    *("run_id", "number", "text", "claim_type", "strength", "origins", "confidence", "confidence_factors"),
    *("verification_status", "verification_note", "contradiction_status", "alignment"),
    "quantities",
)
OF_SOURCE = (
    *(
        "title",
        "author",
        "publisher",
        "published_date",
        "canonical_url",
        "url",
        "final_url",
        "domain",
        "region",
    ),
    *("source_type", "tier", "status", "error_message", "media_type", "language", "must_read", "assessment"),
    *("quality_score", "authority_score", "credibility", "library_document__path", "content__sha256"),
    *("content__created_at", "duplicate_of__title", "duplicate_of__canonical_url"),
)
OF_CITATION = (
    *("claim_id", "source_id", "citation_key", "citation_index", "quote", "prefix", "suffix", "start_offset"),
    *(
        "end_offset",
        "page_number",
        "page_label",
        "cell_names",
        "match_type",
        "similarity",
        "confidence",
        "confidence_factors",
    ),
    *("verification_status", "verification_notes", "chunk__section_header"),
)

# A quote with its context in one substring, so that the text is decompressed only once.
_AROUND = Substr(
    "source__content__text",
    Greatest(F("start_offset") + 1 - CONTEXT, 1),
    F("end_offset") - F("start_offset") + Least(F("start_offset"), CONTEXT) + CONTEXT,
)


@dataclass(frozen=True, slots=True)
class EvidenceIndex:
    """The evidence of claims: a run's sources as entries, and citations by claim."""

    sources: Mapping[UUID, SourceEntry]
    citations: Mapping[UUID, Sequence[Citation]]
    rechecks: Mapping[UUID, RecheckEntry] = field(default_factory=dict)
    sources_wanted: int = 1  # by claim


def source_rows(run_id: UUID) -> QuerySet[Source]:
    """Return a run's sources without their texts, which may be megabytes."""
    rows = Source.objects.filter(run_id=run_id).select_related("content", "library_document", "duplicate_of")
    return rows.defer(*HEAVY_CONTENT).order_by("created_at", "id")


def source_entry(source: Source, number: int | None) -> SourceEntry:
    document = source.library_document
    return SourceEntry(
        id=source.pk,
        number=number,
        title=source.title or (document.path if document else "") or source.canonical_url,
        author=source.author,
        publisher=source.publisher,
        published=source.published_date,
        url=source.final_url or source.url,
        file=document.path if document else "",
        domain=source.domain,
        source_type=source.source_type,
        tier=source.tier,
        status=source.status,
        reason="" if number else _explain_not_cited(source),
        media_type=source.media_type,
        language=source.language,
        sha256=source.content.sha256 if source.content else "",
        retrieved=source.content.created_at.date() if source.content else None,
        region=source.region,
        must_read=source.must_read,
        assessment=_assessment(source),
    )


def _assessment(source: Source) -> AssessmentEntry | None:
    if not source.assessment:
        return None
    stored = StoredAssessment.model_validate(source.assessment)
    return AssessmentEntry(
        day=stored.day,
        reason=stored.reason,
        quality=source.quality_score,
        authority=source.authority_score,
        credibility=source.credibility,
        quality_parts=_parts(stored.quality),
        authority_parts=_parts(stored.authority),
        credibility_parts=_parts(stored.credibility),
    )


def _parts(figures: Iterable[ScoreFigure]) -> tuple[ScorePartEntry, ...]:
    return tuple(ScorePartEntry(figure.name, figure.value, figure.weight) for figure in figures)


def _explain_not_cited(source: Source) -> str:
    if source.error_message:
        return source.error_message
    if source.status == SourceStatus.DUPLICATE and source.duplicate_of:
        return f"Same text as “{source.duplicate_of}”."
    return ""


def citations_by_claim(claim_ids: Iterable[UUID], *, with_context: bool = True) -> dict[UUID, list[Citation]]:
    """Return the citations by claim, in the order in which a claim shows them.

    Loading the words around each quote reads every cited text: 4 ms for a citation in long PDFs.
    """
    rows = Citation.objects.filter(claim_id__in=claim_ids).select_related("chunk")
    rows = rows.only(*OF_CITATION)
    if with_context:
        rows = rows.annotate(around=_AROUND)
    found: dict[UUID, list[Citation]] = defaultdict(list)
    for citation in rows.order_by("citation_index", "id"):
        found[citation.claim_id].append(citation)
    return found


def claim_entry(claim: Claim, evidence: EvidenceIndex) -> ClaimEntry:
    parts = [_part(claim.text, stored) for stored in claim.alignment]
    factors, caps = _factors(claim.confidence_factors)
    return ClaimEntry(
        id=claim.pk,
        number=claim.number or 0,
        text=claim.text,
        claim_type=claim.claim_type,
        strength=claim.strength,
        origins=claim.origins,
        confidence=claim.confidence,
        verification_status=claim.verification_status,
        verification_note=claim.verification_note,
        contradiction_status=claim.contradiction_status,
        citations=tuple(
            _citation_entry(citation, evidence, _alignment(claim.text, parts, citation.pk))
            for citation in evidence.citations.get(claim.pk, ())
        ),
        factors=factors,
        caps=caps,
        alignment=_alignment(claim.text, parts, parts[0].citation if parts else None),
        sources_wanted=evidence.sources_wanted,
        computation=_computation(claim),
    )


def _computation(claim: Claim) -> ComputationEntry | None:
    """Return the stored computation; None if the claim's text has changed since, because it then cites a source's
    words.
    """
    if not claim.quantities:
        return None
    stored = StoredComputation.model_validate(claim.quantities[0])
    if claim.text != stored.text:
        return None
    return ComputationEntry(stored.shown, stored.value, stored.code, stored.step)


def _part(claim: str, stored: Mapping[str, object]) -> PartEntry:
    part = StoredPart.model_validate(stored)
    return PartEntry(text=claim[part.start : part.end], **part.model_dump())


def alignment_of(claim: Claim, citation: UUID) -> AlignmentEntry:
    """Align the claim with the source of one of its citations."""
    return _alignment(claim.text, [_part(claim.text, stored) for stored in claim.alignment], citation)


def _alignment(claim: str, parts: Iterable[PartEntry], citation: UUID | None) -> AlignmentEntry:
    return AlignmentEntry(claim, tuple(part for part in parts if part.citation == citation))


def _factors(stored: Mapping[str, object] | None) -> tuple[tuple[Factor, ...], tuple[str, ...]]:
    """Return the named factors of a confidence, and the caps that applied to it."""
    if not stored:
        return (), ()
    known = StoredFactors.model_validate(stored)
    return tuple(Factor(name, getattr(known, name)) for name in FACTORS), tuple(known.caps)


def _citation_entry(citation: Citation, evidence: EvidenceIndex, alignment: AlignmentEntry) -> CitationEntry:
    source = evidence.sources[citation.source_id]
    factors, caps = _factors(citation.confidence_factors)
    return CitationEntry(
        id=citation.pk,
        source=source,
        label=citation.citation_key or (f"[{source.number}]" if source.number else ""),
        quote=citation.quote,
        start=citation.start_offset,
        end=citation.end_offset,
        page=citation.page_number,
        page_label=citation.page_label,
        row=citation.row,
        columns=tuple(citation.columns),
        section=citation.chunk.section_header if citation.chunk else "",
        match_type=citation.match_type,
        similarity=citation.similarity,
        confidence=citation.confidence,
        factors=factors,
        caps=caps,
        status=citation.verification_status,
        note=citation.verification_notes,
        alignment=alignment,
        words=_words(citation, alignment.source_marks),
        recheck=evidence.rechecks.get(citation.pk),
        prefix=citation.prefix,
        suffix=citation.suffix,
    )


def _words(citation: Citation, marks: Sequence[Mark]) -> Surroundings:
    """Return the quote in its context, or alone if the context was not loaded."""
    around = getattr(citation, "around", None)
    if around is None:
        return Surroundings(quote=cut(citation.quote, marks, citation.start_offset))
    return surroundings(around, citation.start_offset, citation.end_offset, marks)
