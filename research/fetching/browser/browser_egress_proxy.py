"""The browser's only network access: a proxy that connects through the guard, for registered pages, within
their limits.

A request without a page's secret is refused. In plain HTTP only GET and HEAD pass; a tunnel carries only TLS,
and none that offers HTTP/1.1 alone, as WebSockets do. What is sent inside a tunnel is decided by the
browser's routes.
"""

import asyncio
import secrets
import socket
import ssl
from dataclasses import dataclass, field
from http import HTTPStatus

import httpcore2
import httpx2

from research.fetching import ssrf_guard
from research.fetching.browser.browser_client_hello import (
    RECORD_HEADER,
    NotTls,
    application_protocols,
    record_length,
)
from research.fetching.browser.browser_proxy_requests import (
    HOP_BY_HOP,
    MAX_HEAD,
    BadRequest,
    ProxyRequest,
    parse_authority,
    parse_request,
)
from research.fetching.denied_addresses import AddressRules
from research.fetching.http_connection_pool import GuardedTransport
from research.fetching.ssrf_guard import BlockedConnection, GuardedBackend, NoSuchHost
from research.fetching.strict_urls import UrlRefused, parse_url

CONNECTION_S = 60.0  # of one connection; a page times out sooner
PIECE = 65_536  # bytes transferred at once
MAX_NOTED = 40  # refusals that are recorded for a page
_READING = frozenset({"GET", "HEAD"})
_NETWORK_ERRORS = (
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.TimeoutException,
    httpx2.HTTPError,
    ssl.SSLError,
    OSError,
)


class TrafficLimitExceeded(Exception):
    """The page has loaded as much as it is allowed to."""


class _BrokenOff(Exception):
    """The connection fails after a response has begun, so that no status can follow."""


class _ProxyRejection(Exception):
    """A request that is answered with a status, after which the connection is closed."""

    def __init__(self, status: HTTPStatus, reason: str = "") -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


@dataclass(slots=True, eq=False)
class EgressAllowance:
    """The traffic that one page may still cause. `refused` maps the hosts that it could not reach to the reasons."""

    bytes_left: int
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    refused: dict[str, str] = field(default_factory=dict)
    connections: set["asyncio.Task[None]"] = field(default_factory=set, repr=False)

    def take(self, count: int) -> None:
        """Count transferred bytes. Raises TrafficLimitExceeded."""
        self.bytes_left -= count
        if self.bytes_left < 0:
            raise TrafficLimitExceeded

    def note(self, place: str, reason: str) -> None:
        if len(self.refused) < MAX_NOTED:
            self.refused.setdefault(place[:200], reason[:300])


