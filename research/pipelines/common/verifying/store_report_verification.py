"""Store the findings of verification as rows, and remove claims that no source supports from the report."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from uuid import UUID

from django.db.models.functions import Now

from citations.claim_confidence import Confidence, Conflict
from citations.models import (
    Citation,
    CitationStatus,
    Claim,
    Contradiction,
    ContradictionStatus,
    OverallStatus,
    Section,
    VerificationIssue,
    VerificationReport,
    VerifiedBy,
    Warning,
)
from citations.verification import Verdict, VerdictStatus
from research.engine.pipeline_registry import StepResult
from research.engine.states.state_exit_conditions import MAX_FAILED_CLAIMS, MAX_REVISIONS
from research.engine.states.state_run_authorship import OF_AUTHORSHIP
from research.engine.states.step_failure_mail import mail_failure
from research.extractive.answer_timelines import OVER_TIME
from research.library.rate_library_source import parts_of
from research.models import Run, Source
from research.models.schemas import RunOutcome
from research.pipelines.common.choose_rules_or_model import Engine, is_written_once
from research.pipelines.common.exclude_report_claims import leave_out, too_few_sources
from research.pipelines.common.verifying.check_report_claims import CheckedClaim, JudgedClaim
from research.pipelines.common.verifying.report_shortcomings import find_shortcomings
from research.pipelines.common.verifying.report_subtopic_coverage import coverages
from research.pipelines.common.verifying.report_verification_findings import VerificationFindings
from research.pipelines.common.verifying.report_verification_issues import find_issues, of_hallucination
from research.pipelines.common.verifying.report_verification_summary import Summary, summarise_findings
from research.pipelines.report import report_progress_notes
from research.pipelines.report.decisions.note_report_decisions import with_decisions
from research.pipelines.report.degrading.remove_failed_report_claims import note_removed_claims
from research.pipelines.report.looking_again.unproven_report_claims import may_seek_support

SUMMARY_CLAIMS = 3
# Text that looks like code, or only introduces what follows.
_SAYS_NOTHING = re.compile(r"^\s*(?:#|//|>>>|!!!)|[:\\]\s*$")


def build_verification_result(findings: VerificationFindings) -> StepResult:
    """Return the result of the verification step."""
    is_last = (
        is_written_once(findings.draft.run) or summarise_findings(findings).status is OverallStatus.PASSED
    )

    def save() -> None:
        store_findings(findings, left_out=() if is_held_for_review(findings) else findings.refused_claims)
        run = findings.draft.run
        if findings.draft.made_up and run.revision_count >= MAX_REVISIONS and not asks_people(findings):
            leave_out_made_up(findings)
            mail_failure(run, "HALLUCINATION_DETECTED", findings.draft.made_up[0].reason)
        note_removed_claims(run, is_last=is_last and not may_seek_support(run, findings.draft.config))
        report_progress_notes.note_check_outcome(run)

    counts = Counter(judged.status.value for judged in findings.judged_claims)
    return StepResult({"counts": dict(counts)}, save=save, activity=f"Checking {counts.total()} claims")


def asks_people(findings: VerificationFindings) -> bool:
    return findings.draft.config.reviews == "ask"


def is_held_for_review(findings: VerificationFindings) -> bool:
    """Return True if so much failed that a person must review it; the claims stay in the report until then."""
    return asks_people(findings) and len(findings.refused_claims) > MAX_FAILED_CLAIMS


def leave_out_made_up(findings: VerificationFindings) -> None:
    """Remove made-up claims that no revision fixed, if nobody is to be asked about them."""
    reasons = {
        hallucination.claim: hallucination.reason
        for hallucination in findings.draft.made_up
        if hallucination.claim is not None
    }
    leave_out(
        findings.draft.run.pk, [(claim, reasons[claim.pk]) for claim in Claim.objects.filter(pk__in=reasons)]
    )


def store_findings(findings: VerificationFindings, left_out: Sequence[JudgedClaim]) -> None:
    """Store the findings, and remove the claims that they rule out from the report.

    Runs inside a transaction with the run's row locked.
    """
    _store(findings)
    leave_out(findings.draft.run.pk, [(claim.claim, reason_to_refuse(claim.verdict)) for claim in left_out])
    _leave_out_thin(findings)


def _leave_out_thin(findings: VerificationFindings) -> None:
    """Remove claims with fewer independent sources than the run wants, unless none would be left."""
    config = findings.draft.config
    least = config.sources_per_claim
    thin = [checked_claim for checked_claim in findings.kept_claims if checked_claim.standing.origins < least]
    if config.thin_claims == "leave_out" and len(thin) < len(findings.kept_claims):
        dropped = [
            (checked_claim.judged.claim, too_few_sources(checked_claim.standing.origins, least))
            for checked_claim in thin
        ]
        leave_out(findings.draft.run.pk, dropped)


def reason_to_refuse(verdict: Verdict) -> str:
    is_denied = verdict.status is VerdictStatus.CONTRADICTED
    outcome = "Its source says otherwise." if is_denied else "Its source does not support it."
    return " ".join((outcome, *verdict.reasons))


def in_short(claims: Sequence[str]) -> list[str]:
    """Return the first claims that can be read alone; if none can, the first claim."""
    telling = [text for text in claims if not _SAYS_NOTHING.search(text)]
    return list(telling or claims)[:SUMMARY_CLAIMS]


def _store(findings: VerificationFindings) -> None:
    run, summary = findings.draft.run, summarise_findings(findings)
    _store_claims(findings)
    _store_citations(findings.checked)
    _store_credibility(findings)
    Contradiction.objects.filter(run=run, resolved_by=None).delete()  # of an earlier version
    Contradiction.objects.bulk_create(findings.disputes.rows, ignore_conflicts=True)
    _store_report(findings, summary)
    _store_warnings(findings)
    outcome = RunOutcome.model_validate(run.result)
    claims = [checked_claim.judged.claim for checked_claim in findings.kept_claims]
    timelines = set(Section.objects.filter(run=run, heading=OVER_TIME).values_list("pk", flat=True))
    outcome.summary = in_short([claim.text for claim in put_newest_first(claims, timelines)])
    cost = {} if Engine(outcome.engine) is Engine.MODEL else {"cost_usd": 0}
    Run.objects.filter(pk=run.pk).update(
        result=outcome.model_dump(mode="json"), quality_score=summary.quality, **cost
    )


def put_newest_first(claims: Sequence[Claim], timelines: Collection[UUID]) -> list[Claim]:
    """Return the claims, in reading order, with those of timelines first, from the newest row to the oldest.

    `timelines`: ids of the sections that are timelines.
    """
    over_time = [claim for claim in claims if claim.section_id in timelines]
    return over_time[::-1] + [claim for claim in claims if claim.section_id not in timelines]


def _store_warnings(findings: VerificationFindings) -> None:
    draft, claims = findings.draft, [checked_claim.judged.claim for checked_claim in findings.kept_claims]
    Warning.objects.filter(run=draft.run).exclude(code__in=OF_AUTHORSHIP).delete()
    shortcomings = find_shortcomings(
        draft.run,
        claims,
        draft.citations,
        draft.origins,
        question=draft.question_text,
        open_parts=draft.open_parts,
        disputes=findings.disputes.unresolved_count,
        today=findings.today,
        stale_months=draft.stale_months(findings.today),
        covered=coverages(draft.run, claims, draft.citations, draft.origins),
    )
    Warning.objects.bulk_create(with_decisions(draft.run, shortcomings, summarise_findings(findings).quality))


def _store_report(findings: VerificationFindings, summary: Summary) -> None:
    draft = findings.draft
    report, _ = VerificationReport.objects.update_or_create(
        run=draft.run,
        report_version=draft.run.report_version,
        defaults={
            "level": draft.config.fact_check,
            "overall_status": summary.status,
            "accuracy": summary.accuracy,
            "counts": summary.counts,
        },
    )
    issues = find_issues(
        findings.judged_claims, draft.sections, findings.today, is_strict=draft.config.fact_check == "strict"
    )
    issues = [*map(of_hallucination, draft.made_up), *issues]
    for issue in issues:
        issue.report = report
    report.issues.all().delete()
    VerificationIssue.objects.bulk_create(issues)


def _store_claims(findings: VerificationFindings) -> None:
    checked, disputes = findings.checked, findings.disputes
    for checked_claim in checked:
        judged, standing = checked_claim.judged, checked_claim.standing
        claim = judged.claim
        claim.strength, claim.origins = standing.strength.value, standing.origins
        claim.confidence = standing.confidence.value
        claim.confidence_factors = factors_of(standing.confidence)
        claim.verification_status = judged.status
        claim.verification_note = judged.note
        claim.alignment = [part.model_dump(mode="json") for part in judged.alignment]
        by_person = disputes.is_decided(claim.pk)
        claim.contradiction_status = (
            ContradictionStatus.HUMAN if by_person else _CONTRADICTED[checked_claim.conflict]
        )
    Claim.objects.bulk_update(
        [checked_claim.judged.claim for checked_claim in checked],
        [
            "strength",
            "origins",
            "confidence",
            "confidence_factors",
            "verification_status",
            "verification_note",
            "alignment",
            "contradiction_status",
        ],
    )


def _build_status_and_notes(citation: Citation, verdict: Verdict) -> tuple[CitationStatus, str]:
    """Return status and notes. A quote that was attributed to another source keeps that mark, on its own line."""
    status = _CITED.get(verdict.status, CitationStatus.UNVERIFIED)
    reasons = " ".join(verdict.reasons)
    if citation.verification_status != CitationStatus.CORRECTED or status is CitationStatus.DISPUTED:
        return status, reasons
    return CitationStatus.CORRECTED, "\n".join(
        filter(None, (citation.verification_notes.partition("\n")[0], reasons))
    )


def _store_citations(checked: Sequence[CheckedClaim]) -> None:
    rows = []
    for claim in checked:
        for citation, verdict in zip(claim.judged.citations, claim.judged.by_citation, strict=True):
            confidence = claim.standing.citations.get(citation.pk)
            citation.confidence = confidence.value if confidence else None
            citation.confidence_factors = factors_of(confidence) if confidence else None
            citation.verification_status, citation.verification_notes = _build_status_and_notes(
                citation, verdict
            )
            citation.verified_by = VerifiedBy.HUMAN if claim.judged.accepted else VerifiedBy.AUTO
            rows.append(citation)
    Citation.objects.bulk_update(
        rows,
        ["confidence", "confidence_factors", "verification_status", "verification_notes", "verified_by"],
    )
    Citation.objects.filter(pk__in=[row.pk for row in rows]).update(verified_at=Now())


def _store_credibility(findings: VerificationFindings) -> None:
    sources = {row.source_id: row.source for rows in findings.draft.citations.values() for row in rows}
    for pk, source in sources.items():
        source.credibility = findings.credibility[pk].score
        if source.assessment:
            parts = [part.model_dump(mode="json") for part in parts_of(findings.credibility[pk])]
            source.assessment = source.assessment | {"credibility": parts}
    Source.objects.bulk_update(sources.values(), ["credibility", "assessment"])


_CITED = {
    VerdictStatus.VERIFIED: CitationStatus.VERIFIED,
    VerdictStatus.PARAPHRASED_ACCURATE: CitationStatus.VERIFIED,
    VerdictStatus.CONTRADICTED: CitationStatus.DISPUTED,
}
_CONTRADICTED = {
    Conflict.NONE: ContradictionStatus.NONE,
    Conflict.RESOLVED: ContradictionStatus.RESOLVED,
    Conflict.PRESENTED_BOTH: ContradictionStatus.PRESENTED_BOTH,
}


def factors_of(confidence: Confidence) -> dict[str, object]:
    factors = confidence.factors
    return {
        "text_match": factors.text_match,
        "context_match": factors.context_match,
        "source_authority": factors.source_authority,
        "corroboration": factors.corroboration,
        "caps": [cap.reason for cap in confidence.caps],
    }
