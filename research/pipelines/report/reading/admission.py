"""Look a model's notes up in their source, and store the result for the analysis."""

from dataclasses import dataclass
from uuid import UUID

from pydantic import TypeAdapter

from research.db.bulk_sql import rows_of
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import Json, JsonObject, StepResult, StepWork
from research.llm.budgets.degradations import DegradationCode
from research.models import Run, Step, StepStatus
from research.pipelines.common.source_readings import read_source
from research.pipelines.report.degrading.tokens import give_up
from research.pipelines.report.reading.admitting import (
    AdmittedClaim,
    ProposedClaim,
    RefusedClaim,
    UnplacedClaim,
    admit,
)
from research.pipelines.report.reading.vectors import EMBEDDED, with_vectors
from research.pipelines.report.step_names import ReportStepName


@dataclass(frozen=True, slots=True)
class Admission:
    """The outcome of checking the notes on one source."""

    source: UUID
    admitted: tuple[AdmittedClaim, ...]
    refused: tuple[RefusedClaim, ...] = ()
    unplaced: tuple[UnplacedClaim, ...] = ()


MADE_UP: JsonObject = {
    "code": "HALLUCINATION_DETECTED",
    "message": "Nothing that the model noted stands in the source.",
}
_PROPOSED = TypeAdapter(list[ProposedClaim])
_ADMISSION = TypeAdapter(Admission)


def admit_claims(work: StepWork) -> StepResult:
    """Admit the proposed claims that stand in the source.

    If no model read the source, or none of the proposed claims stands in it, the step's output says so: the analysis
    has what rules find in the source anyway.
    """
    source, most = str(work.input["source"]), int(str(work.input["most"]))
    with tenant_context(work.tenant_id):
        reading = read_source(UUID(source))
        [run] = rows_of(Run, "WHERE id = %(id)s", {"id": work.run_id})
        give_up(run, DegradationCode.SHALLOW_EXTRACTION)  # for the sources still to be read
    proposed = _PROPOSED.validate_python(work.input["proposed"])
    judged = list(admit(proposed, reading))
    admitted = tuple(claim for claim in judged if isinstance(claim, AdmittedClaim))
    fallback = work.input.get("fallback") or (MADE_UP if proposed and not admitted else None)
    if most * run.sources_found <= EMBEDDED:  # else the analysis embeds those that it chooses
        admitted = with_vectors(admitted)
    return _result(
        Admission(
            UUID(source),
            admitted,
            tuple(claim for claim in judged if isinstance(claim, RefusedClaim)),
            tuple(claim for claim in judged if isinstance(claim, UnplacedClaim)),
        ),
        fallback,
    )


def read_admissions(run_id: UUID) -> list[Admission]:
    """Return all admissions of the run, in the order in which its sources were found. Needs the tenant set."""
    done = Step.objects.filter(
        run_id=run_id, handler=ReportStepName.ADMIT_CLAIMS, status=StepStatus.COMPLETED
    )
    outputs = done.order_by("step_index").values_list("output", flat=True)
    by_source: dict[UUID, Admission] = {}
    for output in outputs:
        admission = _ADMISSION.validate_python(output["admission"])
        by_source[admission.source] = (
            _join(by_source[admission.source], admission) if admission.source in by_source else admission
        )
    return sorted(by_source.values(), key=lambda admission: admission.source)


def _join(first: Admission, second: Admission) -> Admission:
    """Merge two admissions of one source, without repetitions."""
    stated = {(claim.text, claim.start, claim.end) for claim in first.admitted}
    new = (claim for claim in second.admitted if (claim.text, claim.start, claim.end) not in stated)
    return Admission(
        first.source,
        (*first.admitted, *new),
        tuple(dict.fromkeys((*first.refused, *second.refused))),
        tuple(dict.fromkeys((*first.unplaced, *second.unplaced))),
    )


def _result(admission: Admission, fallback: Json = None) -> StepResult:
    output: JsonObject = {
        "claims": len(admission.admitted),
        "refused": len(admission.refused),
        "unplaced": len(admission.unplaced),
        "admission": _ADMISSION.dump_python(admission, mode="json"),
    }
    return StepResult({**output, "fallback": fallback} if fallback else output)
