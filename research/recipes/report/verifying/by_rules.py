"""Verifying: every placed claim is checked by the rules, weighed and compared; what is weak or missing is counted."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import fmean
from uuid import UUID

from django.db.models.functions import Now
from django.utils import timezone

from citations.confidence import Confidence, Conflict
from citations.models import (
    Citation,
    CitationStatus,
    Claim,
    Contradiction,
    ContradictionStatus,
    OverallStatus,
    VerificationIssue,
    VerificationReport,
    VerifiedBy,
    Warning,
)
from citations.verification import Status, Verdict, judge_report
from citations.weighing.credibility import Credibility
from research.lifecycle.recipe import StepResult, StepWork
from research.likeness import NearestSentence
from research.models import Run, Source
from research.models.schemas import RunOutcome
from research.reading.vectors.embedding import builtin_embedder
from research.recipes.report import diary
from research.recipes.report.citing import leave_out
from research.recipes.report.engine import Engine
from research.recipes.report.verifying.checking import Checked, Judged, judge, weigh
from research.recipes.report.verifying.coverage import coverages
from research.recipes.report.verifying.credibility import credibilities
from research.recipes.report.verifying.disputes import Disputes, find_disputes
from research.recipes.report.verifying.drafts import Draft, read_draft
from research.recipes.report.verifying.issues import find_issues
from research.recipes.report.verifying.shortcomings import find_shortcomings
from research.tenancy import tenant_context

SUMMARY_CLAIMS = 3


def verify_report(work: StepWork) -> StepResult:
    with tenant_context(work.tenant_id):
        findings = find(read_draft(work.run_id), timezone.now().date())
    return verified(findings)


def verified(findings: "Findings") -> StepResult:
    """The step's result: all that was found is stored, and what no source carries leaves the report."""

    def save() -> None:
        store(findings, timezone.now().date())
        for one in findings.judged:
            if not one.is_kept:
                leave_out(findings.draft.run.pk, [one.claim], reason_to_refuse(one.verdict))
        diary.checked(findings.draft.run)

    counts = Counter(one.status.value for one in findings.judged)
    return StepResult({"counts": dict(counts)}, save=save, activity=f"Checking {counts.total()} claims")


@dataclass(frozen=True, slots=True)
class Findings:
    """What came of checking a draft; `checked` in the order of its claims."""

    draft: Draft
    checked: tuple[Checked, ...]
    disputes: Disputes
    credibility: Mapping[UUID, Credibility]  # by source

    @property
    def judged(self) -> tuple[Judged, ...]:
        return tuple(one.judged for one in self.checked)

    @property
    def kept(self) -> tuple[Checked, ...]:
        return tuple(one for one in self.checked if one.judged.is_kept)


def unheard(judged: Judged) -> Judged:
    """Nobody but the rules is asked."""
    return judged


def find(draft: Draft, today: date, hear: Callable[[Judged], Judged] = unheard) -> Findings:
    """`hear` gives a judged claim as it stands after a second opinion."""
    disputes = find_disputes(draft.claims, draft.citations, draft.origins, today)
    alike = NearestSentence(
        builtin_embedder()
    )  # asked only about claims that are not their source's own words
    judged = [hear(judge(claim, draft, alike)) for claim in draft.claims]
    credibility = credibilities(judged, draft.origins, today)
    checked = (weigh(one, draft, disputes.conflict_of(one.claim.pk), credibility, today) for one in judged)
    return Findings(draft, tuple(checked), disputes, credibility)


def reason_to_refuse(verdict: Verdict) -> str:
    is_denied = verdict.status is Status.CONTRADICTED
    outcome = "Its source says otherwise." if is_denied else "Its source does not carry it."
    return " ".join((outcome, *verdict.reasons))


@dataclass(frozen=True, slots=True)
class Summary:
    """`accuracy` 0–1 (spec: grounding.md); `quality` 0–100: the mean confidence of the report's claims."""

    status: OverallStatus
    accuracy: float | None
    counts: dict[str, int]
    quality: float | None


