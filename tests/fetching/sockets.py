"""A network that never leaves the test: names from a table, connections that are written down and answer as told."""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from typing import TypeVar

import httpcore2

from research.fetching.denied_addresses import AddressRules, networks
from research.fetching.http_client import Asking, FetchResponse, HttpClient
from research.fetching.ssrf_guard import NoSuchHost
from tests.fetching.spellings import NAMES

T = TypeVar("T")
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nok"
OWN = networks("45.83.104.0/24")


class Network:
    """`dialled` is each address a socket went to; `asked` the head of each request."""

    def __init__(self, answers: Sequence[bytes] = (), names: Mapping[str, list[str]] = NAMES) -> None:
        self.answers = list(answers)
        self.names = names
        self.dialled: list[tuple[str, int]] = []
        self.looked_up: list[str] = []
        self.asked: list[str] = []
        self.tls_names: list[str | None] = []
        self.written = b""

    async def resolve(self, host: str, port: int) -> list[str]:
        self.looked_up.append(host)
        if host not in self.names:
            raise NoSuchHost(host)
        return self.names[host]

    async def dial(self, address: str, port: int, timeout_s: float | None) -> httpcore2.AsyncNetworkStream:
        self.dialled.append((address, port))
        return _Stream(self, self.answers.pop(0) if self.answers else OK)

    def client(self, *, allow_loopback: bool = False) -> HttpClient:
        rules = AddressRules(allow_loopback, OWN)
        return HttpClient(rules, resolve=self.resolve, dial=self.dial, total_s=5)

    def get(
        self, url: str, headers: Mapping[str, str] | None = None, *, allow_loopback: bool = False
    ) -> FetchResponse:
        async def act() -> FetchResponse:
            client = self.client(allow_loopback=allow_loopback)
            try:
                return await client.get(url, Asking(headers or {}))
            finally:
                await client.aclose()

        return run(act())


class _Stream(httpcore2.AsyncMockStream):
    """Says its lines, then closes; TLS is taken for granted."""

    def __init__(self, network: Network, answer: bytes) -> None:
        super().__init__([answer])
        self._network = network

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._network.written += buffer
        if b" HTTP/1.1\r\n" in buffer:
            self._network.asked.append(buffer.decode("latin-1"))

    async def start_tls(self, ssl_context, server_hostname=None, timeout=None):
        self._network.tls_names.append(server_hostname)
        return self


def run(work: Coroutine[None, None, T]) -> T:
    return asyncio.run(work)


def redirect(location: str, status: int = 302) -> bytes:
    head = (
        f"HTTP/1.1 {status} Moved\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )
    return head.encode()


def page(body: bytes, *headers: str) -> bytes:
    lines = "".join(f"{header}\r\n" for header in headers)
    return f"HTTP/1.1 200 OK\r\n{lines}Content-Length: {len(body)}\r\n\r\n".encode() + body
