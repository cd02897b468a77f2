"""extract: return a source's frozen text as chunks with their offsets."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from pydantic import Field, model_validator

from research.agents.tools.evidence.tool_source_handles import SOURCE_PATTERN, source_of
from research.agents.tools.tool_interface import Tool, ToolCode, ToolError, ToolInput, ToolOutput, Use
from research.db.tenancy import in_tenant
from research.library.library_frozen_text import blocks_of
from research.llm.budgets.budget_limits import most
from research.models import Content
from research.parsing.parsed_document import BlockKind, ReadDocument, TextBlock
from research.parsing.parsed_passage_chunks import ChunkDraft, chunk


class ExtractInput(ToolInput):
    """Split a source's text into chunks."""

    source: str = Field(pattern=SOURCE_PATTERN)
    chunk_size: int = Field(1000, ge=50, le=1000, description="Tokens of a chunk at most.")
    overlap: int = Field(100, ge=0, le=500, description="Tokens that neighbours share.")
    keep_sections: bool = Field(True, description="No chunk crosses a heading.")
    quotes: bool = Field(False, description="Only what the source itself quotes.")
    first: int = Field(0, ge=0, description="Index of the first chunk to show.")
    most: int = Field(4, ge=1, le=20, description="How many to show.")

    @model_validator(mode="after")
    def _possible(self) -> "ExtractInput":
        if self.overlap > self.chunk_size // 2:
            raise ValueError("the overlap is more than half of a chunk")
        return self


class ExtractedChunk(ToolOutput):
    index: int
    start: int
    end: int
    text: str
    header: str = ""
    page: int | None = None
    kind: BlockKind
    tokens: int


class ExtractOutput(ToolOutput):
    chunks: list[ExtractedChunk]
    total_chunks: int
    total_tokens: int
    words: int


async def extract(given: ExtractInput, use: Use) -> ExtractOutput:
    source = await in_tenant(use.step.tenant_id, partial(source_of, use.step.run_id, given.source))
    if source.content is None:
        raise ToolError(ToolCode.EXTRACTION_FAILED, "This source has not been read.")
    return await asyncio.to_thread(_extract_chunks, source.content, given)


def _extract_chunks(content: Content, given: ExtractInput) -> ExtractOutput:
    blocks = tuple(_blocks(content, given))
    drafts = chunk(
        ReadDocument(content.text, content.media_type, blocks=blocks), given.chunk_size, given.overlap
    )
    if not drafts:
        raise ToolError(ToolCode.EXTRACTION_FAILED, "There is no text of that kind in this source.")
    shown = drafts[given.first : given.first + given.most]
    return ExtractOutput(
        chunks=list(_describe_chunks(content.text, shown)),
        total_chunks=len(drafts),
        total_tokens=sum(draft.token_count for draft in drafts),
        words=content.word_count,
    )


def _blocks(content: Content, given: ExtractInput) -> Iterator[TextBlock]:
    for block in blocks_of(content):
        if given.quotes and block.kind is not BlockKind.QUOTE:
            continue
        yield block if given.keep_sections else replace(block, section="")


def _describe_chunks(text: str, drafts: Sequence[ChunkDraft]) -> Iterator[ExtractedChunk]:
    for draft in drafts:
        yield ExtractedChunk(
            index=draft.index,
            start=draft.start,
            end=draft.end,
            text=text[draft.start : draft.end],
            header=draft.section,
            page=draft.page,
            kind=draft.kind,
            tokens=draft.token_count,
        )


def extract_tool() -> Tool[ExtractInput, ExtractOutput]:
    return Tool(
        "extract",
        "Show a source's text in chunks, with offsets.",
        ExtractInput,
        extract,
        most("extraction_s"),
    )