def store(findings: Findings, today: date) -> None:
    """Everything that verification found, in the step's transaction."""
    draft, run = findings.draft, findings.draft.run
    _store_claims(findings.checked)
    _store_citations(findings.checked)
    _store_credibility(findings)
    Contradiction.objects.filter(run=run, resolved_by=None).delete()  # of an earlier version
    Contradiction.objects.bulk_create(findings.disputes.rows, ignore_conflicts=True)
    report = summarised(findings)
    _store_report(findings, report, today)
    Warning.objects.filter(run=run).delete()
    claims = [one.judged.claim for one in findings.kept]
    Warning.objects.bulk_create(
        find_shortcomings(
            run,
            claims,
            draft.citations,
            draft.origins,
            open_parts=draft.open_parts,
            disputes=len(findings.disputes.rows),
            today=today,
            covered=coverages(run, claims, draft.citations, draft.origins),
        )
    )
    outcome = RunOutcome.model_validate(run.result)
    outcome.summary = [one.judged.claim.text for one in findings.kept[:SUMMARY_CLAIMS]]
    cost = {} if Engine(outcome.engine) is Engine.MODEL else {"cost_usd": 0}
    Run.objects.filter(pk=run.pk).update(
        result=outcome.model_dump(mode="json"), quality_score=report.quality, **cost
    )


def _store_report(findings: Findings, summary: Summary, today: date) -> None:
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
        findings.judged, draft.sections, today, is_strict=draft.config.fact_check == "strict"
    )
    for issue in issues:
        issue.report = report
    report.issues.all().delete()
    VerificationIssue.objects.bulk_create(issues)


def summarised(findings: Findings) -> Summary:
    """Counted over the finished text; what was refused is out of it, and counted apart."""
    kept = findings.kept
    judged = judge_report([one.judged.verdict.status for one in kept])
    quality = 100 * fmean(one.standing.confidence.value for one in kept) if kept else None
    return Summary(
        status=OverallStatus(judged.overall.value),
        accuracy=judged.accuracy,
        counts={status.value: count for status, count in judged.counts.items()}
        | {"left_out": len(findings.checked) - len(kept)},
        quality=round(quality, 1) if quality is not None else None,
    )


def _store_claims(checked: Sequence[Checked]) -> None:
    for one in checked:
        judged, found = one.judged, one.standing
        claim = judged.claim
        claim.strength, claim.origins = found.strength.value, found.origins
        claim.confidence = found.confidence.value
        claim.confidence_factors = factors_of(found.confidence)
        claim.verification_status = judged.status
        claim.verification_note = " ".join(judged.verdict.reasons)
        claim.alignment = [part.model_dump(mode="json") for part in judged.alignment]
        claim.contradiction_status = _CONTRADICTED[one.conflict]
    Claim.objects.bulk_update(
        [one.judged.claim for one in checked],
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


def _noted(citation: Citation, verdict: Verdict) -> tuple[CitationStatus, str]:
    """Status and notes. A quote that was named for another source keeps that mark, on a line of its own."""
    status = _CITED.get(verdict.status, CitationStatus.UNVERIFIED)
    reasons = " ".join(verdict.reasons)
    if citation.verification_status != CitationStatus.CORRECTED or status is CitationStatus.DISPUTED:
        return status, reasons
    return CitationStatus.CORRECTED, "\n".join(
        filter(None, (citation.verification_notes.partition("\n")[0], reasons))
    )


def _store_citations(checked: Sequence[Checked]) -> None:
    rows = []
    for one in checked:
        for citation, verdict in zip(one.judged.citations, one.judged.by_citation, strict=True):
            confidence = one.standing.citations.get(citation.pk)
            citation.confidence = confidence.value if confidence else None
            citation.confidence_factors = factors_of(confidence) if confidence else None
            citation.verification_status, citation.verification_notes = _noted(citation, verdict)
            citation.verified_by = VerifiedBy.AUTO
            rows.append(citation)
    Citation.objects.bulk_update(
        rows,
        ["confidence", "confidence_factors", "verification_status", "verification_notes", "verified_by"],
    )
    Citation.objects.filter(pk__in=[row.pk for row in rows]).update(verified_at=Now())


def _store_credibility(findings: Findings) -> None:
    sources = {row.source_id: row.source for rows in findings.draft.citations.values() for row in rows}
    for pk, source in sources.items():
        source.credibility = findings.credibility[pk].score
    Source.objects.bulk_update(sources.values(), ["credibility"])


_CITED = {
    Status.VERIFIED: CitationStatus.VERIFIED,
    Status.PARAPHRASED_ACCURATE: CitationStatus.VERIFIED,
    Status.CONTRADICTED: CitationStatus.DISPUTED,
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
