"""The limiter of one process, used while Redis is unreachable; it does not see other processes."""

import asyncio
from collections import Counter
from collections.abc import Callable
from itertools import count

from research.llm.limiter.provider_limits import RequestLimits, Ticket

Clock = Callable[[], float]


class LocalLimiter:
    """Slots and a token bucket in memory, for one event loop."""

    def __init__(self, limits: RequestLimits, clock: Clock | None = None) -> None:
        self._limits = limits
        self._clock = clock or asyncio.get_running_loop().time
        self._numbers = count(1)
        self._seated: set[Ticket] = set()
        self._in_flight: Counter[str] = Counter()
        self._waiting: dict[Ticket, asyncio.Future[None]] = {}
        self._tokens = float(limits.a_minute)
        self._filled_at = self._clock()
        self._paused_until = 0.0
        self._alarm: asyncio.TimerHandle | None = None

    async def acquire(self, run: str) -> Ticket:
        ticket = Ticket(run, "local", next(self._numbers))
        future = self._waiting[ticket] = asyncio.get_running_loop().create_future()
        self._grant()
        try:
            await future
        except asyncio.CancelledError:
            self._waiting.pop(ticket, None)
            await self.release(ticket)
            raise
        return ticket

    async def release(self, ticket: Ticket) -> None:
        if ticket in self._seated:
            self._seated.discard(ticket)
            self._in_flight[ticket.run] -= 1
        self._grant()

    async def pause(self, seconds: float) -> None:
        self._paused_until = max(self._paused_until, self._clock() + seconds)

    def _grant(self) -> None:
        """Grant as many slots as there are, and set a timer for when there will be more."""
        self._refill()
        while self._waiting and self._delay() == 0 and len(self._seated) < self._limits.at_once:
            self._seat(min(self._waiting, key=lambda waiter: (self._in_flight[waiter.run], waiter.number)))
        delay = self._delay()
        if self._waiting and delay > 0 and self._alarm is None:
            self._alarm = asyncio.get_running_loop().call_later(delay, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        self._grant()

    def _seat(self, ticket: Ticket) -> None:
        future = self._waiting.pop(ticket)
        if future.cancelled():
            return
        self._tokens -= 1
        self._seated.add(ticket)
        self._in_flight[ticket.run] += 1
        future.set_result(None)

    def _delay(self) -> float:
        """Return the seconds until the pause is over and there is a token."""
        missing = max(0.0, 1 - self._tokens) * 60 / self._limits.a_minute
        return max(0.0, self._paused_until - self._clock(), missing)

    def _refill(self) -> None:
        now = self._clock()
        gained = (now - self._filled_at) * self._limits.a_minute / 60
        self._tokens = min(float(self._limits.a_minute), self._tokens + gained)
        self._filled_at = now
