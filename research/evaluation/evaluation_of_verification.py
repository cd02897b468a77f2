"""`evaluate verification`: verify labelled claims and output statuses, scores and reasons."""

from collections.abc import Iterable, Iterator

from citations.verification import CitedPassage, Verdict, VerificationLevel, verify
from research.evaluation.labelled_cases import Case, Prediction, read_cases
from research.library.retrieval.library_passage_similarity import NearestSentence
from research.parsing.vectors.embed_texts import builtin_embedder


class ClaimCase(Case):
    """A claim and the passage that it is checked against."""

    claim: str
    evidence_text: str


class ClaimPrediction(Prediction):
    """A predicted verdict. `label` is the status; `span` the supporting words of the passage, if any."""

    span: str | None
    reasons: tuple[str, ...]


def run(lines: Iterable[str]) -> Iterator[str]:
    """Return predictions as JSON lines, in the order of the cases. Raises BadLine."""
    cases = list(read_cases(lines, ClaimCase))
    similarity = NearestSentence(builtin_embedder())
    similarity.prepare((case.claim for case in cases), (case.evidence_text for case in cases))
    return (predict(case, similarity).model_dump_json() for case in cases)


def predict(case: ClaimCase, similarity: NearestSentence | None = None) -> ClaimPrediction:
    """Verify a claim at the strictest level, which checks every kind of claim."""
    verdict = verify(
        case.claim, [CitedPassage(case.evidence_text)], level=VerificationLevel.STRICT, similarity=similarity
    )
    return ClaimPrediction(
        id=case.id,
        label=verdict.status.value,
        score=round(verdict.support, 4),
        span=_words(verdict, case.evidence_text),
        reasons=verdict.reasons,
    )


def _words(verdict: Verdict, passage: str) -> str | None:
    return verdict.span.cut(passage) if verdict.span else None
