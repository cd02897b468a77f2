"""Pooled connections to one server, with a limit on the size of answers.

httpcore's own pool polls the state of each of its connections at each request: with some 35 open ones that
took two fifths of a call's time in the client (profile of 300 calls). Here a call checks only the connection
that it takes.
"""

import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import httpcore2
import httpx2

from research.runtime.fault_injection import FaultPoint, crash_point

MAX_BODY = 8 * 2**20  # bytes, of an answer
KEPT_S = 60.0  # how long a connection may be idle


class BodyTooLong(Exception):
    """The server sends more than we read."""


class PooledTransport(httpx2.AsyncBaseTransport):
    """An HTTP/1.1 transport with keep-alive connections. The limiter, not the pool, bounds their number.

    Raises httpcore2's errors unchanged, and BodyTooLong.
    """

    def __init__(self, base_url: str, backend: httpcore2.AsyncNetworkBackend | None = None) -> None:
        """Create a transport. `backend` opens the sockets; None is the default backend."""
        self._backend = backend
        url = httpx2.URL(base_url)
        self._origin = httpcore2.URL(
            scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=b"/"
        ).origin
        self._tls = httpx2.create_ssl_context() if url.scheme == "https" else None
        self._idle: list[tuple[float, httpcore2.AsyncHTTPConnection]] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        connection = await self._take()
        async with AsyncExitStack() as unless_answered:
            unless_answered.push_async_callback(connection.aclose)
            answer = await connection.handle_async_request(plain(request))
            crash_point(FaultPoint.ANSWER_IN_FLIGHT)
            unless_answered.pop_all()
        body = _ServerBody(answer, connection, self)
        return httpx2.Response(
            answer.status, headers=answer.headers, stream=body, extensions=answer.extensions
        )

    async def aclose(self) -> None:
        while self._idle:
            await self._idle.pop()[1].aclose()

    async def _take(self) -> httpcore2.AsyncHTTPConnection:
        """Return the most recently used connection that is still open, or a new one."""
        while self._idle:
            since, connection = self._idle.pop()
            if time.monotonic() - since < KEPT_S and not connection.has_expired():
                return connection
            await connection.aclose()
        return httpcore2.AsyncHTTPConnection(
            self._origin, ssl_context=self._tls, network_backend=self._backend
        )

    async def give_back(self, connection: httpcore2.AsyncHTTPConnection) -> None:
        if connection.is_idle():
            self._idle.append((time.monotonic(), connection))
        else:
            await connection.aclose()


def plain(request: httpx2.Request) -> httpcore2.Request:
    """Convert a request of httpx2 into one of httpcore2."""
    url = request.url
    target = httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
    return httpcore2.Request(
        request.method,
        target,
        headers=request.headers.raw,
        content=request.stream,
        extensions=request.extensions,
    )


class _ServerBody(httpx2.AsyncByteStream):
    def __init__(
        self,
        answer: httpcore2.Response,
        connection: httpcore2.AsyncHTTPConnection,
        pool: PooledTransport,
    ) -> None:
        self._answer = answer
        self._connection = connection
        self._pool = pool

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._answer.aiter_stream():
            size += len(part)
            if size > MAX_BODY:
                raise BodyTooLong
            yield part

    async def aclose(self) -> None:
        await self._answer.aclose()
        await self._pool.give_back(self._connection)
