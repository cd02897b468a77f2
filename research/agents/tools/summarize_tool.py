"""summarize: summarize a source in a few words, with points anchored in its text.

With a model, each of its points is anchored in the frozen text, and points that are not found are left out. Without
one, the summary consists of the source's most central sentences.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

import numpy as np
from pydantic import BaseModel, Field

from citations.anchoring import anchor
from citations.entities.entities import find_entities
from research.agents.agent_prompt_data_blocks import SourceText, fence_for
from research.agents.agent_prompt_files import render
from research.agents.tools.evidence.tool_source_handles import SOURCE_PATTERN, source_handle, source_of
from research.agents.tools.tool_interface import Tool, ToolCode, ToolError, ToolInput, ToolOutput, Use
from research.db.tenancy import in_tenant
from research.library.library_frozen_text import blocks_of
from research.llm.call_types import Call
from research.llm.gateway import complete
from research.llm.model_errors import ModelError, Trouble
from research.llm.model_settings import engine
from research.models import Chunk
from research.parsing.parse_sentences import sentences
from research.parsing.parsed_document import TextBlock
from research.parsing.parsed_quotable_text import NOT_CARRYING, quotable
from research.parsing.vectors.embed_texts import builtin_embedder

LIMIT_S = 180.0
MAX_WORDS = 500
READ_CHARACTERS = 40_000  # characters of a document that are sent to a model
READ_SENTENCES = 300  # sentences of a document that are compared without a model
MAX_POINTS, MAX_ENTITIES = 12, 15
MAX_OUTPUT_TOKENS = 2_000


class SummaryStyle(StrEnum):
    BRIEF = "brief"
    DETAILED = "detailed"
    CLAIMS = "claims"


class SummarizeInput(ToolInput):
    """Summarize a source."""

    source: str = Field(pattern=SOURCE_PATTERN)
    style: SummaryStyle = SummaryStyle.BRIEF
    topics: list[str] = Field(default_factory=list, max_length=10, description="What matters.")
    max_words: int = Field(200, ge=20, le=MAX_WORDS)


class SummaryPoint(ToolOutput):
    """Something the source says. `quote` is source text[start:end]."""

    text: str
    quote: str
    start: int
    end: int
    chunks: list[str] = Field(default_factory=list, description="Chunks that the quote stands in.")
    entities: list[str] = Field(default_factory=list)


class KeyEntity(ToolOutput):
    name: str
    count: int


class SummarizeOutput(ToolOutput):
    summary: str
    points: list[SummaryPoint]
    entities: list[KeyEntity]
    relevance: float | None = Field(None, description="0–1; absent where no model judged it.")
    left_out: int = Field(0, description="Points whose quote does not stand in the source.")
    engine: str


class DraftPoint(BaseModel):
    text: str
    quote: str


class Draft(BaseModel):
    """A model's summary, before its quotes are looked up."""

    summary: str
    points: list[DraftPoint] = Field(max_length=MAX_POINTS)
    relevance: float = Field(ge=0, le=1)


@dataclass(frozen=True, slots=True)
class SummaryMaterial:
    """A source to be summarized."""

    source_id: UUID
    title: str
    text: str
    blocks: tuple[TextBlock, ...]
    chunks: tuple[tuple[int, int, int], ...]  # index, start, end

    @property
    def handle(self) -> str:
        return source_handle(self.source_id)

    def point(self, text: str, start: int, end: int) -> SummaryPoint:
        held = [index for index, first, last in self.chunks if first < end and start < last]
        quote = self.text[start:end]
        names = dict.fromkeys(entity.text for entity in find_entities(quote))
        chunks = [source_handle(self.source_id, index) for index in held]
        return SummaryPoint(text=text, quote=quote, start=start, end=end, chunks=chunks, entities=list(names))


async def summarize(given: SummarizeInput, use: Use) -> SummarizeOutput:
    """Summarize a source. Raises ToolError, and ModelError if a model is configured and fails."""
    material, is_by_model = await in_tenant(
        use.step.tenant_id, lambda: (_material(given, use), engine() != "extractive")
    )
    if not is_by_model:
        return await asyncio.to_thread(_build_extractive_summary, material, given)
    draft = await _request_draft(material, given, use)
    return await asyncio.to_thread(_anchor_draft, draft, material, given)


