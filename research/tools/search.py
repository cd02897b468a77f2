"""search: up to five wordings of one intent, over every provider there is, fused by rank."""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from research.llm.calls import StepIds
from research.models import SourceType
from research.tools.handles import document_handle
from research.tools.library_provider import LibraryProvider
from research.tools.providers import Filters, SearchHit, SearchProvider, SearchType, fused
from research.tools.tool import Tool, ToolCode, ToolError, ToolInput, ToolOutput, Use

LIMIT_S = 30.0
DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}
Query = Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=400)]
Domain = Annotated[str, StringConstraints(to_lower=True, pattern=r"^[a-z0-9.-]{1,253}$")]


class SearchInput(ToolInput):
    """Search for sources."""

    queries: list[Query] = Field(min_length=1, max_length=5, description="Wordings of one intent.")
    type: SearchType = Field(SearchType.LIBRARY, description="Where to look; the library is always searched.")
    time_range: Literal["day", "week", "month", "year", "all"] = "all"
    region: str = Field("", max_length=10, description="Country code; empty for all.")
    max_results: int = Field(30, ge=10, le=100)
    exclude_domains: list[Domain] = Field(default_factory=list, max_length=50)


class SearchResult(ToolOutput):
    """One document. `id` is what other tools take; `passages` are the indexes of its best passages."""

    id: str
    url: str = ""
    title: str
    snippet: str
    domain: str = ""
    published: str = "date unknown"
    relevance: float
    source_type: SourceType
    passages: list[int] = Field(default_factory=list)


class SearchOutput(ToolOutput):
    results: list[SearchResult]
    total: int
    search_id: str


Providers = Callable[[StepIds], Sequence[SearchProvider]]
Today = Callable[[], date]


def library_only(step: StepIds) -> Sequence[SearchProvider]:
    return (LibraryProvider(step.tenant_id, step.run_id),)


def today_utc() -> date:
    return datetime.now(tz=UTC).date()


@dataclass(frozen=True, slots=True)
class Searching:
    """The work of the search tool."""

    providers: Providers = library_only
    today: Today = today_utc

    async def __call__(self, given: SearchInput, use: Use) -> SearchOutput:
        serving = [one for one in self.providers(use.step) if one.serves(given.type)]
        if not serving:
            raise ToolError(ToolCode.NOT_AVAILABLE, f"Nothing here searches for {given.type.value}.")
        filters = self._filters(given)
        queries = list(dict.fromkeys(given.queries))
        done = await asyncio.gather(
            *(provider.search(query, filters) for query in queries for provider in serving),
            return_exceptions=True,
        )
        return _output(fused(_answered(done)), given, use)

    def _filters(self, given: SearchInput) -> Filters:
        days = DAYS.get(given.time_range)
        return Filters(
            given.type,
            self.today() - timedelta(days) if days else None,
            given.region,
            given.max_results,
            frozenset(given.exclude_domains),
        )


def _answered(done: Sequence[Sequence[SearchHit] | BaseException]) -> list[Sequence[SearchHit]]:
    """What was found. A provider's failure counts where all have failed."""
    failed = [one for one in done if isinstance(one, BaseException)]
    if failed and (len(failed) == len(done) or not all(isinstance(one, ToolError) for one in failed)):
        raise next((one for one in failed if not isinstance(one, ToolError)), failed[0])
    return [one for one in done if not isinstance(one, BaseException)]


def _output(ranked: Sequence[tuple[SearchHit, float]], given: SearchInput, use: Use) -> SearchOutput:
    kept = [(hit, relevance) for hit, relevance in ranked if hit.document is not None][: given.max_results]
    if not kept:
        raise ToolError(ToolCode.NO_RESULTS, "Nothing was found; try other words.")
    identity = hashlib.sha256(f"{use.step.run_id} {use.step.key} {use.key}".encode()).hexdigest()
    return SearchOutput(
        results=[_result(hit, relevance) for hit, relevance in kept],
        total=len(ranked),
        search_id=f"search-{identity[:12]}",
    )


def _result(hit: SearchHit, relevance: float) -> SearchResult:
    assert hit.document is not None  # noqa: S101 - what is not a row can't be named; it was left out
    return SearchResult(
        id=document_handle(hit.document),
        url=hit.url,
        title=hit.title,
        snippet=hit.snippet,
        domain=hit.domain,
        published=hit.published or "date unknown",
        relevance=relevance,
        source_type=hit.source_type,
        passages=list(hit.passages),
    )


def search_tool(
    providers: Providers = library_only, today: Today = today_utc
) -> Tool[SearchInput, SearchOutput]:
    return Tool(
        "search",
        "Find documents. Give one to five wordings of what you look for. Returns ids for browse and store.",
        SearchInput,
        Searching(providers, today),
        LIMIT_S,
    )
