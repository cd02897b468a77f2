"""Search the tenant's own documents: the provider that needs no configuration."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

from citations.credibility.source_authority import origin_domain
from research.db.tenancy import in_tenant
from research.extractive.question.parsed_question import analyse
from research.library.library_scope import LibraryScope
from research.library.retrieval.hybrid_retrieval import Hit, QueryVector, cards, rarity, retrieve
from research.library.retrieval.library_query_embedding import try_embed_library_query
from research.llm.call_types import Payer
from research.models import LibraryChunk, LibraryDocument, SourceType
from research.search.search_protocol import Filters, Hits, SearchHit, SearchType

MAX_SNIPPET_LENGTH = 300  # characters
PASSAGES = 5  # per document


@dataclass(frozen=True, slots=True)
class LibraryProvider:
    """Hybrid retrieval over the documents that the run may read."""

    payer: Payer
    scope: LibraryScope
    name: str = "library"

    def serves(self, kind: SearchType) -> bool:
        """Return True for every type of search but images, which the library does not hold."""
        return kind is not SearchType.IMAGES

    async def search(self, query: str, filters: Filters) -> Hits:
        meaning = await asyncio.to_thread(try_embed_library_query, query, self.payer)
        return await in_tenant(self.payer.step.tenant_id, partial(self._search, query, meaning, filters))

    def _search(self, query: str, meaning: QueryVector | None, filters: Filters) -> Hits:
        scope = _within(self.scope, filters)
        question = analyse(query)
        rare = rarity(question, scope)
        hits = retrieve(question, meaning, scope, known=cards(scope), rare=rare)
        return Hits(tuple(_build_search_hits(hits)))


def _within(scope: LibraryScope, filters: Filters) -> LibraryScope:
    if filters.published_from is None:
        return scope
    return replace(scope, published_from=max(scope.published_from, filters.published_from.isoformat()))


def _build_search_hits(hits: Iterable[Hit]) -> Iterator[SearchHit]:
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
        yield _hit(documents[document_id], [passages[hit.chunk] for hit in found])


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
    return flat if len(flat) <= MAX_SNIPPET_LENGTH else f"{flat[:MAX_SNIPPET_LENGTH].rsplit(' ', 1)[0]} …"
