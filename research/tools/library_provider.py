"""Searching the tenant's own documents: the provider that needs nothing."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from citations.authority import origin_domain
from research.agents.extractive.question import analyse
from research.models import LibraryChunk, LibraryDocument, Run, SourceType
from research.reading.embedding import builtin_embedder
from research.retrieval import Hit, Scope, Vector, cards, rarity, retrieve
from research.tools.providers import Filters, SearchHit, SearchType
from research.tools.rows import in_tenant

LONGEST_SNIPPET = 300  # characters
PASSAGES = 5  # named for each document


class LibraryConfig(BaseModel):
    """What any kind of run may say about the library in its configuration."""

    model_config = ConfigDict(extra="ignore")

    folders: list[str] = Field(default_factory=list)
    source_types: list[str] = Field(default_factory=list)
    published_from: str = ""
    published_to: str = ""

    @property
    def scope(self) -> Scope:
        return Scope(
            folders=tuple(self.folders),
            source_types=tuple(self.source_types),
            published_from=self.published_from,
            published_to=self.published_to,
        )


def scope_of(run_id: UUID) -> Scope:
    """What of the library the run's owner allows to be read. Needs the tenant set."""
    config = Run.objects.filter(pk=run_id).values_list("config", flat=True).get()
    return LibraryConfig.model_validate(config).scope


@dataclass(frozen=True, slots=True)
class LibraryProvider:
    """Hybrid retrieval over the documents that the run may read."""

    tenant_id: UUID
    run_id: UUID
    name: str = "library"

    def serves(self, kind: SearchType) -> bool:
        """The library is searched whatever is wanted, but for images: it holds none."""
        return kind is not SearchType.IMAGES

    async def search(self, query: str, filters: Filters) -> Sequence[SearchHit]:
        [vector] = await asyncio.to_thread(builtin_embedder().embed, [query])
        return await in_tenant(self.tenant_id, partial(self._search, query, vector, filters))

    def _search(self, query: str, vector: Vector, filters: Filters) -> list[SearchHit]:
        scope = _within(scope_of(self.run_id), filters)
        question = analyse(query)
        rare = rarity(question, scope)
        hits = retrieve(question, vector, scope, known=cards(scope), rare=rare)
        return list(_described(hits, filters))


def _within(scope: Scope, filters: Filters) -> Scope:
    if filters.published_from is None:
        return scope
    return replace(scope, published_from=max(scope.published_from, filters.published_from.isoformat()))


def _described(hits: Iterable[Hit], filters: Filters) -> Iterable[SearchHit]:
    by_document: dict[UUID, list[Hit]] = {}
    for hit in hits:
        by_document.setdefault(hit.document, []).append(hit)
    documents = LibraryDocument.objects.in_bulk(list(by_document))
    best = [found[:PASSAGES] for found in by_document.values()]
    wanted = [hit.chunk for found in best for hit in found]
    passages = {
        pk: (index, text)
        for pk, index, text in LibraryChunk.objects.filter(pk__in=wanted).values_list(
            "pk", "chunk_index", "text"
        )
    }
    for document_id, found in zip(by_document, best, strict=True):
        described = _hit(documents[document_id], [passages[one.chunk] for one in found])
        if described.domain not in filters.excluded_domains:
            yield described


def _hit(document: LibraryDocument, passages: Sequence[tuple[int, str]]) -> SearchHit:
    return SearchHit(
        url=document.url,
        title=document.title or document.path,
        snippet=_cut(passages[0][1]),
        domain=origin_domain(document.url) if document.url else "",
        published=document.published_date,
        source_type=SourceType(document.source_type),
        document=document.pk,
        passages=tuple(index for index, _text in passages),
    )


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST_SNIPPET else f"{flat[:LONGEST_SNIPPET].rsplit(' ', 1)[0]} …"
