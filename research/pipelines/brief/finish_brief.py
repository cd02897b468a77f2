"""Finish a brief: score the checked draft, store it for the same input, and send it to its consumer."""

import re
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db.models import Sum
from django.utils import translation

from citations.claim_confidence import AUTHORITATIVE_TIER
from citations.claim_strength import origins
from citations.credibility.credibility_brief_scores import (
    FALLBACK,
    LOW_CONFIDENCE,
    aggregate,
    claim_score,
    quality,
)
from citations.models import Citation, Claim, ContradictionStatus, Section, SectionStatus, Warning
from exports.stored.translate_exported_sentences import translate_stored_text
from research.extractive.question.question_translation import detect_language
from research.models import BriefRecord, Run, Step
from research.models.schemas import RunOutcome
from research.pipelines.brief.brief_config import BriefConfig, BriefContext
from research.pipelines.brief.brief_source_words import EvidenceWords
from research.pipelines.brief.drafting.brief_prompt_edits import apply_edits, rank_edits, shorten_text
from research.pipelines.brief.drafting.brief_standard_texts import note_what_came_in, reason_of, warnings_of
from research.pipelines.brief.drafting.draft_brief_by_rules import (
    SAYS,
    find_near,
    is_reservation,
    is_said_by,
    say_together,
    statements,
)
from research.pipelines.brief.queue_brief_delivery import post_brief
from research.pipelines.brief.stored_brief import (
    Brief,
    BriefDraft,
    BriefOwn,
    KeyClaim,
    KeyEvidence,
    Metadata,
    OwnSentence,
    PromptEdit,
    RefusedSentence,
    StoredQuality,
)
from research.pipelines.common.verifying.read_report_to_verify import origins_of

CAPS: Mapping[str, float] = {
    ContradictionStatus.RESOLVED: 0.8,
    ContradictionStatus.PRESENTED_BOTH: 0.6,
    ContradictionStatus.HUMAN: 0.6,
}
EDITS_HEADING = "Suggested prompt edits"
THEN_READS = "The prompt then reads:"
OPENS = "Each claim opens onto the words that it stands on."
TRUSTED_LITTLE = "W019"  # based on the confidence of a report's claims, while a brief has its own scores
MAX_OF_SUMMARY = 5  # claims
IN_SHORT = 3  # claims of the first part
MAX_VERDICTS = 2  # sentences of the existing text that the first part judges
OWN_TEXT_HEADING = "Your text"
INSTEAD = "A text that the sources carry:"


def finish(run_id: UUID, draft: BriefDraft, spent_ms: int = 0) -> None:
    """Finish the brief in the transaction that ends the step, with the run's row locked.

    `spent_ms`: how long this step has taken so far, in milliseconds.
    """
    run = Run.objects.get(pk=run_id)
    outcome = RunOutcome.model_validate(run.result)
    own = BriefOwn.model_validate(outcome.own)
    own.draft = None
    context = BriefConfig.model_validate(run.config).context
    scored = _score_claims(run_id, is_fallback=draft.is_fallback)
    brief = _get_or_store_brief(
        own,
        draft,
        _brief(own, context, draft, scored, outcome.engine, _sum_step_durations(run_id) + spent_ms),
    )
    own.brief, own.routed_to = brief, _route(context)
    if brief.prompt_edits:
        own.edited_prompt = apply_edits(context.existing_content, brief.prompt_edits)
    outcome.own = own.model_dump(mode="json")
    outcome.insufficient = bool(own.reason)
    outcome.reasons = note_what_came_in(own)[:1] if own.reason else []
    lead = answer_note(own, draft.refused, brief.key_claims) if brief.key_claims else ""
    verdicts = own_text_notes(draft.own_text)[:MAX_VERDICTS]
    outcome.summary = order_summary(lead, choose_in_short(brief.key_claims), verdicts, draft.refused)
    _store_edits(run_id, brief.prompt_edits, own.edited_prompt)
    _store_own_text(run_id, draft, scored)
    Warning.objects.filter(run_id=run_id, code=TRUSTED_LITTLE).delete()
    Warning.objects.bulk_create(warnings_of(run_id, own, draft, len(brief.key_claims)))
    mean = brief.confidence
    Run.objects.filter(pk=run_id).update(
        result=outcome.model_dump(mode="json"), quality_score=None if mean is None else round(100 * mean, 1)
    )
    if own.routed_to:
        post_brief(run, own.routed_to, brief.model_dump(mode="json"))


