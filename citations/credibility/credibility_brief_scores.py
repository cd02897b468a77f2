"""Trust scores of a brief: pure functions of its evidence, without a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

MIN_RELEVANCE, MIN_SNIPPET = 0.3, 50  # evidence exceeds both
EARLY_EXIT = 0.3  # a result with less confidence yields no claims
LOW_CONFIDENCE = 0.6  # a claim with less is flagged as weak
MIN_CLAIMS, MAX_CLAIMS, MAX_EVIDENCE = 3, 7, 3
FALLBACK = 0.8  # on every score, if a model failed and rules replaced it
WITHOUT_AUTHORITIES = 0.9  # the maximum, unless enough authorities support the claim
ENOUGH_AUTHORITIES = 3
EVIDENCE_RATIO, ACTIONABLE_RATIO = 1.5, 0.6  # of a good brief
MIN_EDITS, MAX_EDITS, GOOD_EDIT = 3, 5, 0.7

_BASE, _A_CITATION, _MAX_CITATIONS, _RELEVANCE, _AUTHORITY = 0.5, 0.1, 0.2, 0.2, 0.1


def is_evidence(relevance: float, snippet: str) -> bool:
    """True if it is relevant enough to the answer, and long enough to say something."""
    return relevance > MIN_RELEVANCE and len(snippet.strip()) > MIN_SNIPPET


def exits_early(confidence: float | None) -> bool:
    """True if the result has too little confidence in itself. An unknown confidence does not count as low."""
    return confidence is not None and confidence < EARLY_EXIT


def claim_score(relevances: Sequence[float], *, authorities: int, limit: float = 1.0) -> float:
    """Return a score of 0–1 from the relevance of each citation (0–1) and the number of independent authorities.

    `limit` is a cap that something else sets, such as a contradiction. A claim without citations scores 0.
    """
    if not relevances:
        return 0.0
    score = _BASE + min(_A_CITATION * len(relevances), _MAX_CITATIONS) + _RELEVANCE * fmean(relevances)
    score += _AUTHORITY if authorities else 0.0
    most = 1.0 if authorities >= ENOUGH_AUTHORITIES else WITHOUT_AUTHORITIES
    return max(0.0, min(round(score, 4), most, limit, 1.0))


def aggregate(given: float | None, scores: Sequence[float]) -> float | None:
    """Return the mean of the result's own confidence and the mean claim score, as far as they are known; None
    without any.
    """
    known = [score for score in (given, fmean(scores) if scores else None) if score is not None]
    return round(fmean(known), 4) if known else None


@dataclass(frozen=True, slots=True)
class BriefQuality:
    """The quality measures of a brief. A ratio is None if there is nothing to measure, `edits` if none are wanted."""

    evidence_ratio: float | None
    actionable_ratio: float | None
    edits: int | None = None
    good_edits: int | None = None

    @property
    def has_evidence(self) -> bool:
        return self.evidence_ratio is not None and self.evidence_ratio >= EVIDENCE_RATIO

    @property
    def is_actionable(self) -> bool:
        return self.actionable_ratio is not None and self.actionable_ratio >= ACTIONABLE_RATIO

    @property
    def has_edits(self) -> bool:
        """True if there are as many edits as wanted, all good; also if none are wanted."""
        if self.edits is None:
            return True
        return MIN_EDITS <= self.edits <= MAX_EDITS and self.good_edits == self.edits


def quality(
    evidence: Sequence[int], actionable: Sequence[bool], edits: Sequence[float] | None = None
) -> BriefQuality:
    """Measure quality. `evidence`: number of pieces for each claim; `edits`: the confidence of each, or None."""
    return BriefQuality(
        evidence_ratio=round(fmean(evidence), 2) if evidence else None,
        actionable_ratio=round(fmean(actionable), 2) if actionable else None,
        edits=None if edits is None else len(edits),
        good_edits=None if edits is None else sum(edit > GOOD_EDIT for edit in edits),
    )
