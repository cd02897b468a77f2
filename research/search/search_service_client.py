"""Send requests to one search service in turn, within limits, and classify its errors.

Public services are reached through the SSRF guard. Only the search server that the operator named may be inside
the network; it has a client of its own. Keys are sent in headers, or in parameters if a service accepts them
only there; no message contains a URL.
"""

import asyncio
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

import httpcore2
import httpx2

from research.fetching.denied_addresses import AddressRules
from research.fetching.http_client import AGENT
from research.fetching.http_connection_pool import GuardedTransport
from research.fetching.response_body import BadEncoding, ResponseTooLarge, read_body
from research.fetching.ssrf_guard import BlockedConnection, GuardedBackend, NoSuchHost, resolve
from research.search.search_protocol import SearchCode, SearchError
from research.search.search_request_pace import Pace, TooFar
from research.search.search_service_replies import ProviderReply, refusal_of

LIMIT_S = 12.0  # for one reply
PATIENCE_S = 12.0  # to wait for a turn
LOOKED_UP_S = 3.0  # for a host name; without a network some resolvers take half a minute to fail
TOKEN_MARGIN_S = 60.0  # before it expires
AWAY_S = 300.0  # that this process does not request an unreachable service
PAUSE_S, MAX_PAUSE_S = 60.0, 3_600.0  # when a service reports too many requests
HEADERS = {
    "Accept": "application/json, */*;q=0.5",
    "Accept-Encoding": "gzip, deflate",
}
_NO_CONNECTION = (
    NoSuchHost,
    BlockedConnection,
    httpcore2.ConnectError,
    httpcore2.ConnectTimeout,
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
)
_TIMEOUTS = (TimeoutError, httpcore2.TimeoutException, httpx2.TimeoutException)
_BROKEN = (
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpx2.HTTPError,
    ssl.SSLError,
    ResponseTooLarge,
    BadEncoding,
)
Refusal = Callable[[ProviderReply], SearchError | None]


@dataclass(frozen=True, slots=True)
class Manner:
    """The request settings of a service. `refusal` detects its own form of refusal, before the status is
    checked.

    `rests`: an unreachable service is not requested for some minutes, so that no run waits for it again.
    """

    has_key: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, str] = field(default_factory=dict)
    refusal: Refusal = lambda reply: None
    limit_s: float = LIMIT_S
    rests: bool = True


@dataclass(frozen=True, slots=True)
class _ServiceRequest:
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None = None


@dataclass(slots=True)
class ServiceState:
    """The state of a service: until when not to request it, and the token that it issued for its key."""

    away_until: float = 0.0
    token: str = ""
    token_until: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(frozen=True, slots=True)