class Egress:
    """The proxy that is the browser's only network access, for one event loop."""

    def __init__(
        self,
        rules: AddressRules,
        *,
        resolve: ssrf_guard.Resolve = ssrf_guard.resolve,
        dial: ssrf_guard.Dial = ssrf_guard.dial,
    ) -> None:
        self._rules = rules
        self._backend = GuardedBackend(rules, resolve, dial)
        self._client = httpx2.AsyncClient(
            transport=GuardedTransport(self._backend), timeout=httpx2.Timeout(CONNECTION_S), trust_env=False
        )
        self._passages: dict[str, EgressAllowance] = {}
        self._server: asyncio.Server | None = None

    async def serve(self, listener: socket.socket) -> None:
        """Serve on the given listening socket, whichever network namespace it belongs to."""
        self._server = await asyncio.start_server(self._accept, sock=listener, limit=MAX_HEAD)

    async def aclose(self) -> None:
        for passage in list(self._passages.values()):
            self.close(passage)
        if self._server is not None:
            self._server.close()
        await self._client.aclose()

    def open(self, most_bytes: int) -> EgressAllowance:
        """Register a page that is about to be loaded; `close` the allowance with the page."""
        passage = EgressAllowance(most_bytes)
        self._passages[passage.secret] = passage
        return passage

    def close(self, passage: EgressAllowance) -> None:
        self._passages.pop(passage.secret, None)
        for connection in passage.connections:
            connection.cancel()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(CONNECTION_S):
                await self._answer(reader, writer)
        except _ProxyRejection as closed:
            writer.write(_status(closed.status))
        except (
            TimeoutError,
            TrafficLimitExceeded,
            _BrokenOff,
            asyncio.IncompleteReadError,
            asyncio.LimitOverrunError,
        ):
            pass  # the browser sees a broken connection
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = parse_request(await reader.readuntil(b"\r\n\r\n"))
            passage = self._passages.get(request.secret)
        except BadRequest as error:
            raise _ProxyRejection(HTTPStatus.BAD_REQUEST) from error
        if passage is None:
            raise _ProxyRejection(HTTPStatus.PROXY_AUTHENTICATION_REQUIRED)
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a connection is served outside of any task")
        passage.connections.add(task)
        try:
            await self._pass(request, passage, reader, writer)
        except (BlockedConnection, BadRequest, UrlRefused) as error:
            passage.note(request.target, str(error))
            raise _ProxyRejection(HTTPStatus.FORBIDDEN) from error
        finally:
            passage.connections.discard(task)

    async def _pass(
        self,
        request: ProxyRequest,
        passage: EgressAllowance,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        try:
            if request.method == "CONNECT":
                await self._tunnel(request, passage, reader, writer)
            else:
                await self._forward(request, passage, writer)
        except (NoSuchHost, *_NETWORK_ERRORS) as error:
            raise _ProxyRejection(HTTPStatus.BAD_GATEWAY) from error

    async def _forward(
        self, request: ProxyRequest, passage: EgressAllowance, writer: asyncio.StreamWriter
    ) -> None:
        """Send a plain HTTP request on, and copy the response."""
        if request.method not in _READING or request.has_body or request.header("upgrade"):
            raise BlockedConnection(f"{request.method} is more than reading")
        target = parse_url(request.target, allow_loopback=self._rules.allow_loopback)
        if target.scheme != "http":
            raise BadRequest("a page behind TLS is asked for through a tunnel")
        asked = self._client.stream(request.method, target.url, headers=request.forwarded_headers)
        async with asked as response:
            writer.write(_head(response))
            try:
                async for part in response.aiter_raw():
                    passage.take(len(part))
                    writer.write(part)
                    await writer.drain()
            except _NETWORK_ERRORS as error:
                raise _BrokenOff from error

    async def _tunnel(
        self,
        request: ProxyRequest,
        passage: EgressAllowance,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        host, port = parse_authority(request.target)
        far = await self._backend.connect_tcp(host, port)
        try:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            hello = await _hello(request, passage, reader)
            passage.take(len(hello))
            await far.write(hello)
            await _both_ways(passage, reader, writer, far)
        except (NotTls, *_NETWORK_ERRORS) as error:
            raise _BrokenOff from error
        finally:
            await far.aclose()


async def _hello(request: ProxyRequest, passage: EgressAllowance, reader: asyncio.StreamReader) -> bytes:
    """Return the client's first record. Raises NotTls unless it begins as a page's request does."""
    header = await reader.readexactly(RECORD_HEADER)
    try:
        record = await reader.readexactly(record_length(header))
        if b"h2" not in application_protocols(record):
            raise NotTls
    except NotTls:
        passage.note(request.target, "what is no request for a page, as a WebSocket, is not let out")
        raise
    return header + record


async def _both_ways(
    passage: EgressAllowance,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    far: httpcore2.AsyncNetworkStream,
) -> None:
    """Copy in both directions until either side has ended."""
    ways = {
        asyncio.create_task(_outward(passage, reader, far)),
        asyncio.create_task(_inward(passage, far, writer)),
    }
    try:
        done, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in done:
            way.result()
    finally:
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)


async def _outward(
    passage: EgressAllowance, reader: asyncio.StreamReader, far: httpcore2.AsyncNetworkStream
) -> None:
    while piece := await reader.read(PIECE):
        passage.take(len(piece))
        await far.write(piece)


async def _inward(
    passage: EgressAllowance, far: httpcore2.AsyncNetworkStream, writer: asyncio.StreamWriter
) -> None:
    while piece := await far.read(PIECE):
        passage.take(len(piece))
        writer.write(piece)
        await writer.drain()


def _head(response: httpx2.Response) -> bytes:
    lines = [f"HTTP/1.1 {response.status_code} {response.reason_phrase}".encode("latin-1", "replace")]
    for name, value in response.headers.raw:
        if name.decode("latin-1").lower() not in HOP_BY_HOP:
            lines.append(name + b": " + value)
    return b"\r\n".join([*lines, b"Connection: close", b"", b""])


def _status(status: HTTPStatus) -> bytes:
    asks = status is HTTPStatus.PROXY_AUTHENTICATION_REQUIRED
    login = 'Proxy-Authenticate: Basic realm="a page\'s passage"\r\n' if asks else ""
    return (
        f"HTTP/1.1 {status} {status.phrase}\r\n{login}Content-Length: 0\r\nConnection: close\r\n\r\n".encode()
    )
