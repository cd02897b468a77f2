"""Checking a brief: each claim by the words that it cites, alone or together, and by what stands against it."""

import time
from datetime import date
from uuid import UUID

from django.utils import timezone

from citations.models import Citation, Claim
from citations.verification import Level, Passage, Similarity, decide, verify_each
from research.lifecycle.recipe import StepResult, StepWork
from research.likeness import NearestSentence
from research.models import Run
from research.reading.vectors.embedding import builtin_embedder
from research.recipes.brief.finishing import finish
from research.recipes.brief.stored import BriefDraft, own_of
from research.recipes.report.alignment import stored_alignment, window
from research.recipes.report.config import ReportConfig
from research.recipes.report.disputes import find_disputes
from research.recipes.report.verifying.checking import CARRYING, Judged, weigh
from research.recipes.report.verifying.credibility import credibilities
from research.recipes.report.verifying.drafts import Draft, origins_of
from research.recipes.report.verifying.findings import Findings
from research.recipes.report.verifying.storing import store_findings
from research.tenancy import tenant_context

LEVEL = Level.STRICT  # what a brief says is checked whole


def check(work: StepWork) -> StepResult:
    began = time.monotonic()
    with tenant_context(work.tenant_id):
        draft = read_draft(work.run_id)
    findings = find(draft, timezone.now().date())
    own = own_of(draft.run)
    known = own.draft if own and own.draft else BriefDraft()

    def save() -> None:
        store_findings(findings, findings.refused)
        finish(work.run_id, known, round(1000 * (time.monotonic() - began)))

    output = {
        "claims": len(findings.kept),
        "left_out": len(findings.refused),
        "disputes": len(findings.disputes.rows),
    }
    return StepResult(output, save=save, activity="Checking the claims")


def read_draft(run_id: UUID) -> Draft:
    """The brief as it was drafted, in the shape in which reports are checked. Needs the tenant set."""
    run = Run.objects.get(pk=run_id)
    claims = tuple(Claim.objects.filter(run=run, section__isnull=False).order_by("number"))
    rows = Citation.objects.filter(claim__in=claims).select_related("source__content", "chunk")
    citations: dict[UUID, list[Citation]] = {claim.pk: [] for claim in claims}
    for row in rows.order_by("citation_index"):
        citations[row.claim_id].append(row)
    return Draft(
        run=run,
        config=ReportConfig(fact_check=LEVEL.value, reviews="never"),
        claims=claims,
        sections=(),
        citations={claim: tuple(found) for claim, found in citations.items()},
        origins=origins_of({row.source_id: row.source for row in rows}.values()),
        open_parts=(),
        topic=frozenset(run.topic.casefold().split()),
    )


def find(draft: Draft, today: date) -> Findings:
    alike = NearestSentence(builtin_embedder())
    disputes = find_disputes(draft.claims, draft.citations, draft.origins, today)
    judged = [judge(claim, draft.citations[claim.pk], alike) for claim in draft.claims]
    credibility = credibilities(judged, draft.origins, today)
    checked = (
        weigh(one, draft, disputes.conflict_of(one.claim.pk), credibility, alike, today) for one in judged
    )
    return Findings(draft, tuple(checked), disputes, credibility, today)


def judge(claim: Claim, citations: tuple[Citation, ...], alike: Similarity) -> Judged:
    """By each citation; where none carries the claim alone, by all of them together.

    Each is read with its source's title, which says whose words they are.
    """
    windows = [window(one) for one in citations]
    passages = [
        Passage(f"{row.source.title}\n\n{one.text}", str(row.source_id))
        for one, row in zip(windows, citations, strict=True)
    ]
    each = verify_each(claim.text, [Passage(one.text) for one in windows], level=LEVEL, similarity=alike)
    verdict = decide(each, passages, LEVEL)
    if verdict.status not in CARRYING:
        titled = verify_each(claim.text, passages, level=LEVEL, similarity=alike)
        whole = Passage("\n\n".join(one.text for one in passages))
        together = verify_each(claim.text, [whole], level=LEVEL, similarity=alike)
        better = next((one for one in (*titled, *together) if one.status in CARRYING), None)
        verdict = verdict if better is None else better
    parts = stored_alignment(claim.text, windows, each, verdict.passage or 0)
    return Judged(claim, citations, verdict, each, tuple(parts))
