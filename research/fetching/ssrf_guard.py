"""The SSRF guard: resolves a host once, refuses it if any address is denied, and connects to the address it
checked.

It is where sockets are opened, so that no redirect, second lookup or forgotten check bypasses it. The name
stays in the Host header and in TLS: only the address is pinned.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence

import httpcore2

from research.fetching.denied_addresses import Address, AddressRules, is_loopback, unwrap_ipv4
from research.fetching.strict_urls import PORTS, UrlRefused, normalize_host

CONNECT_S = 5.0  # for one address
MAX_ADDRESSES = 4  # that are tried for a host

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
Dial = Callable[[str, int, float | None], Awaitable[httpcore2.AsyncNetworkStream]]


class BlockedConnection(Exception):
    """The guard refused the connection; str() says why."""


class NoSuchHost(Exception):
    """The host name does not exist."""


async def resolve(host: str, port: int) -> list[str]:
    """Return all addresses of a name, from the system's resolver.

    Raises NoSuchHost; httpcore2.ConnectError if the lookup fails temporarily.
    """
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        if isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN:
            raise httpcore2.ConnectError(f"the name {host} could not be looked up") from error
        raise NoSuchHost(f"there is no host {host}") from error
    return [str(sockaddr[0]) for *_, sockaddr in found]


async def dial(address: str, port: int, timeout_s: float | None) -> httpcore2.AsyncNetworkStream:
    return await httpcore2.AnyIOBackend().connect_tcp(address, port, timeout=timeout_s)


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Opens sockets to allowed addresses only.

    Raises BlockedConnection, NoSuchHost, httpcore2.ConnectError.
    """

    def __init__(self, rules: AddressRules, resolve: Resolve = resolve, dial: Dial = dial) -> None:
        self._rules = rules
        self._resolve = resolve
        self._dial = dial

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        addresses = await self.resolve_allowed_addresses(host, port)
        for address in addresses[:-1]:
            try:
                return await self._dial(str(address), port, CONNECT_S)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return await self._dial(str(addresses[-1]), port, CONNECT_S)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        raise BlockedConnection("a source is never a socket of this machine")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def resolve_allowed_addresses(self, host: str, port: int) -> list[Address]:
        """Return at least one address to connect to.

        All of the host's addresses are checked, only a few are returned.
        """
        try:
            rules = self._rules
            name = normalize_host(host, allow_loopback=rules.allow_loopback, allow_own=rules.allow_own)
        except UrlRefused as error:
            raise BlockedConnection(f"{host}: {error}") from error
        addresses = [_address(text) for text in await self._addresses(name, port)]
        if not addresses:
            raise NoSuchHost(f"there is no host {host}")
        for address in addresses:
            self._check(host, address, port)
        return list(dict.fromkeys(map(unwrap_mapped_address, addresses)))[:MAX_ADDRESSES]

    async def _addresses(self, name: str, port: int) -> Sequence[str]:
        try:
            return [str(ipaddress.ip_address(name))]
        except ValueError:
            return await self._resolve(name, port)

    def _check(self, host: str, address: Address, port: int) -> None:
        reason = self._rules.refusal(address)
        if reason:
            raise BlockedConnection(reason if reason.startswith(f"{host} ") else f"{host}: {reason}")
        # A loopback address gets this far only if the settings allow it.
        if port not in PORTS and not self._rules.any_port and not is_loopback(address):
            raise BlockedConnection(f"{host}: port {port} is not one that web pages have")


def unwrap_mapped_address(address: Address) -> Address:
    """Return the IPv4 address of a mapped one. A NAT64 address is unchanged: its gateway needs it whole."""
    is_mapped = isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None
    return unwrap_ipv4(address) if is_mapped else address


def _address(text: str) -> Address:
    try:
        return ipaddress.ip_address(text)
    except ValueError as error:
        raise BlockedConnection(f"{text} is no address") from error
