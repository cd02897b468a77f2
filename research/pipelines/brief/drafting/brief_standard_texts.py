"""The standard texts of a brief: why no claims are taken from a result, and what a person should review."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from citations.models import Warning, WarningKind
from research.pipelines.brief.stored_brief import BriefDraft, BriefOwn

REVIEW, DENIED, LOST, UNCHECKED, STOOD_IN = "B001", "B002", "B003", "B004", "B005"

LOW = "The task trusts its own result with {share} %, less than 30 %: no claims were taken from it."
NOTHING = "Nothing that the result cites is evidence for its answer: no claims were taken from it."
KEPT = "Its answer and its reasoning are kept word for word, with {count} cited pages. Manual review recommended."
ADVICE = "Manual review recommended: look at the answer and its sources before you use them."


def note_what_came_in(own: BriefOwn) -> list[str]:
    """Return the sentences that are shown in place of claims."""
    if not own.reason:
        return [NOTHING]
    first = (
        LOW.format(share=round(100 * (own.given_confidence or 0)))
        if own.reason == "low_confidence"
        else NOTHING
    )
    given = [f"The answer of the task, unchecked: “{own.answer}”"] if own.answer else []
    return [first, KEPT.format(count=len({piece.source for piece in own.evidence})), *given]


def reason_of(own: BriefOwn, draft: BriefDraft, claims: int) -> str:
    """Return the most serious reason why a person should review the brief; empty if there is none."""
    if own.reason:
        return own.reason
    if not claims:
        return "no_evidence"
    if own.not_found:
        return "quotes_not_found"
    return "contradicted" if any(sentence.contradicted for sentence in draft.refused) else ""


def warnings_of(run_id: UUID, own: BriefOwn, draft: BriefDraft, claims: int) -> list[Warning]:
    """Return the warnings about a brief as unsaved rows."""
    return [
        Warning(
            run_id=run_id, code=code, kind=WarningKind.QUALITY, severity=severity, text=text, advice=advice
        )
        for code, severity, text, advice in _concerns(own, draft, claims)
    ]


def _concerns(own: BriefOwn, draft: BriefDraft, claims: int) -> Iterator[Sequence[str]]:
    if own.reason or not claims:
        yield REVIEW, "high", " ".join(note_what_came_in(own)[:1]), ADVICE
    for sentence in draft.refused:
        if sentence.contradicted:
            yield DENIED, "high", f"The answer says “{sentence.text}” {sentence.reason}", ADVICE
    for words in own.not_found:
        yield (
            LOST,
            "high",
            f"“{words}” does not stand in the library’s copy of the page that it is quoted from.",
            ADVICE,
        )
    if own.unchecked:
        text = f"{own.unchecked} of the cited pages were not read: whether their excerpts stand there is not known."
        yield (
            UNCHECKED,
            "low",
            text,
            "Add the pages to the library, or check the quotes on the page of the source.",
        )
    if draft.is_fallback:
        text = "The model failed, and rules drafted the brief from the answer: every score is lessened by a fifth."
        yield STOOD_IN, "medium", text, "Ask again when the model is back."
