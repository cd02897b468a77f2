"""Write sections of claims in one step: each statement with its words in the sources becomes a claim with citations.

Used by kinds of run whose texts are given at the start, so that they have no separate steps for collecting, citing and
verifying. Claims are judged and weighed by the same functions as in a report.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from statistics import fmean
from uuid import UUID

from citations.anchoring import Span
from citations.claim_confidence import Conflict
from citations.claim_strength import Strength, strength
from citations.models import (
    Citation,
    CitationStatus,
    Claim,
    ClaimStatus,
    ContradictionStatus,
    MatchType,
    OverallStatus,
    Section,
    SectionStatus,
    VerificationReport,
    VerifiedBy,
)
from citations.quotes.quote_selectors import selector
from citations.verification import VerdictStatus, VerificationLevel, classify, judge_report
from research.library.library_frozen_text import table_names_of
from research.library.rate_library_source import credibility_of
from research.library.retrieval.library_passage_similarity import NearestSentence
from research.models import Chunk, Run, Source
from research.models.base_models import new_id
from research.parsing.parsed_table_rows import TableNames
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.common.cite_report_section_step import match_type
from research.pipelines.common.report_source_readings import describe_cell_names
from research.pipelines.common.verifying.check_report_claims import JudgedClaim, judge_text
from research.pipelines.common.verifying.read_report_to_verify import origins_of
from research.pipelines.common.verifying.report_claim_trust import ClaimStanding, assess_standing
from research.pipelines.common.verifying.store_report_verification import factors_of

_CONFLICTS = {
    Conflict.NONE: ContradictionStatus.NONE,
    Conflict.RESOLVED: ContradictionStatus.RESOLVED,
    Conflict.PRESENTED_BOTH: ContradictionStatus.PRESENTED_BOTH,
}


@dataclass(frozen=True, slots=True)
class QuotedSpan:
    """text[span] of a source. The sentence shows `label`: “[Smith et al., 2023]”; if empty, the source's number."""

    source: UUID
    span: Span
    label: str = ""
    similarity: float = 1.0  # of a model's quote to these words


@dataclass(frozen=True, slots=True)
class StatementDraft:
    """A claim before it is written.

    `computed` explains how it was counted from rows, in which case no passage says it whole. `studies` is the number of
    studies that its strength counts; None: its independent sources.
    """

    text: str
    places: tuple[QuotedSpan, ...]
    computed: str = ""
    studies: int | None = None
    conflict: Conflict = Conflict.NONE
    category: str = ""


@dataclass(frozen=True, slots=True)
class StatementParagraph:
    """Statements, and connecting text written by rules, which states nothing itself."""

    sentences: tuple[StatementDraft | str, ...]
    kind: str = "paragraph"  # or list


@dataclass(frozen=True, slots=True)
class SectionDraft:
    """A section before it is written."""

    heading: str
    paragraphs: tuple[StatementParagraph, ...]


@dataclass(frozen=True, slots=True)
class StatementResult:
    """A statement as it is stored; `is_kept` if a source carries it."""

    statement: StatementDraft
    claim: Claim
    citations: tuple[Citation, ...]
    status: VerdictStatus

    @property
    def is_kept(self) -> bool:
        return self.status not in (VerdictStatus.UNSUPPORTED, VerdictStatus.CONTRADICTED)


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """Sections ready to be stored. `refused_statements` are those that no source carries, each with the reason."""

    parts: tuple[SectionDraft, ...]
    stated: Mapping[int, StatementResult]  # by the identity of the statement

    @property
    def refused_statements(self) -> list[tuple[StatementDraft, str]]:
        return [
            (result.statement, result.claim.verification_note)
            for result in self.stated.values()
            if not result.is_kept
        ]

    @property
    def kept_results(self) -> list[StatementResult]:
        """The statements that stay, in reading order."""
        return [
            result
            for statement in statements_of(self.parts)
            if (result := self.stated[id(statement)]).is_kept
        ]

    def store(self, run: Run) -> None:
        """Store the sections, replacing those of an earlier try. Runs in the step's transaction."""
        Section.objects.filter(run=run).delete()
        Claim.objects.filter(run=run).delete()
        number = 0
        for index, part in enumerate(self.parts):
            section = Section.objects.create(
                run=run,
                report_version=1,
                index=index,
                heading=part.heading,
                status=SectionStatus.CITED,
                body={"blocks": list(self._blocks(part))},
            )
            placed = [self.stated[id(statement)] for statement in statements_of([part])]
            placed = [result for result in placed if result.is_kept]
            for position, result in enumerate(placed):
                number += 1
                result.claim.run, result.claim.section = run, section
                result.claim.position, result.claim.number = position, number
            Claim.objects.bulk_create(result.claim for result in placed)
            rows = [row for result in placed for row in result.citations]
            for row in rows:
                row.section = section
            Citation.objects.bulk_create(rows)
        self._store_verdict(run)

    def _blocks(self, part: SectionDraft) -> Iterator[dict[str, object]]:
        for paragraph in part.paragraphs:
            sentences = list(self._sentences(paragraph.sentences))
            if sentences:
                yield {"type": paragraph.kind, "sentences": sentences}

    def _sentences(self, sentences: Iterable[StatementDraft | str]) -> Iterator[dict[str, str]]:
        for sentence in sentences:
            if isinstance(sentence, str):
                yield {"text": sentence}
            elif self.stated[id(sentence)].is_kept:
                yield {"claim": str(self.stated[id(sentence)].claim.pk)}

    def _store_verdict(self, run: Run) -> None:
        kept = self.kept_results
        judged = judge_report([result.status for result in kept])
        counts = {status.value: count for status, count in judged.counts.items()}
        VerificationReport.objects.update_or_create(
            run=run,
            report_version=1,
            defaults={
                "overall_status": OverallStatus(judged.overall.value),
                "accuracy": judged.accuracy,
                "counts": counts | {"left_out": len(self.refused_statements)},
            },
        )
        confidences = [result.claim.confidence for result in kept if result.claim.confidence is not None]
        Run.objects.filter(pk=run.pk).update(
            report_version=1,
            total_sections=len(self.parts),
            sections_completed=len(self.parts),
            quality_score=round(100 * fmean(confidences), 1) if confidences else None,
        )


