"""`evaluate anchoring`: locate quotes in texts, one JSON line per case."""

from collections.abc import Iterable, Iterator

from pydantic import AliasChoices, Field

from citations.anchoring import anchor
from research.evaluation.labelled_cases import Case, Prediction, read_cases

NOWHERE = "none"


class QuoteCase(Case):
    """A quote and the text that should contain it; `claim` and `evidence_text` are the scorer's names for them."""

    quote: str = Field(validation_alias=AliasChoices("quote", "claim"))
    text: str = Field(validation_alias=AliasChoices("text", "evidence_text"))


class AnchorPrediction(Prediction):
    """`label`: exact, normalized, close or none; `score`: similarity; `span`: text[start:end], null for none."""

    span: str | None = None
    start: int | None = None
    end: int | None = None


def run(lines: Iterable[str]) -> Iterator[str]:
    """Yield a line for each case, in order. Raises BadLine for the first invalid line."""
    for case in read_cases(lines, QuoteCase):
        yield locate(case).model_dump_json()


def locate(case: QuoteCase) -> AnchorPrediction:
    anchored = anchor(case.quote, case.text)
    if anchored is None:
        return AnchorPrediction(id=case.id, label=NOWHERE, score=0.0)
    return AnchorPrediction(
        id=case.id,
        label=anchored.match_type.value,
        score=anchored.similarity,
        span=anchored.span.cut(case.text),
        start=anchored.span.start,
        end=anchored.span.end,
    )
