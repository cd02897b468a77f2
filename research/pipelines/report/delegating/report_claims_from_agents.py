"""Turn agents' findings into claims like all others: words of a source, looked up there and checked.

For an excerpt, the sentence that contains it is proposed; for a value, the sentence of its source that contains it and
shares the most words with its field name. Findings that are in no source are dropped, and the report lists them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.text.claim_words_and_stems import content_stems
from citations.text.quote_normalizing import normalize
from research.agents.agent_findings import DataPoint, Findings
from research.library.library_frozen_text import blocks_of
from research.models import Source
from research.models.schemas import LeftOut
from research.parsing.parse_sentences import sentences
from research.pipelines.report.reading.admit_report_notes import ProposedClaim

MAX_OF_A_SOURCE = 10
NOT_IN_SOURCE = "An agent named a source for it that does not say it."
CONCLUSION = "An agent concluded it, and no words of a source say it."
COMPUTED = "An agent computed it ({}); no source says it."


@dataclass(frozen=True, slots=True)
class ComputedFigures:
    """The figures that an agent's computation gave, and how: its operations in order, or its code."""

    figures: frozenset[str]
    formula: str
    code: str = ""  # in place of operations
    step: UUID | None = None  # that it ran in


@dataclass(frozen=True, slots=True)
class FindingsAsClaims:
    proposed: Mapping[UUID, tuple[ProposedClaim, ...]]  # by source
    dropped: tuple[LeftOut, ...]


def claims_from(
    findings: Iterable[Findings], sources: Mapping[str, Source], computed: Sequence[ComputedFigures] = ()
) -> FindingsAsClaims:
    """Return the findings as claims. `sources` by the ids that the findings name. Pure."""
    texts = {key: _SentenceIndex.of(source) for key, source in sources.items() if source.content is not None}
    proposed: dict[UUID, dict[str, ProposedClaim]] = {}
    dropped: dict[str, LeftOut] = {}
    for task_findings in findings:
        for key, (quote, start) in _places_of(task_findings, texts):
            claims = proposed.setdefault(sources[key].pk, {})
            if len(claims) < MAX_OF_A_SOURCE:
                claims.setdefault(quote, ProposedClaim(quote, quote, start, answers=True))
        for left in _list_left_out(task_findings, texts, computed):
            dropped.setdefault(left.text, left)
    return FindingsAsClaims(
        {pk: tuple(claims.values()) for pk, claims in proposed.items()}, tuple(dropped.values())
    )


def _places_of(
    findings: Findings, texts: Mapping[str, "_SentenceIndex"]
) -> Iterator[tuple[str, tuple[str, int]]]:
    """Yield the sentences that contain the excerpts and values, with the ids of their sources."""
    for excerpt in findings.excerpts:
        if excerpt.source in texts and (place := texts[excerpt.source].whole_sentence(excerpt.quote)):
            yield excerpt.source, place
    for point in findings.data_points:
        yield from _places_of_value(point, texts)


def _places_of_value(
    point: DataPoint, texts: Mapping[str, "_SentenceIndex"]
) -> Iterator[tuple[str, tuple[str, int]]]:
    for key in point.sources:
        if key in texts and (place := texts[key].sentence_with(point)):
            yield key, place


def _list_left_out(
    findings: Findings, texts: Mapping[str, "_SentenceIndex"], computed: Sequence[ComputedFigures]
) -> Iterator[LeftOut]:
    for point in findings.data_points:
        if point.value is not None and next(_places_of_value(point, texts), None) is None:
            yield LeftOut(text=f"{point.field}: {point.value}", reason=_why(point.value, computed))
    for insight in findings.insights:
        if insight.strip():
            yield LeftOut(text=insight.strip(), reason=CONCLUSION)


def _why(value: str, computed: Sequence[ComputedFigures]) -> str:
    figures = set(list_figures(value))
    formula = next((computation.formula for computation in computed if figures & computation.figures), "")
    return COMPUTED.format(formula) if formula else NOT_IN_SOURCE


def list_figures(text: str) -> Iterator[str]:
    """Yield the numbers of the text, in one spelling."""
    for found in re.findall(r"\d[\d,]*(?:\.\d+)?", text):
        yield format_figure(float(found.replace(",", "")))


def format_figure(value: float) -> str:
    """Return the figure in one spelling: the same for 12 and 12.0."""
    return f"{value:.6g}"


@dataclass(frozen=True, slots=True)
class _SentenceIndex:
    """The sentences of a source, with their places."""

    sentences: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, source: Source) -> "_SentenceIndex":
        content = source.content
        if content is None:
            return cls(())
        spans = sentences(content.text, blocks_of(content))
        return cls(tuple((content.text[span.start : span.end], span.start) for span in spans))

    def whole_sentence(self, quote: str) -> tuple[str, int] | None:
        """Return the sentence that contains the quote; for a quote of several sentences the first."""
        normalized_quote = normalize(quote)
        inside = (sentence for sentence in self.sentences if normalized_quote in normalize(sentence[0]))
        around = (
            sentence
            for sentence in self.sentences
            if len(sentence[0]) > len(quote) / 3 and normalize(sentence[0]) in normalized_quote
        )
        return next(inside, None) or next(around, None)

    def sentence_with(self, point: DataPoint) -> tuple[str, int] | None:
        """Return the sentence with the value as whole words, and at least one word of its field name."""
        value = normalize(point.value or "").strip()
        if not value:
            return None
        stands = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")
        field_stems = content_stems(point.field.replace("_", " "))
        holding = [sentence for sentence in self.sentences if stands.search(normalize(sentence[0]))]
        best = max(holding, key=lambda sentence: len(field_stems & content_stems(sentence[0])), default=None)
        return (
            best if best is not None and (not field_stems or field_stems & content_stems(best[0])) else None
        )
