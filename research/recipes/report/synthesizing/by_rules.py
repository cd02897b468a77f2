"""Writing a section: the claims that the analysis gave it, in its order, numbered as the reader counts them."""

from django.db.models import F

from citations.models import Claim, Section, SectionStatus
from research.lifecycle.recipe import StepResult, StepWork
from research.models import Run
from research.recipes.report.outline import OutlinedSection, read_outline
from research.tenancy import tenant_context


def write_section(work: StepWork) -> StepResult:
    index = int(str(work.input["section"]))
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
    planned = read_outline(run.outline)[index]
    version = max(1, run.report_version)

    def save() -> None:
        section, _ = Section.objects.update_or_create(
            run_id=work.run_id,
            report_version=version,
            index=index,
            defaults={"heading": planned.heading, "status": SectionStatus.WRITTEN, "body": body(planned)},
        )
        for position, claim_id in enumerate(planned.claims):
            number = planned.first_number + position
            Claim.objects.filter(pk=claim_id).update(section=section, position=position, number=number)
        Run.objects.filter(pk=work.run_id).update(
            report_version=version, sections_completed=F("sections_completed") + 1
        )

    return StepResult(
        {"claims": len(planned.claims)}, save=save, activity=f"Writing “{planned.heading}”"[:300]
    )


def body(section: OutlinedSection) -> dict[str, object]:
    """One paragraph for each group of claims: a claim is its own sentence, word for word from its source."""
    return {
        "blocks": [
            {"type": "list", "sentences": [{"claim": str(claim_id)} for claim_id in section.claims]},
        ]
    }
