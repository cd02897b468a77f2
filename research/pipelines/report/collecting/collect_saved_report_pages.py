"""Reuse web pages that earlier runs of the tenant saved: decide if they suffice for a query, and return their passages.

Row-level security hides the pages of other tenants.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from uuid import UUID

from research.db.tenancy import in_tenant, in_thread, tenant_context
from research.engine.states.state_source_sufficiency import is_covered
from research.extractive.answer_document_cards import Cards
from research.extractive.question.parsed_question import analyse
from research.extractive.term_rarity import Rarity
from research.library.library_folders import WEB
from research.library.library_scope import LibraryScope
from research.library.retrieval.hybrid_retrieval import Hit, QueryVector, cards, rarity_of_all, retrieve
from research.library.retrieval.library_query_embedding import embed_page_query
from research.models import LibraryChunk, LibraryDocument
from research.models.schemas import Subtopic
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.report.collecting.add_report_sources import HEAVY_COLUMNS, refusal_of
from research.pipelines.report.passages_found_for_report import FoundPassage
from research.pipelines.report.reading.score_report_passages import Vectors, score
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_queries import Query
from research.search.search_or_reuse_pages import ReuseDecision, SavedPageCounts, decide, is_fresh

FITS = 0.5  # lowest score of the best passage of a page that is about the query


@dataclass(frozen=True, slots=True)
class SavedPages:
    """Saved pages that fit a query. `passages` are those of the pages that are recent enough."""

    saved: SavedPageCounts
    passages: tuple[FoundPassage, ...] = ()

    @property
    def documents(self) -> list[UUID]:
        return list(dict.fromkeys(passage.document for passage in self.passages))


@dataclass(frozen=True, slots=True)
class _Passages:
    """The passages of the saved pages for a query, with their words and vectors."""

    hits: tuple[Hit, ...]
    texts: tuple[str, ...]
    vectors: tuple[Vectors | None, ...]


@dataclass(frozen=True, slots=True)
class _Library:
    """The saved pages, and how rare the words of all queries are in them."""

    scope: LibraryScope
    cards: Cards
    rare: Rarity


async def find_saved_pages(
    tenant_id: UUID, queries: Sequence[Query], config: ReportConfig, now: datetime
) -> dict[Query, SavedPages]:
    """Return the saved pages for each query, all at once; empty if nothing was saved yet."""
    if not await in_tenant(tenant_id, LibraryDocument.objects.filter(folder=WEB).exists):
        return {}
    scope = replace(config.scope, folders=(WEB,))
    library = await in_tenant(tenant_id, partial(_library, queries, scope))
    looks = (partial(_find_query_pages, tenant_id, query, library, config, now) for query in queries)
    return dict(zip(queries, await asyncio.gather(*map(in_thread, looks)), strict=True))


def _library(queries: Sequence[Query], scope: LibraryScope) -> _Library:
    return _Library(scope, cards(scope), rarity_of_all([analyse(query.text) for query in queries], scope))


def _find_query_pages(
    tenant_id: UUID, query: Query, library: _Library, config: ReportConfig, now: datetime
) -> SavedPages:
    """Return the saved pages for a query. No transaction stays open while vectors are computed."""
    meaning = embed_page_query(query.text)
    with tenant_context(tenant_id):
        found = _passages(query, meaning, library)
    scored = _score_passages(found, query)
    with tenant_context(tenant_id):
        return _young(scored, query, config, now)


def decide_reuse(
    found: Mapping[Query, SavedPages], coverage: float, query: Query, config: ReportConfig
) -> ReuseDecision:
    pages = found.get(query)
    return decide(pages.saved if pages else SavedPageCounts(), coverage, config.recency_bias)


def coverage_of(found: Mapping[Query, SavedPages], subtopics: Sequence[Subtopic]) -> float:
    """Return the share of the subtopics for which recent pages make up half of the wanted sources."""
    if not subtopics:
        return 0.0
    held = {subtopic.name: set[UUID]() for subtopic in subtopics}
    for query, pages in found.items():
        held.setdefault(query.subtopic, set()).update(pages.documents)
    return sum(is_covered(len(held[subtopic.name]), subtopic.target_sources) for subtopic in subtopics) / len(
        subtopics
    )


def _passages(query: Query, meaning: QueryVector, library: _Library) -> _Passages:
    question, model = analyse(query.text), builtin_embedder().model_id
    hits = retrieve(question, meaning, library.scope, known=library.cards, rare=library.rare)
    rows = LibraryChunk.objects.in_bulk([hit.chunk for hit in hits])
    there = tuple(hit for hit in hits if hit.chunk in rows)
    chunks = [rows[hit.chunk] for hit in there]
    vectors = tuple(chunk.embedding if chunk.embedding_model == model else None for chunk in chunks)
    return _Passages(there, tuple(chunk.text for chunk in chunks), vectors)


def _score_passages(found: _Passages, query: Query) -> list[tuple[Hit, float]]:
    """Return each passage with the score that it would get if its page had been fetched now, best first."""
    values = (value for value, _ in score(found.texts, found.vectors, [query]))
    return sorted(zip(found.hits, values, strict=True), key=lambda pair: -pair[1])


def _young(
    scored: Sequence[tuple[Hit, float]], query: Query, config: ReportConfig, now: datetime
) -> SavedPages:
    """Return the fresh pages among those that fit and may be read: their passages, and the counts."""
    fitting = list(dict.fromkeys(hit.document for hit, value in scored if value >= FITS))
    rows = LibraryDocument.objects.select_related("content").defer(*HEAVY_COLUMNS).in_bulk(fitting)
    wanted = {pk: row for pk, row in rows.items() if not refusal_of(row, config)}
    ages = {pk: now - rows[pk].updated_at for pk in fitting if pk in wanted}  # in their order
    fresh = [pk for pk, age in ages.items() if is_fresh(age, config.recency_bias)]
    taken = frozenset(fresh[: config.target_sources])
    passages = [
        FoundPassage(hit.chunk, hit.document, hit.start, hit.end, value, query.subtopic)
        for hit, value in scored
        if hit.document in taken
    ]
    saved = SavedPageCounts(len(wanted), len(fresh), min(ages.values(), default=None))
    return SavedPages(saved, tuple(passages))