def _sum_step_durations(run_id: UUID) -> int:
    total = Step.objects.filter(run_id=run_id, handler__startswith="brief.").aggregate(ms=Sum("duration_ms"))
    return int(total["ms"] or 0)


def _route(context: BriefContext) -> str:
    return "image_prompt" if context.content_type == "image" else "rewrite"


def _get_or_store_brief(own: BriefOwn, draft: BriefDraft, brief: Brief) -> Brief:
    """Return the brief stored for the same input; if there is none, store this one and return it.

    A fallback is returned without being stored.
    """
    if draft.is_fallback:
        return brief
    record = BriefRecord.objects.select_for_update().filter(input_hash=own.input_hash).first()
    if record is None:
        return brief
    if record.brief is not None:
        return Brief.model_validate(record.brief)
    record.brief = brief.model_dump(mode="json")
    record.save(update_fields=["brief", "updated_at"])
    return brief


def _score_claims(run_id: UUID, *, is_fallback: bool) -> list[tuple[Claim, KeyClaim]]:
    """Return the claims of the brief in their order, each with its score, which is stored with it."""
    claims = list(Claim.objects.filter(run_id=run_id, section__isnull=False).order_by("number"))
    rows = (
        Citation.objects.filter(claim__in=claims).select_related("source__content").order_by("citation_index")
    )
    cited: dict[UUID, list[Citation]] = {claim.pk: [] for claim in claims}
    for row in rows:
        cited[row.claim_id].append(row)
    known = origins_of({row.source_id: row.source for row in rows}.values())
    good = {str(row.source_id) for row in rows if row.source.tier <= AUTHORITATIVE_TIER}
    scored = []
    for claim in claims:
        citations = cited[claim.pk]
        groups = origins(known[row.source_id] for row in citations)
        authorities = sum(bool(group & good) for group in groups)
        scored.append((claim, _key_claim(claim, citations, authorities, is_fallback=is_fallback)))
    Claim.objects.bulk_update([claim for claim, _ in scored], ["confidence"])
    return scored


def _key_claim(
    claim: Claim, citations: Sequence[Citation], authorities: int, *, is_fallback: bool
) -> KeyClaim:
    limit = CAPS.get(claim.contradiction_status, 1.0)
    relevances = [row.source.relevance_score or 0.0 for row in citations]
    score = claim_score(relevances, authorities=authorities, limit=limit)
    claim.confidence = round(score * FALLBACK, 4) if is_fallback else score
    return KeyClaim(
        number=claim.number or 0,
        text=claim.text,
        category=claim.category,
        actionable=claim.actionable,
        confidence=claim.confidence,
        status=claim.verification_status,
        authorities=authorities,
        evidence=[
            KeyEvidence(
                url=row.source.url,
                title=row.source.title,
                quote=row.quote,
                relevance=row.source.relevance_score,
            )
            for row in citations
        ],
    )


def _brief(
    own: BriefOwn,
    context: BriefContext,
    draft: BriefDraft,
    scored: Sequence[tuple[Claim, KeyClaim]],
    engine: str,
    spent_ms: int,
) -> Brief:
    claims = [key_claim for _, key_claim in scored]
    edits = rank_edits(draft.edits, _numbers(draft, scored), claims) if context.wants_edits else []
    measures = quality(
        [len(claim.evidence) for claim in claims],
        [claim.actionable for claim in claims],
        [edit.confidence for edit in edits] if context.wants_edits else None,
    )
    reason = reason_of(own, draft, len(claims))
    with translation.override(detect_language(own.answer)):  # programs read one language, that of the answer
        summary = summary_of(own, claims, draft.refused, draft.own_text)
    return Brief(
        task_run=own.task_run,
        content_id=context.content_id,
        content_type=context.content_type,
        engine="fallback" if draft.is_fallback else "model" if engine == "model" else "extractive",
        summary=summary,
        key_claims=claims,
        prompt_edits=edits,
        confidence=aggregate(_trust(own, draft), [claim.confidence for claim in claims]),
        manual_review=bool(reason),
        reason=reason,
        metadata=Metadata(
            processing_ms=spent_ms,
            sources_analyzed=len({piece.source for piece in own.evidence}),
            claims_extracted=len(claims),
            low_confidence_claims=sum(claim.confidence < LOW_CONFIDENCE for claim in claims),
        ),
        quality=StoredQuality(
            evidence_ratio=measures.evidence_ratio,
            actionable_ratio=measures.actionable_ratio,
            edits=measures.edits,
            good_edits=measures.good_edits,
            has_evidence=measures.has_evidence,
            is_actionable=measures.is_actionable,
            has_edits=measures.has_edits,
        ),
    )


