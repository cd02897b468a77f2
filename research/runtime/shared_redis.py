"""A Redis client for workers that tolerates failures: no search or fetch fails because Redis is down."""

import logging
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

T = TypeVar("T")
log = logging.getLogger(__name__)
CONNECT_S, ANSWER_S = 1.0, 2.0
TRIED_AGAIN_AFTER_S = 5.0


class SharedRedis:
    """A Redis client for one event loop. While Redis is down, every request returns None at once."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(
            url, socket_connect_timeout=CONNECT_S, socket_timeout=ANSWER_S, retry=Retry(NoBackoff(), 0)
        )
        self._away_until = 0.0

    async def do(self, act: Callable[[Redis], Awaitable[T]]) -> T | None:
        """Return the result of `act`; None while Redis is down."""
        if time.monotonic() < self._away_until:
            return None
        try:
            return await act(self._redis)
        except (RedisError, OSError) as error:
            log.warning(
                "redis_away: limits and caches count for each process alone (%s)", type(error).__name__
            )
            self._away_until = time.monotonic() + TRIED_AGAIN_AFTER_S
            return None

    async def aclose(self) -> None:
        await self._redis.aclose()
