"""Searching the web: the providers that the settings name, asked in the one event loop that has their connections."""

from collections.abc import Sequence
from dataclasses import dataclass

from research.acquisition.process import fetch_process
from research.acquisition.providers.protocol import Filters, Hits, SearchProvider, SearchType


@dataclass(frozen=True, slots=True)
class WebProvider:
    """One of them, for whichever loop an agent runs in."""

    provider: SearchProvider

    @property
    def name(self) -> str:
        return self.provider.name

    def serves(self, kind: SearchType) -> bool:
        return self.provider.serves(kind)

    async def search(self, query: str, filters: Filters) -> Hits:
        """Raises SearchError."""
        return await fetch_process().do(self.provider.search(query, filters))


def web_providers() -> Sequence[SearchProvider]:
    return [WebProvider(one) for one in fetch_process().providers]
