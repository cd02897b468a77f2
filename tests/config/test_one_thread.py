"""Requests of an asynchronous server, answered by synchronous code: whole, in order, one thread each."""

import asyncio
import threading
from collections.abc import Iterable, Iterator, Sequence

import pytest

from config.one_thread import PIECE, OneThreadARequest

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


def ask(wsgi, pieces: Sequence[bytes], headers=(), *, leaves: bool = False) -> list[dict[str, object]]:
    """What the server is sent. `leaves`: the visitor is gone before the last piece."""
    messages = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
    messages.append({"type": "http.disconnect"} if leaves else {"type": "http.request", "body": b""})
    sent: list[dict[str, object]] = []

    async def receive():
        return messages.pop(0)

    async def send(message) -> None:
        sent.append(message)

    length = (b"content-length", str(sum(map(len, pieces))).encode())
    application = OneThreadARequest(wsgi, threads=2, memory=1024)
    asyncio.run(application({**BEGINNING, "headers": [length, *headers]}, receive, send))
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

    application = OneThreadARequest(wsgi, threads=2, memory=1024)
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
