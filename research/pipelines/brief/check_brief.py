"""Check a brief: each claim against the words that it cites, alone or together, and against what contradicts it."""

import time
from collections.abc import Sequence
from datetime import date
from uuid import UUID

from django.utils import timezone

from citations.models import Citation, Claim
from citations.verification import (
    CitedPassage,
    SimilarityFunction,
    Verdict,
    VerificationLevel,
    decide,
    verify_each,
)
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.library.retrieval.library_passage_similarity import NearestSentence
from research.models import Run
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.brief.brief_config import BriefConfig
from research.pipelines.brief.brief_source_words import with_title
from research.pipelines.brief.drafting.draft_brief_by_rules import WHOLLY
from research.pipelines.brief.finish_brief import finish
from research.pipelines.brief.join_brief_excerpts import join
from research.pipelines.brief.stored_brief import BriefDraft, own_of
from research.pipelines.common.report_claim_alignment import build_alignment, window
from research.pipelines.common.settle_report_disputes import find_disputes
from research.pipelines.common.verifying.check_report_claims import CARRYING, JudgedClaim, weigh
from research.pipelines.common.verifying.rate_report_sources import credibilities
from research.pipelines.common.verifying.read_report_to_verify import ReportDraft, origins_of
from research.pipelines.common.verifying.report_verification_findings import VerificationFindings
from research.pipelines.common.verifying.store_report_verification import store_findings
from research.pipelines.report.report_config import ReportConfig

LEVEL = VerificationLevel.STRICT  # every part of a brief's claims is checked


def check(work: StepWork) -> StepResult:
    began = time.monotonic()
    with tenant_context(work.tenant_id):
        draft = read_draft(work.run_id)
    findings = find(draft, timezone.now().date())
    own = own_of(draft.run)
    brief_draft = own.draft if own and own.draft else BriefDraft()

    def save() -> None:
        store_findings(findings, findings.refused_claims)
        finish(work.run_id, brief_draft, round(1000 * (time.monotonic() - began)))

    output = {
        "claims": len(findings.kept_claims),
        "left_out": len(findings.refused_claims),
        "disputes": len(findings.disputes.rows),
    }
    return StepResult(output, save=save, activity="Checking the claims")


def read_draft(run_id: UUID) -> ReportDraft:
    """Return the draft of a brief in the shape in which reports are checked. Needs the tenant set."""
    run = Run.objects.get(pk=run_id)
    query, own = BriefConfig.model_validate(run.config).context.original_query, own_of(run)
    claims = tuple(Claim.objects.filter(run=run, section__isnull=False).order_by("number"))
    rows = Citation.objects.filter(claim__in=claims).select_related("source__content", "chunk")
    citations: dict[UUID, list[Citation]] = {claim.pk: [] for claim in claims}
    for row in rows.order_by("citation_index"):
        citations[row.claim_id].append(row)
    return ReportDraft(
        run=run,
        config=ReportConfig(fact_check=LEVEL.value, reviews="never"),
        claims=claims,
        sections=(),
        citations={claim: tuple(found) for claim, found in citations.items()},
        origins=origins_of({row.source_id: row.source for row in rows}.values()),
        open_parts=(),
        topic=frozenset((query or (own.answer if own else run.topic)).casefold().split()),
        question=query.strip(),  # a topic taken from the answer is not a question
    )


def find(draft: ReportDraft, today: date) -> VerificationFindings:
    alike = NearestSentence(builtin_embedder())
    disputes = find_disputes(draft.claims, draft.citations, draft.origins, today)
    judged = [judge(claim, draft.citations[claim.pk], alike) for claim in draft.claims]
    credibility = credibilities(judged, draft.origins, today)
    checked = (
        weigh(judged_claim, draft, disputes.conflict_of(judged_claim.claim.pk), credibility, alike, today)
        for judged_claim in judged
    )
    return VerificationFindings(draft, tuple(checked), disputes, credibility, today)


def judge(claim: Claim, citations: tuple[Citation, ...], alike: SimilarityFunction) -> JudgedClaim:
    """Judge a claim by the words of each citation and, if none supports all of it, also by their titles."""
    windows = [window(citation) for citation in citations]
    passages = [CitedPassage(with_title(_title(row), row.quote), str(row.source_id)) for row in citations]
    each = verify_each(
        claim.text, [CitedPassage(excerpt.text) for excerpt in windows], level=LEVEL, similarity=alike
    )
    verdict = decide(each, passages, LEVEL)
    if verdict.status not in WHOLLY:
        verdict = _with_titles(claim.text, passages, alike, verdict)
    parts = build_alignment(claim.text, windows, each, verdict.passage or 0)
    return JudgedClaim(claim, citations, verdict, each, tuple(parts))


def _title(row: Citation) -> str:
    """Return the titles of the page and section that contain the cited words; these may also give their date."""
    return " · ".join(filter(None, (row.source.title, row.chunk.section_header if row.chunk else "")))


def _with_titles(
    text: str, passages: Sequence[CitedPassage], alike: SimilarityFunction, alone: Verdict
) -> Verdict:
    """Return the best verdict on the passages with their titles: one by one, joined, and part by part.

    The verdict on the words alone is kept unless one of these supports more.
    """
    titled = verify_each(text, passages, level=LEVEL, similarity=alike)
    whole = CitedPassage("\n\n".join(passage.text for passage in passages))
    together = verify_each(text, [whole], level=LEVEL, similarity=alike)
    carrying = [verdict for verdict in (*titled, *together) if verdict.status in CARRYING]
    joined = join(text, titled, len(passages))
    if wholly := [verdict for verdict in carrying if verdict.status in WHOLLY]:
        return wholly[0]
    if joined is not None:
        return joined.verdict
    return alone if alone.status in CARRYING or not carrying else carrying[0]
