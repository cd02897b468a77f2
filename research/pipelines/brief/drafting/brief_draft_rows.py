"""Store a draft as rows: claims in a section, each with citations of its sources."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.anchoring import Span
from citations.entailment.claim_types import classify
from citations.models import Citation, Claim, ClaimType, MatchType, Section, SectionStatus
from citations.text.quote_normalizing import normalize
from research.models import Source, SourceStatus
from research.pipelines.brief.brief_source_words import EvidenceWords
from research.pipelines.brief.stored_brief import BriefDraft, BriefDraftClaim, BriefOwn, DraftSpan
from research.pipelines.common.cite_report_section_step import citation_at
from research.pipelines.common.report_source_readings import SourceReading, read_sources

HEADING, WITHOUT_CLAIMS = "Key claims", "What came in"


@dataclass(frozen=True, slots=True)
class DraftingEvidence:
    """A run's evidence, prepared for drafting and citing. `readings`: by the source's canonical address."""

    readings: Mapping[str, SourceReading]
    words: tuple[EvidenceWords, ...]


def read_evidence(run_id: UUID, own: BriefOwn) -> DraftingEvidence:
    """Load the evidence of a run. Needs the tenant set."""
    rows = Source.objects.filter(run_id=run_id, status=SourceStatus.PROCESSED)
    readings = {
        source.source.canonical_url: source
        for source in read_sources(rows.values_list("pk", flat=True)).values()
    }
    words = tuple(
        EvidenceWords(
            piece.source,
            piece.start,
            reading.source.text[piece.start : piece.end],
            title_of(reading, piece.start),
        )
        for piece in own.evidence
        if (reading := readings.get(piece.source)) is not None
    )
    return DraftingEvidence(readings, words)


def title_of(reading: SourceReading, start: int) -> str:
    """Return the title of the section at `start`; that of the page if there is no section."""
    chunk = reading.chunk_at(start)
    blocks = reading.source.content.blocks if reading.source.content else ()
    section = next((block["section"] for block in blocks if block["start"] <= start < block["end"]), "")
    return section.replace(" > ", " · ") if section and chunk else reading.source.title


def store_draft(run_id: UUID, draft: BriefDraft, evidence: DraftingEvidence, notes: Sequence[str]) -> int:
    """Store the draft and return the number of its claims.

    Call it once, inside the step's transaction. `notes` take the place of claims where there are none.
    """
    heading = HEADING if draft.claims else WITHOUT_CLAIMS
    section, _ = Section.objects.update_or_create(
        run_id=run_id,
        report_version=1,
        index=1,
        defaults={"heading": heading, "status": SectionStatus.CITED, "body": {"blocks": []}},
    )
    Claim.objects.filter(run_id=run_id, section=section).delete()  # claims of an earlier execution, if any
    claims = [
        _claim(section, number, draft_claim) for number, draft_claim in enumerate(draft.claims, start=1)
    ]
    Claim.objects.bulk_create(claims)
    drafted = zip(claims, draft.claims, strict=True)
    Citation.objects.bulk_create(
        [row for claim, draft_claim in drafted for row in _citations(claim, draft_claim, evidence)]
    )
    section.body = {"blocks": [_block(claims, notes)]}
    section.save(update_fields=["body", "updated_at"])
    return len(claims)


def _block(claims: Sequence[Claim], notes: Sequence[str]) -> dict[str, object]:
    stated = [{"claim": str(claim.pk)} for claim in claims] or [{"text": note} for note in notes]
    return {"type": "list" if claims else "paragraph", "sentences": stated}


def _claim(section: Section, number: int, draft_claim: BriefDraftClaim) -> Claim:
    return Claim(
        run_id=section.run_id,
        section=section,
        number=number,
        position=number,
        text=draft_claim.text,
        claim_type=ClaimType(classify(draft_claim.text).value),
        category=draft_claim.category,
        actionable=draft_claim.actionable,
    )


def _citations(claim: Claim, draft_claim: BriefDraftClaim, evidence: DraftingEvidence) -> Iterator[Citation]:
    for index, span in enumerate(draft_claim.spans):
        reading = evidence.readings.get(span.source)
        if reading is not None:
            yield _citation(claim, index, span, reading)


def _citation(claim: Claim, index: int, span: DraftSpan, reading: SourceReading) -> Citation:
    found = citation_at(claim, reading, Span(span.start, span.end), index)
    found.match_type = _match(claim.text, found.quote)
    return found


def _match(claim: str, quote: str) -> MatchType:
    if claim == quote:
        return MatchType.EXACT
    return MatchType.NORMALIZED if normalize(claim) == normalize(quote) else MatchType.PARAPHRASE
