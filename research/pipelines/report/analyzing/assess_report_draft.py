"""Assess a report before it is written: where its claims contradict each other, and what they lack.

Uses the functions that check the finished report, over citations that are not stored yet.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from uuid import UUID

from citations.credibility.credibility_evidence_gaps import Coverage
from citations.models import Citation, Claim, Contradiction, Resolution, Warning, WarningKind
from research.models import Run, Source
from research.models.schemas import Plan
from research.pipelines.common.cite_report_section_step import match_type
from research.pipelines.common.settle_report_disputes import find_disputes, sides
from research.pipelines.common.verifying.read_report_to_verify import origins_of
from research.pipelines.common.verifying.report_shortcomings import build_open_gaps, find_shortcomings
from research.pipelines.common.verifying.report_subtopic_coverage import coverages
from research.pipelines.report.report_analysis_evidence import Evidence, read_evidence
from research.pipelines.report.report_config import ReportConfig


@dataclass(frozen=True, slots=True)
class ConflictAssessment:
    """Unsaved rows. A conflict without a clearly stronger side is open."""

    conflicts: tuple[Contradiction, ...] = ()
    gaps: tuple[Warning, ...] = ()
    uncovered: tuple[str, ...] = ()  # subtopics of the plan that no claim covers, except supplementary ones

    def with_tries(self, run_id: UUID, tried: Sequence[str]) -> "ConflictAssessment":
        """Return the assessment with what was searched for again without success."""
        return replace(self, gaps=(*self.gaps, *build_open_gaps(Run(pk=run_id), tried)))

    def store(self, run_id: UUID) -> None:
        """Replace what an earlier analysis found; what a person settled stays."""
        Contradiction.objects.filter(run_id=run_id, resolved_by=None).delete()
        Contradiction.objects.bulk_create(self.conflicts)
        Warning.objects.filter(run_id=run_id, kind=WarningKind.GAP).delete()
        Warning.objects.bulk_create(self.gaps)


def assess(
    run_id: UUID,
    claims: Sequence[Claim],
    evidence: Mapping[UUID, Sequence[Evidence]],
    open_parts: Sequence[str],
    today: date,
) -> ConflictAssessment:
    """Assess the planned claims, with the places that they are based on. Needs the tenant set."""
    run = Run.objects.get(pk=run_id)
    citations = citations_to_be(claims, evidence)
    origins = origins_of({row.source_id: row.source for rows in citations.values() for row in rows}.values())
    decided = Contradiction.objects.filter(run=run).exclude(resolved_by=None)
    disputes = find_disputes(claims, citations, origins, today, tuple(decided))
    covered = coverages(run, claims, citations, origins)
    shortcomings = find_shortcomings(
        run,
        claims,
        citations,
        origins,
        question=run.topic,
        open_parts=open_parts,
        disputes=disputes.unresolved_count,
        today=today,
        stale_months=ReportConfig.model_validate(run.config).stale_months,
        covered=covered,
    )
    return ConflictAssessment(
        tuple(map(_reopen_contradiction, disputes.rows)),
        tuple(warning for warning in shortcomings if warning.kind == WarningKind.GAP),
        tuple(_find_uncovered(run, covered)),
    )


def _find_uncovered(run: Run, covered: Sequence[Coverage]) -> Iterator[str]:
    bare = {coverage.subtopic for coverage in covered if not coverage.claims}
    for subtopic in Plan.model_validate(run.plan).subtopics:
        is_whole = subtopic.name.rstrip("?. ") == run.topic.rstrip("?. ")
        if subtopic.name in bare and subtopic.priority != "supplementary" and not is_whole:
            yield subtopic.name


def citations_to_be(
    claims: Sequence[Claim], evidence: Mapping[UUID, Sequence[Evidence]]
) -> dict[UUID, list[Citation]]:
    """Return unsaved citations by claim. Needs the tenant set; makes one query."""
    source_ids = {place.source for claim in claims for place in evidence.get(claim.pk, ())}
    rows = Source.objects.select_related("content").defer("content__blocks", "content__pages")
    sources = rows.in_bulk(source_ids)
    return {
        planned_claim.pk: [
            _citation(planned_claim, place, sources) for place in evidence.get(planned_claim.pk, ())
        ]
        for planned_claim in claims
    }


def words_behind(run_id: UUID, claims: Sequence[Claim]) -> list[Citation]:
    """Return unsaved citations for claims that are not cited yet. Needs the tenant set."""
    rows = citations_to_be(claims, read_evidence(run_id))
    return [row for claim in claims for row in rows[claim.pk]]


def _citation(claim: Claim, place: Evidence, sources: Mapping[UUID, Source]) -> Citation:
    source = sources[place.source]
    return Citation(
        claim=claim,
        source=source,
        quote=place.span.cut(source.text),
        start_offset=place.start,
        end_offset=place.end,
        match_type=match_type(claim.text, place.span.cut(source.text), place.similarity),
    )


def _reopen_contradiction(row: Contradiction) -> Contradiction:
    if row.resolution == Resolution.PRESENTED_BOTH:
        row.resolution = Resolution.OPEN
    return row


def set_aside(run_id: UUID) -> frozenset[UUID]:
    """Return claims that a person decided against before the plan was replaced. Needs the tenant set."""
    decided = Contradiction.objects.filter(run=run_id).exclude(resolved_by=None).exclude(winner=None)
    return frozenset(side for row in decided for side in sides(row) if side != row.winner_id)


def present_both(run: Run) -> None:
    """Mark the conflicts that are still open when the writing begins: the report presents both sides."""
    Contradiction.objects.filter(run=run, resolution=Resolution.OPEN).update(
        resolution=Resolution.PRESENTED_BOTH
    )
