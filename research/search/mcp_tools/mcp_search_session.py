"""A session with an MCP server: opened when first needed, kept, and reopened after a failure.

It runs in a task of its own, because the protocol's package must be exited in the task that entered it.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack

import anyio
import httpcore2
import httpx2
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    HEADER_MISMATCH,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    Implementation,
)
from pydantic import JsonValue, ValidationError

from research.fetching.http_client import AGENT
from research.fetching.ssrf_guard import BlockedConnection, NoSuchHost
from research.search.mcp_tools.mcp_search_program import Streams

REST_S = 60.0  # pause after a failure of the server
BEGIN_S = 60.0  # a program may have to be downloaded first
_FORGOTTEN = "Session terminated"  # the package's message for a 404 within a session
Open = Callable[
    [Callable[[], None]], AbstractAsyncContextManager[Streams]
]  # called with a callback for when the server is gone
_ABOUT = Implementation(name=AGENT, version="0.1")
# Errors of servers that are unreachable, crash, hang or send invalid data, alone or in groups.
BROKEN = (
    MCPError, OSError, ValidationError, TimeoutError, NoSuchHost, BlockedConnection, httpx2.HTTPError,
    httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException, anyio.ClosedResourceError,
    anyio.BrokenResourceError, ExceptionGroup,
)  # fmt: skip


class BrokenOff(Exception):
    """The server can't be used; str() says why, without URLs or keys."""


class _UnknownSession(BrokenOff):
    """The server no longer knows the session; a new one may be opened."""


class Conversation:
    """A session with one server, for one event loop."""

    def __init__(self, open_: Open) -> None:
        self._open = open_
        self._kept: _PersistentSession | None = None
        self._rests_until = 0.0

    async def call(self, tool: str, arguments: Mapping[str, JsonValue]) -> CallToolResult:
        """Call a tool. Raises BrokenOff, and MCPError if the server rejects the call."""
        kept = (
            self._kept if self._kept is not None and self._kept.is_open else self._replace_session(self._kept)
        )
        try:
            return await kept.call(tool, arguments)
        except _UnknownSession:
            return await self._replace_session(kept).call(tool, arguments)

    def give_up(self) -> None:
        """Pause requests to a server that does not answer. A session that is still opening is kept."""
        self.rest()
        if self._kept is not None and self._kept.is_ready:
            self._kept.leave()

    def rest(self) -> None:
        self._rests_until = time.monotonic() + REST_S

    def rests_for_s(self) -> float:
        return self._rests_until - time.monotonic()

    def _replace_session(self, old: "_PersistentSession | None") -> "_PersistentSession":
        """Open a new session, unless another call has done so already."""
        if self._kept is None or self._kept is old:
            self._kept = _PersistentSession(self._open)
        return self._kept

    async def aclose(self) -> None:
        kept, self._kept = self._kept, None
        if kept is not None:
            await kept.aclose()


class _PersistentSession:
    def __init__(self, open_: Open) -> None:
        self._open = open_
        self._over = asyncio.Event()
        self._client: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._client.add_done_callback(
            lambda done: done.cancelled() or done.exception()
        )  # retrieve the exception, as nobody may be waiting for it
        self._task = asyncio.create_task(self._stay())

    @property
    def is_open(self) -> bool:
        return not self._over.is_set() and not self._task.done()

    @property
    def is_ready(self) -> bool:
        return self._client.done()

    def leave(self) -> None:
        self._over.set()

    async def call(self, tool: str, arguments: Mapping[str, JsonValue]) -> CallToolResult:
        client = await asyncio.shield(self._client)
        try:
            return await _call_tool(client, tool, arguments)
        except MCPError as error:
            if error.message == _FORGOTTEN:
                self.leave()
                raise _UnknownSession("Its session has expired.") from error
            if error.code != CONNECTION_CLOSED:
                raise
            self.leave()
            raise BrokenOff("It closed the connection, or its answer was too long.") from error
        except BROKEN as error:
            self.leave()
            raise BrokenOff(words_of(error)) from error

    async def aclose(self) -> None:
        self._over.set()
        if not self._client.done():
            self._task.cancel()
        await asyncio.wait([self._task])

    async def _stay(self) -> None:
        """Keep the session open until it is over. However it ends, callers waiting for it to open are notified."""
        try:
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(BEGIN_S):
                    client = await stack.enter_async_context(
                        Client(self._open(self.leave), client_info=_ABOUT, cache=None)
                    )
                self._client.set_result(client)
                await self._over.wait()
        except (*BROKEN, RuntimeError) as error:  # RuntimeError: an unsupported protocol version
            if not self._client.done():
                self._client.set_exception(BrokenOff(words_of(error)))
        finally:
            self._over.set()
            if not self._client.done():
                self._client.set_exception(BrokenOff("The request to it failed."))


async def _call_tool(client: Client, tool: str, arguments: Mapping[str, JsonValue]) -> CallToolResult:
    """Call a tool without validation, because the package rejects results that do not match the tool's schema."""
    params = CallToolRequestParams(name=tool, arguments=dict(arguments))
    request = CallToolRequest(params=params)
    try:
        return await client.session.send_request(request, CallToolResult)
    except MCPError as error:
        if error.code != HEADER_MISMATCH:
            raise
    await client.list_tools()  # the list names the arguments that the server wants in headers too
    return await client.session.send_request(request, CallToolResult)


def words_of(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    match error:
        case FileNotFoundError() | PermissionError():
            return "Its program can't be started."
        case TimeoutError():
            return "It did not answer in time."
        case MCPError() if error.code == CONNECTION_CLOSED:
            return "It closed the connection before the session began."
        case MCPError():
            return f"It refused the session ({error.code})."
        case ValidationError() | RuntimeError():
            return "Its answer could not be read."
        case BlockedConnection():
            return f"Its address cannot be used ({error}); the option “inside” allows addresses in your own network."
    return "It could not be reached."
