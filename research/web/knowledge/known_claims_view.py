"""The parts of a run's report that were known before: claims that rest on words that earlier runs also quote."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from citations.models import Citation
from research.models import Run, Step, StepStatus
from research.pipelines.report.report_step_names import ReportStepName


class _Quote(NamedTuple):
    """A quote of a claim: the text that it is from, and its position there."""

    run: UUID
    question: str
    number: int
    text: str
    content: UUID
    start: int
    end: int


_QUOTE = (
    *("claim__run", "claim__run__topic", "claim__number", "claim__text"),
    *("source__content", "start_offset", "end_offset"),
)


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
    """Numbers of the statements that a run reused and of the runs they are from; `dropped` counts failed quotes."""

    statements: int
    runs: int
    dropped: int
    claims: Sequence[ClaimKnownBefore] = ()


def read_known_before(run: Run) -> KnownBefore | None:
    """Return what a run reused from earlier runs, None for nothing. Two queries. Needs the tenant set."""
    steps = Step.objects.filter(run=run, handler=ReportStepName.TAKE_KNOWN, status=StepStatus.COMPLETED)
    output = steps.values_list("output", flat=True).first()
    if output is None:
        return None
    claims = _match_claims(run, list(map(UUID, output["known"]))) if output["known"] else ()
    return KnownBefore(output["statements"], output["runs"], sum(output["dropped"].values()), claims)


def _match_claims(run: Run, known: Sequence[UUID]) -> list[ClaimKnownBefore]:
    """Return the run's claims that quote words which the known claims also quote: overlapping spans of one text.

    One query of two halves, each of which uses an index. A join in the database took seconds if statistics were
    missing.
    """
    own = Citation.objects.filter(claim__run=run, claim__number__isnull=False).values_list(*_QUOTE)
    others = Citation.objects.filter(claim__in=known, claim__number__isnull=False).values_list(*_QUOTE)
    quotes = [_Quote(*row) for row in own.union(others, all=True)]
    by_content: dict[UUID, list[_Quote]] = defaultdict(list)
    for quote in quotes:
        if quote.run != run.pk:
            by_content[quote.content].append(quote)
    matches: dict[int, dict[EarlierClaim, None]] = defaultdict(dict)
    texts: dict[int, str] = {}
    for quote in quotes:
        if quote.run == run.pk:
            for earlier in by_content[quote.content]:
                if earlier.start < quote.end and quote.start < earlier.end:
                    texts[quote.number] = quote.text
                    matches[quote.number][EarlierClaim(earlier.run, earlier.question, earlier.number)] = None
    return [ClaimKnownBefore(number, texts[number], list(matches[number])) for number in sorted(matches)]
