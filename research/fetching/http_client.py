"""The HTTP client for all sources: GET only, with checked redirects and limits on size and time."""

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from http.cookiejar import CookieJar, DefaultCookiePolicy
from urllib.parse import urljoin

import httpcore2
import httpx2

from research.fetching.denied_addresses import AddressRules, address_rules
from research.fetching.http_connection_pool import GuardedTransport
from research.fetching.response_body import (
    HTML_LIMIT,
    PDF_LIMIT,
    BadEncoding,
    ResponseTooLarge,
    read_beginning,
    read_body,
)
from research.fetching.ssrf_guard import (
    BlockedConnection,
    Dial,
    GuardedBackend,
    NoSuchHost,
    Resolve,
    dial,
    resolve,
)
from research.fetching.strict_urls import DialTarget, UrlRefused, parse_url

TOTAL_S = 30.0  # of a page with all its redirects, without what is waited between them
MAX_REDIRECTS = 5
AGENT = "Plumbline"  # the name that robots.txt is asked for
HEADERS = {
    "User-Agent": f"{AGENT}/0.1 (research with cited sources)",
    "Accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.9,*/*;q=0.5",
    "Accept-Encoding": "gzip, deflate",
}
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class TooManyRedirects(Exception):
    """The page redirects too often."""


class HostUnreachable(Exception):
    """The host did not answer, or not in HTTP."""


class FetchTimeout(Exception):
    """The page did not arrive in time."""


# The expected errors of `HttpClient.get`.
DoorError = (
    BlockedConnection,
    NoSuchHost,
    TooManyRedirects,
    HostUnreachable,
    FetchTimeout,
    ResponseTooLarge,
    BadEncoding,
)


@dataclass(frozen=True, slots=True)
class FetchResponse:
    """A server's final response. `headers` have lower-case names; `hops` are the URLs before the last."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    hops: tuple[str, ...] = ()


Before = Callable[[DialTarget], Awaitable[None]]
Sent = Callable[[], None]


async def at_once(target: DialTarget) -> None:
    """Send the request without waiting; the default of `before`."""


def ignore_request_sent() -> None:
    """Do nothing; the default of `sent`."""


@dataclass(frozen=True, slots=True)
class Asking:
    """The options of a page request.

    `headers` are sent only to the URL's own host, and those in `marks` only to exactly that URL. `before` is
    awaited before each request, including redirects, and may raise to stop it. `sent` is called when the
    connection is open and the request goes out. `most` truncates the body to that many bytes; with None, a
    body larger than the limit is refused.
    """

    headers: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    before: Before = at_once
    sent: Sent = ignore_request_sent
    most: int | None = None


PLAINLY = Asking()


@dataclass(frozen=True, slots=True)
class _OutgoingRequest:
    target: DialTarget
    headers: Mapping[str, str]


class HttpClient:
    """Pooled connections to sources, for one event loop.

    It stores no cookies and ignores proxies in the environment.
    """

    def __init__(
        self,
        rules: AddressRules,
        *,
        resolve: Resolve = resolve,
        dial: Dial = dial,
        total_s: float = TOTAL_S,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Create a client.

        `tls` has the certificate authorities to trust; by default those that browsers trust.
        """
        self._rules = rules
        self._total_s = total_s
        self._client = httpx2.AsyncClient(
            transport=GuardedTransport(GuardedBackend(rules, resolve, dial), tls),
            headers=HEADERS,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            timeout=httpx2.Timeout(total_s, pool=None),
            follow_redirects=False,
            trust_env=False,
        )

    async def aclose(self) -> None:
        await self._client.aclose()

    async def get(self, url: str, asking: Asking = PLAINLY) -> FetchResponse:
        """Return the server's answer, whatever its status.

        Raises one of DoorError, and what `asking.before` raises.
        """
        request = _OutgoingRequest(self._target(url), asking.headers)
        hops: list[str] = []
        left_s = self._total_s
        while len(hops) <= MAX_REDIRECTS:
            await asking.before(request.target)
            begun = asyncio.get_running_loop().time()
            answer = await self._within(left_s, request, asking)
            left_s -= asyncio.get_running_loop().time() - begun
            location = answer.headers.get("location", "")
            if answer.status not in _REDIRECTS or not location:
                return replace(answer, hops=tuple(hops))
            hops.append(answer.url)
            request = self._next(request, location)
        raise TooManyRedirects(f"it redirects more than {MAX_REDIRECTS} times")

    async def _within(self, seconds: float, asked: _OutgoingRequest, asking: Asking) -> FetchResponse:
        try:
            async with asyncio.timeout(seconds):
                return await self._ask(asked, asking)
        except (TimeoutError, httpcore2.TimeoutException) as error:
            raise FetchTimeout(f"it did not load within {self._total_s:g} s") from error
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpx2.HTTPError, ssl.SSLError) as error:
            raise HostUnreachable("its server could not be reached") from error

    def _next(self, asked: _OutgoingRequest, location: str) -> _OutgoingRequest:
        target = self._target(_resolve_redirect_url(asked.target.url, location))
        is_same = (target.scheme, target.host, target.port) == (
            asked.target.scheme,
            asked.target.host,
            asked.target.port,
        )
        return _OutgoingRequest(target, asked.headers if is_same else {})

    async def _ask(self, asked: _OutgoingRequest, asking: Asking) -> FetchResponse:
        url = asked.target.url
        sent = {**asked.headers, **asking.marks.get(url, {})}

        async def trace(event: str, info: object) -> None:
            if event.endswith("send_request_headers.started"):
                asking.sent()

        async with self._client.stream("GET", url, headers=sent, extensions={"trace": trace}) as response:
            headers = {name.lower(): value for name, value in response.headers.items()}
            is_redirect = response.status_code in _REDIRECTS and "location" in headers
            body = b"" if is_redirect else await _body(response, headers, asking.most)
            return FetchResponse(url, response.status_code, headers, body)

    def _target(self, url: str) -> DialTarget:
        try:
            return parse_url(url, allow_loopback=self._rules.allow_loopback)
        except UrlRefused as error:
            raise BlockedConnection(f"{url[:200]}: {error}") from error


async def _body(response: httpx2.Response, headers: Mapping[str, str], most: int | None) -> bytes:
    """Return the body.

    Raises ResponseTooLarge before reading anything if the server declares too large a length.
    """
    packing = headers.get("content-encoding", "")
    if most is not None:
        return await read_beginning(response.aiter_raw(), packing, most)
    length, kind = headers.get("content-length", ""), headers.get("content-type", "").lower()
    limit = HTML_LIMIT if kind.startswith(("text/", "application/xhtml")) else PDF_LIMIT
    if length.isascii() and length.isdecimal() and int(length[:18]) > limit:
        raise ResponseTooLarge(limit)
    return await read_body(response.aiter_raw(), packing)


def _resolve_redirect_url(base: str, location: str) -> str:
    """Return the redirect's URL. An absolute URL is unchanged, so that it is parsed only once, strictly."""
    location = location.strip(" ")
    if location.startswith("//"):
        return base.partition("//")[0] + location
    if "\\" in location or _SCHEME.match(location):
        return location
    try:
        return urljoin(base, location)
    except ValueError as error:
        raise BlockedConnection(f"it redirects to “{location[:200]}”, which is not a web address") from error


def new_http_client() -> HttpClient:
    return HttpClient(address_rules())
