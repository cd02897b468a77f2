"""Verifying: every placed claim is checked by the rules, weighed and compared; what is weak or missing is counted."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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
    ClaimStatus,
    Contradiction,
    ContradictionStatus,
    OverallStatus,
    VerificationReport,
    VerifiedBy,
    Warning,
)
from citations.report_checks import judge_report
from citations.strength import Origin
from citations.verification import Level, Passage, Status, Verdict, verify
from research.agents.extractive.question import analyse
from research.library.copies import text_groups
from research.lifecycle.recipe import StepResult, StepWork
from research.models import Run, Source
from research.models.schemas import RunOutcome, StoredPart
from research.recipes.report.alignment import stored_alignment, window
from research.recipes.report.citing import leave_out
from research.recipes.report.config import ReportConfig
from research.recipes.report.disputes import Disputes, find_disputes
from research.recipes.report.evidence import read_open_parts
from research.recipes.report.shortcomings import find_shortcomings
from research.recipes.report.standing import Standing, origin_of, standing
from research.tenancy import tenant_context

SUMMARY_CLAIMS = 3
REFUSED = frozenset({ClaimStatus.UNSUPPORTED, ClaimStatus.CONTRADICTED})
CARRYING = frozenset({Status.VERIFIED, Status.PARAPHRASED_ACCURATE, Status.PARTIALLY_SUPPORTED})


@dataclass(frozen=True, slots=True)
class Checked:
    """A placed claim with its citations and what came of checking it."""

    claim: Claim
    citations: tuple[Citation, ...]
    verdict: Verdict
    by_citation: tuple[Verdict, ...]  # what each citation's words alone come to
    alignment: tuple[StoredPart, ...]
    conflict: Conflict
    standing: Standing  # by the citations that carry the claim at least in part

    @property
    def status(self) -> ClaimStatus:
        return ClaimStatus(self.verdict.status.value)


@dataclass(frozen=True, slots=True)
class Draft:
    """The report as it was written and cited."""

    run: Run
    config: ReportConfig
    claims: tuple[Claim, ...]
    citations: Mapping[UUID, tuple[Citation, ...]]
    origins: Mapping[UUID, Origin]  # by source
    open_parts: tuple[str, ...]  # of the question
    topic: frozenset[str]  # the question's words


def verify_report(work: StepWork) -> StepResult:
    with tenant_context(work.tenant_id):
        draft = read_draft(work.run_id)
    today = timezone.now().date()
    disputes = find_disputes(draft.claims, draft.citations, draft.origins, today)
    checked = [_check(claim, draft, disputes.conflict_of(claim.pk), today) for claim in draft.claims]
    refused = [one for one in checked if one.status in REFUSED]
    kept = [one for one in checked if one.status not in REFUSED]

    def save() -> None:
        store(draft, checked, kept, disputes, today)
        for one in refused:
            leave_out(work.run_id, [one.claim], reason_to_refuse(one.verdict))

    counts = Counter(one.status.value for one in checked)
    return StepResult({"counts": dict(counts)}, save=save, activity=f"Checking {len(checked)} claims")


def reason_to_refuse(verdict: Verdict) -> str:
    is_denied = verdict.status is Status.CONTRADICTED
    outcome = "Its source says otherwise." if is_denied else "Its source does not carry it."
    return " ".join((outcome, *verdict.reasons))


def read_draft(run_id: UUID) -> Draft:
    run = Run.objects.get(pk=run_id)
    claims = tuple(Claim.objects.filter(run=run, section__isnull=False).order_by("number"))
    rows = Citation.objects.filter(claim__in=claims).select_related("source__content", "chunk")
    citations: dict[UUID, list[Citation]] = {claim.pk: [] for claim in claims}
    for row in rows.order_by("citation_index"):
        citations[row.claim_id].append(row)
    sources = {row.source_id: row.source for row in rows}
    return Draft(
        run=run,
        config=ReportConfig.model_validate(run.config),
        claims=claims,
        citations={claim: tuple(found) for claim, found in citations.items()},
        origins=_origins(sources.values()),
        open_parts=read_open_parts(run_id),
        topic=frozenset(term.surface.casefold() for term in analyse(run.topic).terms),
    )


def _origins(sources: Iterable[Source]) -> dict[UUID, Origin]:
    found = sorted(sources, key=lambda source: source.pk)
    groups = text_groups(source.content for source in found if source.content)
    return {
        source.pk: origin_of(source, groups[source.content.pk] if source.content else "") for source in found
    }


def _check(claim: Claim, draft: Draft, conflict: Conflict, today: date) -> Checked:
    citations = draft.citations[claim.pk]
    windows = [window(one) for one in citations]
    passages = [Passage(one.text, str(row.source_id)) for one, row in zip(windows, citations, strict=True)]
    verdict = _judge(claim, passages, draft.config)
    each = (
        tuple(_judge(claim, [passage], draft.config) for passage in passages)
        if len(passages) > 1
        else (verdict,) * len(passages)
    )
    carrying = [row for row, one in zip(citations, each, strict=True) if one.status in CARRYING]
    is_disputed = bool(carrying) and any(one.status is Status.CONTRADICTED for one in each)
    if is_disputed and conflict is Conflict.NONE:
        conflict = Conflict.PRESENTED_BOTH
    return Checked(
        claim=claim,
        citations=citations,
        verdict=verdict,
        by_citation=each,
        alignment=tuple(stored_alignment(claim.text, windows, each, verdict.passage or 0)),
        conflict=conflict,
        standing=standing(
            claim, carrying or citations, draft.origins, conflict, topic=draft.topic, today=today
        ),
    )


def _judge(claim: Claim, passages: Sequence[Passage], config: ReportConfig) -> Verdict:
    return verify(claim.text, passages, level=Level(config.fact_check))


def store(
    draft: Draft, checked: Sequence[Checked], kept: Sequence[Checked], disputes: Disputes, today: date
) -> None:
    """Everything that verification found, in the step's transaction."""
    _store_claims(checked)
    _store_citations(checked)
    Contradiction.objects.bulk_create(disputes.rows, ignore_conflicts=True)
    report = summarised(draft, checked, kept)
    VerificationReport.objects.update_or_create(
        run=draft.run,
        report_version=draft.run.report_version,
        defaults={
            "level": draft.config.fact_check,
            "overall_status": report.status,
            "accuracy": report.accuracy,
            "counts": report.counts,
        },
    )
    Warning.objects.filter(run=draft.run).delete()
    Warning.objects.bulk_create(
        find_shortcomings(
            draft.run,
            [one.claim for one in kept],
            draft.citations,
            draft.origins,
            open_parts=draft.open_parts,
            disputes=len(disputes.rows),
            today=today,
        )
    )
    outcome = RunOutcome.model_validate(draft.run.result)
    outcome.summary = [one.claim.text for one in kept[:SUMMARY_CLAIMS]]
    Run.objects.filter(pk=draft.run.pk).update(
        result=outcome.model_dump(mode="json"), quality_score=report.quality, cost_usd=0
    )