def _trust(own: BriefOwn, draft: BriefDraft) -> float | None:
    """Return the task's own confidence, reduced if rules stood in for a model; it enters every score."""
    given = own.given_confidence
    return round(given * FALLBACK, 4) if given is not None and draft.is_fallback else given


def _numbers(draft: BriefDraft, scored: Sequence[tuple[Claim, KeyClaim]]) -> list[int | None]:
    """Return the number of each draft claim, or None; a claim's `position` is its index in the draft."""
    placed = {claim.position: key_claim.number for claim, key_claim in scored}
    return [placed.get(place) for place in range(1, len(draft.claims) + 1)]


def answer_note(own: BriefOwn, refused: Sequence[RefusedSentence], claims: Sequence[KeyClaim]) -> str:
    """Return a note with the answer's first statement and why it is not a claim; empty if it is one."""
    first = next(statements(own.answer), "")
    if not first or any(first[:20] == claim.text[:20] for claim in claims):
        return ""
    refusal = next((sentence for sentence in refused if first.startswith(sentence.text.rstrip("."))), None)
    if refusal is None and _is_said(first, claims):
        return ""
    if refusal is None:  # claims in the words of the sources took its place
        near = find_near(
            first, [EvidenceWords("", 0, claim.text) for claim in claims], lambda _first, _second: 0.0
        )
        return f"The answer says “{_add_full_stop(first)}” {SAYS.format(words=near)}" if near else ""
    return f"The answer says “{_add_full_stop(refusal.text)}” {refusal.reason}"


def _is_said(statement: str, claims: Sequence[KeyClaim]) -> bool:
    if any(is_said_by(statement, claim.text) for claim in claims):
        return True
    return say_together(statement, [" ".join([claim.text, *_titles(claim)]) for claim in claims])


def _titles(claim: KeyClaim) -> list[str]:
    return [piece.title for piece in claim.evidence]


def choose_in_short(claims: Sequence[KeyClaim]) -> list[str]:
    """Return the first three claims, and the first reservation after them if none of these is one."""
    first, further = claims[:IN_SHORT], claims[IN_SHORT:]
    if any(is_reservation(claim.text) for claim in first):
        further = []
    reserved = [claim for claim in further if is_reservation(claim.text)][:1]
    return [claim.text for claim in (*first, *reserved)]


def order_summary(
    note: str, claims: Sequence[str], verdicts: Sequence[str], refused: Sequence[RefusedSentence]
) -> list[str]:
    """Return the claims, then the verdicts on the existing text, then the note on the answer.

    The note comes first if the sources contradict the answer, so that nobody reads the claims as its grounds.
    """
    is_contradicted = any(sentence.contradicted and sentence.reason in note for sentence in refused)
    before, after = ([note], []) if is_contradicted else ([], [note])
    return [*filter(None, before), *claims, *verdicts, *filter(None, after)]


def own_text_notes(own_text: Sequence[OwnSentence]) -> list[str]:
    """Return what the sources say of each sentence of the existing text, wrong ones first."""
    order = ("wrong", "unsaid", "said")
    return [
        _own_text_note(sentence)
        for sentence in sorted(own_text, key=lambda sentence: order.index(sentence.outcome))
    ]


def _own_text_note(sentence: OwnSentence) -> str:
    text = _add_full_stop(sentence.text)
    if sentence.outcome == "said":
        return f"Your text says “{text}” A source says so."
    if sentence.near:
        return f"Your text says “{text}” A source says: “{_add_full_stop(sentence.near)}”"
    if sentence.outcome == "unsaid":
        return f"Your text says “{text}” No source was found that says this."
    if sentence.denied_by:
        return f"Your text says “{text}” A source says otherwise: “{_add_full_stop(sentence.denied_by)}”"
    words = ", ".join(sentence.words)
    return f"Your text says “{text}” This is wrong according to the sources: “{words}” is in none of them."


def findings_of(own: BriefOwn, refused: Sequence[RefusedSentence], claims: Sequence[KeyClaim]) -> list[str]:
    """Return the contradicted statements and the quotes not found, without the answer's note."""
    lead = answer_note(own, refused, claims)
    denied = [
        f"The answer says “{_add_full_stop(sentence.text)}” {sentence.reason}"
        for sentence in refused
        if sentence.contradicted
    ]
    lost = [
        f"“{words}” does not stand in the library’s copy of the page that it is quoted from."
        for words in own.not_found
    ]
    return [finding for finding in (*denied, *lost) if finding != lead]


