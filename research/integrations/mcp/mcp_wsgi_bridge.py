"""Run synchronous views behind an asynchronous server: each request runs in one thread.

Django's own ASGI handler returns to its event loop between the steps of a request, which took more than half of the
CPU time of a poll (`manage.py bench_polling`).
"""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO
from weakref import WeakValueDictionary

from a2wsgi import WSGIMiddleware
from a2wsgi.asgi_typing import HTTPRequestEvent, HTTPScope, Receive, Scope, Send, SendEvent
from a2wsgi.wsgi_typing import WSGIApp

PIECE = 64 * 1024  # bytes that are passed on at once
_SESSION = re.compile(rb"(?:__Host-)?session=[^;]*")
_BOUNDARY = re.compile(rb'(?<![\w*-])boundary=(?:"[^"]*"|[^;\s"]*)', re.IGNORECASE)


class VisitorLeft(Exception):
    """The connection ended before the whole request arrived."""


class RequestBodyTooLarge(Exception):
    """The body is larger than this address accepts."""


class SpoolFull(Exception):
    """The request bodies in progress together exceed their disk space."""


@dataclass(slots=True)
class SpoolSpace:
    """The disk space for all request bodies in progress. `left`: bytes."""

    left: int


@dataclass(slots=True)
class SpoolShare:
    """The share of the spool space that one request body takes."""

    room: SpoolSpace
    held: int = 0

    def hold(self, size: int) -> None:
        """Reserve space. Raises SpoolFull and reserves nothing if there is too little left."""
        more = size - self.held
        if more > self.room.left:
            raise SpoolFull
        self.room.left -= more
        self.held = size

    def give_back(self) -> None:
        self.room.left += self.held
        self.held = 0


class VisitorThreadLimit:
    """A limit on the threads that one visitor holds at once, so that one visitor's requests can't block all others.

    A visitor is identified by session or token, else by IP address.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: WeakValueDictionary[bytes, asyncio.Semaphore] = WeakValueDictionary()

    def of(self, scope: HTTPScope) -> asyncio.Semaphore:
        visitor = _visitor(scope)
        place = self._taken.get(visitor)
        if place is None:
            place = self._taken[visitor] = asyncio.Semaphore(self._most)
        return place


def _visitor(scope: HTTPScope) -> bytes:
    told = dict(scope["headers"])
    cookies = _SESSION.search(told.get(b"cookie", b""))
    if cookies is not None:
        return cookies[0]
    return told.get(b"authorization") or (scope.get("client") or ("", 0))[0].encode()


class OneThreadARequest:
    """Pass a request on once it has arrived completely, so that no thread waits for a slow visitor.

    `threads` requests are handled at once, at most two thirds of them for one visitor; others wait. A body of more
    than `memory` bytes is stored on disk, where all bodies together take at most `together` bytes: a visitor who
    sends more is asked to retry. If a body is larger than `most_bytes` allows for its path, only its size is passed
    on.
    """

    def __init__(
        self,
        wsgi: WSGIApp,
        *,
        threads: int,
        memory: int,
        most_bytes: Callable[[str], int],
        together: int,
    ) -> None:
        self._answer = WSGIMiddleware(wsgi, workers=threads)
        self._memory, self._most_bytes = memory, most_bytes
        self._room = SpoolSpace(together)
        self._places = VisitorThreadLimit(max(1, threads * 2 // 3))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._answer(scope, receive, send)
            return
        most, share, send = self._most_bytes(scope["path"]), SpoolShare(self._room), _as_long_as_there(send)
        with SpooledTemporaryFile(self._memory) as body:
            try:
                if _length_of(scope) > most:
                    raise RequestBodyTooLarge
                await self._take_in(body, receive, most, share)
                async with self._places.of(scope):
                    await self._answer(_unambiguous(scope), _build_receive(body), send)
            except VisitorLeft:
                return
            except RequestBodyTooLarge:
                await self._answer(_with_length(scope, most + 1), _receive_nothing, send)
            except SpoolFull:
                await _ask_to_come_again(send)
            finally:
                share.give_back()

    async def _take_in(self, body: IO[bytes], receive: Receive, most: int, share: SpoolShare) -> None:
        """Store the body. Raises VisitorLeft, RequestBodyTooLarge and SpoolFull."""
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise VisitorLeft
            body.write(message.get("body", b""))
            size = body.tell()
            if size > most:
                raise RequestBodyTooLarge
            share.hold(size if size > self._memory else 0)
            if not message.get("more_body", False):
                break
        body.seek(0)


def _as_long_as_there(send: Send) -> Send:
    """Return a `send` that raises VisitorLeft instead of the server's own error once the connection is closed."""

    async def send_message(message: SendEvent) -> None:
        try:
            await send(message)
        except RuntimeError as error:
            if "closed" not in str(error):
                raise
            raise VisitorLeft from error

    return send_message


def _build_receive(body: IO[bytes]) -> Receive:
    async def receive() -> HTTPRequestEvent:
        piece = body.read(PIECE)
        return {"type": "http.request", "body": piece, "more_body": len(piece) == PIECE}

    return receive


def _unambiguous(scope: HTTPScope) -> HTTPScope:
    """Drop headers that WSGI would confuse with others: `X_Forwarded_Proto` does not come from the proxy.

    Also drop the declared encoding, because everything here is UTF-8. Django would decode even the URL with any codec
    of Python ("hex", "undefined"), and fail.
    """
    headers = ((name, value) for name, value in scope["headers"] if b"_" not in name)
    plain = [(name, _plain_type(value) if name == b"content-type" else value) for name, value in headers]
    return {**scope, "headers": plain}


def _plain_type(value: bytes) -> bytes:
    """Return the media type with its boundary, without other parameters."""
    media, _semicolon, rest = value.partition(b";")
    boundary = _BOUNDARY.search(rest)
    return media if boundary is None else media + b"; " + boundary[0]


def _length_of(scope: HTTPScope) -> int:
    """Return the declared content length; 0 if there is none."""
    told = dict(scope["headers"]).get(b"content-length", b"")
    return int(told[:19]) if told.isdigit() else 0


def _with_length(scope: HTTPScope, length: int) -> HTTPScope:
    headers = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
    return _unambiguous({**scope, "headers": [*headers, (b"content-length", str(length).encode())]})


async def _receive_nothing() -> HTTPRequestEvent:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _ask_to_come_again(send: Send) -> None:
    body = b"Too much is being sent here at the moment. Nothing was done. Try again in a minute.\n"
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"retry-after", b"60")]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
