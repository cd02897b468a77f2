"""Summarise a checked report in figures: counted over the finished text; rejected claims are counted separately."""

from dataclasses import dataclass
from statistics import fmean

from citations.models import OverallStatus
from citations.verification import judge_report
from research.pipelines.common.verifying.report_verification_findings import VerificationFindings


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures.

    `accuracy` is 0–1 (spec: grounding.md); `quality` is 0–100, the mean confidence of the report's claims.
    """

    status: OverallStatus
    accuracy: float | None
    counts: dict[str, int]
    quality: float | None


def summarise_findings(findings: VerificationFindings) -> Summary:
    kept = findings.kept_claims
    judged = judge_report(
        [checked_claim.judged.verdict.status for checked_claim in kept],
        hallucinations=len(findings.draft.made_up),
    )
    quality = 100 * fmean(checked_claim.standing.confidence.value for checked_claim in kept) if kept else None
    return Summary(
        status=OverallStatus(judged.overall.value),
        accuracy=judged.accuracy,
        counts={status.value: count for status, count in judged.counts.items()}
        | {"left_out": len(findings.checked) - len(kept)},
        quality=round(quality, 1) if quality is not None else None,
    )
