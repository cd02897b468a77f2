"""Bodies are unpacked within limits, whatever the server says of them."""

import asyncio
import gzip
import zlib

import pytest

from research.fetching.denied_addresses import AddressRules
from research.fetching.http_client import FetchTimeout, HostUnreachable, HttpClient
from research.fetching.response_body import (
    HTML_LIMIT,
    PDF_LIMIT,
    PIECE,
    BadEncoding,
    ResponseTooLarge,
    read_body,
)
from tests.fetching.sockets import Network, page, run

HTML = b"<html>" + b"words " * 1000


def read(body: bytes, encoding: str = "", at_once: int = 65_536) -> bytes:
    async def parts():
        for start in range(0, len(body), at_once):
            yield body[start : start + at_once]

    return run(read_body(parts(), encoding))


def raw_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


@pytest.mark.parametrize(
    ("packed", "encoding"),
    [
        (HTML, ""), (HTML, "identity"),
        (gzip.compress(HTML, mtime=0), "gzip"), (gzip.compress(HTML, mtime=0), "X-GZIP "),
        (zlib.compress(HTML), "deflate"), (raw_deflate(HTML), "deflate"),
    ],
)  # fmt: skip
def test_a_body_is_unpacked(packed, encoding):
    assert read(packed, encoding) == HTML
    assert read(packed, encoding, at_once=7) == HTML


def test_a_bomb_is_given_up_at_the_limit_and_not_unpacked():
    bomb = gzip.compress(b"\0" * 40_000_000, mtime=0)
    with pytest.raises(ResponseTooLarge) as refusal:
        read(bomb, "gzip")
    assert refusal.value.limit == HTML_LIMIT


def test_no_more_than_a_piece_is_unpacked_at_once(monkeypatch):
    taken = []

    async def parts():
        yield gzip.compress(b"\0" * 9_000_000, mtime=0)

    monkeypatch.setattr(
        "research.fetching.response_body.limit_for", lambda body: taken.append(len(body)) or HTML_LIMIT
    )
    run(read_body(parts(), "gzip"))
    assert taken[0] <= PIECE
    assert all(later - earlier <= PIECE for earlier, later in zip(taken, taken[1:], strict=False))


def test_a_page_of_ten_megabytes_is_read_and_one_more_byte_is_not():
    assert len(read(b"x" * HTML_LIMIT)) == HTML_LIMIT
    with pytest.raises(ResponseTooLarge, match="10 MB"):
        read(b"x" * (HTML_LIMIT + 1))


def test_a_pdf_may_have_fifty_megabytes():
    assert len(read(b"%PDF-1.7 " + b"x" * HTML_LIMIT)) > HTML_LIMIT
    with pytest.raises(ResponseTooLarge, match="50 MB"):
        read(b"%PDF-1.7 " + b"x" * PDF_LIMIT)


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "compress", "nonsense"])
def test_an_encoding_that_nobody_asked_for_is_an_error(encoding):
    with pytest.raises(BadEncoding):
        read(HTML, encoding)


@pytest.mark.parametrize(
    "packed",
    [
        b"not gzip at all",
        gzip.compress(HTML, mtime=0)[:-30],
        gzip.compress(HTML, mtime=0)[:12] + b"\xff" * 40,
    ],
)
def test_damaged_compression_is_an_error(packed):
    with pytest.raises(BadEncoding):
        read(packed, "gzip")


def test_a_length_over_the_limit_is_refused_before_it_is_read():
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99999999999\r\n\r\nx"
    with pytest.raises(ResponseTooLarge):
        Network([answer]).get("http://public.example.com/")


def test_a_packed_page_comes_through_the_door_unpacked():
    answer = page(gzip.compress(HTML, mtime=0), "Content-Encoding: gzip", "Content-Type: text/html")
    assert Network([answer]).get("http://public.example.com/").body == HTML


def test_what_is_no_http_is_an_unreachable_server():
    with pytest.raises(HostUnreachable):
        Network([b"SSH-2.0-OpenSSH_9.6\r\n"]).get("http://public.example.com/")


def test_an_answer_that_breaks_off_is_an_unreachable_server():
    with pytest.raises(HostUnreachable):
        Network([b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"]).get("http://public.example.com/")


def test_a_page_that_never_comes_is_given_up():
    async def act() -> None:
        network = Network()

        async def dial(address: str, port: int, timeout_s: float | None):
            await asyncio.Event().wait()

        client = HttpClient(AddressRules(), resolve=network.resolve, dial=dial, total_s=0.01)
        with pytest.raises(FetchTimeout):
            await client.get("http://public.example.com/")
        await client.aclose()

    run(act())
