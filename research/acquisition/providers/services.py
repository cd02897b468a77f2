"""The search services that the settings choose, with what they share: connections, lines, kept results."""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings

from research.acquisition.addresses import address_rules
from research.acquisition.providers.api import Api, Manner, guarded_client, inside_client
from research.acquisition.providers.catalogue import base_url_of, key_of
from research.acquisition.providers.entry import SEARCH_S, ApiProvider, Entry
from research.acquisition.providers.kept import KeepingProvider, KeptResults
from research.acquisition.providers.pace import Pace
from research.acquisition.providers.protocol import (
    Filters,
    Hits,
    SearchCode,
    SearchError,
    SearchProvider,
    SearchType,
)
from research.acquisition.shared import Shared


class Services:
    """Of one event loop, in which it must be made."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._shared = Shared(settings.REDIS_LOCATION)
        self._kept = KeptResults(self._shared)
        self._guarded = guarded_client(address_rules())
        self._inside = inside_client()
        self._apis = {entry.name: (entry, self._api(entry)) for entry in entries}

    def of(
        self, tenant: UUID, names: Collection[str] = (), limit_s: float = SEARCH_S
    ) -> Sequence[SearchProvider]:
        """Those that are set up, or the named ones; their answers are kept for the tenant.

        `limit_s` is for one query to one provider; half of it may go by before its turn comes.
        """
        found = [
            KeepingProvider(ApiProvider(entry, api.patient(limit_s / 2), limit_s), self._kept, tenant)
            for name, (entry, api) in self._apis.items()
            if not names or name in names
        ]
        return [*found, *(_Absent(name) for name in names if name not in self._apis)]

    async def aclose(self) -> None:
        await self._guarded.aclose()
        await self._inside.aclose()
        await self._shared.aclose()

    def _api(self, entry: Entry) -> Api:
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


@dataclass(frozen=True, slots=True)
class _Absent:
    """A provider that a run's owner chose, and that is no longer set up: said, not passed over."""

    name: str

    def serves(self, kind: SearchType) -> bool:
        return kind is not SearchType.LIBRARY

    async def search(self, query: str, filters: Filters) -> Hits:
        raise SearchError(SearchCode.NOT_AVAILABLE, "It is not set up here.")


def _service(name: str, place: str, key: str) -> str:
    """Whose limits count together: one account at one place. The key can't be told from it."""
    return f"{name}:{hashlib.sha256(f'{place} {key}'.encode()).hexdigest()[:20]}"