def _material(given: SummarizeInput, use: Use) -> SummaryMaterial:
    source = source_of(use.step.run_id, given.source)
    content = source.content
    if content is None or not content.text.strip():
        raise ToolError(ToolCode.EXTRACTION_FAILED, "This source has no text.")
    chunks = Chunk.objects.filter(source=source).order_by("chunk_index")
    return SummaryMaterial(
        source.pk,
        source.title,
        content.text,
        tuple(blocks_of(content)),
        tuple(chunks.values_list("chunk_index", "start_offset", "end_offset")),
    )


async def _request_draft(material: SummaryMaterial, given: SummarizeInput, use: Use) -> Draft:
    purpose = f"{use.key}.summary"
    values = {
        "words": given.max_words,
        "style": given.style,
        "topics": given.topics,
        "text": SourceText(material.text[:READ_CHARACTERS]),
        "id": material.handle,
        "title": material.title,
    }
    rendered = render("extractor/summary", values, fence_for(use.step, purpose))
    call = Call(use.step, use.role, rendered.prompt, Draft, purpose, MAX_OUTPUT_TOKENS)
    completion = await complete(call)
    if completion.parsed is None:
        raise ModelError(Trouble.INVALID_OUTPUT, "The model gave no summary.")
    return completion.parsed


def _anchor_draft(draft: Draft, material: SummaryMaterial, given: SummarizeInput) -> SummarizeOutput:
    text = quotable(material.text, material.blocks)
    anchored = [(point, anchor(point.quote, text, closely=False)) for point in draft.points]
    points = [
        material.point(drafted.text, at.span.start, at.span.end) for drafted, at in anchored if at is not None
    ]
    return SummarizeOutput(
        summary=_cut(draft.summary, given.max_words),
        points=points,
        entities=_entities(material.text),
        relevance=draft.relevance,
        left_out=len(anchored) - len(points),
        engine="model",
    )


def _build_extractive_summary(material: SummaryMaterial, given: SummarizeInput) -> SummarizeOutput:
    """Return a summary of the sentences nearest to the whole text and the topics, in the order of the text."""
    spans = [
        (span.start, span.end)
        for span in sentences(material.text, material.blocks)
        if span.kind not in NOT_CARRYING
    ][:READ_SENTENCES]
    texts = [material.text[start:end] for start, end in spans]
    if not texts:
        raise ToolError(ToolCode.EXTRACTION_FAILED, "This source has no sentences.")
    chosen = _central(texts, given)
    points = [material.point(texts[place], *spans[place]) for place in chosen[:MAX_POINTS]]
    return SummarizeOutput(
        summary=" ".join(texts[place] for place in chosen),
        points=points,
        entities=_entities(material.text),
        engine="extractive",
    )


def _central(texts: Sequence[str], given: SummarizeInput) -> list[int]:
    """Return the indexes of the most central sentences within the word limit; at least one."""
    vectors = builtin_embedder().embed([*texts, *given.topics])
    centre = vectors[: len(texts)].mean(axis=0)
    if given.topics:
        centre = centre + vectors[len(texts) :].mean(axis=0)
    closeness = vectors[: len(texts)] @ centre
    room = given.max_words
    chosen: list[int] = []
    for place in np.argsort(-closeness, kind="stable"):
        words = len(texts[place].split())
        if words <= room or not chosen:
            chosen.append(int(place))
            room -= words
    return sorted(chosen)


def _cut(text: str, words: int) -> str:
    said = text.split()
    return text.strip() if len(said) <= words else " ".join(said[:words]) + " …"


def _entities(text: str) -> list[KeyEntity]:
    counts = Counter(entity.text for entity in find_entities(text[:READ_CHARACTERS]))
    return [KeyEntity(name=name, count=count) for name, count in counts.most_common(MAX_ENTITIES)]


def summarize_tool() -> Tool[SummarizeInput, SummarizeOutput]:
    return Tool(
        "summarize",
        "Summarize a source of the run, with points quoted word for word.",
        SummarizeInput,
        summarize,
        LIMIT_S,
    )