def _date_figures(claim: KeyClaim) -> str:
    """Return the claim's sentence, with the dated title of its first source if its figures have no year."""
    text = _add_full_stop(claim.text)
    title = claim.evidence[0].title if claim.evidence else ""
    is_undated = re.search(r"\d", text) and not _YEAR.search(text)
    return f"{text[:-1]} ({shorten_text(title, 80)})." if is_undated and _YEAR.search(title) else text


_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def summary_of(
    own: BriefOwn,
    claims: Sequence[KeyClaim],
    refused: Sequence[RefusedSentence] = (),
    own_text: Sequence[OwnSentence] = (),
) -> list[str]:
    """Return two or three paragraphs in the active language, together 100 characters and more.

    They contain the claims' sentences, the answer's first statement if it is not a claim, what the sources say of the
    existing text, the findings of the check, and the evidence base.
    """
    texts = [_date_figures(key_claim) for key_claim in claims[:MAX_OF_SUMMARY]]
    half = (len(texts) + 1) // 2
    first = order_summary(answer_note(own, refused, claims), texts[:half], [], refused)
    rest = [*texts[half:], *own_text_notes(own_text), *findings_of(own, refused, claims)]
    parts = [[*map(translate_stored_text, part)] for part in (first, rest) if part]
    if not texts:
        parts = [[translate_stored_text(note)] for note in note_what_came_in(own)]
    paragraphs = [" ".join(part) for part in parts]
    sources = len({piece.url for claim in claims for piece in claim.evidence})
    if texts:
        given = own.given_confidence
        trust = f" The task trusts its own result with {given:.2f}." if given is not None else ""
        paragraphs.append(
            translate_stored_text(
                f"{_count(len(claims), 'claim')} on {_count(sources, 'cited page')}. {OPENS}{trust}"
            )
        )
    return [paragraph for paragraph in paragraphs if paragraph]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _add_full_stop(text: str) -> str:
    return text if text.endswith((".", "!", "?", "”")) else f"{text}."


def _store_own_text(run_id: UUID, draft: BriefDraft, scored: Sequence[tuple[Claim, KeyClaim]]) -> None:
    """Store the verdicts on the existing text, and a text of the sources' sentences that can take its place."""
    if not draft.own_text or not scored:
        return
    verdicts = [{"text": note} for note in own_text_notes(draft.own_text)]
    blocks: list[dict[str, object]] = [{"type": "list", "sentences": verdicts}]
    if any(sentence.outcome != "said" for sentence in draft.own_text):
        about = {place for sentence in draft.own_text for place in sentence.claims}
        on_it = [claim for claim, _ in scored if (claim.position or 0) - 1 in about]
        claims = (on_it or [claim for claim, _ in scored])[:MAX_OF_SUMMARY]
        blocks += [
            {"type": "paragraph", "sentences": [{"text": INSTEAD}]},
            {"type": "paragraph", "sentences": [{"claim": str(claim.pk)} for claim in claims]},
        ]
    Section.objects.update_or_create(
        run_id=run_id,
        report_version=1,
        index=2,
        defaults={"heading": OWN_TEXT_HEADING, "status": SectionStatus.CITED, "body": {"blocks": blocks}},
    )
    Run.objects.filter(pk=run_id).update(total_sections=2, sections_completed=2)


def _store_edits(run_id: UUID, edits: Sequence[PromptEdit], edited_prompt: str) -> None:
    if not edits:
        return
    lines = [{"text": edit_line(edit)} for edit in edits]
    Section.objects.update_or_create(
        run_id=run_id,
        report_version=1,
        index=2,
        defaults={
            "heading": EDITS_HEADING,
            "status": SectionStatus.CITED,
            "body": {
                "blocks": [
                    {"type": "list", "sentences": lines},
                    {"type": "paragraph", "sentences": [{"text": THEN_READS}]},
                    {"type": "paragraph", "sentences": [{"text": edited_prompt}]},
                ]
            },
        },
    )
    Run.objects.filter(pk=run_id).update(total_sections=2, sections_completed=2)


def edit_line(edit: PromptEdit) -> str:
    numbers = ", ".join(map(str, edit.supporting_claims))
    target = edit.target.replace("_", " ")
    claims = "claim" if len(edit.supporting_claims) == 1 else "claims"
    basis = f"{claims} {numbers}" if numbers else "your comment"
    figures = f"confidence {edit.confidence:.2f}, {basis}"
    return f"{edit.action.capitalize()} ({target}): “{edit.value}” – {figures}."
