"""Verify by rules: they check every claim of the report, and no model is asked."""

from django.utils import timezone

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.pipelines.common.verifying.drafts_to_verify import read_draft
from research.pipelines.common.verifying.store_verification import build_verification_result
from research.pipelines.common.verifying.verification_findings import find


def verify_report(work: StepWork) -> StepResult:
    with tenant_context(work.tenant_id):
        draft = read_draft(work.run_id)
    return build_verification_result(find(draft, timezone.now().date()))
