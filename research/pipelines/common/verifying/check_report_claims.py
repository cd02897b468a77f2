"""Judge a claim of the report by the words that it cites, and weigh it by their sources."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from uuid import UUID

from citations.anchoring import AnchorMatchType, Span
from citations.claim_confidence import Conflict
from citations.claim_formulas import InvalidFormula, evaluate, find_figure, is_stated
from citations.credibility.credibility import Credibility
from citations.entailment.verbatim_claims import AssertionStanding, find_verbatim
from citations.models import Citation, Claim, ClaimStatus
from citations.table_claims.labelled_table_claims import is_labelled_row
from citations.text.claim_words_and_stems import content_stems
from citations.verification import (
    CitedPassage,
    SimilarityFunction,
    Verdict,
    VerdictStatus,
    VerificationLevel,
    decide,
    verify_each,
)
from research.models.schemas import StoredComputation, StoredPart
from research.pipelines.common.report_claim_alignment import QuoteWindow, build_alignment, window
from research.pipelines.common.verifying.read_report_to_verify import ReportDraft
from research.pipelines.common.verifying.report_claim_trust import ClaimStanding, assess_standing
from research.pipelines.report.record_report_fallbacks import lower_confidence

WHOLE = (".", "!", "?", ":", "”", '"')  # ends of a sentence, or of the line before a list
RECOMPUTED = "Computed from the figures quoted below: {}."
NOT_RECOMPUTED = "The figure does not follow from the passages that it cites."
IN_SOURCE = "The words stand in the source."
MADE_UP = "No source of this run has words for it."
REFUSED = frozenset({ClaimStatus.UNSUPPORTED, ClaimStatus.CONTRADICTED})
WHOLLY = frozenset({VerdictStatus.VERIFIED, VerdictStatus.PARAPHRASED_ACCURATE})
CARRYING = frozenset(
    {VerdictStatus.VERIFIED, VerdictStatus.PARAPHRASED_ACCURATE, VerdictStatus.PARTIALLY_SUPPORTED}
)


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A placed claim with its citations and the result of comparing it with their words."""

    claim: Claim
    citations: tuple[Citation, ...]
    verdict: Verdict
    by_citation: tuple[Verdict, ...]  # the verdict by each citation's words alone
    alignment: tuple[StoredPart, ...]
    accepted: str = ""  # who accepted it regardless of its status, and why

    @property
    def status(self) -> ClaimStatus:
        return ClaimStatus(self.verdict.status.value)

    @property
    def is_kept(self) -> bool:
        return bool(self.accepted) or self.status not in REFUSED

    @property
    def is_made_up(self) -> bool:
        """True if no source of the run has any words for the claim."""
        return not self.citations

    @property
    def is_in_own_words(self) -> bool:
        """True if every word of the claim stands in what it cites: no model worded it."""
        cited = [f"{each.row} {' '.join(each.columns)} {each.quote}" for each in self.citations]
        quoted = frozenset[str]().union(*map(content_stems, cited))
        return content_stems(self.claim.text) <= quoted

    @property
    def note(self) -> str:
        return " ".join(filter(None, (self.accepted, *self.verdict.reasons)))

    @property
    def carrying_citations(self) -> tuple[Citation, ...]:
        """The citations that carry the claim at least in part; all of them if none does."""
        pairs = zip(self.citations, self.by_citation, strict=True)
        return tuple(row for row, verdict in pairs if verdict.status in CARRYING) or self.citations

    @property
    def is_carried_by_one(self) -> bool:
        """True if a citation carries the whole claim, rather than several each a part of it."""
        return any(verdict.status in WHOLLY for verdict in self.by_citation)

    @property
    def disputing_citations(self) -> tuple[tuple[Citation, Verdict], ...]:
        """The citations whose source contradicts one that carries the claim."""
        pairs = tuple(zip(self.citations, self.by_citation, strict=True))
        is_carried = any(verdict.status in CARRYING for _, verdict in pairs)
        return tuple(pair for pair in pairs if is_carried and pair[1].status is VerdictStatus.CONTRADICTED)

    @property
    def deciding_citation(self) -> Citation | None:
        return None if self.verdict.passage is None else self.citations[self.verdict.passage]


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A judged claim with its standing by the citations that carry it."""

    judged: JudgedClaim
    conflict: Conflict
    standing: ClaimStanding


def judge(claim: Claim, draft: ReportDraft, similarity: SimilarityFunction) -> JudgedClaim:
    level, accepted = VerificationLevel(draft.config.fact_check), draft.accepted.get(claim.pk, "")
    citations = draft.citations[claim.pk]
    judged = judge_computed(claim, citations) or judge_text(claim, citations, level, similarity)
    return replace(judged, accepted=accepted) if accepted else judged


def judge_computed(claim: Claim, citations: tuple[Citation, ...]) -> JudgedClaim | None:
    """Recompute a computed claim from the quotes that it cites; None for a claim in words of sources."""
    if not claim.quantities or not citations:
        return None
    computation = StoredComputation.model_validate(claim.quantities[0])
    if claim.text != computation.text:
        return None
    quotes = {(row.source_id, row.start_offset, row.end_offset): row.quote for row in citations}
    figures = {
        place.name: find_figure(place.figure, quotes.get((place.source, place.start, place.end), ""))
        for place in computation.inputs
    }
    known = {name: figure for name, figure in figures.items() if figure is not None}
    try:
        is_right = len(known) == len(figures) and is_stated(
            computation.value, evaluate(computation.formula, known)
        )
    except InvalidFormula:
        is_right = False
    if is_right:
        reason = RECOMPUTED.format(f"{computation.shown} = {computation.value}")
        verdict = Verdict(VerdictStatus.VERIFIED, (reason,), support=1.0, passage=0)
    else:
        verdict = Verdict(VerdictStatus.UNSUPPORTED, (NOT_RECOMPUTED,), passage=0)
    return JudgedClaim(claim, citations, verdict, (verdict,) * len(citations), ())


def judge_text(
    claim: Claim, citations: tuple[Citation, ...], level: VerificationLevel, similarity: SimilarityFunction
) -> JudgedClaim:
    """Judge the claim by the words that it cites, each with its neighbours in the source."""
    if not citations:
        return JudgedClaim(claim, (), Verdict(VerdictStatus.UNSUPPORTED, (MADE_UP,)), (), ())
    windows = [window(citation) for citation in citations]
    passages = [
        CitedPassage(quote_window.text, str(row.source_id))
        for quote_window, row in zip(windows, citations, strict=True)
    ]
    each = tuple(
        _judge_row(claim, citation, quote_window) or verdict
        for citation, quote_window, verdict in zip(
            citations,
            windows,
            verify_each(claim.text, passages, level=level, similarity=similarity),
            strict=True,
        )
    )
    each = verify_quotes_together(claim.text, citations, each)
    verdict = decide(each, passages, level)
    parts = build_alignment(claim.text, windows, each, verdict.passage or 0)
    return JudgedClaim(claim, citations, verdict, each, tuple(parts))


def _judge_row(claim: Claim, citation: Citation, where: QuoteWindow) -> Verdict | None:
    """Return the verdict on a claim that is a row of a table behind the names of its columns; None for any other."""
    if not is_labelled_row(claim.text, citation.quote, citation.row, citation.columns):
        return None
    span = Span(citation.start_offset - where.start, citation.end_offset - where.start)
    return Verdict(
        VerdictStatus.VERIFIED, (IN_SOURCE,), 1.0, span=span, match_type=AnchorMatchType.NORMALIZED
    )


def verify_quotes_together(
    claim: str, citations: Sequence[Citation], verdicts: Sequence[Verdict]
) -> tuple[Verdict, ...]:
    """Return the verdicts, with a joint verdict for citations that support the claim only together.

    An item of a list is cited with the line that introduces it, a statement of two sentences with both. Pieces of
    sentences are not joined: they may say together what their source does not.
    """
    joined = {}
    for source in {row.source_id for row in citations}:
        rows = sorted((row for row in citations if row.source_id == source), key=lambda row: row.start_offset)
        quotes = " ".join(row.quote.strip() for row in rows)
        are_whole = all(row.quote.rstrip().endswith(WHOLE) for row in rows[:-1])
        found = find_verbatim(claim, quotes) if len(rows) > 1 and are_whole else None
        if found is not None and found.standing is AssertionStanding.ASSERTED:
            joined[source] = found.reason
    return tuple(
        verdict
        if row.source_id not in joined or verdict.status is VerdictStatus.VERIFIED
        else replace(verdict, status=VerdictStatus.VERIFIED, reasons=(joined[row.source_id],), support=1.0)
        for row, verdict in zip(citations, verdicts, strict=True)
    )


def weigh(
    judged: JudgedClaim,
    draft: ReportDraft,
    conflict: Conflict,
    credibility: Mapping[UUID, Credibility],
    similarity: SimilarityFunction,
    today: date,
) -> CheckedClaim:
    """Return the judged claim with its standing. `credibility` is that of each cited source."""
    if judged.disputing_citations and conflict is Conflict.NONE:
        conflict = Conflict.PRESENTED_BOTH
    weigh_by = partial(
        assess_standing,
        known=draft.origins,
        conflict=conflict,
        topic=draft.topic,
        today=today,
        credibility=credibility,
        similarity=similarity,
        stale_months=draft.stale_months(today),
    )
    if judged.claim.quantities or not judged.is_carried_by_one:
        # Inputs and parts do not confirm each other: the worst one counts.
        each = [weigh_by(judged.claim, [row]) for row in judged.carrying_citations]
        claim_standing = min(each, key=lambda weighed: weighed.confidence.value)
        claim_standing = replace(
            claim_standing,
            citations={pk: confidence for part in each for pk, confidence in part.citations.items()},
        )
    else:
        claim_standing = weigh_by(judged.claim, judged.carrying_citations)
    if draft.fallbacks.touch(judged.claim, judged.carrying_citations):
        claim_standing = replace(claim_standing, confidence=lower_confidence(claim_standing.confidence))
    return CheckedClaim(judged, conflict, claim_standing)
