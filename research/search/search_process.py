"""The search services of a process, with rate limits for its runs, in the event loop of the `FetchProcess`."""

from collections.abc import Collection
from uuid import UUID

from research.fetching.fetch_process import FetchProcess, fetch_process
from research.fetching.fetch_rates import FetchRateLimiter
from research.llm.budgets.budget_limits import most
from research.search.ask_search_providers import ProviderResults, search_all
from research.search.chosen_search_services import list_configured_services
from research.search.providers.search_service_entry import PATIENT_S
from research.search.search_protocol import Filters
from research.search.search_services import build_services
from research.search.searched_source_kinds import for_named


class SearchProcess:
    """An extension of the `FetchProcess`; get it from `search_process`."""

    def __init__(self, process: FetchProcess) -> None:
        self._process = process
        self._searches = FetchRateLimiter(most("searches_a_minute"))
        self.services = build_services(list_configured_services())

    async def search(
        self, query: str, filters: Filters, run: str, tenant: UUID, names: Collection[str] = ()
    ) -> ProviderResults:
        """Search with all providers, or the named ones, when it is the run's turn. Callable from any event loop."""
        return await self._process.do(self._search(query, filters, run, tenant, names))

    async def _search(
        self, query: str, filters: Filters, run: str, tenant: UUID, names: Collection[str]
    ) -> ProviderResults:
        await self._searches.take(run)
        wanted = for_named(filters) if names else filters
        return await search_all(self.services.of(tenant, names, PATIENT_S), query, wanted)

    async def aclose(self) -> None:
        await self.services.aclose()


def search_process() -> SearchProcess:
    """Return this process's `SearchProcess`."""
    return fetch_process().extension(SearchProcess)
