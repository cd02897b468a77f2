"""Look a model's notes up in their source, and store the result for the analysis."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from pydantic import TypeAdapter

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import JsonObject, StepResult, StepWork
from research.models import Run, Step, StepStatus
from research.pipelines.common.report_source_readings import SourceReading, read_source
from research.pipelines.report.reading.admit_report_notes import (
    AdmittedClaim,
    ProposedClaim,
    RefusedClaim,
    UnplacedClaim,
    admit,
)
from research.pipelines.report.reading.report_note_vectors import EMBEDDED, with_vectors
from research.pipelines.report.report_step_names import TAKING_NOTES
from research.runtime.ttl_cache import TtlCache


@dataclass(frozen=True, slots=True)
class Admission:
    """The outcome of checking the notes on one source."""

    source: UUID
    admitted: tuple[AdmittedClaim, ...]
    refused: tuple[RefusedClaim, ...] = ()
    unplaced: tuple[UnplacedClaim, ...] = ()


MAX_IN_VAIN = 3  # sources that a model reads without one note that stands in them
MADE_UP: JsonObject = {
    "code": "HALLUCINATION_DETECTED",
    "message": "Nothing that the model noted stands in the source.",
}
_PROPOSED = TypeAdapter(list[ProposedClaim])
_ADMISSION = TypeAdapter(Admission)


def admit_claims(work: StepWork) -> StepResult:
    """Admit those claims that agents noted of a source which are in it."""
    source, most = str(work.input["source"]), int(str(work.input["most"]))
    with tenant_context(work.tenant_id):
        reading = read_source(UUID(source))
        sources = Run.objects.values_list("sources_found", flat=True).get(pk=work.run_id)
    return StepResult(admit_notes(_PROPOSED.validate_python(work.input["proposed"]), reading, most * sources))


def admit_notes(proposed: Sequence[ProposedClaim], reading: SourceReading, most: int) -> JsonObject:
    """Look the notes up in their source, and return the output of the step that took them.

    If none of them is in the source, the output says so: the analysis has what rules find in it anyway. `most`: how
    many claims all sources of the run may give.
    """
    judged = list(admit(proposed, reading))
    admitted = tuple(claim for claim in judged if isinstance(claim, AdmittedClaim))
    if most <= EMBEDDED:  # else the analysis embeds those that it chooses
        admitted = with_vectors(admitted)
    admission = Admission(
        reading.source.pk,
        admitted,
        tuple(claim for claim in judged if isinstance(claim, RefusedClaim)),
        tuple(claim for claim in judged if isinstance(claim, UnplacedClaim)),
    )
    output: JsonObject = {
        "claims": len(admission.admitted),
        "refused": len(admission.refused),
        "unplaced": len(admission.unplaced),
        "admission": _ADMISSION.dump_python(admission, mode="json"),
    }
    return {**output, "fallback": MADE_UP} if proposed and not admitted else output


def is_still_useful(tenant_id: UUID, run_id: UUID) -> bool:
    """Return False if a model has read a few sources of the run, and nothing that it noted stands in any of them."""
    with tenant_context(tenant_id):
        read = Step.objects.filter(
            run_id=run_id,
            handler__in=TAKING_NOTES,
            status=StepStatus.COMPLETED,
            output__has_key="admission",
        )
        in_vain = read.filter(output__claims=0, output__has_key="fallback").count()
        return in_vain < MAX_IN_VAIN or read.exclude(output__claims=0).exists()


def is_lately_useful(tenant_id: UUID, run_id: UUID) -> bool:
    """Return `is_still_useful` as it was a second ago at most: many calls of a run begin at the same moment."""
    return _useful.load(run_id, lambda: is_still_useful(tenant_id, run_id))


_useful: TtlCache[UUID, bool] = TtlCache(1.0)


def read_admissions(run_id: UUID, since: int = 0) -> list[Admission]:
    """Return the admissions of the run, in the order in which its sources were found.

    `since`: only those of steps after the one with this index. Needs the tenant set.
    """
    done = Step.objects.filter(
        run_id=run_id,
        handler__in=TAKING_NOTES,
        status=StepStatus.COMPLETED,
        output__has_key="admission",
        step_index__gt=since,
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
