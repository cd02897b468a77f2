"""Requests of an asynchronous server, answered by synchronous code: whole, in order, one thread each."""

import asyncio
import threading
from collections.abc import Iterable, Iterator, Sequence

import pytest

from research.integrations.mcp.mcp_wsgi_bridge import (
    PIECE,
    OneThreadARequest,
    SpoolFull,
    SpoolShare,
    SpoolSpace,
)

BEGINNING = {"type": "http", "method": "POST", "path": "/x", "query_string": b"", "http_version": "1.1"}


class Echo:
    """A WSGI application that says what it was asked, and in which thread it was made and closed."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []
        self.seen: dict[str, object] = {}
        self.threads: set[int] = set()

    def __call__(self, environ, start_response) -> Iterable[bytes]:
        self.threads.add(threading.get_ident())
        self.seen = environ
        self.asked.append(environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH", 0))))
        start_response("200 OK", [("X-Length", str(len(self.asked[-1])))])
        return self.body()

    def body(self) -> Iterator[bytes]:
        try:
            for piece in (b"one ", b"two"):
                self.threads.add(threading.get_ident())
                yield piece
        finally:
            self.threads.add(threading.get_ident())


def behind(wsgi, most: int = 10**9, together: int = 10**9) -> OneThreadARequest:
    return OneThreadARequest(wsgi, threads=2, memory=1024, most_bytes=lambda path: most, together=together)


def ask(
    wsgi, pieces: Sequence[bytes], headers=(), *, leaves: bool = False, is_told: bool = True, **limits: int
) -> list[dict[str, object]]:
    """Send a request. `leaves`: the visitor is gone before the last piece. `is_told`: its length is declared."""
    messages = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
    messages.append({"type": "http.disconnect"} if leaves else {"type": "http.request", "body": b""})
    sent: list[dict[str, object]] = []

    async def receive():
        return messages.pop(0)

    async def send(message) -> None:
        sent.append(message)

    length = [(b"content-length", str(sum(map(len, pieces))).encode())] if is_told else []
    application = behind(wsgi, **limits)
    asyncio.run(application({**BEGINNING, "headers": [*length, *headers]}, receive, send))
    assert application._room.left == limits.get("together", 10**9)
    return sent


@pytest.mark.parametrize("size", [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE])
def test_a_body_arrives_whole_however_it_was_cut(size):
    echo, body = Echo(), bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    sent = ask(echo, [body[: size // 3], body[size // 3 :]])
    assert echo.asked == [body]
    assert (b"x-length", str(size).encode()) in sent[0]["headers"]


def test_the_answer_comes_piece_by_piece_and_a_request_keeps_one_thread():
    echo = Echo()
    sent = ask(echo, [b"?"])
    assert [message["type"] for message in sent][0] == "http.response.start"
    assert b"".join(message["body"] for message in sent[1:]) == b"one two"
    assert len(echo.threads) == 1


def test_half_a_request_is_no_request():
    echo = Echo()
    assert ask(echo, [b"half of it"], leaves=True) == []
    assert echo.asked == []


@pytest.mark.parametrize("is_told", [True, False])
def test_of_a_body_that_is_too_large_its_size_alone_is_handed_on(is_told):
    echo = Echo()
    ask(echo, [b"x" * 3000] * 4, is_told=is_told, most=10_000)
    assert echo.asked == [b""]
    assert echo.seen["CONTENT_LENGTH"] == "10001"


def test_who_sends_more_than_there_is_room_for_is_asked_to_come_again():
    echo = Echo()
    sent = ask(echo, [b"x" * 3000] * 4, together=10_000)
    assert (sent[0]["status"], echo.asked) == (503, [])


def test_who_is_refused_takes_nothing_from_who_is_under_way():
    room = SpoolSpace(10)
    first, second = SpoolShare(room), SpoolShare(room)
    first.hold(6)
    with pytest.raises(SpoolFull):
        second.hold(5)
    first.hold(10)
    first.give_back()
    second.give_back()
    assert room.left == 10


def test_what_fits_into_memory_needs_no_room():
    echo = Echo()
    ask(echo, [b"x" * 1000], together=0)
    assert echo.asked == [b"x" * 1000]


def test_a_header_that_only_looks_like_the_proxys_is_left_out():
    echo = Echo()
    ask(echo, [], [(b"x_forwarded_proto", b"https"), (b"x-forwarded-proto", b"http")])
    assert echo.seen["HTTP_X_FORWARDED_PROTO"] == "http"


def test_more_than_it_has_threads_wait_for_their_turn():
    turns = threading.Semaphore(2)

    def wsgi(environ, start_response):
        assert turns.acquire(blocking=False), "a third at once"
        try:
            start_response("200 OK", [])
            return [b"."]
        finally:
            turns.release()

    application = behind(wsgi)
    answers: list[int] = []

    async def one() -> None:
        async def receive():
            return {"type": "http.request", "body": b""}

        async def send(message) -> None:
            answers.append(message.get("status", 0))

        await application({**BEGINNING, "headers": []}, receive, send)

    async def many() -> None:
        await asyncio.gather(*(one() for _ in range(20)))

    asyncio.run(many())
    assert answers.count(200) == 20


@pytest.mark.parametrize(
    ("claimed", "told"),
    [
        (b"text/html", "text/html"),
        (b"application/json; charset=utf-8", "application/json"),
        (b"text/plain; charset=hex", "text/plain"),
        (b"text/plain; charset*=nosuch''x", "text/plain"),
        (b'text/plain; charset="\x00"', "text/plain"),
        (b"multipart/form-data; charset=undefined; boundary=ab", "multipart/form-data; boundary=ab"),
        (b'multipart/form-data; Boundary="a b;c"; charset=idna', 'multipart/form-data; Boundary="a b;c"'),
        (b"multipart/form-data; boundary*=hex''ab", "multipart/form-data"),
        (b"; charset=hex", ""),
    ],
)
def test_no_encoding_that_a_visitor_claims_is_handed_on(claimed, told):
    echo = Echo()
    ask(echo, [b"?"], [(b"content-type", claimed)])
    assert echo.seen["CONTENT_TYPE"] == told


@pytest.mark.parametrize("words", ["unable to perform operation; the handler is closed", "something else"])
def test_a_connection_that_was_closed_meanwhile_is_no_fault(words):
    async def receive():
        return {"type": "http.request", "body": b""}

    async def send(_message) -> None:
        raise RuntimeError(words)

    asked = behind(Echo())({**BEGINNING, "headers": []}, receive, send)
    if "closed" in words:
        asyncio.run(asked)
    else:
        with pytest.raises(RuntimeError, match="something else"):
            asyncio.run(asked)


def test_who_asks_for_much_at_once_leaves_threads_to_the_others():
    under_way, go_on = threading.Semaphore(0), threading.Event()

    def slow(environ, start_response) -> list[bytes]:
        start_response("200 OK", [])
        if environ["HTTP_COOKIE"].startswith("session=greedy"):
            under_way.release()
            assert go_on.wait(20)
        return [b"done"]

    application = OneThreadARequest(slow, threads=3, memory=1024, most_bytes=lambda path: 9, together=9)

    async def answer_request(cookie: bytes) -> None:
        async def receive():
            return {"type": "http.request", "body": b""}

        async def send(message) -> None:
            pass

        await application({**BEGINNING, "headers": [(b"cookie", cookie)]}, receive, send)

    async def all_of_it() -> None:
        greedy = [
            asyncio.create_task(answer_request(b"session=greedy; csrf=%d" % number)) for number in range(9)
        ]
        await asyncio.to_thread(under_way.acquire)
        await asyncio.wait_for(answer_request(b"session=other"), 10)
        go_on.set()
        await asyncio.gather(*greedy)

    asyncio.run(all_of_it())
