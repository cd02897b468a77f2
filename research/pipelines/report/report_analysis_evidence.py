"""The evidence of each claim: the places of its words, passed from analysis to citing in the step's output."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict
from uuid import UUID

from citations.anchoring import Span
from research.models import Step, StepStatus
from research.pipelines.report.report_step_names import ReportStepName

ANALYSES = (ReportStepName.ANALYZE_BY_RULES, ReportStepName.ANALYZE_BY_MODEL)
GIVING_EVIDENCE = (*ANALYSES, ReportStepName.REWRITE)


@dataclass(frozen=True, slots=True)
class Evidence:
    """text[start:end] of a source of the run, which a claim is based on.

    `named` is the source that a model named for these words, if it was another one, which lacks them. `similarity`
    (0–1) is that of the model's quote to the words; below 1 only for a close match.
    """

    source: UUID
    start: int
    end: int
    named: UUID | None = None
    similarity: float = 1.0

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


class Analysis(TypedDict):
    """The part of the analysis's output that later steps read."""

    evidence: dict[str, list[tuple[str, int, int, str, float]]]
    open: list[str]
    noted: NotRequired[list[str]]  # claims that a model noted, and rules did not choose
    answerable: NotRequired[bool]
    missing: NotRequired[list[str]]  # words and names of the question that nothing carries
    parts: NotRequired[list[str]]  # of the question, in its words, that no claim answers


def dump_evidence(evidence: Mapping[UUID, Sequence[Evidence]]) -> dict[str, list[list[str | int | float]]]:
    return {str(claim): [_dump_place(place) for place in places] for claim, places in evidence.items()}


def _dump_place(place: Evidence) -> list[str | int | float]:
    return [
        str(place.source),
        place.start,
        place.end,
        "" if place.named is None else str(place.named),
        place.similarity,
    ]


def read_evidence(run_id: UUID) -> dict[UUID, list[Evidence]]:
    """Return the evidence by claim: the latest analysis's, or what was found after a check. Needs the tenant set."""
    done = Step.objects.filter(run_id=run_id, handler__in=GIVING_EVIDENCE, status=StepStatus.COMPLETED)
    latest = done.filter(handler__in=ANALYSES).order_by("-step_index").values_list("step_index", flat=True)
    outputs = done.filter(step_index__gte=latest[:1]).order_by("step_index")
    evidence: dict[UUID, list[Evidence]] = {}
    for given in outputs.values_list("output__evidence", flat=True):
        evidence |= _load_evidence(given)
    return evidence


def _load_evidence(
    given: Mapping[str, Sequence[tuple[str, int, int, str, float]]],
) -> dict[UUID, list[Evidence]]:
    return {
        UUID(claim): [
            Evidence(UUID(source), start, end, UUID(named) if named else None, similarity)
            for source, start, end, named, similarity in places
        ]
        for claim, places in given.items()
    }


def read_open_parts(run_id: UUID) -> tuple[str, ...]:
    """Return what the sources leave open according to the analysis, in words. Needs the tenant set."""
    return tuple(_analysis(run_id)["open"])


def read_chosen_by_rules(run_id: UUID) -> frozenset[UUID]:
    """Return the claims that rules chose, as they would have without a model. Needs the tenant set."""
    analysis = _analysis(run_id)
    if "noted" not in analysis:  # analysed before it was kept who chose a claim
        return frozenset()
    return frozenset(map(UUID, analysis["evidence"].keys() - analysis["noted"]))


def read_analysis(run_id: UUID) -> Analysis | None:
    """Return the output of the latest analysis; None before there is one. Needs the tenant set."""
    done = Step.objects.filter(run_id=run_id, handler__in=ANALYSES, status=StepStatus.COMPLETED)
    output: Analysis | None = done.order_by("-step_index").values_list("output", flat=True).first()
    return output


def _analysis(run_id: UUID) -> Analysis:
    output = read_analysis(run_id)
    if output is None:
        raise Step.DoesNotExist("the run has no analysis")
    return output
