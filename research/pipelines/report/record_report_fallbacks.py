"""Record work that rules did because a model failed: it is trusted less (spec: agents-and-tools.md)."""

from dataclasses import dataclass, replace
from uuid import UUID

from citations.claim_confidence import Cap, Confidence
from citations.models import Citation, Claim, Section
from research.models import Step, StepStatus
from research.pipelines.report.report_step_names import TAKING_NOTES, ReportStepName

FACTOR = 0.8  # on a confidence
REASON = "A model failed here, and rules were used instead."


@dataclass(frozen=True, slots=True)
class Fallbacks:
    """Sources that no model read, sections that none wrote, claims on which none gave its opinion."""

    sources: frozenset[UUID] = frozenset()
    sections: frozenset[UUID] = frozenset()
    claims: frozenset[UUID] = frozenset()

    def touch(self, claim: Claim, citations: tuple[Citation, ...]) -> bool:
        """Return True if a fallback is behind the claim. Of several sources, rules must have read all."""
        if claim.pk in self.claims or claim.section_id in self.sections:
            return True
        return bool(citations) and all(citation.source_id in self.sources for citation in citations)


def read_fallbacks(run_id: UUID) -> Fallbacks:
    """Return the fallbacks of the run. Needs the tenant set."""
    done = Step.objects.filter(run_id=run_id, status=StepStatus.COMPLETED, output__has_key="fallback")
    found = list(done.order_by("step_index").values_list("handler", "input"))
    sources = {UUID(given["source"]) for handler, given in found if handler in TAKING_NOTES}
    indexes = {given["section"] for handler, given in found if handler == ReportStepName.WRITE_BY_MODEL}
    claims = {UUID(given["claim"]) for handler, given in found if handler == ReportStepName.GIVE_OPINION}
    sections = Section.objects.filter(run_id=run_id, index__in=indexes).values_list("pk", flat=True)
    return Fallbacks(frozenset(sources), frozenset(sections), frozenset(claims))


def lower_confidence(confidence: Confidence) -> Confidence:
    value = round(confidence.value * FACTOR, 4)
    return replace(confidence, value=value, caps=(*confidence.caps, Cap("fallback", value, REASON)))
