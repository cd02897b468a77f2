"""Where a search looks: one protocol, several providers, their results fused by rank."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from research.models import SourceType

RRF_K = 60  # Cormack, Clarke, Büttcher (SIGIR 2009)


class SearchType(StrEnum):
    WEB = "web"
    NEWS = "news"
    ACADEMIC = "academic"
    CODE = "code"
    IMAGES = "images"
    LIBRARY = "library"


@dataclass(frozen=True, slots=True)
class Filters:
    """What is wanted besides the words. An undated hit is kept, whatever `published_from` says."""

    type: SearchType = SearchType.LIBRARY
    published_from: date | None = None
    region: str = ""
    most: int = 30
    excluded_domains: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One result. `document` is its row in the library, if it has one; `passages` are the best ones' indexes."""

    url: str
    title: str
    snippet: str
    domain: str = ""
    published: str = ""  # ISO 8601, as precise as known; empty: date unknown
    source_type: SourceType = SourceType.OTHER
    document: UUID | None = None
    passages: tuple[int, ...] = field(default=())

    @property
    def identity(self) -> str:
        return str(self.document) if self.document else self.url


class SearchProvider(Protocol):
    """One place to search. Raises ToolError: RATE_LIMITED, TIMEOUT, INVALID_QUERY."""

    @property
    def name(self) -> str: ...

    def serves(self, kind: SearchType) -> bool: ...

    async def search(self, query: str, filters: Filters) -> Sequence[SearchHit]:
        """Best first."""


def fused(rankings: Sequence[Sequence[SearchHit]]) -> list[tuple[SearchHit, float]]:
    """Reciprocal rank fusion of what several queries and providers found; relevance 0–1, 1 for the best."""
    scores: dict[str, float] = {}
    hits: dict[str, SearchHit] = {}
    for ranking in rankings:
        for position, hit in enumerate(ranking, start=1):
            hits.setdefault(hit.identity, hit)
            scores[hit.identity] = scores.get(hit.identity, 0.0) + 1 / (RRF_K + position)
    best = max(scores.values(), default=1.0)
    ranked = sorted(scores, key=lambda identity: (-scores[identity], identity))
    return [(hits[identity], round(scores[identity] / best, 4)) for identity in ranked]
