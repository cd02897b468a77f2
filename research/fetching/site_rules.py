"""The robots.txt rules of sites, fetched once an hour and shared by all processes through Redis."""

import asyncio
from collections import OrderedDict
from weakref import WeakValueDictionary

from pydantic import TypeAdapter, ValidationError

from research.fetching.http_client import (
    AGENT,
    Asking,
    Before,
    FetchResponse,
    HttpClient,
    Sent,
    TooManyRedirects,
)
from research.fetching.response_body import BadEncoding
from research.fetching.robots import ALLOW_ALL, LONGEST, Robots, forbid_all, parse_robots
from research.runtime.shared_redis import SharedRedis

KEPT_S = 3_600
UNREAD_KEPT_S = 60  # a file that could not be read is requested again soon
KEPT = 2_000  # sites cached in this process
MAX_SHARED_RULES = 5_000  # rules of a site that are cached in Redis
_ROBOTS = TypeAdapter(Robots)


class SiteRules:
    """The robots.txt rules of sites, for one event loop.

    A site is scheme, host and port: `https://example.com`.
    """

    def __init__(self, client: HttpClient, shared: SharedRedis | None = None) -> None:
        self._client = client
        self._shared = shared
        self._known: OrderedDict[str, tuple[float, Robots]] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def get_cached(self, site: str) -> Robots | None:
        """Return the cached rules of the site; None if they have to be fetched."""
        until, robots = self._known.get(site, (0.0, None))
        return robots if asyncio.get_running_loop().time() < until else None

    async def ask(self, site: str, before: Before, sent: Sent) -> Robots:
        """Return the rules of the site, fetched by the first caller while others wait.

        Raises one of DoorError.
        """
        async with self._locks.setdefault(site, asyncio.Lock()):
            known = self.get_cached(site) or await self._load_shared_rules(site)
            return known or await self._learn(site, Asking(before=before, sent=sent, most=LONGEST))

    async def _learn(self, site: str, asking: Asking) -> Robots:
        try:
            answer = await self._client.get(f"{site}/robots.txt", asking)
        except (TooManyRedirects, BadEncoding):
            robots = ALLOW_ALL  # treated as no file (RFC 9309, 2.3.1.2)
        else:
            robots = _of(answer)
        self._keep(site, robots)
        await self._share(site, robots)
        return robots

    def _keep(self, site: str, robots: Robots) -> None:
        kept_s = UNREAD_KEPT_S if robots.unread else KEPT_S
        self._known[site] = (asyncio.get_running_loop().time() + kept_s, robots)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)

    async def _load_shared_rules(self, site: str) -> Robots | None:
        """Return the rules that another process has shared, and cache them; None if there are none."""
        word = await self._shared.do(lambda redis: redis.get(_name(site))) if self._shared else None
        try:
            robots = _ROBOTS.validate_json(word) if word else None
        except ValidationError:
            return None  # stored by another release: fetch them again
        if robots is not None:
            self._keep(site, robots)
        return robots

    async def _share(self, site: str, robots: Robots) -> None:
        if self._shared is not None and not robots.unread and len(robots.rules) <= MAX_SHARED_RULES:
            word = _ROBOTS.dump_json(robots)
            await self._shared.do(lambda redis: redis.set(_name(site), word, ex=KEPT_S))


def _of(answer: FetchResponse) -> Robots:
    """Return the rules in a response.

    A site without the file allows everything; one that fails to send it, nothing (RFC 9309, 2.3.1).
    """
    if answer.status >= 500 or answer.status == 429:
        return forbid_all(f"its server did not give the file ({answer.status})")
    return parse_robots(answer.body, AGENT) if answer.status == 200 else ALLOW_ALL


def _name(site: str) -> str:
    return f"plumbline:robots:{site}"
