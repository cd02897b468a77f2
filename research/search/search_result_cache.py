"""Cache search results in Redis by tenant, service, query and filters."""

import hashlib
import zlib
from dataclasses import dataclass
from datetime import UTC, date, datetime
from uuid import UUID

from pydantic import TypeAdapter, ValidationError
from redis.asyncio import Redis

from research.runtime.shared_redis import SharedRedis
from research.search.providers.search_service_entry import DAY_S, PagedProvider
from research.search.search_protocol import Filters, Hits, SearchType

HOUR_S = 3_600
# The searched period in days, and how long its results are cached (spec: agents-and-tools.md, Caches).
_KEPT = ((1, HOUR_S // 2), (7, HOUR_S), (31, 2 * HOUR_S), (366, 4 * HOUR_S))
_CODE_S = 7 * DAY_S
_LARGEST = 4_000_000  # bytes of an entry, decompressed


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of a search, by which its results are cached."""

    tenant: UUID
    provider: str
    place: str
    query: str
    filters: Filters

    @property
    def key(self) -> str:
        digest = hashlib.sha256(_IDENTITY.dump_json(self)).hexdigest()
        return f"plumbline:results:{self.tenant}:{digest}"


@dataclass(frozen=True, slots=True)
class _SearchCacheEntry:
    """A stored entry with the identity of its search, to detect key collisions."""

    identity: Identity
    hits: Hits


_IDENTITY, _ENTRY = TypeAdapter(Identity), TypeAdapter(_SearchCacheEntry)


class KeptResults:
    """A cache of search results in Redis, for one event loop."""

    def __init__(self, shared: SharedRedis) -> None:
        self._shared = shared

    async def find(self, identity: Identity) -> Hits | None:
        """Return cached results; None if there are none, or they are invalid or of another search."""

        async def act(redis: Redis) -> bytes | str | None:
            return await redis.get(identity.key)

        stored = await self._shared.do(act)
        try:
            entry = _ENTRY.validate_json(_decompress_entry(stored)) if isinstance(stored, bytes) else None
        except (ValidationError, zlib.error):
            return None
        return entry.hits if entry is not None and entry.identity == identity else None

    async def keep(self, identity: Identity, hits: Hits, seconds: int) -> None:
        stored = zlib.compress(_ENTRY.dump_json(_SearchCacheEntry(identity, hits)))

        async def act(redis: Redis) -> None:
            await redis.set(identity.key, stored, ex=seconds)

        await self._shared.do(act)


@dataclass(frozen=True, slots=True)
class KeepingProvider:
    """A provider whose results are cached for the tenant. Incomplete results are not cached."""

    provider: PagedProvider
    kept: KeptResults
    tenant: UUID

    @property
    def name(self) -> str:
        return self.provider.name

    def serves(self, kind: SearchType) -> bool:
        return self.provider.serves(kind)

    async def search(self, query: str, filters: Filters) -> Hits:
        """Return cached results, or search and cache them. Raises SearchError."""
        identity = Identity(self.tenant, self.name, self.provider.place, query, filters)
        known = await self.kept.find(identity)
        if known is not None:
            return known
        hits = await self.provider.search(query, filters)
        if hits.trouble is None:
            seconds = select_cache_lifetime(filters, datetime.now(tz=UTC).date())
            await self.kept.keep(identity, hits, min(seconds, self.provider.kept_s))
        return hits


def select_cache_lifetime(filters: Filters, today: date) -> int:
    """Return how many seconds results are cached: the shorter the searched period, the sooner they are outdated."""
    if filters.published_from is None:
        return _CODE_S if filters.type is SearchType.CODE else DAY_S
    days = (today - filters.published_from).days
    return next((seconds for most, seconds in _KEPT if days <= most), DAY_S)


def _decompress_entry(stored: bytes) -> bytes:
    """Decompress an entry up to the largest valid size, whatever else is stored there. Raises zlib.error."""
    return zlib.decompressobj().decompress(stored, _LARGEST)
