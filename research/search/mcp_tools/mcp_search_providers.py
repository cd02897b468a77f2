"""The tools of configured MCP servers as search providers, with one session per server."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial

from django.conf import settings

from config.mcp_server_settings import USUAL_PACE, McpServer, McpTool
from research.fetching.denied_addresses import address_rules
from research.runtime.shared_redis import SharedRedis
from research.search.mcp_tools.mcp_search_program import Program, Streams, program
from research.search.mcp_tools.mcp_search_session import Conversation
from research.search.mcp_tools.mcp_search_web_server import ServerAddress, place
from research.search.mcp_tools.search_with_mcp_tool import ToolPages
from research.search.providers.search_service_entry import PagedProvider
from research.search.search_protocol import SearchType
from research.search.search_request_pace import Pace, Rate

AT_ONCE = 3  # largest burst of requests to a rarely queried service


class Outside:
    """The tools of MCP servers, for one event loop.

    No server is contacted, and no program started, before a search needs it.
    """

    def __init__(self, shared: SharedRedis, tools: Mapping[str, tuple[str, McpTool]]) -> None:
        servers: Mapping[str, McpServer] = settings.PLUMBLINE_MCP_SERVERS
        self._tools = tools
        self._servers = {name: servers[name] for name, _ in tools.values()}
        self._conversations = {name: Conversation(opener(server)) for name, server in self._servers.items()}
        self._paces = {
            name: Pace(shared, f"mcp:{name}", _rate(server)) for name, server in self._servers.items()
        }

    def providers(self, limit_s: float) -> Sequence[PagedProvider]:
        """Return the providers. `limit_s` is for one query; up to half of it may be spent waiting for its turn."""
        return [self._provider(name, *of, limit_s) for name, of in self._tools.items()]

    async def aclose(self) -> None:
        for conversation in self._conversations.values():
            await conversation.aclose()

    def _provider(self, name: str, server_name: str, tool: McpTool, limit_s: float) -> PagedProvider:
        server = self._servers[server_name]
        pages = ToolPages(
            tool,
            self._conversations[server_name],
            self._paces[server_name],
            server.secrets(),
            limit_s / 2,
        )
        types = frozenset(map(SearchType, tool.types))
        return PagedProvider(name, _place_of(server, tool), types, pages, limit_s)


def opener(server: McpServer) -> Callable[[Callable[[], None]], AbstractAsyncContextManager[Streams]]:
    if server.command:
        return partial(program, Program(server.command, server.args, dict(server.variables())))
    rules = None if server.inside else address_rules()
    return partial(place, ServerAddress(server.url, server.expand_headers(), rules))


def _rate(server: McpServer) -> Rate:
    """Return a rate that never exceeds the limit per minute; at one per second or more, no burst is allowed."""
    if server.a_minute >= USUAL_PACE:
        return Rate(60 / server.a_minute)
    burst = max(1, min(AT_ONCE, server.a_minute // 3))
    return Rate(60 / (server.a_minute - burst) if burst > 1 else 60 / server.a_minute, burst)


def _place_of(server: McpServer, tool: McpTool) -> str:
    """Return a cache identity of a server and a tool's configuration, hashed because arguments may be secret."""
    said = f"{server.url} {server.command} {' '.join(server.args)} {tool.model_dump_json()}"
    return f"mcp:{hashlib.sha256(said.encode()).hexdigest()[:20]}"
