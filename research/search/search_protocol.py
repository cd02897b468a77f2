"""The protocol of search providers, and the fusion of their results by rank."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from research.fetching.canonical_urls import canonical_url
from research.library.retrieval.search import Ranked, reciprocal_rank_fusion
from research.models import SourceType


class SearchType(StrEnum):
    WEB = "web"
    NEWS = "news"
    ACADEMIC = "academic"
    CODE = "code"
    IMAGES = "images"
    LIBRARY = "library"


@dataclass(frozen=True, slots=True)
class Filters:
    """Search filters besides the words. An undated hit is kept, whatever `published_from` says."""

    type: SearchType = SearchType.LIBRARY
    published_from: date | None = None
    region: str = ""
    most: int = 30
    excluded_domains: frozenset[str] = frozenset()
    allowed_domains: frozenset[str] = frozenset()  # empty: all
    also: tuple[SearchType, ...] = ()  # types that would do as well


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
    stars: int | None = None  # of a code repository, or votes of an answer; None: not known
    has_code: bool = False
    full_text: str = ""  # where a copy stands that anyone may read, if the page itself may show less


class SearchCode(StrEnum):
    """The reason that a provider returned nothing, or less than it has."""

    RATE_LIMITED = "RATE_LIMITED"
    TIMEOUT = "TIMEOUT"
    INVALID_QUERY = "INVALID_QUERY"
    NOT_AVAILABLE = "NOT_AVAILABLE"


@dataclass(frozen=True, slots=True)
class Hits:
    """The results of one provider for one query, best first.

    `unreadable`: results of no known shape, which are left out. `trouble`: why a further page did not come.
    """

    hits: tuple[SearchHit, ...]
    unreadable: int = 0
    trouble: tuple[SearchCode, str] | None = None


class SearchError(Exception):
    """The provider gave nothing; `message` is for whoever asked: it holds no address and no key.

    `pause_s`: for how long the provider wants to be left alone, or until its next turn, where that is known.
    """

    def __init__(self, code: SearchCode, message: str, pause_s: float | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.pause_s = pause_s


class SearchProvider(Protocol):
    """One place to search."""

    @property
    def name(self) -> str: ...

    def serves(self, kind: SearchType) -> bool: ...

    async def search(self, query: str, filters: Filters) -> Hits:
        """Raises SearchError."""


def filters_for(provider: SearchProvider, filters: Filters) -> Filters | None:
    """The same of the types that the provider serves: it is asked once. None where it serves none of them."""
    served = [kind for kind in (filters.type, *filters.also) if provider.serves(kind)]
    return replace(filters, type=served[0], also=tuple(served[1:])) if served else None


def is_wanted(hit: SearchHit, filters: Filters) -> bool:
    """An undated hit stays: its page may say when it is from. So does one without a domain, of the library."""
    if _is_under(hit.domain, filters.excluded_domains):
        return False
    if filters.allowed_domains and hit.domain and not _is_under(hit.domain, filters.allowed_domains):
        return False
    earliest = filters.published_from
    return not (earliest and hit.published and hit.published < earliest.isoformat()[: len(hit.published)])


def _is_under(domain: str, domains: Collection[str]) -> bool:
    return any(domain == parent or domain.endswith(f".{parent}") for parent in domains)


def fuse_rankings(rankings: Sequence[Sequence[SearchHit]]) -> list[tuple[SearchHit, float]]:
    """Reciprocal rank fusion of what several queries and providers found; relevance 0–1, 1 for the best.

    Each page once: its document in the library stands for it, else the first spelling of its address. What is
    neither a document nor a web address is left out.
    """
    found = _pages(rankings)
    pages = [
        dict.fromkeys(page for hit in ranking if (page := found(hit)) is not None) for ranking in rankings
    ]
    return by_reciprocal_rank(pages, lambda page: str(page.document or page.url))


def by_reciprocal_rank(
    rankings: Iterable[Iterable[Ranked]], order: Callable[[Ranked], str]
) -> list[tuple[Ranked, float]]:
    """All that is ranked with its score, best first, 1 for the best; `order` decides between equals."""
    scores = reciprocal_rank_fusion(rankings, order)
    return [(item, round(score / scores[0][1], 4)) for item, score in scores]


def _pages(rankings: Sequence[Sequence[SearchHit]]) -> Callable[[SearchHit], SearchHit | None]:
    """Return a function from a hit to the one that represents its page, or to None if it has no usable URL."""
    hits = [hit for ranking in rankings for hit in ranking]
    documents: dict[UUID, SearchHit] = {}
    addresses: dict[str, SearchHit] = {}
    for hit in sorted(hits, key=lambda hit: hit.document is None):  # stable: else in order of appearance
        if hit.document is not None:
            hit = documents.setdefault(hit.document, hit)
        addresses.setdefault(canonical_url(hit.url), hit)

    def stands_for(hit: SearchHit) -> SearchHit | None:
        if hit.document is not None:
            return documents[hit.document]
        address = canonical_url(hit.url)
        return addresses[address] if address else None

    return stands_for
