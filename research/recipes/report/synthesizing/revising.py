"""Revising a report: what a section says beyond its sources is said again in the sources' own words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.models import Claim, ClaimStatus, Section
from research.models import Run
from research.recipes.report.evidence import Evidence
from research.recipes.report.readings import Reading
from research.recipes.report.restating import carries
from research.recipes.report.synthesizing.composing import Stated

CARRIED = (ClaimStatus.VERIFIED, ClaimStatus.PARAPHRASED_ACCURATE)
LEFT = "The report said more than its source does, and its source's words alone do not carry it."


@dataclass(frozen=True, slots=True)
class Revised:
    """The claims of a section as they may be stated, and those that may not."""

    claims: tuple[Stated, ...]
    left_out: tuple[UUID, ...] = ()


def faulty_sections(run: Run) -> list[int]:
    """Indexes of the sections with a claim that its source does not carry whole."""
    claims = Claim.objects.filter(run=run, section__report_version=run.report_version)
    faulty = claims.exclude(verification_status__in=CARRIED).values("section_id")
    return list(Section.objects.filter(pk__in=faulty).order_by("index").values_list("index", flat=True))


def in_own_words(
    claims: Sequence[tuple[Claim, Stated]], places: dict[UUID, list[Evidence]], readings: dict[str, Reading]
) -> Revised:
    """Claims that did not hold take the words that they cite."""
    kept, left = list[Stated](), list[UUID]()
    for claim, stated in claims:
        if claim.verification_status in CARRIED:
            kept.append(stated)
        elif text := next(_own_words(places[claim.pk], readings, stated.windows), ""):
            kept.append(Stated(stated.id, stated.number, text, stated.windows))
        else:
            left.append(claim.pk)
    return Revised(tuple(kept), tuple(left))


def _own_words(
    places: Sequence[Evidence], readings: dict[str, Reading], windows: Sequence[str]
) -> Iterator[str]:
    for place in places:
        words = place.span.cut(readings[str(place.source)].text.text)
        text = " ".join(words.split())
        if carries(windows, text):
            yield text
