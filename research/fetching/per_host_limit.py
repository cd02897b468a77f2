"""Per-domain politeness: one request at a time, with a minimum interval between them.

It is enforced across all processes through Redis; while Redis is unreachable, by each process on its own.
Without an interval, for one's own sites, requests run concurrently; a site's crawl delay is still observed.
It belongs to one event loop.
"""

import asyncio
import logging
from dataclasses import dataclass, field

from research.fetching.shared_host_limit import SharedTurns, SiteRests, TurnsAway

log = logging.getLogger(__name__)
FORGOTTEN_ABOVE = 2_000  # domains
MAX_S = 30.0  # that anybody waits for a site to be rested; for more the page is put off
LATE_S = 0.01  # of which Redis need not hear
TRIED_AGAIN_AFTER_S = 5.0  # once Redis was away


@dataclass(slots=True)
class _HostSlot:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    next_at: float = 0.0  # of the loop's clock: no request begins before
    users: int = 0


class Politeness:
    """The turns at domains, first come, first served.

    `gap_s` is the time between the starts of two requests.
    """

    def __init__(self, gap_s: float, shared: SharedTurns | None = None) -> None:
        self._gap_s = gap_s
        self._shared = shared if gap_s else None
        self._away_until = 0.0
        self._places: dict[str, _HostSlot] = {}

    async def enter(self, domain: str) -> "HostTurn":
        """Wait until the domain is free, and hold it until the turn is left. Raises SiteRests."""
        place = self._place(domain)
        place.users += 1
        turn = HostTurn(self, domain, place)
        try:
            await turn.begin()
        except BaseException:
            turn.leave()
            raise
        return turn

    async def aclose(self) -> None:
        if self._shared is not None:
            await self._shared.close()

    @property
    def gap_s(self) -> float:
        return self._gap_s

    @property
    def shared_turns(self) -> SharedTurns | None:
        """The turns in Redis; None while Redis is unreachable."""
        is_away = asyncio.get_running_loop().time() < self._away_until
        return None if is_away else self._shared

    def note_away(self) -> None:
        now = asyncio.get_running_loop().time()
        if not self._away_until:
            log.warning("turns_away: Redis can't be reached; each process is polite to web sites for itself")
        self._away_until = now + TRIED_AGAIN_AFTER_S

    def note_back(self) -> None:
        if self._away_until:
            log.warning("turns_back: Redis is there again; processes are polite to web sites together")
        self._away_until = 0.0

    def _place(self, domain: str) -> _HostSlot:
        if domain not in self._places and len(self._places) > FORGOTTEN_ABOVE:
            now = asyncio.get_running_loop().time()
            kept = {name: place for name, place in self._places.items() if place.users or place.next_at > now}
            self._places = kept
        return self._places.setdefault(domain, _HostSlot())


class HostTurn:
    """A turn at a domain.

    Whatever it reports to Redis it also tracks here, in case Redis becomes unreachable.
    """

    def __init__(self, politeness: Politeness, domain: str, place: _HostSlot) -> None:
        self._politeness = politeness
        self._domain = domain
        self._place = place
        self._ticket: tuple[SharedTurns, str] | None = None
        self._reserved_at: float | None = None  # when the first request may begin, by what Redis says
        self._told_at = 0.0  # when the request that is under way might have begun, by what Redis was told
        self._between_s = 0.0  # it and the next one
        self._is_locked = False
        self._is_left = False

    async def begin(self) -> None:
        """Wait for the domain. Raises SiteRests."""
        if self._politeness.gap_s:
            await self._place.lock.acquire()
            self._is_locked = True
        self._refuse_long_rest()
        shared = self._politeness.shared_turns
        if shared is not None:
            try:
                ticket, wait_s = await shared.enter(self._domain)
            except TurnsAway:
                self._politeness.note_away()
            else:
                self._politeness.note_back()
                self._ticket = shared, ticket
                self._reserved_at = asyncio.get_running_loop().time() + wait_s

    async def start(self, least_s: float = 0.0) -> None:
        """Wait until the next request may begin, and schedule the one after it."""
        self._told_at = await self._may_begin_at(least_s)
        self._between_s = max(self._politeness.gap_s, least_s)
        now = asyncio.get_running_loop().time()
        begin_at = max(now, self._told_at, self._place.next_at)
        self._place.next_at = begin_at + self._between_s
        await asyncio.sleep(begin_at - now)

    def begins_now(self) -> None:
        """Record that the request was sent only now, later than allowed.

        The next one is delayed accordingly.
        """
        now = asyncio.get_running_loop().time()
        self._place.next_at = max(self._place.next_at, now + self._between_s)
        late_s = now - self._told_at
        if late_s > LATE_S and self._ticket is not None:
            shared, ticket = self._ticket
            shared.slower(self._domain, ticket, late_s + self._between_s)

    def pause(self, seconds: float) -> None:
        """Let no request begin for this long, because the site asked for it."""
        place, now = self._place, asyncio.get_running_loop().time()
        place.next_at = max(place.next_at, now + seconds)
        if self._politeness.shared_turns is not None:
            self._politeness.shared_turns.pause(self._domain, seconds)

    def leave(self) -> None:
        if self._is_left:
            return
        self._is_left = True
        self._place.users -= 1
        if self._ticket is not None:
            shared, ticket = self._ticket
            shared.leave(self._domain, ticket)
        if self._is_locked:
            self._place.lock.release()

    async def _may_begin_at(self, least_s: float) -> float:
        """Return the time of the event loop from which Redis allows the request.

        It is 0 if Redis is unused or unreachable.
        """
        if self._ticket is None:
            return 0.0
        shared, ticket = self._ticket
        reserved_at, self._reserved_at = self._reserved_at, None
        if reserved_at is not None:
            if least_s > self._politeness.gap_s:
                shared.slower(self._domain, ticket, least_s)
            return reserved_at
        try:
            wait_s = await shared.again(self._domain, ticket, least_s)
        except TurnsAway:
            self._politeness.note_away()
            return 0.0
        return asyncio.get_running_loop().time() + wait_s

    def _refuse_long_rest(self) -> None:
        rest_s = self._place.next_at - asyncio.get_running_loop().time()
        if rest_s > MAX_S and self._politeness.gap_s:
            raise SiteRests(rest_s)
