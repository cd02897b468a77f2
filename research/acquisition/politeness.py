"""One request at a time to a domain, and some time from one to the next. Who waits holds nothing but its place.

Where no time is wanted between requests, for sites of one's own, they are made side by side: a site that asks for a
delay still gets it.

Of one event loop, and so of one process: several workers are polite each for itself.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

FORGOTTEN_ABOVE = 2_000  # domains


@dataclass(slots=True)
class _Place:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    next_at: float = 0.0  # of the loop's clock: no request begins before
    users: int = 0


class Politeness:
    """Turns at domains, first come, first served. `gap_s` is from the start of one request to that of the next."""

    def __init__(self, gap_s: float) -> None:
        self._gap_s = gap_s
        self._places: dict[str, _Place] = {}

    @asynccontextmanager
    async def turn(self, domain: str) -> AsyncIterator[None]:
        """Wait for the domain to be free and rested, and hold it."""
        if not self._gap_s:
            yield
            return
        place = self._place(domain)
        place.users += 1
        try:
            async with place.lock:
                yield
        finally:
            place.users -= 1

    async def rest(self, domain: str, least_s: float = 0.0) -> None:
        """Within a turn: wait until the next request may begin; the one after it begins later by as much again."""
        place, now = self._place(domain), asyncio.get_running_loop().time()
        begin = max(now, place.next_at)
        place.next_at = begin + max(self._gap_s, least_s)
        await asyncio.sleep(begin - now)

    def pause(self, domain: str, seconds: float) -> None:
        """The site asked to be left alone for this long."""
        place = self._place(domain)
        place.next_at = max(place.next_at, asyncio.get_running_loop().time() + seconds)

    def _place(self, domain: str) -> _Place:
        if domain not in self._places and len(self._places) > FORGOTTEN_ABOVE:
            self._forget()
        return self._places.setdefault(domain, _Place())

    def _forget(self) -> None:
        now = asyncio.get_running_loop().time()
        kept = {name: place for name, place in self._places.items() if place.users or place.next_at > now}
        self._places = kept
