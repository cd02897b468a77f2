"""Write a section by rules: the claims that the analysis gave it, in its order, one by one.

In strict mode each claim is in its source's own sentence.
"""

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.models import Run
from research.pipelines.report.report_outline import OutlinedSection, read_outline
from research.pipelines.report.synthesizing.compose_report_section import list_claims
from research.pipelines.report.synthesizing.report_section_claims import (
    SectionClaims,
    as_they_are,
    in_own_words,
    with_windows,
)
from research.pipelines.report.synthesizing.store_report_section import WrittenSection


def write_section(work: StepWork) -> StepResult:
    index = int(str(work.input["section"]))
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        planned = read_outline(run.outline)[index]
        claims = _claims(run, planned, is_strict=bool(work.input.get("strict")))
    written = WrittenSection(index, planned, list_claims(claims.stated), claims.left_out)
    return StepResult(
        {"claims": len(claims.stated)},
        save=lambda: written.store(run),
        activity=f"Writing “{planned.heading}”"[:300],
    )


def _claims(run: Run, planned: OutlinedSection, *, is_strict: bool) -> SectionClaims:
    if is_strict:
        return in_own_words(run, planned)
    return with_windows(run, planned) if run.revision_count else as_they_are(planned)
