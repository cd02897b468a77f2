"""The evidence that a reviewer sees beside an item, in a fixed number of queries, in the caller's `tenant_context`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F
from django.db.models.functions import Least, Substr

from citations.models import Citation, Claim, Contradiction
from exports.document.document_quote_context import first_word, last_word
from research.engine.pipeline_registry import pipeline_for
from research.engine.states.resolve_escalation import ReviewablePipeline
from research.models import ReviewItem, ReviewKind, Run
from research.models.schemas import Plan

# Only the columns that are shown: the rows have many, and long ones.
OF_CLAIM = ("text", "number", "verification_status", "verification_note", "strength", "confidence")
OF_QUOTE = (
    *("claim_id", "quote", "start_offset", "end_offset", "page_number", "match_type", "confidence"),
    *("verification_status", "verification_notes", "source__title", "source__canonical_url"),
    *("source__language", "cell_names"),
)
CONTEXT = 300  # characters of the source on each side of a quote
# A quote with its context in one substring: the text is decompressed once for both sides.
_BEFORE = Least(F("start_offset"), CONTEXT)
_AROUND = Substr(
    "source__content__text",
    F("start_offset") + 1 - _BEFORE,
    F("end_offset") - F("start_offset") + _BEFORE + CONTEXT,
)


@dataclass(frozen=True, slots=True)
class QuoteInContext:
    """A quote from a source that a claim cites, with the text before and after it."""

    citation: UUID | None  # None: not cited yet, as during analysis
    source: UUID
    source_title: str
    before: str
    quote: str
    after: str
    page: int | None
    match: str  # citations.models.MatchType
    status: str  # citations.models.CitationStatus
    notes: str
    confidence: float | None
    language: str
    row: str  # what a table calls the row and the columns; empty outside tables
    columns: Sequence[str]


@dataclass(frozen=True, slots=True)
class ClaimSide:
    """A claim with its text and sources; `scores` are those of its side in a contradiction, by factor (0–1)."""

    claim: UUID
    text: str
    number: int | None
    status: str  # citations.models.ClaimStatus
    note: str  # the verifier's reasons
    strength: str
    confidence: float | None
    quotes: tuple[QuoteInContext, ...]
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ReviewGap:
    code: str
    text: str
    advice: str


@dataclass(frozen=True, slots=True)
class ReviewEvidence:
    """The evidence for an item, depending on its kind: a claim, two sides with a note, a gap, or a plan.

    `is_gone`: the rows behind the item no longer exist; `item.shown` has the text.
    """

    kind: ReviewKind
    claim: ClaimSide | None = None
    sides: tuple[ClaimSide, ...] = ()
    note: str = ""
    margin: float | None = None
    gap: ReviewGap | None = None
    plan: Plan | None = None
    is_gone: bool = False


def evidence_of(item: ReviewItem) -> ReviewEvidence:
    kind = ReviewKind(item.kind)
    match kind:
        case ReviewKind.PLAN:
            plan = item.run.plan or item.shown.get("plan")
            return ReviewEvidence(kind, plan=Plan.model_validate(plan) if plan else None, is_gone=not plan)
        case ReviewKind.GAP:
            shown = item.shown
            return ReviewEvidence(kind, gap=ReviewGap(shown["code"], shown["text"], shown["advice"]))
        case ReviewKind.CLAIM:
            return _of_claim(item)
        case ReviewKind.CONTRADICTION:
            return _of_contradiction(item)


def _of_claim(item: ReviewItem) -> ReviewEvidence:
    claim = Claim.objects.only(*OF_CLAIM).filter(pk=item.claim_id).first() if item.claim_id else None
    if claim is None:
        return ReviewEvidence(ReviewKind.CLAIM, is_gone=True)
    return ReviewEvidence(ReviewKind.CLAIM, claim=_side(claim, _quotes([claim]), {}))


def _of_contradiction(item: ReviewItem) -> ReviewEvidence:
    pairs = Contradiction.objects.select_related("claim_a", "claim_b").defer(
        "claim_a__embedding", "claim_b__embedding"
    )
    pair = pairs.filter(pk=item.contradiction_id).first() if item.contradiction_id else None
    if pair is None:
        return ReviewEvidence(ReviewKind.CONTRADICTION, is_gone=True)
    claims = [pair.claim_a, pair.claim_b]
    quotes = _quotes(claims) if _are_cited(claims) else _quotes_to_be(item.run, claims)
    sides = [
        _side(claim, quotes, scores)
        for claim, scores in zip(claims, (pair.scores_a, pair.scores_b), strict=True)
    ]
    return ReviewEvidence(ReviewKind.CONTRADICTION, sides=tuple(sides), note=pair.note, margin=pair.margin)


def _side(
    claim: Claim, quotes: Mapping[UUID, Sequence[QuoteInContext]], scores: Mapping[str, float]
) -> ClaimSide:
    return ClaimSide(
        claim=claim.pk,
        text=claim.text,
        number=claim.number,
        status=claim.verification_status,
        note=claim.verification_note,
        strength=claim.strength,
        confidence=claim.confidence,
        quotes=tuple(quotes.get(claim.pk, ())),
        scores=scores,
    )


def _quotes(claims: Sequence[Claim]) -> dict[UUID, list[QuoteInContext]]:
    rows = Citation.objects.filter(claim__in=claims).select_related("source").only(*OF_QUOTE)
    return _by_claim(claims, rows.annotate(around=_AROUND).order_by("citation_index"))


def _are_cited(claims: Sequence[Claim]) -> bool:
    return Citation.objects.filter(claim__in=claims).exists()


def _quotes_to_be(run: Run, claims: Sequence[Claim]) -> dict[UUID, list[QuoteInContext]]:
    """Return the quotes that will be cited: while conflicts are reviewed, no citation exists yet."""
    recipe = pipeline_for(run.kind)
    return _by_claim(
        claims, recipe.words_behind(run.pk, claims) if isinstance(recipe, ReviewablePipeline) else ()
    )


def _by_claim(claims: Sequence[Claim], rows: Iterable[Citation]) -> dict[UUID, list[QuoteInContext]]:
    found: dict[UUID, list[QuoteInContext]] = {claim.pk: [] for claim in claims}
    for row in rows:
        found[row.claim_id].append(_build_quote(row))
    return found


def around(row: Citation) -> tuple[str, str]:
    """Return the text before and after the quote in whole words, cut from the full text if the row is unsaved."""
    first = max(0, row.start_offset - CONTEXT)
    words = vars(row).get("around")
    if words is None:
        words = row.source.text[first : row.end_offset + CONTEXT]
    before, after = words[: row.start_offset - first], words[row.end_offset - first :]
    if first:
        before = f"…{before[first_word(before) :]}"
    return before, f"{after[: last_word(after)]}…" if len(after) == CONTEXT else after


def _build_quote(row: Citation) -> QuoteInContext:
    before, after = around(row)
    return QuoteInContext(
        citation=None if row._state.adding else row.pk,
        source=row.source_id,
        source_title=str(row.source),
        before=before,
        quote=row.quote,
        after=after,
        page=row.page_number,
        match=row.match_type,
        status=row.verification_status,
        notes=row.verification_notes,
        confidence=row.confidence,
        language=row.source.language,
        row=row.row,
        columns=row.columns,
    )
