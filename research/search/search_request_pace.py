"""Rate limits for search services, shared by all processes, or per process while Redis is unavailable."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from redis.asyncio import Redis

from research.runtime.shared_redis import SharedRedis

SCRIPT = (Path(__file__).parent / "pace.lua").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Rate:
    """One request every `interval_s`, and up to `burst` at once after idle time.

    In any period there are at most burst + time / interval requests. For 10 a minute in any minute, use a
    burst of 4 and an interval of 10 s.
    """

    interval_s: float = 0.0
    burst: int = 1

    @property
    def head_start_s(self) -> float:
        return self.interval_s * (self.burst - 1)


class TooFar(Exception):
    """The turn is further away than the caller would wait; no slot was taken."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"{wait_s:.0f} s")
        self.wait_s = wait_s


class ProcessPace:
    """The slots of one process; the Lua script does the same for all processes."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._empty_at = 0.0

    def take(self, now: float, patience_s: float) -> float:
        """Take a slot and return the seconds until its turn. Raises TooFar."""
        empty_at = max(self._empty_at, now)
        wait_s = max(0.0, empty_at - self._rate.head_start_s - now)
        if wait_s > patience_s:
            raise TooFar(wait_s)
        self._empty_at = empty_at + self._rate.interval_s
        return wait_s

    def pause(self, now: float, seconds: float) -> None:
        self._empty_at = max(self._empty_at, now + seconds + self._rate.head_start_s)


class Pace:
    """Turns at one service, for one event loop."""

    def __init__(self, shared: SharedRedis, service: str, rate: Rate) -> None:
        self._shared = shared
        self._key = f"plumbline:pace:{service}"
        self._rate = rate
        self._line = ProcessPace(rate)

    async def take(self, patience_s: float) -> float:
        """Take a slot and return the seconds until its turn. Raises TooFar if that is more than `patience_s`."""
        wait_ms = await self._tell(patience_s, 0)
        if wait_ms is None:
            return self._line.take(self._now(), patience_s)
        if wait_ms < 0:
            raise TooFar(-wait_ms / 1000)
        return wait_ms / 1000

    async def pause(self, seconds: float) -> None:
        """Stop all requests for this long; then continue without a burst."""
        self._line.pause(self._now(), seconds)
        await self._tell(0, seconds)

    async def _tell(self, patience_s: float, pause_s: float) -> int | None:
        times = (self._rate.interval_s, self._rate.head_start_s, patience_s, pause_s)
        words = [str(round(1000 * seconds)) for seconds in times]

        async def act(redis: Redis) -> int:
            return cast(int, await redis.register_script(SCRIPT)(keys=[self._key], args=words))

        return await self._shared.do(act)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()
