"""What of a run's report was known before: claims that stand on words which earlier runs quote, too."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F

from citations.models import Citation
from research.models import Run, Step, StepStatus
from research.pipelines.report.step_names import ReportStepName


@dataclass(frozen=True, slots=True)
class EarlierClaim:
    """A claim of an earlier run, by its number in that run's report."""

    run: UUID
    question: str
    number: int


@dataclass(frozen=True, slots=True)
class ClaimKnownBefore:
    """A claim of the report with the claims of earlier runs that quote the same words."""

    number: int
    text: str
    earlier: Sequence[EarlierClaim]


@dataclass(frozen=True, slots=True)
class KnownBefore:
    """What was taken of earlier runs. `dropped` counts quotes that did not pass the check."""

    statements: int
    runs: int
    dropped: int
    claims: Sequence[ClaimKnownBefore] = ()


def read_known_before(run: Run) -> KnownBefore | None:
    """None where the run took nothing of earlier runs. Needs the tenant set."""
    steps = Step.objects.filter(run=run, handler=ReportStepName.TAKE_KNOWN, status=StepStatus.COMPLETED)
    output = steps.values_list("output", flat=True).first()
    if output is None:
        return None
    claims = _match_claims(run, list(map(UUID, output["known"]))) if output["known"] else ()
    return KnownBefore(output["statements"], output["runs"], sum(output["dropped"].values()), claims)


def _match_claims(run: Run, known: Sequence[UUID]) -> list[ClaimKnownBefore]:
    """By the places of their quotes: the same frozen text, and spans that overlap."""
    same = Citation.objects.filter(
        claim__run=run,
        claim__number__isnull=False,
        source__content__sources__citations__claim__in=known,
        source__content__sources__citations__start_offset__lt=F("end_offset"),
        source__content__sources__citations__end_offset__gt=F("start_offset"),
    )
    earlier = "source__content__sources__citations__claim"
    rows = same.values_list(
        "claim__number", "claim__text", f"{earlier}__run", f"{earlier}__run__topic", f"{earlier}__number"
    )
    found: dict[int, ClaimKnownBefore] = {}
    for number, text, earlier_run, question, earlier_number in rows.order_by("claim__number").distinct():
        if earlier_number is not None:
            claim = found.setdefault(number, ClaimKnownBefore(number, text, []))
            found[number] = ClaimKnownBefore(
                number, text, [*claim.earlier, EarlierClaim(earlier_run, question, earlier_number)]
            )
    return list(found.values())