def statements_of(parts: Iterable[SectionDraft]) -> Iterator[StatementDraft]:
    """Yield the statements in reading order."""
    for part in parts:
        for paragraph in part.paragraphs:
            yield from (sentence for sentence in paragraph.sentences if isinstance(sentence, StatementDraft))


def write_parts(run_id: UUID, parts: Sequence[SectionDraft], topic: str, today: date) -> WrittenReport:
    """Judge and weigh every statement by the words that it names. Needs the tenant set."""
    sources = {source.pk: source for source in Source.objects.filter(run_id=run_id).select_related("content")}
    wanted = {place.source for statement in statements_of(parts) for place in statement.places}
    chunks = list(Chunk.objects.filter(run_id=run_id, source__in=wanted).defer("embedding", "search", "text"))
    writer = _ClaimWriter(
        sources, chunks, frozenset(topic.casefold().split()), today, NearestSentence(builtin_embedder())
    )
    return WrittenReport(
        tuple(parts), {id(statement): writer.state(statement) for statement in statements_of(parts)}
    )


@dataclass(frozen=True, slots=True)
class _ClaimWriter:
    sources: Mapping[UUID, Source]
    chunks: Sequence[Chunk]
    topic: frozenset[str]
    today: date
    alike: NearestSentence
    tables: dict[UUID, TableNames] = field(default_factory=dict)  # by source, those that were needed

    def state(self, statement: StatementDraft) -> StatementResult:
        claim = Claim(
            id=new_id(),
            text=statement.text,
            claim_type=classify(statement.text).value,
            category=statement.category,
            contradiction_status=_CONFLICTS[statement.conflict],
        )
        citations = tuple(self._citations(claim, statement))
        judged = judge_text(claim, citations, VerificationLevel.STANDARD, self.alike)
        status = VerdictStatus.VERIFIED if statement.computed else judged.verdict.status
        claim.verification_status = ClaimStatus(status.value)
        claim.verification_note = statement.computed or judged.note
        claim.alignment = [part.model_dump(mode="json") for part in judged.alignment]
        if citations:
            self._weigh(statement, claim, judged)
        return StatementResult(statement, claim, citations, status)

    def _weigh(self, statement: StatementDraft, claim: Claim, judged: JudgedClaim) -> None:
        claim_standing = self._assess_standing(statement, claim, judged)
        studies = claim_standing.origins if statement.studies is None else statement.studies
        claim.strength = (strength(studies) if studies else Strength.LIMITED).value
        claim.origins = studies
        claim.confidence, claim.confidence_factors = (
            claim_standing.confidence.value,
            factors_of(claim_standing.confidence),
        )
        for row in judged.citations:
            own_confidence = claim_standing.citations.get(row.pk, claim_standing.confidence)
            row.confidence, row.confidence_factors = own_confidence.value, factors_of(own_confidence)

    def _assess_standing(self, statement: StatementDraft, claim: Claim, judged: JudgedClaim) -> ClaimStanding:
        known = origins_of({row.source_id: row.source for row in judged.citations}.values())
        weigh = replace(judged, by_citation=judged.by_citation)
        rows = judged.citations if statement.computed else weigh.carrying_citations
        others = len(known) - 1
        return assess_standing(
            claim,
            rows,
            known,
            statement.conflict,
            topic=self.topic,
            today=self.today,
            credibility={row.source_id: credibility_of(row.source, others, self.today) for row in rows},
            similarity=self.alike,
        )

    def _citations(self, claim: Claim, statement: StatementDraft) -> Iterator[Citation]:
        """Yield one citation for each place: two quotes may have the same words."""
        places = {(place.source, place.span): place for place in statement.places}
        for index, quoted_span in enumerate(places.values()):
            yield self._citation(claim, index, quoted_span, is_computed=bool(statement.computed))

    def _citation(self, claim: Claim, index: int, place: QuotedSpan, *, is_computed: bool) -> Citation:
        source = self.sources[place.source]
        around = selector(source.text, place.span)
        names = self._cell_names(place)
        kind = (
            MatchType.SUMMARY
            if is_computed
            else match_type(claim.text, around.exact, place.similarity, names)
        )
        return Citation(
            id=new_id(),
            claim=claim,
            source=source,
            chunk=self._chunk_at(place),
            citation_index=index,
            citation_key=place.label,
            anchor_text=claim.text,
            quote=around.exact,
            prefix=around.prefix,
            suffix=around.suffix,
            start_offset=place.span.start,
            end_offset=place.span.end,
            cell_names=names,
            match_type=kind,
            similarity=place.similarity,
            verification_status=CitationStatus.VERIFIED,
            verified_by=VerifiedBy.AUTO,
        )

    def _cell_names(self, place: QuotedSpan) -> dict[str, object] | None:
        if place.source not in self.tables:
            self.tables[place.source] = table_names_of(self.sources[place.source].content)
        return describe_cell_names(self.tables[place.source], place.span.start, place.span.end)

    def _chunk_at(self, place: QuotedSpan) -> Chunk | None:
        return next(
            (
                chunk
                for chunk in self.chunks
                if chunk.source_id == place.source
                and chunk.start_offset <= place.span.start < chunk.end_offset
            ),
            None,
        )