@dataclass(frozen=True, slots=True)
class Summary:
    """`accuracy` 0–1 (spec: grounding.md); `quality` 0–100: the mean confidence of the report's claims."""

    status: OverallStatus
    accuracy: float | None
    counts: dict[str, int]
    quality: float | None


def summarised(draft: Draft, checked: Sequence[Checked], kept: Sequence[Checked]) -> Summary:
    judged = judge_report([one.verdict.status for one in kept])
    quality = 100 * fmean(one.standing.confidence.value for one in kept) if kept else None
    return Summary(
        # What was refused is out of the text by now, and the extractive writer would write the rest again.
        status=OverallStatus.PASSED,
        accuracy=judged.accuracy,
        counts={status.value: count for status, count in judged.counts.items()}
        | {"left_out": len(checked) - len(kept)},
        quality=round(quality, 1) if quality is not None else None,
    )


def _store_claims(checked: Sequence[Checked]) -> None:
    for one in checked:
        claim, found = one.claim, one.standing
        claim.strength, claim.origins = found.strength.value, found.origins
        claim.confidence = found.confidence.value
        claim.confidence_factors = factors_of(found.confidence)
        claim.verification_status = one.status
        claim.verification_note = " ".join(one.verdict.reasons)
        claim.alignment = [part.model_dump(mode="json") for part in one.alignment]
        claim.contradiction_status = _CONTRADICTED[one.conflict]
    Claim.objects.bulk_update(
        [one.claim for one in checked],
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


def _store_citations(checked: Sequence[Checked]) -> None:
    rows = []
    for one in checked:
        for citation, verdict in zip(one.citations, one.by_citation, strict=True):
            confidence = one.standing.citations.get(citation.pk)
            citation.confidence = confidence.value if confidence else None
            citation.confidence_factors = factors_of(confidence) if confidence else None
            citation.verification_status = _CITED.get(verdict.status, CitationStatus.UNVERIFIED)
            citation.verification_notes = " ".join(verdict.reasons)
            citation.verified_by = VerifiedBy.AUTO
            rows.append(citation)
    Citation.objects.bulk_update(
        rows,
        ["confidence", "confidence_factors", "verification_status", "verification_notes", "verified_by"],
    )
    Citation.objects.filter(pk__in=[row.pk for row in rows]).update(verified_at=Now())


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
