"""What a report lacks: gaps and warnings, counted from its rows by the pure functions of `citations`."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from uuid import UUID

from citations.dating.times import parse_iso
from citations.models import Citation, Claim, Warning
from citations.strength import Origin
from citations.warnings import Evidence, ReportClaim, warnings
from citations.weighing.authority import is_preprint
from citations.weighing.concerns import Concern, Kind, Severity
from citations.weighing.gaps import Coverage, gaps
from research.models import Run, Source

OPEN_PART = "G007"


def find_shortcomings(
    run: Run,
    claims: Sequence[Claim],
    citations: Mapping[UUID, Sequence[Citation]],
    known: Mapping[UUID, Origin],
    *,
    open_parts: Iterable[str],
    disputes: int,
    today: date,
    covered: Sequence[Coverage] = (),
) -> list[Warning]:
    """Unsaved rows. `open_parts` are the analysis's words on what the sources leave open, `covered` says how the
    plan's subtopics are covered.
    """
    sources = {one.source_id: one.source for claim in claims for one in citations[claim.pk]}
    evidence = [_evidence(source, known[source.pk]) for source in sources.values()]
    texts = [source.title for source in sources.values()]
    texts += [one.quote for claim in claims for one in citations[claim.pk]]
    stated = [_stated(one, citations[one.pk]) for one in claims]
    concerns = [
        *gaps(run.topic, texts, covered),
        *map(_open, open_parts),
        *warnings(evidence, stated, today=today, open_contradictions=disputes),
    ]
    return [_row(run, concern) for concern in concerns]


def _evidence(source: Source, origin: Origin) -> Evidence:
    return Evidence(
        origin=origin,
        tier=source.tier,
        source_type=source.source_type,
        published=parse_iso(source.published_date),
        is_paywalled=source.has_paywall,
        is_preprint=is_preprint(source.url, source.title),
        credibility=source.credibility,
    )


def _stated(claim: Claim, cited: Sequence[Citation]) -> ReportClaim:
    return ReportClaim(
        claim.text, tuple(str(one.source_id) for one in cited), tuple(one.quote for one in cited)
    )


def _open(reason: str) -> Concern:
    advice = "Add sources that cover it, or ask about it alone."
    return Concern(OPEN_PART, Kind.GAP, Severity.MEDIUM, reason, advice)


def _row(run: Run, concern: Concern) -> Warning:
    return Warning(
        run=run,
        code=concern.code,
        kind=concern.kind.value,
        severity=concern.severity.value,
        text=concern.text,
        advice=concern.advice,
    )
