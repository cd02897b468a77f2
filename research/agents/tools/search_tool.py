"""search: send up to five wordings of one intent to every available provider and fuse the results by rank."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from research.agents.tools.evidence.sources_allowed_to_agents import SourceSettings, load_allowed
from research.agents.tools.evidence.tool_rate_limits import check_searches
from research.agents.tools.evidence.tool_source_handles import document_handle, page_handle
from research.agents.tools.tool_interface import Tool, ToolCode, ToolError, ToolInput, ToolOutput, Use
from research.db.tenancy import in_tenant
from research.llm.budgets.budget_limits import most
from research.llm.call_types import Payer, StepIds
from research.models import AgentRole, SourceType
from research.search.ask_search_providers import SkippedProvider, ask_all
from research.search.providers.library_search_provider import LibraryProvider
from research.search.providers.web_search import web_providers
from research.search.search_protocol import (
    Filters,
    SearchHit,
    SearchProvider,
    SearchType,
    fuse_rankings,
    is_wanted,
)
from research.search.technical_search_ranking import technically_ranked

OVER_FETCH = 2  # results fetched for each one requested
DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}
Query = Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=400)]
Domain = Annotated[str, StringConstraints(to_lower=True, pattern=r"^[a-z0-9.-]{1,253}$")]


class SearchInput(ToolInput):
    """Search for sources."""

    queries: list[Query] = Field(min_length=1, max_length=5, description="Wordings of one intent.")
    type: SearchType = Field(SearchType.WEB, description="Where to look, besides the library.")
    time_range: Literal["day", "week", "month", "year", "all"] = "all"
    region: str = Field("", max_length=10, description="Country code; empty for all.")
    max_results: int = Field(30, ge=10, le=100)
    exclude_domains: list[Domain] = Field(default_factory=list, max_length=50)


class SearchResult(ToolOutput):
    """One document (lib-…) or page (web-…). Other tools take its `id`; `passages` are the indexes of the best ones."""

    id: str
    url: str = ""
    title: str
    snippet: str
    domain: str = ""
    published: str = "date unknown"
    relevance: float
    source_type: SourceType
    passages: list[int] = Field(default_factory=list)
    full_text: str = Field("", description="Where a copy is that anyone may read; browse reads it by itself.")


class SearchOutput(ToolOutput):
    results: list[SearchResult]
    total: int
    search_id: str
    unanswered: list[str] = Field(default_factory=list, description="Who could not be asked, and why.")
    unreadable: int = Field(0, description="Results of no known shape, which were left out.")


Providers = Callable[[StepIds, SourceSettings], Sequence[SearchProvider]]
Today = Callable[[], date]


def select_providers(step: StepIds, allowed: SourceSettings) -> Sequence[SearchProvider]:
    """Return the providers of the library and the web that the run's owner allows."""
    library = (
        [LibraryProvider(Payer(step, AgentRole.RESEARCHER), allowed.scope)] if allowed.uses_library else []
    )
    web = web_providers(step.tenant_id, allowed.providers) if allowed.uses_web else ()
    return [*library, *web]


def today_utc() -> date:
    return datetime.now(tz=UTC).date()


@dataclass(frozen=True, slots=True)
class Searching:
    """The function of the search tool."""

    providers: Providers = select_providers
    today: Today = today_utc

    async def __call__(self, given: SearchInput, use: Use) -> SearchOutput:
        allowed = await in_tenant(use.step.tenant_id, partial(_begin_search, use))
        filters = self._filters(given)
        queries = list(dict.fromkeys(given.queries))
        answers = await ask_all(self.providers(use.step, allowed), queries, filters)
        if not answers.rankings:
            raise _build_search_error(answers.skipped, given.type)
        ranked = self._rank_hits(fuse_rankings(answers.rankings), given.type, allowed)
        selected = [entry for entry in ranked if _is_wanted(entry[0], filters, allowed)][: given.max_results]
        if not selected:
            raise ToolError(ToolCode.NO_RESULTS, "Nothing was found; try other words.")
        return SearchOutput(
            results=[_result(hit, relevance) for hit, relevance in selected],
            total=len(ranked),
            search_id=_search_id(use),
            unanswered=list(
                dict.fromkeys(f"{failure.provider}: {failure.message}" for failure in answers.skipped)
            ),
            unreadable=answers.unreadable,
        )

    def _rank_hits(
        self, found: list[tuple[SearchHit, float]], kind: SearchType, allowed: SourceSettings
    ) -> list[tuple[SearchHit, float]]:
        if kind is not SearchType.CODE:
            return found
        return technically_ranked(found, allowed.source_types, self.today())

    def _filters(self, given: SearchInput) -> Filters:
        days = DAYS.get(given.time_range)
        return Filters(
            given.type,
            published_from=self.today() - timedelta(days) if days else None,
            region=given.region,
            most=OVER_FETCH * given.max_results,
            excluded_domains=frozenset(given.exclude_domains),
        )


def _begin_search(use: Use) -> SourceSettings:
    check_searches(use)
    return load_allowed(use.step.run_id)


def _build_search_error(skipped: Sequence[SkippedProvider], kind: SearchType) -> ToolError:
    """Return the error for a search that no provider answered: the first provider's failure."""
    if not skipped:
        return ToolError(ToolCode.NOT_AVAILABLE, f"Nothing here searches for {kind.value}.")
    return ToolError(ToolCode(skipped[0].code), skipped[0].message)


def _is_wanted(hit: SearchHit, filters: Filters, allowed: SourceSettings) -> bool:
    """Return True if the hit may be used; a page of unknown type is judged after it is read."""
    kind = hit.source_type if hit.source_type != SourceType.OTHER else None
    return is_wanted(hit, filters) and not allowed.refusal(hit.url, hit.published, kind)


def _search_id(use: Use) -> str:
    identity = hashlib.sha256(f"{use.step.run_id} {use.step.key} {use.key}".encode()).hexdigest()
    return f"search-{identity[:12]}"


def _result(hit: SearchHit, relevance: float) -> SearchResult:
    return SearchResult(
        id=document_handle(hit.document) if hit.document else page_handle(hit.url),
        url=hit.url,
        title=hit.title,
        snippet=hit.snippet,
        domain=hit.domain,
        published=hit.published or "date unknown",
        relevance=relevance,
        source_type=hit.source_type,
        passages=list(hit.passages),
        full_text=hit.full_text,
    )


def search_tool(
    providers: Providers = select_providers, today: Today = today_utc
) -> Tool[SearchInput, SearchOutput]:
    return Tool(
        "search",
        "Find documents. Give one to five wordings of what you look for. Returns ids for browse and store.",
        SearchInput,
        Searching(providers, today),
        most("search_s"),
    )
