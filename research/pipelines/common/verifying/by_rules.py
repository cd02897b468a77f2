"""Verifying: the rules check every claim of the report, and nobody else is asked."""

from django.utils import timezone

from research.lifecycle.recipe import StepResult, StepWork
from research.recipes.report.verifying.drafts import read_draft
from research.recipes.report.verifying.findings import find
from research.recipes.report.verifying.storing import verified
from research.tenancy import tenant_context


def verify_report(work: StepWork) -> StepResult:
    with tenant_context(work.tenant_id):
        draft = read_draft(work.run_id)
    return verified(find(draft, timezone.now().date()))
