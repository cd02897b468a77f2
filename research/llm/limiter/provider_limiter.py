"""The limiter of a provider: shared through Redis, or this process's own while Redis is unreachable."""

import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from research.llm.limiter.local_limiter import LocalLimiter
from research.llm.limiter.provider_limits import Limiter, RequestLimits, Ticket
from research.llm.limiter.shared_limiter import LimiterAway, SharedLimiter

log = logging.getLogger(__name__)
TRIED_AGAIN_AFTER_S = 5.0  # after Redis was unreachable


class ProviderLimiter:
    """Slots of one provider, for one event loop. It never fails: a report must not stop because Redis did."""

    def __init__(self, shared: SharedLimiter | None, limits: RequestLimits) -> None:
        self._shared = shared
        self.limits = limits
        self._local = LocalLimiter(limits)
        self._away_until = 0.0

    @asynccontextmanager
    async def slot(self, run: str) -> AsyncIterator[None]:
        """Wait for a slot, and hold it."""
        limiter, ticket = await self._acquire(run)
        try:
            yield
        finally:
            await limiter.release(ticket)

    async def pause(self, seconds: float) -> None:
        """Let nobody call the provider for this long; calls in flight continue."""
        await self._local.pause(seconds)
        if self._shared is not None:
            await self._shared.pause(seconds)

    async def close(self) -> None:
        if self._shared is not None:
            await self._shared.close()

    async def _acquire(self, run: str) -> tuple[Limiter, Ticket]:
        if self._shared is not None and time.monotonic() >= self._away_until:
            try:
                return self._shared, await self._shared.acquire(run)
            except LimiterAway:
                self._note_away()
        return self._local, await self._local.acquire(run)

    def _note_away(self) -> None:
        if time.monotonic() >= self._away_until:
            log.warning(
                "limiter_away: Redis can't be reached; calls of models are limited in each process alone"
            )
        self._away_until = time.monotonic() + TRIED_AGAIN_AFTER_S
