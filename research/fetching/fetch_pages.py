"""Polite fetching: robots.txt first, one request at a time to a domain, a limited number at once for a run.

This applies to every URL on the way: a page that redirects to another site waits for its turn there, and is
requested only if that site's robots.txt allows it.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf
from types import TracebackType
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from redis.asyncio import Redis

from citations.credibility.source_authority import origin_domain
from citations.credibility.source_hosts import host_of
from research.fetching.fetch_rates import FetchRateLimiter
from research.fetching.fetched_page_content import FetchedPage, FetchError, page_of
from research.fetching.fetched_page_moves import find_move
from research.fetching.http_client import (
    Asking,
    DoorError,
    FetchResponse,
    FetchTimeout,
    HostUnreachable,
    HttpClient,
    TooManyRedirects,
)
from research.fetching.per_host_limit import MAX_S, HostTurn, Politeness
from research.fetching.response_body import BadEncoding, ResponseTooLarge
from research.fetching.robots import Robots
from research.fetching.shared_host_limit import SharedTurns, SiteRests
from research.fetching.site_rules import SiteRules
from research.fetching.ssrf_guard import BlockedConnection, NoSuchHost
from research.fetching.strict_urls import DialTarget, UrlRefused, parse_url
from research.runtime.shared_redis import SharedRedis

_MAX_MOVES = 2
Marks = Mapping[str, Mapping[str, str]]  # URL → headers that ask for the page only if it changed
Refuse = Callable[[str], str]  # why the run that asks wants no page of this address; "" where it does


class Fetcher:
    """A polite fetcher of pages, for one event loop."""

    def __init__(
        self,
        client: HttpClient,
        *,
        gap_s: float,
        at_once: int,
        a_minute: float = inf,
        allow_loopback: bool = False,
        redis: Redis | None = None,
        shared: SharedRedis | None = None,
    ) -> None:
        """Create a fetcher.

        `redis` coordinates the turns at domains between processes; without it each process is polite on its
        own. `shared` is the cache of robots.txt rules that all processes share.
        """
        self._client = client
        self._redis, self._shared = redis, shared
        self._allow_loopback = allow_loopback
        turns = SharedTurns(redis, gap_s, MAX_S) if redis is not None and gap_s else None
        self.politeness = Politeness(gap_s, turns)
        self.rules = SiteRules(client, shared)
        self._rate = FetchRateLimiter(a_minute)
        self._at_once = at_once
        self._slots: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def aclose(self) -> None:
        """Close the fetcher and the clients that it was given."""
        await self.politeness.aclose()
        await self._client.aclose()
        if self._redis is not None:
            await self._redis.aclose()
        if self._shared is not None:
            await self._shared.aclose()

    async def fetch(
        self, url: str, run: str, marks: Marks | None = None, refuse: Refuse | None = None
    ) -> FetchedPage | None:
        """Fetch a page for a run; return None if it is unchanged according to `marks`. Raises FetchError.

        `refuse` is called for each URL on the way, before anything is sent there.
        """
        target = self._target(url)
        await self._rate.take(run)  # before its turn: runs that have pages left go on with the same domain
        slot = self._slots.setdefault(run, asyncio.Semaphore(self._at_once))
        async with _Visit(self, slot, refuse) as visit:
            try:
                asking = Asking(marks=marks or {}, before=visit.before, sent=visit.mark_sent)
                answer = await self._follow_moves(await self._client.get(target.url, asking), asking)
                return None if answer.status == 304 and marks else page_of(answer)
            except FetchError as error:
                visit.obey(error)
                raise
            except DoorError as error:
                raise failure(error) from error
            except SiteRests as error:
                raise _rests(error) from error

    async def _follow_moves(self, answer: FetchResponse, asking: Asking) -> FetchResponse:
        """Return the page that this one leads to within its site; the page itself if there is none."""
        seen = {answer.url, *answer.hops}
        for _ in range(_MAX_MOVES):
            address = find_move(answer)
            if not address or address in seen:
                break
            moved = await self._client.get(address, asking)
            if moved.status not in (200, 304):
                break
            seen |= {moved.url, *moved.hops}
            answer = replace(moved, hops=(*answer.hops, answer.url, *moved.hops))
        return answer

    def _target(self, url: str) -> DialTarget:
        try:
            return parse_url(url, allow_loopback=self._allow_loopback)
        except UrlRefused as error:
            raise FetchError("BLOCKED", f"Pages at this address are not fetched: {error}.") from error


class _Visit:
    """The resources held while fetching a page: the turn at a domain, and a slot of the run."""

    def __init__(self, fetcher: Fetcher, slot: asyncio.Semaphore, refuse: Refuse | None) -> None:
        self._fetcher = fetcher
        self._refuse = refuse
        self._slot = slot
        self._has_slot = False
        self._domain = ""
        self._turn: HostTurn | None = None

    async def __aenter__(self) -> "_Visit":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._let_go()
        if self._turn is not None:
            self._turn.leave()

    async def before(self, target: DialTarget) -> None:
        """Prepare a request. Raises FetchError if the site does not allow it."""
        self._let_go()  # not while it waits: pages of other domains can be fetched then
        if self._refuse is not None and (reason := self._refuse(target.url)):
            raise FetchError("EXCLUDED", reason)
        site = f"{target.scheme}://{target.place}"
        _obey(self._fetcher.rules.get_cached(site), target)  # which needs no turn
        turn = await self._at(domain_of(target.url))
        robots = await self._fetcher.rules.ask(site, self._start_robots_turn, self.mark_sent)
        _obey(robots, target)
        await turn.start(robots.delay_s)
        await self._slot.acquire()
        self._has_slot = True

    def mark_sent(self) -> None:
        """Record that the request was sent: the interval to the next one counts from now."""
        if self._turn is not None:
            self._turn.begins_now()

    def obey(self, error: FetchError) -> None:
        """Make all processes observe the pause that the site asks for."""
        if error.retry_after_s and self._turn is not None:
            self._turn.pause(error.retry_after_s)

    async def _at(self, domain: str) -> HostTurn:
        if self._turn is not None and domain == self._domain:
            return self._turn
        if self._turn is not None:
            self._turn.leave()
            self._turn = None
        self._domain, self._turn = domain, await self._fetcher.politeness.enter(domain)
        return self._turn

    async def _start_robots_turn(self, target: DialTarget) -> None:
        """Wait for the robots.txt request like for any other.

        If it redirects to another domain, no turn is taken there.
        """
        if self._turn is not None and domain_of(target.url) == self._domain:
            await self._turn.start()

    def _let_go(self) -> None:
        if self._has_slot:
            self._has_slot = False
            self._slot.release()


def _obey(robots: Robots | None, target: DialTarget) -> None:
    if robots is None or robots.allows(target.path):
        return
    place = target.host
    if robots.unread:
        words = (
            f"The robots.txt of {place} could not be read, so no page is fetched from there: {robots.unread}."
        )
        raise FetchError("BLOCKED", words, is_retryable=True)
    raise FetchError("BLOCKED", f"The robots.txt of {place} does not allow this page to be fetched.")


def domain_of(url: str) -> str:
    """Return the site that per-host limits apply to: the registrable domain, or IP address and port."""
    parts = urlsplit(url)
    domain = origin_domain(url).partition("/")[0] or host_of(url)
    return parts.netloc if domain.replace(".", "").isdigit() or ":" in domain else domain


def _rests(error: SiteRests) -> FetchError:
    return FetchError(
        "BLOCKED", f"The site received too many requests and asks to wait {error.seconds:.0f} s.", is_retryable=True,
        retry_after_s=error.seconds,
    )  # fmt: skip


# Errors of the client: their codes among those of browse, and their messages.
_FAILURES: Mapping[type[Exception], tuple[str, str]] = {
    BlockedConnection: ("BLOCKED", "This address is not read"),
    NoSuchHost: ("PAGE_NOT_FOUND", "The page cannot be found"),
    TooManyRedirects: ("BLOCKED", "The page was given up"),
    ResponseTooLarge: ("TOO_LARGE", "The page is not read"),
    BadEncoding: ("EXTRACTION_FAILED", "The page cannot be read"),
    FetchTimeout: ("TIMEOUT", "The page was given up"),
    HostUnreachable: ("TIMEOUT", "The page cannot be read"),
}


def failure(error: Exception) -> FetchError:
    """Convert an error in DoorError to a failure code of browse."""
    code, words = _FAILURES[type(error)]
    return FetchError(code, f"{words}: {error}.", is_retryable=code == "TIMEOUT")
