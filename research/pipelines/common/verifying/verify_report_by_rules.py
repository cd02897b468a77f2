"""Verify by rules: they check every claim of the report, and no model is asked."""

from django.utils import timezone

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.pipelines.common.verifying.read_report_to_verify import read_draft
from research.pipelines.common.verifying.report_verification_findings import find
from research.pipelines.common.verifying.store_report_verification import build_verification_result


def verify_report(work: StepWork) -> StepResult:
    with tenant_context(work.tenant_id):
        draft = read_draft(work.run_id)
    return build_verification_result(find(draft, timezone.now().date()))
