"""The search services chosen in the settings, with shared connections, rate limits and cached results."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings

from config.mcp_server_settings import McpTool
from research.fetching.denied_addresses import address_rules
from research.runtime.shared_redis import SharedRedis
from research.search.chosen_search_services import key_of, outside_tools
from research.search.providers.search_catalogue import ENTRIES, base_url_of
from research.search.providers.search_service_entry import (
    SEARCH_S,
    PagedProvider,
    ProviderEntry,
    api_provider,
)
from research.search.search_protocol import Filters, Hits, SearchCode, SearchError, SearchProvider, SearchType
from research.search.search_request_pace import Pace
from research.search.search_result_cache import KeepingProvider, KeptResults
from research.search.search_service_client import Api, Manner, build_guarded_client, inside_client

if TYPE_CHECKING:
    from research.search.mcp_tools.mcp_search_providers import Outside

NO_TOOLS: Mapping[str, tuple[str, McpTool]] = MappingProxyType({})


class Services:
    """The configured search services, for the event loop in which they are created."""

    def __init__(
        self, entries: Iterable[ProviderEntry], tools: Mapping[str, tuple[str, McpTool]] = NO_TOOLS
    ) -> None:
        self._shared = SharedRedis(settings.REDIS_LOCATION)
        self._kept = KeptResults(self._shared)
        self._guarded = build_guarded_client(address_rules(), settings.PLUMBLINE_CONTACT)
        self._inside = inside_client()
        self._outside = _outside(self._shared, tools) if tools else None
        self._apis = {entry.name: (entry, self._api(entry)) for entry in entries}

    def of(
        self, tenant: UUID, names: Collection[str] = (), limit_s: float = SEARCH_S
    ) -> Sequence[SearchProvider]:
        """Return the configured or the named providers; their results are cached for the tenant.

        `limit_s` is for one query to one provider; up to half of it may be spent waiting for its turn.
        """
        there = self.build_uncached_providers(limit_s)
        absent = set(names) - {provider.name for provider in there}
        found = [
            KeepingProvider(provider, self._kept, tenant)
            for provider in there
            if not names or provider.name in names
        ]
        return [*found, *(_Absent(name) for name in names if name in absent)]

    def build_uncached_providers(self, limit_s: float = SEARCH_S) -> Sequence[PagedProvider]:
        """Return all configured providers, without a cache."""
        apis = self._apis.values()
        services = [api_provider(entry, api.patient(limit_s / 2), limit_s) for entry, api in apis]
        return [*services, *(self._outside.providers(limit_s) if self._outside else ())]

    def api(self, name: str) -> Api | None:
        """Return a service for other requests than searches; None if it is not configured."""
        known = self._apis.get(name)
        return known[1] if known else None

    async def aclose(self) -> None:
        if self._outside:
            await self._outside.aclose()
        await self._guarded.aclose()
        await self._inside.aclose()
        await self._shared.aclose()

    def _api(self, entry: ProviderEntry) -> Api:
        key, place = key_of(entry.name), base_url_of(entry).rstrip("/")
        pace = Pace(self._shared, _service(entry.name, place, key), entry.rate_for(key))
        manner = Manner(
            bool(key),
            entry.headers(key),
            entry.params(key),
            entry.refusal,
            entry.limit_s,
            rests=not entry.is_inside,
        )
        return Api(place, self._inside if entry.is_inside else self._guarded, pace, manner)


def build_services(names: Collection[str]) -> Services:
    """Build the named services, built-in or plugged in. Call it in the event loop that they belong to."""
    tools = {name: tool for name, tool in outside_tools().items() if name in names}
    return Services((ENTRIES[name] for name in names if name in ENTRIES), tools)


@dataclass(frozen=True, slots=True)
class _Absent:
    """A chosen provider that is no longer configured; searching it fails instead of being skipped silently."""

    name: str

    def serves(self, kind: SearchType) -> bool:
        return kind is not SearchType.LIBRARY

    async def search(self, query: str, filters: Filters) -> Hits:
        raise SearchError(SearchCode.NOT_AVAILABLE, "It is not set up here.")


def _outside(shared: SharedRedis, tools: Mapping[str, tuple[str, McpTool]]) -> "Outside":
    """Import the MCP providers only if there are any: the protocol's package takes a second and 37 MB."""
    from research.search.mcp_tools.mcp_search_providers import Outside

    return Outside(shared, tools)


def _service(name: str, place: str, key: str) -> str:
    """Return the name under which rate limits are shared: one account at one place. It does not reveal the key."""
    return f"{name}:{hashlib.sha256(f'{place} {key}'.encode()).hexdigest()[:20]}"