class Api:
    """The client of one service. It follows no redirects, keeps no cookies and uses only the host of its base URL."""

    base_url: str
    client: httpx2.AsyncClient
    pace: Pace
    manner: Manner
    standing: ServiceState = field(default_factory=ServiceState)
    patience_s: float = PATIENCE_S

    @property
    def has_key(self) -> bool:
        return self.manner.has_key

    def patient(self, patience_s: float) -> "Api":
        """Return a copy that waits up to this long for its turn."""
        return replace(self, patience_s=patience_s)

    def at(self, **names: str) -> "Api":
        """Return a copy with each “{name}” of its base URL filled in."""
        url = self.base_url
        for name, value in names.items():
            url = url.replace(f"{{{name}}}", value)
        return replace(self, base_url=url)

    async def get(
        self, path: str, params: Mapping[str, str] | None = None, headers: Mapping[str, str] | None = None
    ) -> ProviderReply:
        """Return a reply with status 200. Raises SearchError."""
        asked = {**(params or {}), **self.manner.params}
        query = f"?{urlencode(asked)}" if asked else ""
        return await self._ask(_ServiceRequest("GET", f"{self.base_url}{path}{query}", headers or {}))

    async def post(
        self, path: str, form: Mapping[str, str], headers: Mapping[str, str] | None = None
    ) -> ProviderReply:
        """Post a form as a browser does, and return the reply. Raises SearchError."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        body = urlencode(form).encode()
        return await self._ask(
            _ServiceRequest("POST", f"{self.base_url}{path}", {**kind, **(headers or {})}, body)
        )

    async def pause(self, seconds: float) -> None:
        """Pause requests, for services that demand it in a successful reply."""
        await self.pace.pause(min(seconds, MAX_PAUSE_S))

    async def token(self, fetch: Callable[["Api"], Awaitable[tuple[str, float]]]) -> str:
        """Return the service's token for its key; `fetch` requests one and returns it with its validity in seconds."""
        standing = self.standing
        async with standing.lock:
            if time.monotonic() >= standing.token_until:
                standing.token, seconds = await fetch(self)
                standing.token_until = time.monotonic() + max(0.0, seconds - TOKEN_MARGIN_S)
            return standing.token

    async def _ask(self, request: _ServiceRequest) -> ProviderReply:
        self._refuse_while_away()
        await self._turn()
        reply = await self._reply(request)
        refusal = self.manner.refusal(reply) or refusal_of(reply)
        if refusal is None:
            return reply
        if refusal.code is SearchCode.RATE_LIMITED:
            refusal.pause_s = min(refusal.pause_s or PAUSE_S, MAX_PAUSE_S)
            await self.pace.pause(refusal.pause_s)
        raise refusal

    async def _turn(self) -> None:
        try:
            wait_s = await self.pace.take(self.patience_s)
        except TooFar as error:
            words = f"Its rate limit is reached; the next request is possible in {error.wait_s:.0f} s."
            raise SearchError(SearchCode.RATE_LIMITED, words, error.wait_s) from error
        await asyncio.sleep(wait_s)

    async def _reply(self, request: _ServiceRequest) -> ProviderReply:
        try:
            async with asyncio.timeout(self.manner.limit_s):
                return await self._exchange(request)
        except _NO_CONNECTION as error:
            raise self._unreachable(error) from error
        except _TIMEOUTS as error:
            words = f"It did not answer within {self.manner.limit_s:g} s."
            raise SearchError(SearchCode.TIMEOUT, words) from error
        except _BROKEN as error:
            raise SearchError(SearchCode.TIMEOUT, "Its answer was cut off.") from error

    async def _exchange(self, request: _ServiceRequest) -> ProviderReply:
        headers = {**self.manner.headers, **request.headers}
        sent = self.client.stream(request.method, request.url, headers=headers, content=request.body)
        async with sent as response:
            said = {name.lower(): value for name, value in response.headers.items()}
            body = await read_body(response.aiter_raw(), said.get("content-encoding", ""))
            return ProviderReply(response.status_code, said, body)

    def _unreachable(self, error: Exception) -> SearchError:
        is_refused = isinstance(error, BlockedConnection | NoSuchHost)
        message = f"Its address cannot be used: {error}." if is_refused else "It could not be reached."
        if not self.manner.rests:
            return SearchError(SearchCode.TIMEOUT, message)
        self.standing.away_until = time.monotonic() + AWAY_S
        return SearchError(SearchCode.NOT_AVAILABLE, message)

    def _refuse_while_away(self) -> None:
        left_s = self.standing.away_until - time.monotonic()
        if left_s > 0:
            words = f"It could not be reached; the next attempt is in {left_s / 60:.0f} min."
            raise SearchError(SearchCode.NOT_AVAILABLE, words)


async def quick_resolve(host: str, port: int) -> list[str]:
    """Return all addresses of a host within a short time limit. Raises NoSuchHost."""
    try:
        return await asyncio.wait_for(resolve(host, port), LOOKED_UP_S)
    except TimeoutError as error:
        raise NoSuchHost("its name could not be looked up in time") from error


def build_guarded_client(rules: AddressRules, contact: str = "") -> httpx2.AsyncClient:
    """Build the client for public services, which receive a contact address."""
    return _client(GuardedTransport(GuardedBackend(rules, quick_resolve)), contact)


def inside_client() -> httpx2.AsyncClient:
    """Build the client for the operator's own search server, on any network."""
    return _client(httpx2.AsyncHTTPTransport(trust_env=False))


def _client(transport: httpx2.AsyncBaseTransport, contact: str = "") -> httpx2.AsyncClient:
    words = "; ".join(filter(None, ("research with cited sources", contact)))
    return httpx2.AsyncClient(
        transport=transport,
        headers={**HEADERS, "User-Agent": f"{AGENT}/0.1 ({words})"},
        timeout=httpx2.Timeout(LIMIT_S, pool=None),
        follow_redirects=False,
        trust_env=False,
    )
