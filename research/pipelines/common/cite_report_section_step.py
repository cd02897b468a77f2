"""Cite claims: anchor the words of each claim in the frozen texts.

A claim without an anchor gets no citation and is removed from the report.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.anchoring import Anchor, AnchorMatchType, Span, anchor
from citations.models import Citation, CitationStatus, Claim, MatchType, Section, SectionStatus
from citations.quotes.quote_selectors import selector
from citations.table_claims.labelled_table_claims import is_labelled_row
from citations.text.quote_normalizing import normalize
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.models import Source
from research.models.schemas import StoredCellNames
from research.pipelines.common.exclude_report_claims import leave_out, note_left_out
from research.pipelines.common.report_source_readings import SourceReading, read_sources
from research.pipelines.report.report_analysis_evidence import Evidence, read_evidence

NOT_A_STATEMENT = (
    "Its words are too short for a quote, or stand in a heading, a caption or a page's margin only."
)


@dataclass(frozen=True, slots=True)
class ClaimQuote:
    """Words that a claim is based on, in their source."""

    claim: Claim
    index: int  # among the claim's quotes
    place: Evidence
    reading: SourceReading
    misnamed: Source | None  # the source that was wrongly named for them

    @property
    def words(self) -> str:
        return self.place.span.cut(self.reading.text.text)

    @property
    def anchor(self) -> Anchor | None:
        found = anchor(self.words, self.reading.text, self.place.start)
        return found or self._row

    @property
    def _row(self) -> Anchor | None:
        """The given span, for a table row too short to be found by its words, if its row and columns have names."""
        span = self.place.span
        names = self.reading.cell_names_at(span.start, span.end)
        is_named = bool(names and names["row"] and names["columns"])
        return Anchor(span, AnchorMatchType.EXACT, 1.0) if is_named and self.place.similarity == 1 else None


def cite(work: StepWork) -> StepResult:
    section_id = UUID(str(work.input["section"]))
    with tenant_context(work.tenant_id):
        section = Section.objects.get(pk=section_id)
        claims = list(section.claims.order_by("position"))
        quotes = _read_quotes(work.run_id, claims)
    anchored = [(quote, quote.anchor) for quote in quotes]
    drafts = list(_citations((quote, place) for quote, place in anchored if place is not None))
    lost = [quote for quote, place in anchored if place is None]
    cited = {draft.claim_id for draft in drafts}
    dropped = [claim for claim in claims if claim.pk not in cited]

    def save() -> None:
        Citation.objects.bulk_create(drafts)
        leave_out(work.run_id, [(claim, NOT_A_STATEMENT) for claim in dropped])
        beside = [quote.words for quote in lost if quote.claim.pk in cited]
        note_left_out(work.run_id, [(words, NOT_A_STATEMENT) for words in beside])
        Section.objects.filter(pk=section_id).update(status=SectionStatus.CITED)

    output = {
        "claims": len(claims),
        "citations": len(drafts),
        "misattributed": sum(claim_quote.misnamed is not None for claim_quote in quotes),
        "left_out": len(dropped),
    }
    return StepResult(output, save=save, activity=f"Finding the quotes of “{section.heading}”"[:300])


def cite_beside(run_id: UUID, claims: Sequence[Claim]) -> None:
    """Cite claims that are in no section, such as the other side of a conflict."""
    anchored = [
        (quote, found) for quote in _read_quotes(run_id, claims) if (found := quote.anchor) is not None
    ]
    Citation.objects.bulk_create(_citations(anchored), ignore_conflicts=True)


def _read_quotes(run_id: UUID, claims: Sequence[Claim]) -> list[ClaimQuote]:
    """Return the quotes in the order of the claims."""
    evidence = read_evidence(run_id)
    places = [place for claim in claims for place in evidence[claim.pk]]
    readings = read_sources(place.source for place in places)
    misnamed = Source.objects.in_bulk({place.named for place in places if place.named})
    return [
        ClaimQuote(claim, index, place, readings[str(place.source)], _find_named_source(place, misnamed))
        for claim in claims
        for index, place in enumerate(evidence[claim.pk])
    ]


def _find_named_source(place: Evidence, sources: Mapping[UUID, Source]) -> Source | None:
    return None if place.named is None else sources[place.named]


def _citations(quotes: Iterable[tuple[ClaimQuote, Anchor]]) -> Iterator[Citation]:
    """Yield one citation for each place that a claim is based on: two of its quotes may have the same words."""
    seen = set()
    for quote, found in quotes:
        place = (quote.claim.pk, quote.reading.source.pk, found.span)
        if place not in seen:
            seen.add(place)
            yield _citation(quote, found.span)


def _citation(quote: ClaimQuote, span: Span) -> Citation:
    citation = citation_at(quote.claim, quote.reading, span, quote.index)
    citation.match_type = (
        MatchType.SUMMARY
        if quote.claim.quantities
        else match_type(quote.claim.text, citation.quote, quote.place.similarity, citation.cell_names)
    )
    citation.similarity = quote.place.similarity
    for column, value in _mark(quote.misnamed).items():
        setattr(citation, column, value)
    return citation


def citation_at(claim: Claim, reading: SourceReading, span: Span, index: int) -> Citation:
    """Return an unsaved citation of a span of a source's text, without the verdict on how well the claim matches it."""
    around = selector(reading.text.text, span)
    return Citation(
        claim=claim,
        source=reading.source,
        chunk_id=reading.chunk_at(span.start),
        section_id=claim.section_id,
        citation_index=index,
        anchor_text=claim.text,
        quote=around.exact,
        prefix=around.prefix,
        suffix=around.suffix,
        start_offset=span.start,
        end_offset=span.end,
        page_number=reading.page_at(span.start),
        page_label=reading.page_label_at(span.start),
        cell_names=reading.cell_names_at(span.start, span.end),
        boxes=reading.boxes(span.start, span.end),
    )


def _mark(misnamed: Source | None) -> dict[str, str]:
    if misnamed is None:
        return {}
    note = f"These words were named for “{misnamed}”, which does not have them."
    return {"verification_status": CitationStatus.CORRECTED, "verification_notes": note}


def match_type(
    claim: str, quote: str, similarity: float = 1.0, cell_names: Mapping[str, object] | None = None
) -> MatchType:
    """Return how the claim matches the cited words: exactly, but for typography, or as a restatement.

    A row of a table behind the names of its columns has the words of its source. What was found by a close match only
    is a restatement, and its similarity is below 1.
    """
    if similarity < 1:
        return MatchType.PARAPHRASE
    if claim == quote:
        return MatchType.EXACT
    names = StoredCellNames.model_validate(cell_names or {})
    is_row = is_labelled_row(claim, quote, names.row, names.columns)
    return MatchType.NORMALIZED if is_row or normalize(claim) == normalize(quote) else MatchType.PARAPHRASE
