"""An application of synchronous views behind an asynchronous server: a request is one turn in one thread.

Django's own ASGI handler goes back to its event loop between one step of a request and the next: of the processor's
time of a poll it took more than half (`manage.py bench_polling`).
"""

from tempfile import SpooledTemporaryFile
from typing import IO

from a2wsgi import WSGIMiddleware
from a2wsgi.asgi_typing import HTTPRequestEvent, HTTPScope, Receive, Scope, Send
from a2wsgi.wsgi_typing import WSGIApp

PIECE = 64 * 1024  # bytes that are handed on at once


class VisitorLeft(Exception):
    """The connection ended before the whole request had come."""


class OneThreadARequest:
    """Hands on a request once it is there as a whole, so that no thread waits for a slow visitor.

    `threads` requests are answered at once; more wait for their turn. A body of more than `memory` bytes is on disk
    meanwhile.
    """

    def __init__(self, wsgi: WSGIApp, *, threads: int, memory: int) -> None:
        self._answer = WSGIMiddleware(wsgi, workers=threads)
        self._memory = memory

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._answer(scope, receive, send)
            return
        with SpooledTemporaryFile(self._memory) as body:
            try:
                await _take_in(body, receive)
            except VisitorLeft:
                return
            await self._answer(_unambiguous(scope), _handing_on(body), send)


async def _take_in(body: IO[bytes], receive: Receive) -> None:
    """Raises VisitorLeft."""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise VisitorLeft
        body.write(message.get("body", b""))
        if not message.get("more_body", False):
            break
    body.seek(0)


def _handing_on(body: IO[bytes]) -> Receive:
    async def receive() -> HTTPRequestEvent:
        piece = body.read(PIECE)
        return {"type": "http.request", "body": piece, "more_body": len(piece) == PIECE}

    return receive


def _unambiguous(scope: HTTPScope) -> HTTPScope:
    """Without headers that a server of WSGI would take for others: `X_Forwarded_Proto` is not what the proxy says."""
    return {**scope, "headers": [(name, value) for name, value in scope["headers"] if b"_" not in name]}
