"""The interface of search providers, and the fusion of their results by rank."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from research.fetching.canonical_urls import canonical_url
from research.library.retrieval.hybrid_retrieval import Ranked, reciprocal_rank_fusion
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
    """Search filters besides the query. A hit without a date is always kept."""

    type: SearchType = SearchType.LIBRARY
    published_from: date | None = None
    region: str = ""
    most: int = 30
    excluded_domains: frozenset[str] = frozenset()
    allowed_domains: frozenset[str] = frozenset()  # empty: all
    also: tuple[SearchType, ...] = ()  # types that are acceptable as well


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One result. `document` is its row in the library, if any; `passages` are the indexes of the best ones."""

    url: str
    title: str
    snippet: str
    domain: str = ""
    published: str = ""  # ISO 8601, as precise as known; empty: unknown
    source_type: SourceType = SourceType.OTHER
    document: UUID | None = None
    passages: tuple[int, ...] = field(default=())
    stars: int | None = None  # of a code repository, or votes for an answer; None: unknown
    has_code: bool = False
    full_text: str = ""  # URL of an open-access copy, if the page itself may show less


class SearchCode(StrEnum):
    """The reason that a provider returned nothing, or less than it has."""

    RATE_LIMITED = "RATE_LIMITED"
    TIMEOUT = "TIMEOUT"
    INVALID_QUERY = "INVALID_QUERY"
    NOT_AVAILABLE = "NOT_AVAILABLE"


@dataclass(frozen=True, slots=True)
class Hits:
    """The results of one provider for one query, best first.

    `unreadable`: the number of results in an unknown format, which are left out. `trouble`: why a further
    page is missing.
    """

    hits: tuple[SearchHit, ...]
    unreadable: int = 0
    trouble: tuple[SearchCode, str] | None = None


class SearchError(Exception):
    """The provider returned nothing; `message` is for the user and holds no URL and no key.

    `pause_s`: how long to pause, or how long until the next turn, if known.
    """

    def __init__(self, code: SearchCode, message: str, pause_s: float | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.pause_s = pause_s


class SearchProvider(Protocol):
    """The interface of a search provider."""

    @property
    def name(self) -> str: ...

    def serves(self, kind: SearchType) -> bool: ...

    async def search(self, query: str, filters: Filters) -> Hits:
        """Return the hits for a query. Raises SearchError."""


def filters_for(provider: SearchProvider, filters: Filters) -> Filters | None:
    """Return the filters limited to types that the provider serves, for a single query; None if it serves none."""
    served = [kind for kind in (filters.type, *filters.also) if provider.serves(kind)]
    return replace(filters, type=served[0], also=tuple(served[1:])) if served else None


def is_wanted(hit: SearchHit, filters: Filters) -> bool:
    """Return True if the hit passes the filters; hits without a date, or of the library without a domain, pass."""
    if _is_under(hit.domain, filters.excluded_domains):
        return False
    if filters.allowed_domains and hit.domain and not _is_under(hit.domain, filters.allowed_domains):
        return False
    earliest = filters.published_from
    return not (earliest and hit.published and hit.published < earliest.isoformat()[: len(hit.published)])


def _is_under(domain: str, domains: Collection[str]) -> bool:
    return any(domain == parent or domain.endswith(f".{parent}") for parent in domains)


def fuse_rankings(rankings: Sequence[Sequence[SearchHit]]) -> list[tuple[SearchHit, float]]:
    """Fuse the rankings of several queries and providers by reciprocal rank; relevance 0–1, 1 for the best.

    Each page appears once: as its library document, or else under the first spelling of its URL. Hits that
    are neither documents nor web pages are left out.
    """
    found = _pages(rankings)
    pages = [
        dict.fromkeys(page for hit in ranking if (page := found(hit)) is not None) for ranking in rankings
    ]
    return by_reciprocal_rank(pages, lambda page: str(page.document or page.url))


def by_reciprocal_rank(
    rankings: Iterable[Iterable[Ranked]], order: Callable[[Ranked], str]
) -> list[tuple[Ranked, float]]:
    """Return all ranked items with their scores, best first, 1 for the best; `order` decides ties."""
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
