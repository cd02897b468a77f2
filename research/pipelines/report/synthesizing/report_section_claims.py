"""The claims that a section is written from. In a revision, those that failed take the words that they cite."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.models import Claim, ClaimStatus, Section
from research.models import Run
from research.pipelines.common.check_restated_report_words import carries
from research.pipelines.common.report_claim_alignment import surroundings
from research.pipelines.common.report_source_readings import SourceReading, read_sources
from research.pipelines.report.report_analysis_evidence import Evidence, read_chosen_by_rules, read_evidence
from research.pipelines.report.report_outline import OutlinedSection
from research.pipelines.report.synthesizing.compose_report_section import ClaimContext

CARRIED = (ClaimStatus.VERIFIED, ClaimStatus.PARAPHRASED_ACCURATE)


@dataclass(frozen=True, slots=True)
class SectionClaims:
    """The claims that may be stated, and those that may not."""

    stated: tuple[ClaimContext, ...]
    left_out: tuple[UUID, ...] = ()


def faulty_sections(run: Run) -> list[int]:
    """Return the indexes of the sections with a claim that its source does not fully carry."""
    claims = Claim.objects.filter(run=run, section__report_version=run.report_version)
    faulty = claims.exclude(verification_status__in=CARRIED).values("section_id")
    return list(Section.objects.filter(pk__in=faulty).order_by("index").values_list("index", flat=True))


def as_they_are(planned: OutlinedSection) -> SectionClaims:
    """Return the claims in the analysis's order, without the words around their quotes. Needs the tenant set."""
    found = Claim.objects.in_bulk(planned.claims)
    texts = ((pk, found[pk].text) for pk in planned.claims)
    return SectionClaims(
        tuple(ClaimContext(pk, number, text, ()) for number, (pk, text) in enumerate(texts, 1))
    )


def with_windows(run: Run, planned: OutlinedSection) -> SectionClaims:
    """Return the claims with the words around their quotes; in a revision those still in the report.

    Needs the tenant set.
    """
    by_id = Claim.objects.in_bulk(planned.claims)
    claims = [by_id[pk] for pk in planned.claims]
    if run.revision_count:
        claims = [claim for claim in claims if claim.section_id is not None]
    evidence = read_evidence(run.pk)
    readings = read_sources(place.source for claim in claims for place in evidence[claim.pk])
    stated = [
        _build_stated_claim(n, claim, evidence[claim.pk], readings) for n, claim in enumerate(claims, 1)
    ]
    if not run.revision_count:
        return SectionClaims(tuple(stated))
    pairs = list(zip(claims, stated, strict=True))
    by_rules = read_chosen_by_rules(run.pk)
    sound = [
        (claim.pk, _sound(claim, context, evidence[claim.pk], readings, claim.pk in by_rules))
        for claim, context in pairs
    ]
    return SectionClaims(
        tuple(context for _, context in sound if context is not None),
        tuple(pk for pk, context in sound if context is None),
    )


def in_own_words(run: Run, planned: OutlinedSection) -> SectionClaims:
    """Return the claims still in the report, each in the words that it is based on; one without any is left out.

    Needs the tenant set.
    """
    by_id = Claim.objects.filter(pk__in=planned.claims, section__isnull=False).in_bulk()
    claims = [by_id[pk] for pk in planned.claims if pk in by_id]
    evidence = read_evidence(run.pk)
    places = {claim.pk: evidence.get(claim.pk, []) for claim in claims}
    readings = read_sources(place.source for claim_places in places.values() for place in claim_places)
    stated = []
    for number, claim in enumerate(claims, 1):
        windows = [_window(place, readings[str(place.source)]) for place in places[claim.pk]]
        text = next(_own_words(places[claim.pk], readings, windows), "")
        stated.append(ClaimContext(claim.pk, number, text, tuple(windows)))
    return SectionClaims(
        tuple(context for context in stated if context.text),
        tuple(context.id for context in stated if not context.text),
    )


def _build_stated_claim(
    number: int, claim: Claim, places: Sequence[Evidence], readings: Mapping[str, SourceReading]
) -> ClaimContext:  # fmt: skip
    windows = tuple(_window(place, readings[str(place.source)]) for place in places)
    return ClaimContext(claim.pk, number, claim.text, windows)


def _window(place: Evidence, reading: SourceReading) -> str:
    """Return the quote with its neighbours."""
    return surroundings(reading.source.content, place.span).cut(reading.source.text)


def _sound(
    claim: Claim,
    stated: ClaimContext,
    places: Sequence[Evidence],
    readings: Mapping[str, SourceReading],
    is_by_rules: bool,
) -> ClaimContext | None:
    """Return the claim in words that its sources carry; None if not even its cited words do.

    Claims chosen by rules stay, as without a model.
    """
    if claim.verification_status in CARRIED:
        return stated
    text = next(_own_words(places, readings, stated.windows), stated.text if is_by_rules else "")
    return ClaimContext(stated.id, stated.number, text, stated.windows) if text else None


def _own_words(
    places: Sequence[Evidence], readings: Mapping[str, SourceReading], windows: Sequence[str]
) -> Iterator[str]:
    for place in places:
        words = place.span.cut(readings[str(place.source)].text.text)
        text = " ".join(words.split())
        if carries(windows, text):
            yield text
