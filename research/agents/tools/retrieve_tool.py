"""retrieve: search the passages of the run's sources by words and by vectors, fused by rank."""

import asyncio
from collections.abc import Sequence
from functools import partial
from uuid import UUID

from django.contrib.postgres.search import SearchRank
from django.db.models import F, Q, QuerySet
from pgvector.django import CosineDistance
from pydantic import Field

from research.agents.tools.evidence.sources_allowed_to_agents import DAY
from research.agents.tools.evidence.tool_source_handles import resolve_sources, source_handle
from research.agents.tools.search_tool import Query
from research.agents.tools.tool_interface import Tool, ToolCode, ToolError, ToolInput, ToolOutput, Use
from research.db.postgres_search_query import web_search
from research.db.tenancy import in_tenant
from research.library.retrieval.hybrid_retrieval import RANKED, QueryVector, comparable
from research.library.retrieval.library_query_embedding import embed_run_query
from research.llm.call_types import Payer
from research.models import Chunk, SourceStatus, SourceType
from research.search.search_protocol import by_reciprocal_rank


class RetrieveInput(ToolInput):
    """Look something up in the run's sources."""

    query: Query
    top_k: int = Field(10, ge=1, le=50)
    sources: list[str] = Field(default_factory=list, max_length=50, description="Ids (src-…); empty: all.")
    types: list[SourceType] = Field(default_factory=list)
    published_from: str = Field("", pattern=DAY, description="ISO date; undated sources are kept.")
    published_to: str = Field("", pattern=DAY)
    minimum_score: float = Field(0.0, ge=0, le=1)


class RetrievedChunk(ToolOutput):
    id: str
    source: str
    title: str
    text: str
    section: str = ""
    page: int | None = None
    published: str = "date unknown"
    score: float = Field(description="Fused rank, 1 for the best.")


class RetrieveOutput(ToolOutput):
    chunks: list[RetrievedChunk]


async def retrieve(given: RetrieveInput, use: Use) -> RetrieveOutput:
    asked = await asyncio.to_thread(embed_run_query, given.query, Payer(use.step, use.role))
    return await in_tenant(use.step.tenant_id, partial(_retrieve, given, use.step.run_id, asked))


def _retrieve(given: RetrieveInput, run_id: UUID, asked: Sequence[QueryVector]) -> RetrieveOutput:
    chunks = _filter_chunks(given, run_id)
    query = web_search(given.query)
    by_words = (
        chunks.filter(search=query).annotate(rank=SearchRank(F("search"), query)).order_by("-rank", "pk")
    )
    by_meaning = [
        comparable(chunks, vector).order_by(CosineDistance("embedding", vector.vector), "pk")
        for vector in asked
    ]
    scores = dict(by_reciprocal_rank([_ids(ranking) for ranking in (by_words, *by_meaning)], str))
    best = [pk for pk, score in scores.items() if score >= given.minimum_score][: given.top_k]
    if not best:
        raise ToolError(ToolCode.NO_RESULTS, "The run's sources say nothing near this.")
    rows = chunks.defer("embedding", "source__content").in_bulk(best)
    return RetrieveOutput(chunks=[_describe_chunk(rows[pk], scores[pk]) for pk in best])


def _filter_chunks(given: RetrieveInput, run_id: UUID) -> QuerySet[Chunk]:
    chunks = Chunk.objects.filter(run_id=run_id).select_related("source")
    chunks = chunks.exclude(source__status__in=[SourceStatus.DUPLICATE, SourceStatus.EXCLUDED])
    if given.sources:
        chunks = chunks.filter(source__in=resolve_sources(run_id, given.sources))
    if given.types:
        chunks = chunks.filter(source__source_type__in=given.types)
    undated = Q(source__published_date="")
    if given.published_from:
        chunks = chunks.filter(undated | Q(source__published_date__gte=given.published_from))
    if given.published_to:
        chunks = chunks.filter(undated | Q(source__published_date__lte=f"{given.published_to}~"))
    return chunks


def _ids(chunks: QuerySet[Chunk]) -> list[UUID]:
    return list(chunks.values_list("pk", flat=True)[:RANKED])


def _describe_chunk(chunk: Chunk, score: float) -> RetrievedChunk:
    source = chunk.source
    return RetrievedChunk(
        id=source_handle(source.pk, chunk.chunk_index),
        source=source_handle(source.pk),
        title=source.title,
        text=chunk.text,
        section=chunk.section_header,
        page=chunk.page_number,
        published=source.published_date or "date unknown",
        score=score,
    )


def retrieve_tool() -> Tool[RetrieveInput, RetrieveOutput]:
    return Tool(
        "retrieve", "Look something up in the passages of this run's sources.", RetrieveInput, retrieve
    )
