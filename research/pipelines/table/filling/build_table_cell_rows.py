"""Found values as rows that are not saved yet: claims, citations, and the sides of a disagreement."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.utils import timezone

from citations.anchoring import Span
from citations.claim_confidence import Conflict
from citations.models import (
    Citation,
    CitationStatus,
    Claim,
    ClaimType,
    ConflictKind,
    Contradiction,
    ContradictionStatus,
    MatchType,
    Resolution,
    VerifiedBy,
)
from citations.quotes.quote_selectors import selector
from research.db.tenancy import tenant_context
from research.models.schemas import StoredCell, StoredPart
from research.parsing.parsed_media_types import PDF
from research.pipelines.common.report_source_readings import (
    SourceReading,
    describe_cell_names,
    prepare_reading,
)
from research.pipelines.common.verifying.read_report_to_verify import origins_of
from research.pipelines.common.verifying.store_report_verification import factors_of
from research.pipelines.report.record_report_fallbacks import lower_confidence as lessened_by
from research.pipelines.table.convert_table_cell_values import Value, format_value
from research.pipelines.table.filling.load_table_item_texts import ReadSources
from research.pipelines.table.finding.found_table_values import FoundCell, Other, ValueEvidence
from research.pipelines.table.items.table_items import AskedItem
from research.pipelines.table.table_cell_confidence import trust, verdict
from research.pipelines.table.table_columns import FieldType, TableField
from research.pipelines.table.table_config import number_cell_claim

DIFFERS = "Sources differ, and both are shown."

_TYPES = {FieldType.NUMBER: ClaimType.STATISTIC, FieldType.DATE: ClaimType.DATE}
_KINDS = {
    FieldType.NUMBER: ConflictKind.NUMERIC,
    FieldType.DATE: ConflictKind.TEMPORAL,
    FieldType.BOOLEAN: ConflictKind.POLARITY,
}
_CONFLICTS = {
    Conflict.NONE: ContradictionStatus.NONE,
    Conflict.RESOLVED: ContradictionStatus.RESOLVED,
    Conflict.PRESENTED_BOTH: ContradictionStatus.PRESENTED_BOTH,
}


@dataclass(frozen=True, slots=True)
class CellRows:
    """A cell as its item keeps it, with the rows that belong to it; a cell without a value has none."""

    name: str
    stored: StoredCell
    claims: tuple[Claim, ...] = ()  # its own first
    citations: tuple[Citation, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()


def text_of(item: str, column: TableField, value: Value) -> str:
    """
    >>> text_of("Acme", TableField(name="founded"), 1999)
    'Acme – Founded: 1999'
    """
    return f"{item} – {column.title}: {words_for(value)}"


def words_for(value: Value) -> str:
    return "none" if value == () else format_value(value)


@dataclass(frozen=True, slots=True)
class _CellRowWriter:
    """Builds the database rows for the cells of one item."""

    item: AskedItem
    read: ReadSources
    today: date
    readings: dict[str, SourceReading] = field(default_factory=dict)  # of PDFs alone: their quotes have boxes
    lessened: frozenset[str] = frozenset()  # columns that rules filled in place of a model

    def rows(self, cell: FoundCell) -> CellRows:
        if cell.value is None or not cell.evidence:
            return CellRows(cell.field.name, StoredCell(state="not_found", reason=cell.reason))
        claim = self._bare(cell.field, cell.value)
        citations = list(self._citations(claim, cell.evidence))
        self._weigh(cell, claim, citations)
        claim.alignment = [part.model_dump(mode="json") for part in self._alignment(claim, cell, citations)]
        others = [self._other(cell, other) for other in cell.others if not other.is_outdated]
        return CellRows(
            cell.field.name,
            self._to_stored_cell(cell, claim),
            (claim, *(other_claim for other_claim, _ in others)),
            (*citations, *(row for _, rows in others for row in rows)),
            tuple(self._contradiction(cell.field, claim, other_claim) for other_claim, _ in others),
        )

    def _weigh(self, cell: FoundCell, claim: Claim, citations: Sequence[Citation]) -> None:
        """Set the claim's verification status, strength and confidence, computed from what is stored with it."""
        origins, today = origins_of({row.source_id: row.source for row in citations}.values()), self.today
        trusted = trust(claim, citations, origins, cell, item=self.item.input, today=today)
        confidence = (
            lessened_by(trusted.confidence) if cell.field.name in self.lessened else trusted.confidence
        )
        claim.number = number_cell_claim(self.item.config, self.item.number, cell.field.name)
        claim.position = claim.number
        claim.strength, claim.origins = trusted.strength.value, trusted.origins
        claim.confidence, claim.confidence_factors = confidence.value, factors_of(confidence)
        claim.verification_status = trusted.status
        claim.verification_note = " ".join([trusted.note, *self._notes(cell)])
        claim.contradiction_status = _CONFLICTS[trusted.conflict]
        for row in citations:
            if (citation_confidence := trusted.citations.get(row.pk)) is not None:
                row.confidence, row.confidence_factors = (
                    citation_confidence.value,
                    factors_of(citation_confidence),
                )

    def _bare(self, column: TableField, value: Value) -> Claim:
        return Claim(
            text=text_of(self.item.input, column, value),
            claim_type=_TYPES.get(column.type, ClaimType.FACT),
            entities=[self.item.input],
        )

    def _notes(self, cell: FoundCell) -> Iterator[str]:
        for other in cell.others:
            what = words_for(other.value)
            yield f"A source also names {what}, and calls it outdated." if other.is_outdated else DIFFERS

    def _other(self, cell: FoundCell, other: Other) -> tuple[Claim, list[Citation]]:
        """Build the claim for another source's value, stored beside the table, with the citations of its own words."""
        claim = self._bare(cell.field, other.value)
        claim.contradiction_status = ContradictionStatus.PRESENTED_BOTH
        citations = list(self._citations(claim, other.evidence))
        claim.verification_status, claim.verification_note = verdict(citations)
        return claim, citations

    def _contradiction(self, column: TableField, claim: Claim, other: Claim) -> Contradiction:
        return Contradiction(
            claim_a=claim,
            claim_b=other,
            kind=_KINDS.get(column.type, ConflictKind.CATEGORICAL),
            resolution=Resolution.PRESENTED_BOTH,
            note=DIFFERS,
        )

    def _citations(self, claim: Claim, evidence: Iterable[ValueEvidence]) -> Iterator[Citation]:
        """Yield one citation for each place: two values may be found in the same words."""
        places = {(place.source, place.start, place.end): place for place in reversed([*evidence])}
        for index, place in enumerate(reversed([*places.values()])):
            yield self._citation(claim, index, place)

    def _citation(self, claim: Claim, index: int, evidence: ValueEvidence) -> Citation:
        source, span = self.read.sources[evidence.source], Span(evidence.start, evidence.end)
        reading = self.readings.get(evidence.source)
        around = selector(source.text, span)
        return Citation(
            claim=claim,
            source=source,
            citation_index=index,
            anchor_text=claim.text,
            quote=around.exact,
            prefix=around.prefix,
            suffix=around.suffix,
            start_offset=span.start,
            end_offset=span.end,
            page_number=reading.page_at(span.start) if reading else None,
            page_label=reading.page_label_at(span.start) if reading else "",
            cell_names=self._names_of(evidence),
            boxes=reading.boxes(span.start, span.end) if reading else [],
            match_type=MatchType(evidence.kind.value),
            similarity=evidence.fit,
            verification_status=CitationStatus.VERIFIED,
            verified_by=VerifiedBy.AUTO,
        )

    def _names_of(self, evidence: ValueEvidence) -> dict[str, object] | None:
        """Return what a table of the source calls the row and the column of the value."""
        start, end = evidence.value_start, max(evidence.value_end, evidence.value_start + 1)
        return describe_cell_names(self.read.table_names(evidence.source), start, end)

    def _alignment(
        self, claim: Claim, cell: FoundCell, citations: Sequence[Citation]
    ) -> Iterator[StoredPart]:
        """Yield the value's position in the claim with its position in each source."""
        start = len(claim.text) - len(words_for(cell.value if cell.value is not None else ""))
        by_place = {(str(row.source_id), row.start_offset): row for row in citations}
        for evidence in cell.evidence:
            row = by_place.get((evidence.source, evidence.start))
            if row is None or evidence.value_end <= evidence.value_start:
                continue
            yield StoredPart(
                start=start,
                end=len(claim.text),
                kind="quantity" if cell.field.type is FieldType.NUMBER else "word",
                state="matched",
                source=row.source.text[evidence.value_start : evidence.value_end],
                citation=row.pk,
                source_start=evidence.value_start,
                source_end=evidence.value_end,
            )

    def _to_stored_cell(self, cell: FoundCell, claim: Claim) -> StoredCell:
        value = cell.value
        return StoredCell(
            state="found",
            value=list(value) if isinstance(value, tuple) else value,
            text=words_for(value) if value is not None else "",
            claim=claim.pk,
            number=claim.number,
            confidence=claim.confidence,
            disputed=cell.is_disputed,
        )


def build_cell_rows(
    item: AskedItem, cells: Sequence[FoundCell], read: ReadSources, *, lessened: frozenset[str] = frozenset()
) -> list[CellRows]:
    """Build the rows of an item's cells."""
    return build_rows_of_items([(item, cells)], read, lessened=lessened)[0]


def build_rows_of_items(
    items: Sequence[tuple[AskedItem, Sequence[FoundCell]]],
    read: ReadSources,
    *,
    lessened: frozenset[str] = frozenset(),
) -> list[list[CellRows]]:
    """Build the rows of several items whose values were found in the same sources."""
    cited = {evidence.source for _, cells in items for cell in cells for evidence in cell.evidence}
    pdfs = [source for key, source in read.sources.items() if key in cited and source.media_type == PDF]
    readings: dict[str, SourceReading] = {}
    if pdfs:
        with tenant_context(pdfs[0].tenant_id):
            readings = {str(source.pk): prepare_reading(source) for source in pdfs}
    today = timezone.now().date()
    writers = [(_CellRowWriter(item, read, today, readings, lessened), cells) for item, cells in items]
    return [[writer.rows(cell) for cell in cells] for writer, cells in writers]
