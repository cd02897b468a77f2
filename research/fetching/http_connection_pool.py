"""A pool of guarded keep-alive connections to many servers, each used for one request at a time.

A connection shared by several requests, as HTTP/2 allows, breaks for all of them at once, and stalls if one
of them is abandoned: its unread data fills the flow-control window. So connections are not shared; pages of a
site are fetched one by one anyway. HTTP/2 is used if a server offers it over TLS.
"""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import cache

import h2.exceptions
import httpcore2
import httpx2

from research.llm.provider.model_server_connections import plain

MAX_CONNECTIONS = 100
MAX_IDLE, IDLE_S = 100, 15.0
Connection = httpcore2.AsyncHTTPConnection

# The server may have closed an idle connection in the meantime, so a request on one is retried once.
_CLOSED_MEANWHILE = (httpcore2.NetworkError, httpcore2.ProtocolError)


@cache
def load_tls_context() -> ssl.SSLContext:
    """Return the shared TLS context; loading the certificate authorities takes 60 ms."""
    return httpx2.create_ssl_context(trust_env=False)


@dataclass(slots=True)
class _Idle:
    place: str  # scheme, host and port
    connection: Connection
    since: float = field(default_factory=time.monotonic)

    @property
    def is_over(self) -> bool:
        return self.connection.has_expired() or self.connection.is_closed()


class GuardedTransport(httpx2.AsyncBaseTransport):
    """A transport with a pool of guarded connections, for one event loop.

    Raises httpcore2's errors unchanged, and the backend's errors.
    """

    def __init__(self, backend: httpcore2.AsyncNetworkBackend, tls: ssl.SSLContext | None = None) -> None:
        """Create a pool.

        `tls` has the certificate authorities to trust; by default those that browsers trust.
        """
        self._backend = backend
        self._tls = tls or load_tls_context()
        self._room = asyncio.Semaphore(MAX_CONNECTIONS)
        self._idle: list[_Idle] = []  # the longest idle first

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        place = f"{request.url.scheme}://{request.url.netloc.decode('ascii')}"
        async with AsyncExitStack() as unless_answered:
            await self._room.acquire()
            unless_answered.callback(self._room.release)
            connection, answer = await self._send_request(place, plain(request))
            unless_answered.pop_all()
        body = _GuardedBody(self, place, connection, answer)
        return httpx2.Response(
            answer.status, headers=answer.headers, stream=body, extensions=answer.extensions
        )

    async def aclose(self) -> None:
        while self._idle:
            await self._idle.pop().connection.aclose()

    async def _send_request(
        self, place: str, asked: httpcore2.Request
    ) -> tuple[Connection, httpcore2.Response]:
        used = await self._take_idle_connection(place)
        if used is not None:
            try:
                return used, await _answer(used, asked)
            except _CLOSED_MEANWHILE:
                if asked.method != b"GET":
                    raise
        new = Connection(
            asked.url.origin, ssl_context=self._tls, http1=True, http2=True, network_backend=self._backend
        )
        return new, await _answer(new, asked)

    async def _take_idle_connection(self, place: str) -> Connection | None:
        """Return the most recently used connection that is still open.

        Only connections to this host are checked, since each check is a system call.
        """
        while self._idle and time.monotonic() - self._idle[0].since >= IDLE_S:
            await self._idle.pop(0).connection.aclose()
        # Searched again each time: while one is closed, another task may take the next.
        while (
            candidate := next((idle for idle in reversed(self._idle) if idle.place == place), None)
        ) is not None:
            self._idle.remove(candidate)
            if not candidate.is_over:
                return candidate.connection
            await candidate.connection.aclose()
        return None

    async def put_back(self, place: str, connection: Connection, *, is_read: bool) -> None:
        """Return a connection to the pool.

        If the answer was not read to the end (`is_read`), it is closed instead, since the rest would come
        before the next answer.
        """
        self._room.release()
        if not is_read or not connection.is_idle():
            await connection.aclose()
            return
        self._idle.append(_Idle(place, connection))
        if len(self._idle) > MAX_IDLE:
            await self._idle.pop(0).connection.aclose()


async def _answer(connection: Connection, asked: httpcore2.Request) -> httpcore2.Response:
    """Return the answer; if there is none, close the connection."""
    async with AsyncExitStack() as unless_answered:
        unless_answered.push_async_callback(connection.aclose)
        try:
            answer = await connection.handle_async_request(asked)
        except httpcore2.ConnectionNotAvailable as error:
            raise httpcore2.RemoteProtocolError("the server takes no more requests") from error
        except ValueError as error:  # h2 passes on a status that is not a number
            raise httpcore2.RemoteProtocolError("the answer's head makes no sense") from error
        unless_answered.pop_all()
    return answer


class _GuardedBody(httpx2.AsyncByteStream):
    def __init__(
        self, pool: GuardedTransport, place: str, connection: Connection, answer: httpcore2.Response
    ) -> None:
        self._pool = pool
        self._place = place
        self._connection = connection
        self._answer = answer
        self._is_read = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for part in self._answer.aiter_stream():
                yield part
        except h2.exceptions.H2Error as error:
            raise httpcore2.RemoteProtocolError("the server breaks the rules of HTTP/2") from error
        self._is_read = True

    async def aclose(self) -> None:
        try:
            await self._answer.aclose()
        finally:
            await self._pool.put_back(self._place, self._connection, is_read=self._is_read)
