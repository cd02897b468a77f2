"""The description of a search service, and a provider that fetches its pages of results."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from research.fetching.canonical_urls import canonical_url
from research.search.search_hits import classify_hit
from research.search.search_protocol import (
    Filters,
    Hits,
    SearchCode,
    SearchError,
    SearchHit,
    SearchType,
    is_wanted,
)
from research.search.search_request_pace import Rate
from research.search.search_service_client import LIMIT_S, Api, Refusal

SEARCH_S = 25.0  # for one query with all its pages: below what the search tool may take
PATIENT_S = 60.0  # the same in a step of its own, which may wait for its turn
MAX_QUERY_LENGTH = 400  # characters
DAY_S = 86_400
# How many results the fullest first page of a numbered service had, by where it is asked: as many pages as a query
# is thought to want are asked for at once. Of this process; where it is wrong, a page is asked for later or in vain.
# Forgotten of a service that did not answer: who fails is asked for one page.
_page_sizes: dict[str, int] = {}


@dataclass(frozen=True, slots=True)
class ResultPage:
    """One page of results. `following` identifies the next page in the service's own terms; "" after the last."""

    hits: tuple[SearchHit, ...]
    unreadable: int = 0
    following: str = ""


# Given the service, the query, the filters and what names the page ("" is the first). Raises SearchError.
PageOf = Callable[[Api, str, Filters, str], Awaitable[ResultPage]]


class Key(StrEnum):
    NONE = "none"
    OPTIONAL = "optional"
    NEEDED = "needed"


def no_headers(key: str) -> Mapping[str, str]:
    return {}


def no_refusal(reply: object) -> None:
    return None


@dataclass(frozen=True, slots=True)
class ProviderEntry:
    """One search service.

    `headers` return its key, which may be "", or `params` if it is accepted only there. `rate` is the limit
    per IP address or account, `rate_with_key` the limit with a key if different. `refusal` detects the
    service's own form of refusal, before the status is checked. `kept_s` is the longest time that results
    may be cached. `is_inside`: the operator's own server, which has no public address. `is_numbered`: pages
    are identified by number, so all pages that are probably needed are requested at once.
    """

    name: str
    page: PageOf
    serves: frozenset[SearchType]
    base_url: str
    rate: Rate = Rate()
    rate_with_key: Rate | None = None
    key: Key = Key.NONE
    headers: Callable[[str], Mapping[str, str]] = no_headers
    params: Callable[[str], Mapping[str, str]] = no_headers
    refusal: Refusal = no_refusal
    limit_s: float = LIMIT_S
    most_pages: int = 5  # for one query
    kept_s: int = 7 * DAY_S
    is_inside: bool = False
    is_numbered: bool = False

    def rate_for(self, key: str) -> Rate:
        return self.rate_with_key if key and self.rate_with_key is not None else self.rate


def api_provider(entry: ProviderEntry, api: Api, limit_s: float) -> "PagedProvider":
    """Build the provider of a service from its client."""
    ask = partial(entry.page, api)
    return PagedProvider(
        entry.name,
        api.base_url,
        entry.serves,
        ask,
        limit_s,
        entry.most_pages,
        entry.kept_s,
        is_numbered=entry.is_numbered,
    )


@dataclass(frozen=True, slots=True)
class PagedProvider:
    """Search one service page by page until there are enough wanted results.

    `place` is the URL that is queried, as results are cached by it. `limit_s` is for all pages of a query.
    """

    name: str
    place: str
    types: Collection[SearchType]
    ask: Callable[[str, Filters, str], Awaitable[ResultPage]]
    limit_s: float
    most_pages: int = 5
    kept_s: int = 7 * DAY_S
    is_numbered: bool = False

    def serves(self, kind: SearchType) -> bool:
        return kind in self.types

    async def search(self, query: str, filters: Filters) -> Hits:
        """Return the hits. Raises SearchError if not even the first page was received."""
        collector = _HitCollector(filters)
        try:
            async with asyncio.timeout(self.limit_s):
                await self._pages(query[:MAX_QUERY_LENGTH], filters, collector)
        except TimeoutError as error:
            words = f"It took longer than {self.limit_s:g} s."
            return self._cut_short(collector, SearchError(SearchCode.TIMEOUT, words), error)
        except SearchError as error:
            return self._cut_short(collector, error, error)
        return Hits(tuple(map(classify_hit, collector.best)), collector.unreadable)

    def _cut_short(self, found: "_HitCollector", error: SearchError, cause: Exception) -> Hits:
        """Return the hits so far. Raises the error if not even the first page was received."""
        if not found.is_any:
            _page_sizes.pop(self.place, None)
        return found.cut_short(error, cause)

    async def _pages(self, query: str, filters: Filters, found: "_HitCollector") -> None:
        """Request pages until there are enough hits or a page has only known ones: some services repeat
        themselves endlessly.
        """
        names, left = self._first_names(filters.most), self.most_pages
        while names:
            asked = (self.ask(query, filters, name) for name in names)
            pages = await asyncio.gather(*asked, return_exceptions=True)
            repeats = False
            for name, page in zip(names, pages, strict=True):  # those before one that failed are kept
                if isinstance(page, BaseException):
                    raise page
                if self.is_numbered and not name and page.hits:
                    _page_sizes[self.place] = max(_page_sizes.get(self.place, 0), len(page.hits))
                repeats = found.add(page) or repeats
                following = page.following
            left -= len(names)
            names = [] if repeats or found.is_enough else self._names(following, found.pages_missing, left)

    def _first_names(self, wanted: int) -> list[str]:
        """Return the first page and those needed besides it if it is as full as the fullest so far."""
        size = _page_sizes.get(self.place, wanted) if self.is_numbered else wanted
        pages = min(-(-wanted // size), self.most_pages)
        return ["", *(str(number) for number in range(2, pages + 1))]

    def _names(self, following: str, missing: int, left: int) -> list[str]:
        """Return the names of the pages to request next: probably `missing` ones, at most `left`."""
        if not following or not left:
            return []
        if not self.is_numbered:
            return [following]
        return [str(int(following) + number) for number in range(min(missing, left))]


class _HitCollector:
    """Collects the hits of all pages so far, each URL once."""

    def __init__(self, filters: Filters) -> None:
        self._filters = filters
        self._hits: dict[str, SearchHit] = {}
        self.is_any = False
        self._page_size = 1  # of the fullest
        self.unreadable = 0

    def add(self, page: ResultPage) -> bool:
        """Add a page. Return True if it has results and all of them were known before."""
        before = len(self._hits)
        for hit in page.hits:
            address = canonical_url(hit.url)
            if address:
                self._hits.setdefault(address, hit)
        self.unreadable += page.unreadable
        self._page_size = max(self._page_size, len(page.hits))
        self.is_any = True
        return bool(page.hits) and len(self._hits) == before

    @property
    def best(self) -> tuple[SearchHit, ...]:
        wanted = [hit for hit in self._hits.values() if is_wanted(hit, self._filters)]
        return tuple(wanted[: self._filters.most])

    @property
    def is_enough(self) -> bool:
        return len(self.best) >= self._filters.most

    @property
    def pages_missing(self) -> int:
        """The number of further pages needed if each has as many hits as the fullest page so far."""
        return -(-(self._filters.most - len(self.best)) // self._page_size)

    def cut_short(self, error: SearchError, cause: Exception) -> Hits:
        """Return the hits so far with the error. Raises the error if no page was received."""
        if not self.is_any:
            raise error from cause
        return Hits(tuple(map(classify_hit, self.best)), self.unreadable, (error.code, error.message))
