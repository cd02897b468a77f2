"""Apply decisions about a report to its plan, its conflicts, its sentences. In one transaction, with the run locked."""

from collections.abc import Sequence

from django.utils import timezone

from citations.models import Citation, Claim
from research.models import PlanTrigger, ReviewItem, ReviewKind, ReviewStatus, Run
from research.models.schemas import Plan, StoredDecision
from research.pipelines.common.cite_report_section_step import match_type
from research.pipelines.common.exclude_report_claims import leave_out
from research.pipelines.common.verifying.read_report_to_verify import read_draft
from research.pipelines.common.verifying.report_verification_findings import find
from research.pipelines.common.verifying.store_report_verification import store_findings
from research.pipelines.common.verifying.verify_report_by_model import build_opinion_replay
from research.pipelines.report.decisions.apply_report_conflict_decisions import settle_conflicts
from research.pipelines.report.decisions.standing_report_decisions import describe_removal
from research.pipelines.report.degrading.remove_failed_report_claims import note_removed_claims
from research.runs.run_plan_versions import keep_version


def apply_decisions(run: Run, items: Sequence[ReviewItem]) -> None:
    """Apply all decisions of one question; they are of one kind. The rules settle what nobody decided."""
    kinds = {item.kind for item in items}
    if ReviewKind.PLAN in kinds:
        _keep_plan(run, items[0])
    elif ReviewKind.CONTRADICTION in kinds:
        settle_conflicts(run, items)
    elif ReviewKind.CLAIM in kinds:
        _change_report(run, items)


def _keep_plan(run: Run, item: ReviewItem) -> None:
    decision = StoredDecision.model_validate(item.decision or {})
    if item.status == ReviewStatus.EDITED and decision.plan is not None:
        plan = Plan.model_validate(decision.plan)
        keep_version(run, plan, PlanTrigger.EDIT, decision.note, item.decided_by)


def _change_report(run: Run, items: Sequence[ReviewItem]) -> None:
    """Correct and drop sentences; then check and count the whole report again."""
    for item in items:
        if item.status == ReviewStatus.EDITED and item.claim is not None:
            _correct(item.claim, StoredDecision.model_validate(item.decision).text)
    dropped = [item for item in items if item.status == ReviewStatus.REJECTED and item.claim is not None]
    leave_out(run.pk, [(item.claim, describe_removal(item)) for item in dropped if item.claim is not None])
    findings = find(read_draft(run.pk), timezone.now().date(), build_opinion_replay(run.pk))
    store_findings(findings, left_out=findings.refused_claims)
    note_removed_claims(run, is_last=False)  # the owner knows already


def _correct(claim: Claim, text: str) -> None:
    text = " ".join(text.split())
    Claim.objects.filter(pk=claim.pk).update(text=text)
    rows = list(Citation.objects.filter(claim=claim))
    for row in rows:
        row.anchor_text, row.match_type = text, match_type(text, row.quote, row.similarity, row.cell_names)
    Citation.objects.bulk_update(rows, ["anchor_text", "match_type"])
