"""`/mcp` in the site's ASGI application: stateless streamable HTTP, with the token in the request's header.

The protocol's package is loaded at the first request, so that a site without any stays small.
"""

import asyncio
import json
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from a2wsgi.asgi_typing import ASGIApp, HTTPRequestEvent, HTTPScope, Receive, ReceiveEvent, Scope, Send
from django.db import DatabaseError

from research.integrations.mcp.mcp_wsgi_bridge import RequestBodyTooLarge, VisitorLeft

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

PATH = "/mcp"
MAX_BYTES = 1_000_000  # per message


class WithMcp:
    """An ASGI application that serves `/mcp` and passes other requests on."""

    def __init__(self, others: ASGIApp) -> None:
        self._others = others
        self._kept: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Task[_Live]] = WeakKeyDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].rstrip("/") == PATH:
            await self._serve(scope, receive, send)
        else:
            await self._others(scope, receive, send)

    async def _serve(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            await _refuse(send, 405, "method_not_allowed", [(b"allow", b"POST")])
            return
        try:
            token = await _find_valid_token(scope)
        except DatabaseError:
            await _refuse(send, 503, "unavailable", [(b"retry-after", b"5")])
            return
        if not token:
            await _refuse(send, 401, "not_authenticated", [(b"www-authenticate", b"Bearer")])
            return
        await self._hand_on(token, scope, receive, send)

    async def _hand_on(self, token: str, scope: HTTPScope, receive: Receive, send: Send) -> None:
        from research.integrations.mcp.jsonrpc import fault_of

        try:
            body = await _read_body(receive)
        except VisitorLeft:
            return
        except RequestBodyTooLarge:
            await _refuse(send, 413, "too_large", [])
            return
        if (fault := fault_of(body)) is not None:
            await _answer(send, 400, b"application/json", json.dumps(fault.answer()).encode(), [])
            return
        live = await self._live()
        await live.serve(token, scope, _once_more(body, receive), send)

    async def _live(self) -> "_Live":
        loop = asyncio.get_running_loop()
        begun = self._kept.get(loop)
        if begun is None or (begun.done() and begun.exception()):
            begun = self._kept[loop] = loop.create_task(_begin())
        return await asyncio.shield(begun)


class _Live:
    """The MCP package's request handler for one event loop, kept open by a task of its own."""

    def __init__(self, manager: "StreamableHTTPSessionManager") -> None:
        self._manager = manager
        self._ready = asyncio.Event()
        self._task = asyncio.create_task(self._stay())

    async def serve(self, token: str, scope: HTTPScope, receive: Receive, send: Send) -> None:
        from research.integrations.mcp.mcp_caller import token_in_use

        await self._ready.wait()
        token_in_use.set(token)  # only for this request: tasks that it starts inherit it
        await self._manager.handle_request(scope, receive, send)  # type: ignore[arg-type]  # foreign ASGI types

    async def _stay(self) -> None:
        async with self._manager.run():
            self._ready.set()
            await asyncio.Event().wait()


async def _begin() -> _Live:
    return _Live(await asyncio.to_thread(_manager))


def _manager() -> "StreamableHTTPSessionManager":
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from research.integrations.mcp.mcp_server import make_server

    app = make_server()._lowlevel_server  # as in its `streamable_http_app`, which would add routes
    return StreamableHTTPSessionManager(
        app, json_response=True, stateless=True, max_request_body_size=MAX_BYTES
    )


def _token_in(scope: HTTPScope) -> str:
    """Return the token; "" if there is none or more than one."""
    values = [value for name, value in scope["headers"] if name == b"authorization"]
    if len(values) != 1:
        return ""
    scheme, _space, token = values[0].decode("latin-1").partition(" ")
    return token.strip() if scheme.casefold() == "bearer" else ""


async def _find_valid_token(scope: HTTPScope) -> str:
    """Return the token if it is valid, else ""."""
    from research.db.tenancy import in_thread  # Django is set up by now

    token = _token_in(scope)
    return token if await in_thread(lambda: _lets_in(token)) else ""


async def _read_body(receive: Receive) -> bytes:
    """Return the whole message. Raises VisitorLeft and RequestBodyTooLarge."""
    body = bytearray()
    while True:
        piece = await receive()
        if piece["type"] != "http.request":
            raise VisitorLeft
        body += piece.get("body", b"")
        if len(body) > MAX_BYTES:
            raise RequestBodyTooLarge
        if not piece.get("more_body", False):
            return bytes(body)


def _once_more(body: bytes, receive: Receive) -> Receive:
    """Return a receiver that replays the body already read, then passes on later events, such as a disconnect."""
    pieces = [HTTPRequestEvent(type="http.request", body=body, more_body=False)]

    async def replay_body() -> ReceiveEvent:
        return pieces.pop() if pieces else await receive()

    return replay_body


def _lets_in(token: str) -> bool:
    from research.accounts.api_tokens import find_caller

    return find_caller(token) is not None


async def _refuse(send: Send, status: int, code: str, headers: list[tuple[bytes, bytes]]) -> None:
    from research.integrations.api.api_problems import MEDIA_TYPE, Problem

    body = Problem(code).response().content  # type: ignore[arg-type]  # one of the codes above
    await _answer(send, status, MEDIA_TYPE.encode(), body, headers)


async def _answer(
    send: Send, status: int, media_type: bytes, body: bytes, headers: list[tuple[bytes, bytes]]
) -> None:
    own = [(b"content-type", media_type), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*own, *headers]})
    await send({"type": "http.response.body", "body": body, "more_body": False})
