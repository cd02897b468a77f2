"""The rate limits for a user's programs: token buckets in Redis, shared by all processes.

A bucket holds the tokens of one minute and fills evenly: after a quiet minute all of them may be used at once. While
Redis is unavailable, each process has buckets of its own.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from pathlib import Path
from threading import Lock

from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

from research.llm.budgets.budget_limits import most

SCRIPT = (Path(__file__).parent / "bucket.lua").read_text(encoding="utf-8")
MINUTE_S = 60
FORGOTTEN_ABOVE = 10_000  # buckets of one process
PATIENCE_S = 0.5  # for Redis, which is tried again after a while
AWAY_FOR_S = 5.0
ROUNDING_S = 0.001  # the rounding error of summed steps


@dataclass(frozen=True, slots=True)
class RateLimitStatus:
    """The state of a bucket after a request.

    `wait_s` above 0: no token was taken, and the request would have to wait that long.
    """

    limit: int
    remaining: int
    reset_s: int  # until it is full
    wait_s: int


def take(user_id: int, names: Sequence[str]) -> Mapping[str, RateLimitStatus]:
    """Take a token for each of these limits in `PLUMBLINE_LIMITS` (posts_a_minute, starts_a_minute), or none at all."""
    limits = {name: most(name) for name in names}
    keys = [f"plumbline:rate:{name}:{user_id}" for name in limits]
    found = _take_from_redis(keys, list(limits.values()))
    answers = _own.take(keys, list(limits.values()), time.monotonic()) if found is None else found
    return {
        name: RateLimitStatus(limit, max(0, int(left)), ceil(full_ms / 1000), ceil(wait_ms / 1000))
        for (name, limit), (left, full_ms, wait_ms) in zip(limits.items(), answers, strict=True)
    }


Answers = list[tuple[float, float, float]]


def _take_from_redis(keys: Sequence[str], limits: Sequence[int]) -> Answers | None:
    """Take tokens in Redis; None while it is unavailable."""
    if time.monotonic() < _away.until:
        return None
    words = [word for limit in limits for word in (limit, 1000 * MINUTE_S)]
    try:
        flat = _client(settings.REDIS_LOCATION).eval(SCRIPT, len(keys), *keys, *words)
    except (RedisError, OSError):
        _away.until = time.monotonic() + AWAY_FOR_S
        return None
    numbers = iter(map(float, flat))
    return list(zip(numbers, numbers, numbers, strict=True))


@lru_cache(maxsize=1)
def _client(location: str) -> Redis:
    return Redis.from_url(location, socket_timeout=PATIENCE_S, socket_connect_timeout=PATIENCE_S)


class Buckets:
    """The token buckets of one process, by the same rules as the script. `now`: seconds of any clock. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._full_at: dict[str, float] = {}

    def forget(self) -> None:
        self._full_at.clear()

    def take(self, keys: Sequence[str], limits: Sequence[int], now: float) -> Answers:
        with self._lock:
            if len(self._full_at) > FORGOTTEN_ABOVE:
                self._full_at = {key: at for key, at in self._full_at.items() if at > now}
            steps = [MINUTE_S / limit for limit in limits]
            full = [max(now, self._full_at.get(key, now)) for key in keys]
            overs = [at + step - now - MINUTE_S for at, step in zip(full, steps, strict=True)]
            waits = [over if over > ROUNDING_S else 0.0 for over in overs]
            if not any(waits):
                full = [at + step for at, step in zip(full, steps, strict=True)]
                self._full_at.update(zip(keys, full, strict=True))
        return [
            ((MINUTE_S + ROUNDING_S - (at - now)) // step, 1000 * (at - now), 1000 * wait)
            for at, step, wait in zip(full, steps, waits, strict=True)
        ]


@dataclass
class _Away:
    until: float = 0.0


_own, _away = Buckets(), _Away()


def forget() -> None:
    """Reset the state of this process, as a restart would."""
    _own.forget()
    _away.until = 0.0
