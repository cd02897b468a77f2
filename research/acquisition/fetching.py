"""Pages, fetched politely: robots.txt asked first, one request at a time to a domain, some at once for a run."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from math import inf
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from citations.weighing.authority import origin_domain
from citations.weighing.hosts import host_of
from research.acquisition.bodies import BadEncoding, TooLarge
from research.acquisition.door import (
    AGENT,
    Answer,
    Door,
    DoorError,
    TookTooLong,
    TooManyRedirects,
    Unreachable,
)
from research.acquisition.guard import NoSuchHost, Refused
from research.acquisition.pages import Fetched, FetchError, page_of
from research.acquisition.politeness import Politeness
from research.acquisition.rates import Rate
from research.acquisition.robots import ALLOW_ALL, FORBID_ALL, Robots, parse_robots
from research.acquisition.urls import UrlRefused, parse_url

ROBOTS_KEPT_S = 3_600.0
ROBOTS_KEPT = 2_000  # sites


class Fetcher:
    """Of one event loop."""

    def __init__(
        self, door: Door, *, gap_s: float, at_once: int, a_minute: float = inf, allow_loopback: bool = False
    ) -> None:
        self._door = door
        self._allow_loopback = allow_loopback
        self._politeness = Politeness(gap_s)
        self._rate = Rate(a_minute)
        self._robots: OrderedDict[str, tuple[float, asyncio.Task[Robots]]] = OrderedDict()
        self._at_once = at_once
        self._slots: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def aclose(self) -> None:
        await self._door.aclose()

    async def fetch(self, url: str, run: str) -> Fetched:
        """One page, for a run. Raises FetchError."""
        try:
            target = parse_url(url, allow_loopback=self._allow_loopback)
        except UrlRefused as error:
            raise FetchError("BLOCKED", f"This address is not read: {error}.") from error
        domain = domain_of(target.url)
        await self._rate.take(run)  # before its turn: runs that have pages left go on with the same domain
        slot = self._slots.setdefault(run, asyncio.Semaphore(self._at_once))
        async with self._politeness.turn(domain):
            robots = await self._robots_of(f"{target.scheme}://{target.place}")
            if not robots.allows(target.path):
                raise FetchError("BLOCKED", "The site's robots.txt asks not to read this page.")
            await self._politeness.rest(domain, robots.delay_s)
            async with slot:  # not while it rests: pages of other domains can be fetched then
                return await self._page(target.url, domain)

    async def _page(self, url: str, domain: str) -> Fetched:
        try:
            return page_of(await self._get(url))
        except FetchError as error:
            if error.retry_after_s:
                self._politeness.pause(domain, min(error.retry_after_s, 30.0))
            raise

    async def _get(self, url: str) -> Answer:
        try:
            return await self._door.get(url)
        except DoorError as error:
            raise _failure(error) from error

    async def _robots_of(self, site: str) -> Robots:
        """Asked once, by whoever comes first; others wait for the same answer."""
        now = asyncio.get_running_loop().time()
        known = self._robots.get(site)
        if known is None or now - known[0] > ROBOTS_KEPT_S:
            known = self._robots[site] = (now, asyncio.create_task(self._ask_robots(site)))
            while len(self._robots) > ROBOTS_KEPT:
                self._robots.popitem(last=False)
        return await asyncio.shield(known[1])

    async def _ask_robots(self, site: str) -> Robots:
        """A site without the file allows everything; one that cannot be asked, nothing (RFC 9309, 2.3.1)."""
        try:
            answer = await self._door.get(f"{site}/robots.txt")
        except DoorError:
            return ALLOW_ALL  # the page itself will tell that the site is away or refused
        if answer.status >= 500:
            return FORBID_ALL
        return parse_robots(answer.body, AGENT) if answer.status == 200 else ALLOW_ALL


def domain_of(url: str) -> str:
    """Whose patience is asked: the registrable domain, or the host and port of an address."""
    parts = urlsplit(url)
    domain = origin_domain(url).partition("/")[0] or host_of(url)
    return parts.netloc if domain.replace(".", "").isdigit() or ":" in domain else domain


# What the door raises: its code among those of browse, and how it is told.
_FAILURES: Mapping[type[Exception], tuple[str, str]] = {
    Refused: ("BLOCKED", "This address is not read"),
    NoSuchHost: ("PAGE_NOT_FOUND", "The page cannot be found"),
    TooManyRedirects: ("BLOCKED", "The page was given up"),
    TooLarge: ("TOO_LARGE", "The page is not read"),
    BadEncoding: ("EXTRACTION_FAILED", "The page cannot be read"),
    TookTooLong: ("TIMEOUT", "The page was given up"),
    Unreachable: ("TIMEOUT", "The page cannot be read"),
}


def _failure(error: Exception) -> FetchError:
    code, words = _FAILURES[type(error)]
    return FetchError(code, f"{words}: {error}.", is_retryable=code == "TIMEOUT")
