"""What is known of a report before it is written: where its claims contradict each other, and what they lack.

By the same functions that check the report in the end, over citations that are not stored yet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from citations.models import Citation, Claim, Contradiction, Resolution, Warning, WarningKind
from research.models import Run, Source
from research.recipes.report.config import ReportConfig
from research.recipes.report.disputes import find_disputes
from research.recipes.report.evidence import Evidence
from research.recipes.report.verifying.coverage import coverages
from research.recipes.report.verifying.drafts import origins_of
from research.recipes.report.verifying.shortcomings import find_shortcomings


@dataclass(frozen=True, slots=True)
class Assessment:
    """Unsaved rows. A conflict without a clearly stronger side is open."""

    conflicts: tuple[Contradiction, ...] = ()
    gaps: tuple[Warning, ...] = ()

    def store(self, run_id: UUID) -> None:
        """In place of what an earlier analysis found; what a person settled stays."""
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
) -> Assessment:
    """Of claims to be, with the places that they stand on. Needs the tenant set."""
    run = Run.objects.get(pk=run_id)
    wanted = {place.source for places in evidence.values() for place in places}
    sources = Source.objects.select_related("content").in_bulk(wanted)
    citations = {one.pk: [_citation(one, place, sources) for place in evidence[one.pk]] for one in claims}
    origins = origins_of(sources.values())
    disputes = find_disputes(claims, citations, origins, today)
    found = find_shortcomings(
        run,
        claims,
        citations,
        origins,
        open_parts=open_parts,
        disputes=len(disputes.rows),
        today=today,
        stale_months=ReportConfig.model_validate(run.config).stale_months,
        covered=coverages(run, claims, citations, origins),
    )
    return Assessment(
        tuple(map(_opened, disputes.rows)), tuple(one for one in found if one.kind == WarningKind.GAP)
    )


def _citation(claim: Claim, place: Evidence, sources: Mapping[UUID, Source]) -> Citation:
    source = sources[place.source]
    return Citation(
        claim=claim,
        source=source,
        quote=place.span.cut(source.text),
        start_offset=place.start,
        end_offset=place.end,
    )


def _opened(row: Contradiction) -> Contradiction:
    if row.resolution == Resolution.PRESENTED_BOTH:
        row.resolution = Resolution.OPEN
    return row


def present_both(run: Run) -> None:
    """What is still open when the writing begins: both sides are in the report."""
    Contradiction.objects.filter(run=run, resolution=Resolution.OPEN).update(
        resolution=Resolution.PRESENTED_BOTH
    )
