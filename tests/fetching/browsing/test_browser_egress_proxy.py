"""The egress proxy by itself: who may pass, to where, with what."""

import asyncio
import base64
import socket
from collections.abc import Callable

import pytest

from research.fetching.browser.browser_egress_proxy import Egress, EgressAllowance
from research.fetching.denied_addresses import AddressRules
from tests.fetching.sockets import OWN, Network, page, run
from tests.fetching.spellings import ALLOWED, DENIED


def hello(*protocols: bytes) -> bytes:
    """The first record of a TLS connection that offers these."""
    names = b"".join(bytes([len(protocol)]) + protocol for protocol in protocols)
    alpn = len(names).to_bytes(2, "big") + names
    extensions = b"\x00\x00\x00\x00" + b"\x00\x10" + len(alpn).to_bytes(2, "big") + alpn
    body = b"\x03\x03" + bytes(32) + b"\x00" + b"\x00\x02\x13\x01" + b"\x01\x00"
    body += len(extensions).to_bytes(2, "big") + extensions
    message = b"\x01" + len(body).to_bytes(3, "big") + body
    return b"\x16\x03\x01" + len(message).to_bytes(2, "big") + message


class Client:
    """Says something to the proxy as the page does, and hears all that comes back."""

    def __init__(self, network: Network, most_bytes: int = 1_000_000) -> None:
        self.network = network
        self.most_bytes = most_bytes
        self.passage: EgressAllowance | None = None

    def say(self, text: str, then: bytes = b"", secret: str | None = None) -> bytes:
        return run(self._say(text, then, secret))

    async def _say(self, text: str, then: bytes, secret: str | None) -> bytes:
        egress = Egress(AddressRules(False, OWN), resolve=self.network.resolve, dial=self.network.dial)
        listener = socket.create_server(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        await egress.serve(listener)
        self.passage = egress.open(self.most_bytes)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        login = base64.b64encode(f"page:{secret or self.passage.secret}".encode()).decode()
        head = text.replace("\n", "\r\n") + f"\r\nProxy-Authorization: Basic {login}\r\n\r\n"
        writer.write(head.encode("latin-1"))
        if then:
            await writer.drain()
            writer.write(then)
        said = await reader.read(-1) if not then else await self._heard(reader, writer)
        writer.close()
        await egress.aclose()
        return said

    async def _heard(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        said = await reader.readuntil(b"\r\n\r\n")
        writer.write_eof()
        return said + await reader.read(-1)


@pytest.fixture
def client() -> Client:
    return Client(Network())


def connect(url: str) -> str:
    """The request for a tunnel to the URL's host as it is written there."""
    authority = url.partition("//")[2].partition("/")[0]
    bare = (
        authority
        if authority.rpartition(":")[2].isdigit() and not authority.endswith("]")
        else f"{authority}:443"
    )
    return f"CONNECT {bare} HTTP/1.1"


def test_a_page_is_asked_for_in_the_clear(client):
    said = client.say("GET http://public.example.com/a?b=c HTTP/1.1\nHost: public.example.com\nX-Own: 1")
    assert said.startswith(b"HTTP/1.1 200 OK\r\n")
    assert said.endswith(b"\r\n\r\nok")
    [asked] = client.network.asked
    assert asked.startswith("GET /a?b=c HTTP/1.1\r\n")
    assert "x-own: 1" in asked.lower()


def test_the_pages_secret_stays_here(client):
    client.say(
        "GET http://public.example.com/ HTTP/1.1\nHost: public.example.com\nProxy-Connection: keep-alive"
    )
    assert "proxy" not in client.network.asked[0].lower()


def test_who_has_no_secret_of_a_page_gets_nowhere(client):
    said = client.say("GET http://public.example.com/ HTTP/1.1\nHost: public.example.com", secret="guessed")
    assert said.startswith(b"HTTP/1.1 407 ")
    assert client.network.dialled == []


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
def test_what_is_more_than_reading_does_not_go_out(client, method):
    said = client.say(f"{method} http://public.example.com/ HTTP/1.1\nHost: public.example.com")
    assert said.startswith(b"HTTP/1.1 403 ")
    assert client.network.dialled == []
    assert "more than reading" in client.passage.refused["http://public.example.com/"]


@pytest.mark.parametrize("header", ["Content-Length: 3", "Transfer-Encoding: chunked", "Upgrade: websocket"])
def test_nothing_is_sent_along_with_a_request_and_no_protocol_is_changed(client, header):
    said = client.say(f"GET http://public.example.com/ HTTP/1.1\nHost: public.example.com\n{header}")
    assert said.startswith(b"HTTP/1.1 403 ")
    assert client.network.dialled == []


@pytest.mark.parametrize(
    "line",
    [
        "GET / HTTP/1.1", "GET public.example.com HTTP/1.1", "GET https://public.example.com/ HTTP/1.1",
        "GET ftp://public.example.com/ HTTP/1.1", "get http://public.example.com/ HTTP/1.1", "nonsense",
        "GET  http://public.example.com/ HTTP/1.1", "GET http://public.example.com/ HTTP/2", "CONNECT / HTTP/1.1",
        "CONNECT public.example.com HTTP/1.1", "CONNECT public.example.com:443:80 HTTP/1.1",
        "CONNECT user@public.example.com:443 HTTP/1.1", "CONNECT [::1:443 HTTP/1.1", "CONNECT :443 HTTP/1.1",
    ],
)  # fmt: skip
def test_a_request_that_is_none_is_refused(client, line):
    said = client.say(f"{line}\nHost: public.example.com")
    assert said[:13] in (b"HTTP/1.1 400 ", b"HTTP/1.1 403 ")
    assert client.network.dialled == []


@pytest.mark.parametrize("headers", ["Bad Name: x", "X: a\nX y", "Connection: a\nConnection: b"])
def test_headers_that_can_be_read_in_two_ways_are_refused(client, headers):
    said = client.say(f"GET http://public.example.com/ HTTP/1.1\nHost: public.example.com\n{headers}")
    assert said[:13] in (b"HTTP/1.1 400 ", b"HTTP/1.1 403 ")
    assert client.network.dialled == []


def test_a_tunnel_lets_tls_through_in_both_ways():
    client = Client(Network([b"the server's words"]))
    first = hello(b"h2", b"http/1.1")
    said = client.say("CONNECT public.example.com:443 HTTP/1.1\nHost: public.example.com:443", first)
    assert said.startswith(b"HTTP/1.1 200 ")
    assert client.network.dialled == [("93.184.215.14", 443)]
    assert client.network.written == first


@pytest.mark.parametrize(
    "first",
    [
        b"GET /chat HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", b"\x16\x03\x01\x00\x00", b"EHLO mail",
        b"\x16\x02\x00\x00\x02xx",
        hello(b"http/1.1"), hello(), b"\x16\x03\x01\x00\x05\x02\x00\x00\x00\x00", b"\x16\x03\x01\x00\x01\x01",
    ],
)  # fmt: skip
def test_what_is_no_request_for_a_page_gets_no_word_through_a_tunnel(client, first):
    said = client.say(
        "CONNECT public.example.com:443 HTTP/1.1\nHost: public.example.com:443", first + b"x" * 99
    )
    assert said in (b"HTTP/1.1 200 Connection established\r\n\r\n",)
    assert client.network.written == b""


def test_a_page_that_loads_too_much_is_cut_off():
    client = Client(Network([page(b"x" * 5_000)]), most_bytes=1_000)
    assert len(client.say("GET http://public.example.com/ HTTP/1.1\nHost: public.example.com")) < 1_500
    assert client.passage.bytes_left < 0


def outcomes(urls: list[str], request: Callable[[str], str]) -> dict[str, tuple[list, bytes]]:
    found = {}
    for url in urls:
        client = Client(Network())
        try:
            said = client.say(f"{request(url)}\nHost: x")
        except UnicodeEncodeError:
            continue  # no browser sends it so, and no HTTP could
        found[url] = (client.network.dialled, said[:12])
    return found


def test_no_denied_spelling_is_dialled_in_the_clear():
    found = outcomes(DENIED, lambda url: f"GET {url} HTTP/1.1")
    assert len(found) >= 250
    assert {url: got for url, got in found.items() if got[0]} == {}


def test_no_denied_spelling_is_dialled_for_a_tunnel():
    hosts = [url for url in DENIED if url.startswith("http") and "public.example.com" not in url]
    found = outcomes(hosts, connect)
    assert len(found) >= 200
    assert {url: got for url, got in found.items() if got[0]} == {}


def test_no_allowed_spelling_is_refused():
    plain = [url.strip() for url in ALLOWED if url.strip().lower().startswith("http:") and url.isascii()]
    found = outcomes(
        [url.split("#")[0] for url in plain if " " not in url], lambda url: f"GET {url} HTTP/1.1"
    )
    assert {url: got for url, got in found.items() if len(got[0]) != 1 or got[1] != b"HTTP/1.1 200"} == {}
