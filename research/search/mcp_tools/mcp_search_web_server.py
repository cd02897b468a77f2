"""Connect to an MCP server on the web, with limits on its answers.

Connections pass the SSRF guard, unless the operator declared the server to be inside the network.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx2
from mcp.client.streamable_http import streamable_http_client

from research.fetching.denied_addresses import AddressRules
from research.fetching.http_client import AGENT
from research.fetching.http_connection_pool import GuardedTransport
from research.fetching.ssrf_guard import GuardedBackend
from research.search.mcp_tools.mcp_search_program import MAX_BYTES, Streams
from research.search.search_service_client import quick_resolve

TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """The address of a server. `rules` are those of the SSRF guard; None for a server inside the network."""

    url: str
    headers: Mapping[str, str] = field(repr=False)
    rules: AddressRules | None


@asynccontextmanager
async def place(server: ServerAddress, gone: Callable[[], None]) -> AsyncIterator[Streams]:
    """Open the streams to a server. `gone` is never called: each message is a request of its own, which may
    fail.

    The protocol's package follows redirects only within the same origin; each is guarded.
    """
    async with (
        _client(server) as client,
        streamable_http_client(server.url, http_client=client, max_sse_event_size=MAX_BYTES) as streams,
    ):
        yield streams


def _client(server: ServerAddress) -> httpx2.AsyncClient:
    bare = httpx2.AsyncHTTPTransport(trust_env=False)
    way = bare if server.rules is None else GuardedTransport(GuardedBackend(server.rules, quick_resolve))
    return httpx2.AsyncClient(
        transport=_SizeLimitedTransport(way),
        headers={"User-Agent": AGENT, **server.headers, "Accept-Encoding": "identity"},
        timeout=httpx2.Timeout(TIMEOUT_S, pool=None),
        follow_redirects=False,
        trust_env=False,
    )


class _SizeLimitedTransport(httpx2.AsyncBaseTransport):
    """A transport that rejects compressed responses, which may expand a thousandfold, and cuts off long ones."""

    def __init__(self, way: httpx2.AsyncBaseTransport) -> None:
        self._way = way

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._way.handle_async_request(request)
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            await response.aclose()
            raise httpx2.ReadError("its answer is packed, which nobody asked for", request=request)
        return httpx2.Response(
            response.status_code,
            headers=response.headers,
            stream=_CutStream(response),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        await self._way.aclose()


class _CutStream(httpx2.AsyncByteStream):
    def __init__(self, response: httpx2.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MAX_BYTES
        async for part in self._response.aiter_raw():
            left -= len(part)
            if left < 0:
                raise httpx2.ReadError(f"its answer is larger than {MAX_BYTES // 10**6} MB")
            yield part

    async def aclose(self) -> None:
        await self._response.aclose()
