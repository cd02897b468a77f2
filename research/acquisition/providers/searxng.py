"""SearXNG: one's own metasearch server, asked in its JSON format. Its address is the operator's, so it may be inside.

https://docs.searxng.org/dev/search_api.html
"""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from urllib.parse import urlencode

import httpx2
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from citations.weighing.authority import classify_source
from citations.weighing.hosts import host_of
from research.acquisition.bodies import BadEncoding, TooLarge, read_body
from research.acquisition.providers.protocol import (
    Filters,
    Hits,
    SearchCode,
    SearchError,
    SearchHit,
    SearchType,
)
from research.library.addresses import canonical_url
from research.models import SourceType
from research.reading.strange_json import read_json

LIMIT_S = 30.0
MOST_PAGES = 5  # of results, for one query
LONGEST_QUERY = 400  # characters
LONGEST_TITLE, LONGEST_SNIPPET = 500, 500
_CATEGORIES = {
    SearchType.WEB: "general",
    SearchType.NEWS: "news",
    SearchType.ACADEMIC: "science",
    SearchType.CODE: "it",
}
_RANGES = (
    ("day", 2),
    ("week", 8),
    ("month", 32),
    ("year", 367),
)  # the name, and up to how many days it covers
_DATE = TypeAdapter(datetime)


class _Result(BaseModel):
    model_config = ConfigDict(extra="ignore")

    url: str = ""
    title: str | None = None
    content: str | None = None
    published: str | None = Field(None, alias="publishedDate")


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore")

    results: list[object] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Page:
    """One page of results; those of another shape are only counted."""

    results: tuple[_Result, ...]
    unreadable: int


class SearxngProvider:
    """Of one event loop. Follows no redirect and asks no other host than the one that was configured."""

    name = "searxng"

    def __init__(self, base_url: str, *, limit_s: float = LIMIT_S) -> None:
        self._url = f"{base_url.rstrip('/')}/search"
        self._limit_s = limit_s
        self._client = httpx2.AsyncClient(
            timeout=limit_s,
            follow_redirects=False,
            trust_env=False,
            headers={"Accept-Encoding": "gzip, deflate"},
        )

    async def aclose(self) -> None:
        await self._client.aclose()

    def serves(self, kind: SearchType) -> bool:
        return kind in _CATEGORIES

    async def search(self, query: str, filters: Filters) -> Hits:
        """Raises SearchError. As many pages of results as are needed for `filters.most` different ones."""
        hits: dict[str, SearchHit] = {}
        unreadable = 0
        for number in range(1, MOST_PAGES + 1):
            before = len(hits)
            page = await self._page(query, filters, number)
            unreadable += page.unreadable
            for result in page.results:
                hits.setdefault(result.url, _hit(result))
            if len(hits) >= filters.most or len(hits) == before:
                break
        return Hits(tuple(hits.values())[: filters.most], unreadable)

    async def _page(self, query: str, filters: Filters, number: int) -> _Page:
        asked = {
            "q": query[:LONGEST_QUERY],
            "format": "json",
            "categories": _CATEGORIES[filters.type],
            "pageno": str(number),
            **_narrowed(filters),
        }
        body = await self._get(f"{self._url}?{urlencode(asked)}")
        try:
            given = _Answer.model_validate(read_json(body)).results
        except ValueError as error:
            raise SearchError(
                SearchCode.INVALID_QUERY, "The search server's answer makes no sense."
            ) from error
        readable = tuple(_readable(given))
        return _Page(tuple(one for one in readable if canonical_url(one.url)), len(given) - len(readable))

    async def _get(self, url: str) -> bytes:
        try:
            async with asyncio.timeout(self._limit_s), self._client.stream("GET", url) as response:
                _refuse(response.status_code)
                return await read_body(response.aiter_raw(), response.headers.get("content-encoding", ""))
        except (TimeoutError, httpx2.TimeoutException) as error:
            words = f"The search server gave no answer within {self._limit_s:g} s."
            raise SearchError(SearchCode.TIMEOUT, words) from error
        except (httpx2.HTTPError, TooLarge, BadEncoding) as error:
            words = f"The search server can't be asked ({type(error).__name__})."
            raise SearchError(SearchCode.TIMEOUT, words) from error


def _readable(given: Iterable[object]) -> Iterator[_Result]:
    for one in given:
        try:
            yield _Result.model_validate(one)
        except ValidationError:
            continue  # it costs itself alone


def _refuse(status: int) -> None:
    if status == 429:
        raise SearchError(SearchCode.RATE_LIMITED, "The search server asks for a pause (429).")
    if status == 403:
        words = "The search server refuses (403): its JSON format may be off, or its limiter be on."
        raise SearchError(SearchCode.NOT_AVAILABLE, words)
    if status >= 500:
        raise SearchError(SearchCode.TIMEOUT, f"The search server failed ({status}).")
    if status != 200:
        raise SearchError(SearchCode.INVALID_QUERY, f"The search server did not take the query ({status}).")


def _narrowed(filters: Filters) -> dict[str, str]:
    """The time range in SearXNG's words, never narrower than what was asked for. Of regions it knows only languages."""
    if filters.published_from is None:
        return {}
    days = (datetime.now(tz=UTC).date() - filters.published_from).days
    fitting = next((name for name, most in _RANGES if days < most), "")
    return {"time_range": fitting} if fitting else {}


def _hit(result: _Result) -> SearchHit:
    title = _line(result.title, LONGEST_TITLE)
    kind = classify_source(url=result.url, title=title)
    return SearchHit(
        url=result.url,
        title=title,
        snippet=_line(result.content, LONGEST_SNIPPET),
        domain=host_of(result.url),
        published=_day(result.published),
        source_type=SourceType(kind.source_type.value),
    )


def _line(text: str | None, longest: int) -> str:
    return " ".join((text or "").split())[:longest]


def _day(text: str | None) -> str:
    """ISO 8601 day; "" for what is no date."""
    if not text:
        return ""
    try:
        return _DATE.validate_python(text).date().isoformat()
    except ValidationError:
        return _plain_day(text)


def _plain_day(text: str) -> str:
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        return ""
