"""Where each claim's words stand: what the analysis hands to the citing, kept in its step's output."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from research.models import Step, StepStatus


@dataclass(frozen=True, slots=True)
class Evidence:
    """text[start:end] of a source of the run."""

    source: UUID
    start: int
    end: int


def stored_evidence(evidence: Mapping[UUID, Sequence[Evidence]]) -> dict[str, list[list[str | int]]]:
    return {
        str(claim): [[str(one.source), one.start, one.end] for one in places]
        for claim, places in evidence.items()
    }


def read_evidence(run_id: UUID) -> dict[UUID, list[Evidence]]:
    """The latest analysis's evidence by claim. Needs the tenant set."""
    done = Step.objects.filter(run_id=run_id, handler="report.analyze", status=StepStatus.COMPLETED)
    output = done.order_by("-step_index").values_list("output", flat=True)[:1].get()
    return {
        UUID(claim): [Evidence(UUID(source), start, end) for source, start, end in places]
        for claim, places in output["evidence"].items()
    }
