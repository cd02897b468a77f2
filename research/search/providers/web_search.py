"""Search the web with the chosen providers, in the event loop that owns their connections."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from research.fetching.fetch_process import fetch_process
from research.search.search_process import search_process
from research.search.search_protocol import Filters, Hits, SearchProvider, SearchType


@dataclass(frozen=True, slots=True)
class WebProvider:
    """A web provider that can be used from any agent's event loop."""

    provider: SearchProvider

    @property
    def name(self) -> str:
        return self.provider.name

    def serves(self, kind: SearchType) -> bool:
        return self.provider.serves(kind)

    async def search(self, query: str, filters: Filters) -> Hits:
        """Search in the event loop of the fetch process. Raises SearchError."""
        return await fetch_process().do(self.provider.search(query, filters))


def web_providers(tenant: UUID, names: Collection[str]) -> Sequence[SearchProvider]:
    """Return the configured providers, or only those named."""
    return [WebProvider(service) for service in search_process().services.of(tenant, names)]
