"""Look for evidence of claims that the check of a deep report found to lack it: once, by a researcher for each.

What they find is looked up in its source like everything else. A passage that carries a claim becomes its evidence;
then the claim's section is written, cited and checked again. A claim that had left the report takes its place again.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from citations.anchoring import Span
from citations.models import Claim, Section
from research.agents.agent_delegation_plan import PlannedStep
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import Following, StepResult, StepWork
from research.models import AgentRole, Run, Step
from research.models.schemas import RunOutcome
from research.pipelines.common.check_restated_report_words import carries
from research.pipelines.common.report_claim_alignment import surroundings
from research.pipelines.common.report_source_readings import SourceReading, read_sources
from research.pipelines.report.delegating.report_agent_task_waves import Wave
from research.pipelines.report.delegating.request_report_evidence import list_as_input
from research.pipelines.report.looking_again.unproven_report_claims import UNPROVEN, list_unproven_claims
from research.pipelines.report.reading.store_report_notes import Admission, read_admissions
from research.pipelines.report.report_analysis_evidence import Evidence, dump_evidence, read_evidence
from research.pipelines.report.report_outline import read_outline
from research.pipelines.report.report_step_names import ReportStepName
from research.pipelines.report.synthesizing.draft_report_sections import draft_sections

WANTED = "Excerpts of sources that say what the claim says; none if no source says it."


def seek_support(work: StepWork) -> StepResult:
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        claims = list_unproven_claims(run)
    wave = Wave(goal=run.topic, steps=[_task(n, claim) for n, claim in enumerate(claims, 1)], is_support=True)
    return StepResult(
        {"claims": [str(claim.pk) for claim in claims]},
        children=wave.drafts(),
        then=wave.after(),
        activity="Looking for evidence that the check missed",
    )


def _task(number: int, claim: Claim) -> PlannedStep:
    return PlannedStep(
        id=f"support_{number}",
        title="Find sources that bear out a claim of the report",
        description="The check found too little evidence for it. The claim is the input.",
        role=AgentRole.RESEARCHER,
        inputs=list_as_input([claim.text]),
        expected_output=WANTED,
    )


def rewrite_sections(work: StepWork) -> StepResult:
    """Give the claims the evidence that was found, and have their sections written again."""
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        found = find_support(run)
        evidence = read_evidence(run.pk)
    claims = {claim.pk: claim for claim in found}
    sections = {
        index: [pk for pk in section.claims if pk in claims]
        for index, section in enumerate(read_outline(run.outline))
    }
    supported = {
        claim.pk: [*([] if claim.verification_status in UNPROVEN else evidence[claim.pk]), *places]
        for claim, places in found.items()
    }

    def save() -> None:
        for index, ids in sections.items():
            section = Section.objects.filter(run=run, report_version=run.report_version, index=index).first()
            Claim.objects.filter(pk__in=ids, section=None).update(section=section)
        _unlist(run.pk, [claim.text for claim in claims.values()])

    return StepResult(
        {"supported": len(supported), "evidence": dump_evidence(supported)},
        save=save,
        follow=lambda: Following(
            list(draft_sections(run, [index for index, ids in sections.items() if ids]))
        ),
        activity="Writing again what has new evidence",
    )


def find_support(run: Run) -> Mapping[Claim, Sequence[Evidence]]:
    """Return the new places that carry a claim which lacks evidence, by claim. Needs the tenant set."""
    since = Step.objects.values_list("step_index", flat=True).get(
        run=run, handler=ReportStepName.SEEK_SUPPORT
    )
    admissions, known = read_admissions(run.pk, since), read_evidence(run.pk)
    readings = read_sources(admission.source for admission in admissions)
    found = {}
    for claim in list_unproven_claims(run):
        places = set(known[claim.pk])
        carrying = [
            place for place in _list_carrying(claim.text, admissions, readings) if place not in places
        ]
        if carrying:
            found[claim] = carrying
    return found


def _list_carrying(
    text: str, admissions: Sequence[Admission], readings: Mapping[str, SourceReading]
) -> list[Evidence]:
    """Return the noted places that carry the text, the first of each source."""
    places: dict[UUID, Evidence] = {}
    for admission in admissions:
        source = readings[str(admission.source)].source
        for note in admission.admitted:
            words = surroundings(source.content, Span(note.start, note.end)).cut(source.text)
            if admission.source not in places and carries([words], text):
                places[admission.source] = Evidence(
                    admission.source, note.start, note.end, similarity=note.similarity
                )
    return list(places.values())


def _unlist(run_id: UUID, texts: Sequence[str]) -> None:
    """Take the claims off the list of what the report leaves out. Runs inside the step's transaction."""
    outcome = RunOutcome.model_validate(Run.objects.values_list("result", flat=True).get(pk=run_id))
    outcome.left_out = [left for left in outcome.left_out if left.text not in texts]
    Run.objects.filter(pk=run_id).update(result=outcome.model_dump(mode="json"))
