"""The findings that an agent returns for a task, and their check against the run's sources.

The text may be a model's own, but ids and excerpts may not: ids that are no sources of the run, and excerpts that do
not occur in their source, are removed before anyone sees them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

from citations.anchoring import AnchorMatchType, QuotableText, anchor
from research.agents.tools.evidence.tool_source_handles import find_sources
from research.llm.model_answer_bounds import Name, Passage, Sentence, at_most
from research.models import Source

MAX_FIELD_LENGTH = 1_000  # characters: a longer field is not a figure, and invalidates only itself


class DataPoint(BaseModel):
    """A value that was found, or null with the reason why not."""

    field: Name
    value: Sentence | None
    reason: Sentence = ""
    confidence: float = Field(ge=0, le=1)
    sources: Annotated[list[Name], at_most(6)] = Field(
        default_factory=list, description="Ids of sources (src-…)."
    )


class Excerpt(BaseModel):
    """Words of a source, exactly as they stand there."""

    source: Name = Field(description="Id of a source (src-…).")
    quote: Passage
    credibility: int | None = Field(
        None, ge=1, le=10, description="Of the source; 6 and more may stand alone."
    )


class FigureInput(BaseModel):
    """A figure from a source that a formula uses."""

    name: Name = Field(
        max_length=MAX_FIELD_LENGTH, description="Its name in the formula: letters, digits and _."
    )
    figure: Name = Field(
        max_length=MAX_FIELD_LENGTH, description="As the quote writes it, with its unit: “14,200 euros”."
    )
    source: Name = Field(description="Id of a source (src-…).")
    quote: Passage = Field(description="Words of the source with the figure, exactly as they stand there.")


class ComputedFigure(BaseModel):
    """A figure that no source states, and how it follows from figures that sources state."""

    field: Name = Field(max_length=MAX_FIELD_LENGTH, description="What it is, in the words of the sources.")
    value: Name = Field(max_length=MAX_FIELD_LENGTH, description="With its unit: “42,600 euros”.")
    formula: Sentence = Field(
        max_length=MAX_FIELD_LENGTH,
        description="+, -, *, / and sum, mean, median, min, max over the inputs' names.",
    )
    inputs: Annotated[list[FigureInput], at_most(6)] = Field(min_length=1, max_length=12)


class Findings(BaseModel):
    """The result of an agent's task."""

    data_points: Annotated[list[DataPoint], at_most(12)] = Field(default_factory=list, max_length=50)
    computed: Annotated[list[ComputedFigure], at_most(4)] = Field(default_factory=list, max_length=20)
    insights: Annotated[list[Sentence], at_most(6)] = Field(default_factory=list, max_length=20)
    gaps: Annotated[list[Sentence], at_most(6)] = Field(default_factory=list, max_length=20)
    excerpts: Annotated[list[Excerpt], at_most(12)] = Field(default_factory=list, max_length=50)
    method: Sentence = ""


@dataclass(frozen=True, slots=True)
class CheckedFindings:
    """Findings without invented sources and quotes, and how many of each were removed."""

    findings: Findings
    unknown_sources: int
    unfound_quotes: int


def check_findings(findings: Findings, run_id: UUID) -> CheckedFindings:
    """Remove what the run's sources do not contain. Needs the tenant set."""
    named = {excerpt.source for excerpt in findings.excerpts}
    named |= {handle for point in findings.data_points for handle in point.sources}
    named |= {given.source for figure in findings.computed for given in figure.inputs}
    sources = find_sources(run_id, named)
    texts = {handle: QuotableText(source.text) for handle, source in sources.items()}
    points = [_ground_data_point(point, sources) for point in findings.data_points]
    of_sources = [excerpt for excerpt in findings.excerpts if excerpt.source in sources]
    excerpts = [
        grounded
        for candidate in of_sources
        if (grounded := _as_it_stands(candidate, texts[candidate.source])) is not None
    ]
    computed = [_ground_inputs(figure, texts) for figure in findings.computed]
    return CheckedFindings(
        findings.model_copy(update={"data_points": points, "excerpts": excerpts, "computed": computed}),
        unknown_sources=len(named) - len(sources),
        unfound_quotes=len(of_sources) - len(excerpts),
    )


def _as_it_stands(excerpt: Excerpt, text: QuotableText) -> Excerpt | None:
    """Return the excerpt if it is in its source, with words omitted by an ellipsis filled in; else None."""
    found = anchor(excerpt.quote, text, closely=False)
    if found is None or found.match_type is not AnchorMatchType.ELIDED:
        return None if found is None else excerpt
    return excerpt.model_copy(update={"quote": found.span.cut(text.text)})


def _ground_inputs(figure: ComputedFigure, texts: Mapping[str, QuotableText]) -> ComputedFigure:
    """Clear the source and quote of inputs whose source does not contain the quote.

    Without them the figure is later left out, with a reason.
    """
    inputs = [
        given
        if given.source in texts and anchor(given.quote, texts[given.source], closely=False)
        else given.model_copy(update={"source": "", "quote": ""})
        for given in figure.inputs
    ]
    return figure.model_copy(update={"inputs": inputs})


def _ground_data_point(point: DataPoint, known: Mapping[str, Source]) -> DataPoint:
    """Keep only known sources; a value without any becomes unknown."""
    sources = [handle for handle in point.sources if handle in known]
    if point.value is None or sources:
        return point.model_copy(update={"sources": sources})
    reason = "No source of this run was named for it."
    return point.model_copy(update={"value": None, "sources": [], "reason": reason, "confidence": 0.0})
